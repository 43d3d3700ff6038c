// Numbers as people read them. Results are the caller's.
#ifndef SPINFAULT_FORMAT_H
#define SPINFAULT_FORMAT_H

#include <stdint.h>

char *format_ratio(double ratio);                       // "0.51×"
char *format_percent(double share);                     // 0.556 → "55.6 %"
char *format_value(double value);                       // three or more significant digits, commas
char *format_with_unit(double value, const char *unit); // "50,752 tps", "1.2 ms"
char *format_p(double p);                               // "0.008", "1.5×10⁻⁶", "–" for NAN
char *format_axis(double value);                        // "0", "50k", "1 M"
char *format_exact(double value);                       // as it was given, with commas: "50,751.96"

#endif
