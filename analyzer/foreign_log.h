// How a log of questions is written; foreign.h says how it is read.
#ifndef SPINFAULT_ANALYZER_FOREIGN_LOG_H
#define SPINFAULT_ANALYZER_FOREIGN_LOG_H

#include "foreign.h"

void foreign_log_add(struct foreign_log *log, const struct foreign_use *use); // copies
// Another file lay one hop further away, or the hops did not suffice for what was asked.
void foreign_log_merge(struct foreign_log *log, const struct foreign_log *inner);
void foreign_log_cut(struct foreign_log *log);
bool foreign_log_is_cut(const struct foreign_log *log);
unsigned foreign_log_height(const struct foreign_log *log); // hops that were needed

#endif
