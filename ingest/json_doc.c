// JSON documents.
#include "json_doc.h"

#include "formats.h"

// A brace that begins a line, before any other: messages may hold some.
static const char *find_start(struct slice text)
{
    struct slice rest = text, line;
    while (head_line(&rest, &line)) {
        struct slice s = slice_trim(line);
        if (slice_starts(s, "{"))
            return s.data;
    }
    return text.len ? memchr(text.data, '{', text.len) : NULL;
}

json_t *json_doc_read(struct ingest *in, GError **error)
{
    struct slice text;
    json_error_t problem;
    if (!reader_rest(in->reader, &text, error))
        return NULL;
    const char *brace = find_start(text), *end = text.data + text.len;
    uint64_t before = 0;
    if (!brace) {
        ingest_damaged(in, 0, error, "no JSON object in it");
        return NULL;
    }
    for (const char *p = text.data; p < brace; p++)
        before += *p == '\n';
    json_t *doc = json_loadb(brace, (size_t)(end - brace), JSON_DISABLE_EOF_CHECK, &problem);
    const char *behind = doc ? brace + problem.position : end;
    if (doc && memchr(behind, '{', (size_t)(end - behind))) {
        ingest_damaged(
            in, 0, error,
            "a second JSON document stands behind the first; put each into a file of its "
            "own (of fio's --status-interval, the last one)");
        json_decref(doc);
        return NULL;
    }
    if (!doc)
        ingest_damaged(in, before + (uint64_t)MAX(problem.line, 0), error, "no valid JSON: %s",
                       problem.text);
    return doc;
}

double json_number(const json_t *object, const char *key)
{
    json_t *v = json_object_get(object, key);
    double value;
    if (json_is_number(v))
        return json_number_value(v);
    return json_is_string(v) && slice_to_double(slice_from(json_string_value(v)), &value) ? value
                                                                                          : NAN;
}

const char *json_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

void json_metric(struct run_builder *run, const json_t *object, const char *key, const char *name,
                 const char *unit)
{
    double value = json_number(object, key);
    if (isfinite(value))
        run_metric(run, name, value, unit);
}

void json_setting(struct run_builder *run, const json_t *object, const char *key, const char *name)
{
    json_t *v = json_object_get(object, key);
    if (json_is_string(v)) {
        run_set(run, name, slice_from(json_string_value(v)));
    } else if (json_is_number(v)) {
        g_autofree char *text = text_double(json_number_value(v));
        run_set(run, name, slice_from(text));
    } else if (json_is_boolean(v)) {
        run_set(run, name, json_is_true(v) ? SLICE("true") : SLICE("false"));
    }
}
