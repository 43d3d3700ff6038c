// The heat map of samples in time, as far as the script has to find its way in it.
#ifndef SPINFAULT_REPORT_WHEN_H
#define SPINFAULT_REPORT_WHEN_H

#define WHEN_LEFT 8.0  // percent of the width before the cells
#define WHEN_CELL 14.0 // pixels

#endif
