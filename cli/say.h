// Lines for stderr.
#ifndef SPINFAULT_CLI_SAY_H
#define SPINFAULT_CLI_SAY_H

// "spinfault: MESSAGE". Control characters are made visible, so that it is one line whatever a
// file's name holds.
void say_error(const char *message);

#endif
