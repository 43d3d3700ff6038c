// Reading model files: XML, checked against models/model.rng before anything is believed.
#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <string.h>

#include "model_set.h"

extern const char model_rng[], model_rng_end[];

G_DEFINE_AUTOPTR_CLEANUP_FUNC(xmlDoc, xmlFreeDoc)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(xmlRelaxNG, xmlRelaxNGFree)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(xmlRelaxNGParserCtxt, xmlRelaxNGFreeParserCtxt)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(xmlRelaxNGValidCtxt, xmlRelaxNGFreeValidCtxt)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(xmlParserCtxt, xmlFreeParserCtxt)

// The first thing libxml2 complained about.
struct complaint {
    int line;
    char *message;
};

#if LIBXML_VERSION >= 21200
typedef const xmlError *complaint_arg;
#else
typedef xmlErrorPtr complaint_arg;
#endif

static void note_complaint(void *context, complaint_arg error)
{
    struct complaint *complaint = context;
    if (complaint->message || !error->message)
        return;
    complaint->line = error->line;
    complaint->message = g_strchomp(g_strdup(error->message));
}

static bool damaged(GError **error, const char *where, int line, const char *message)
{
    return error_set(error, SPINFAULT_ERROR_DAMAGED, "%s:%d: %s", where, line, message);
}

static xmlDoc *parse(const char *data, size_t bytes, const char *where, GError **error)
{
    if (bytes > LIMIT_MODEL_BYTES) {
        error_set(error, SPINFAULT_ERROR_LIMIT,
                  "model %s is larger than LIMIT_MODEL_BYTES (%u bytes); split it", where,
                  LIMIT_MODEL_BYTES);
        return NULL;
    }
    g_autoptr(xmlParserCtxt) parser = xmlNewParserCtxt();
    xmlDoc *document = xmlCtxtReadMemory(parser, data, (int)bytes, where, NULL,
                                         XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (!document) {
        const xmlError *last = xmlCtxtGetLastError(parser);
        g_autofree char *message =
            g_strchomp(g_strdup(last && last->message ? last->message : "not well-formed XML"));
        damaged(error, where, last ? last->line : 0, message);
    }
    return document;
}

static bool validate(xmlDoc *document, const char *where, GError **error)
{
    g_autoptr(xmlRelaxNGParserCtxt) parser =
        xmlRelaxNGNewMemParserCtxt(model_rng, (int)(model_rng_end - model_rng));
    g_autoptr(xmlRelaxNG) schema = xmlRelaxNGParse(parser);
    g_assert(schema);
    g_autoptr(xmlRelaxNGValidCtxt) context = xmlRelaxNGNewValidCtxt(schema);
    struct complaint complaint = {0};
    xmlRelaxNGSetValidStructuredErrors(context, note_complaint, &complaint);
    bool valid = xmlRelaxNGValidateDoc(context, document) == 0;
    if (!valid)
        damaged(error, where, complaint.line,
                complaint.message ? complaint.message : "does not follow the model schema");
    g_free(complaint.message);
    return valid;
}

static const char *attribute(struct model_set *set, xmlNode *node, const char *name)
{
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    if (!value)
        return NULL;
    const char *kept = g_string_chunk_insert_const(set->text, (const char *)value);
    xmlFree(value);
    return kept;
}

// The schema has seen to it that the value is a number.
static int argument(struct model_set *set, xmlNode *node, const char *name, int missing)
{
    const char *value = attribute(set, node, name);
    return value ? atoi(value) : missing;
}

static bool is(struct model_set *set, xmlNode *node, const char *name, const char *wanted)
{
    return g_strcmp0(attribute(set, node, name), wanted) == 0;
}

static const char *next_name(struct model_set *set, const char **list)
{
    *list += strspn(*list, " \t\r\n");
    size_t n = strcspn(*list, " \t\r\n");
    if (!n)
        return NULL;
    g_autofree char *name = g_strndup(*list, n);
    *list += n;
    return g_string_chunk_insert_const(set->text, name);
}

static void name_entry(GHashTable *table, const char *name, gpointer entry, bool override)
{
    if (override || !g_hash_table_contains(table, name))
        g_hash_table_insert(table, (gpointer)name, entry);
}

static enum model_guarded read_guarded(struct model_set *set, xmlNode *root)
{
    return is(set, root, "memory", "wired")     ? GUARDED_WIRED
           : is(set, root, "memory", "process") ? GUARDED_PROCESS
                                                : GUARDED_ANY;
}

static void read_operation(struct model_set *set, const char *model, xmlNode *lock, xmlNode *node,
                           bool override)
{
    const char *kind = (const char *)node->name;
    struct model_lock_op op = {
        .model = model,
        .family = attribute(set, lock, "family"),
        .action = strcmp(kind, "acquire") == 0  ? MODEL_ACQUIRE
                  : strcmp(kind, "try") == 0    ? MODEL_TRY
                  : strcmp(kind, "change") == 0 ? MODEL_CHANGE
                                                : MODEL_RELEASE,
        .form = is(set, node, "form", "macro")   ? MODEL_MACRO
                : is(set, node, "form", "guard") ? MODEL_GUARD
                : is(set, node, "form", "block") ? MODEL_BLOCK
                                                 : MODEL_FUNCTION,
        .lock_arg = (unsigned)argument(set, node, "arg", 0),
        .lock_is_object = is(set, node, "object", "yes"),
        .returns_state = is(set, node, "returns-state", "yes"),
        .lock_type = attribute(set, lock, "type"),
        .sleeps = is(set, lock, "sleeps", "yes"),
        .recursive = is(set, lock, "recursive", "yes"),
        .lock_behind_pointer = is(set, node, "pointer", "yes"),
        .only_type = is(set, node, "only-type", "yes"),
        .bit_arg = argument(set, node, "bit-arg", -1),
        .when_arg = argument(set, node, "when-arg", -1),
        .global = attribute(set, node, "global"),
        .guarded = read_guarded(set, lock->parent),
        .set_up = attribute(set, lock->parent, "set-up"),
    };
    if (xmlHasProp(node, (const xmlChar *)"acquired-when"))
        op.acquired =
            is(set, node, "acquired-when", "zero") ? ACQUIRED_WHEN_ZERO : ACQUIRED_WHEN_NONZERO;
    op.fails_negative = is(set, node, "failed", "negative");
    op.mode = is(set, node, "mode", "shared") ? MODE_SHARED
              : op.action == MODEL_TRY        ? MODE_TRY
                                              : MODE_EXCLUSIVE;
    op.mode_given = xmlHasProp(node, (const xmlChar *)"mode");
    const char *names = attribute(set, node, "names");
    while ((op.name = next_name(set, &names))) {
        op.id = set->lock_ops->len;
        struct model_lock_op *kept = g_memdup2(&op, sizeof op);
        g_ptr_array_add(set->lock_ops, kept);
        name_entry(set->op_by_name, kept->name, kept, override);
    }
}

static unsigned read_effects(struct model_set *set, xmlNode *node, const char *name)
{
    static const char *const words[] = {"pure",    "syscall",   "blocks",    "allocates",
                                        "logs",    "no-return", "may-error", "frees",
                                        "crashes", "forks",     "exits"};
    unsigned effects = 0;
    const char *list = attribute(set, node, name);
    const char *word;
    while (list && (word = next_name(set, &list))) {
        for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
            if (strcmp(words[i], word) == 0)
                effects |= 1u << i;
        }
    }
    return effects;
}

static enum model_memory read_returns(struct model_set *set, xmlNode *node)
{
    static const char *const words[] = {"", "shared", "fresh-heap", "mapping", "resident"};
    const char *word = attribute(set, node, "returns");
    for (unsigned i = 1; word && i < G_N_ELEMENTS(words); i++) {
        if (strcmp(words[i], word) == 0)
            return (enum model_memory)i;
    }
    return MEMORY_NONE;
}

static void read_flags(struct model_set *set, xmlNode *node, struct model_function *function)
{
    if (function->flag_arg < 0)
        return;
    function->flag_bits = g_ascii_strtoull(attribute(set, node, "flag-bits"), NULL, 16);
    function->effects_with = read_effects(set, node, "with-flag");
    bool both = xmlHasProp(node, (const xmlChar *)"without-flag");
    function->effects_without = both ? read_effects(set, node, "without-flag") : function->effects;
}

static void read_levels(struct model_set *set, xmlNode *node, struct model_function *function)
{
    const char *levels = attribute(set, node, "usual-levels");
    if (!levels)
        return;
    char *end;
    function->usual_low = (int)g_ascii_strtoll(levels, &end, 10);
    function->usual_high = (int)g_ascii_strtoll(end, NULL, 10);
}

static void read_function(struct model_set *set, const char *model, xmlNode *node, bool override)
{
    struct model_function function = {
        .model = model,
        .effects = read_effects(set, node, "effects"),
        .returns = read_returns(set, node),
        .writes_arg = argument(set, node, "writes", -1),
        .reads_arg = argument(set, node, "reads", -1),
        .length_arg = argument(set, node, "length", -1),
        .resident_arg = argument(set, node, "resident", -1),
        .resident_for_write = is(set, node, "resident-for-write", "yes"),
        .resident_but_files = is(set, node, "resident-for-write", "but-files"),
        .advice_arg = argument(set, node, "advice-arg", -1),
        .advice_read = argument(set, node, "advice-read", -1),
        .advice_write = argument(set, node, "advice-write", -1),
        .resident_all_arg = argument(set, node, "resident-all-arg", -1),
        .no_return_level_arg = argument(set, node, "no-return-level-arg", -1),
        .no_return_level = argument(set, node, "no-return-level", 0),
        .no_return_values = attribute(set, node, "no-return-values"),
        .is_macro = is(set, node, "form", "macro"),
        .asks_context = is(set, node, "asks-context", "yes"),
        .fallback = is(set, node, "fallback", "yes"),
        .given = override,
        .level_arg = argument(set, node, "level-arg", -1),
        .flag_arg = argument(set, node, "flag-arg", -1),
    };
    read_levels(set, node, &function);
    read_flags(set, node, &function);
    const char *names = attribute(set, node, "names");
    while ((function.name = next_name(set, &names))) {
        struct model_function *kept = g_memdup2(&function, sizeof function);
        g_ptr_array_add(set->functions, kept);
        name_entry(set->function_by_name, kept->name, kept, override);
    }
}

static void read_shared(struct model_set *set, xmlNode *node)
{
    const char *names = attribute(set, node, "globals");
    if (!names)
        names = attribute(set, node, "types");
    const char *name;
    while (names && (name = next_name(set, &names)))
        g_hash_table_add(set->shared, (gpointer)name);
}

static void read_constant(struct model_set *set, xmlNode *node)
{
    const char *names = attribute(set, node, "names"), *name;
    gint64 value = g_ascii_strtoll(attribute(set, node, "value"), NULL, 10);
    while ((name = next_name(set, &names)))
        g_hash_table_insert(set->constants, (gpointer)name, g_memdup2(&value, sizeof value));
}

static void read_declarations(struct model_set *set, xmlNode *node)
{
    const char *headers = attribute(set, node, "when-missing"), *header;
    xmlChar *content = xmlNodeGetContent(node);
    const char *text = g_string_chunk_insert(set->text, (const char *)content);
    xmlFree(content);
    while ((header = next_name(set, &headers)))
        g_hash_table_insert(set->declarations, (gpointer)header, (gpointer)text);
}

bool model_read(struct model_set *set, const char *data, size_t bytes, const char *where,
                bool override, GError **error)
{
    g_autoptr(xmlDoc) document = parse(data, bytes, where, error);
    if (!document || !validate(document, where, error))
        return false;
    digest_update(set->digesting, data, bytes);
    xmlNode *root = xmlDocGetRootElement(document);
    const char *model = attribute(set, root, "name");
    for (xmlNode *node = root->children; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        if (strcmp((const char *)node->name, "lock") == 0) {
            for (xmlNode *op = node->children; op; op = op->next) {
                if (op->type == XML_ELEMENT_NODE)
                    read_operation(set, model, node, op, override);
            }
        } else if (strcmp((const char *)node->name, "function") == 0) {
            read_function(set, model, node, override);
        } else if (strcmp((const char *)node->name, "constant") == 0) {
            read_constant(set, node);
        } else if (strcmp((const char *)node->name, "declarations") == 0) {
            read_declarations(set, node);
        } else {
            read_shared(set, node);
        }
    }
    return true;
}
