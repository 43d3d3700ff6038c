// JSON documents: read whole, with whatever a program printed before the first brace left out.
#ifndef SPINFAULT_INGEST_JSON_DOC_H
#define SPINFAULT_INGEST_JSON_DOC_H

#include "run_builder.h"

#include <jansson.h>

// The document, the caller's. Errors: DAMAGED with the line, LIMIT.
json_t *json_doc_read(struct ingest *in, GError **error);
// The number behind a path of keys, NAN when there is none. Numbers in strings count.
double json_number(const json_t *object, const char *key);
const char *json_text(const json_t *object, const char *key); // NULL when it is no string
// Adds the number as a metric, if it is there.
void json_metric(struct run_builder *run, const json_t *object, const char *key, const char *name,
                 const char *unit);
// Adds the string or the number as a setting, if it is there.
void json_setting(struct run_builder *run, const json_t *object, const char *key, const char *name);

#endif
