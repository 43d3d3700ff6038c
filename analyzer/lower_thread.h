// A thread with a big stack for libclang, and the end of waiting for it.
//
// Clang's parser recurses with the nesting of the source, and an exhausted stack is the one crash
// that libclang does not recover from. From others it does, by jumping out of whatever it was
// doing, a lock of its own that it held included: then whoever wants that lock waits for ever (seen
// once, in llvm::Timer::init). A thread that has used no CPU for a while after a crash is given up.
#ifndef SPINFAULT_ANALYZER_LOWER_THREAD_H
#define SPINFAULT_ANALYZER_LOWER_THREAD_H

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>

// libclang crashed in this process.
void lower_note_crash(void);

// Runs `run(data)` on such a thread and waits for it. Once libclang has crashed the waiting ends,
// with false, when the thread has not run for LIMIT_STUCK_SECONDS; `data` is then the thread's for
// ever. Where no thread can be made, runs it here.
bool lower_run(void *(*run)(void *), void *data);

// The waiting of lower_run: gives up only while `*doubtful` is not 0, and then detaches the thread.
bool lower_wait(pthread_t thread, unsigned stuck_seconds, const gint *doubtful);

#endif
