// What libraries print behind our back.
#ifndef SPINFAULT_CLI_HUSH_H
#define SPINFAULT_CLI_HUSH_H

// From now on what libclang prints to `stderr` about a crash it has recovered from is dropped: the
// scan says it in a sentence, with the file. Everything else goes through. Once a process.
void hush_libclang(void);

#endif
