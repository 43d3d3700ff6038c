// The looks of classes for files, where no stylesheet reaches.
#ifndef SPINFAULT_REPORT_PALETTE_H
#define SPINFAULT_REPORT_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

struct look {
    uint32_t ink, fill, stroke; // 0xRRGGBB
    double size;                // of text, pixels
    double width;               // of lines
    double alpha;
    bool bold, dashed, round;
    bool outline; // of a box
};

// Of a list of classes with blanks between them; later ones add to earlier ones.
struct look palette_look(const char *classes);

#endif
