#include "config.h"
static struct config config;
struct config *get_config(void) { return &config; }
