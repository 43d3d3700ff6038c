// What a set of models is made of; shared by model.c (asking) and model_load.c (reading).
#ifndef SPINFAULT_ANALYZER_MODEL_SET_H
#define SPINFAULT_ANALYZER_MODEL_SET_H

#include "model.h"

struct model_set {
    GPtrArray *lock_ops;    // struct model_lock_op*, index = id
    GPtrArray *functions;   // struct model_function*
    GHashTable *op_by_name; // name -> struct model_lock_op*
    GHashTable *function_by_name;
    GHashTable *shared;       // names of globals and types
    GHashTable *constants;    // name -> gint64*
    GHashTable *declarations; // header -> C text
    GPtrArray *acquire_names; // const char*, NULL-terminated
    GStringChunk *text;       // interned
    struct digest *digesting; // while loading
    char digest[DIGEST_HEX_BYTES];
};

// Reads one model document into `set`. `where` names it in errors. With `override`, what it says
// replaces what an earlier model said about the same name; else the earlier one stands.
bool model_read(struct model_set *set, const char *data, size_t bytes, const char *where,
                bool override, GError **error);

#endif
