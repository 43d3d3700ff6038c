// Tables that a database server was asked for: wait events, settings, single values.
#ifndef SPINFAULT_INGEST_SERVER_TABLE_H
#define SPINFAULT_INGEST_SERVER_TABLE_H

#include "table.h"

// Is this a type of wait event ("LWLock", "IO", …)?
bool is_wait_event_type(struct slice s);
// Is this the name of a column that tells what a server's table is about?
bool server_column_is_known(struct slice name);
// Delivers what the table means; `t` is when it was taken (epoch seconds, or NAN). A table of
// anything else is one of results, as csv.c reads them.
bool server_table_deliver(struct ingest *in, const struct table *t, double when, GError **error);
// csv.c
bool csv_deliver(struct ingest *in, const struct table *t, GError **error);

#endif
