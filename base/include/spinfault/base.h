// The vocabulary every folder speaks: errors, facts, the sink that takes facts, limits, text.
#ifndef SPINFAULT_BASE_H
#define SPINFAULT_BASE_H

#include "spinfault/base/digest.h"
#include "spinfault/base/error.h"
#include "spinfault/base/event.h"
#include "spinfault/base/limits.h"
#include "spinfault/base/run_facts.h"
#include "spinfault/base/sample_facts.h"
#include "spinfault/base/scan_facts.h"
#include "spinfault/base/sink.h"
#include "spinfault/base/text.h"

#endif
