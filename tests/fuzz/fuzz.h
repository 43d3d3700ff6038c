// What libFuzzer calls, and replay.c in its place.
#ifndef SPINFAULT_TESTS_FUZZ_H
#define SPINFAULT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
