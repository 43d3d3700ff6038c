// See scan_result.h.
#include "scan_result.h"

#include "foreign.h"

struct scan_result *scan_result_new(void)
{
    struct scan_result *result = g_new0(struct scan_result, 1);
    result->text = g_string_chunk_new(1024);
    result->memory = g_ptr_array_new_with_free_func(g_free);
    result->sections = g_ptr_array_new();
    result->findings = g_ptr_array_new();
    result->notes = g_ptr_array_new();
    result->log = foreign_log_new();
    result->lockers = g_ptr_array_new();
    return result;
}

void scan_result_free(struct scan_result *result)
{
    if (!result)
        return;
    g_string_chunk_free(result->text);
    g_ptr_array_unref(result->memory);
    g_ptr_array_unref(result->sections);
    g_ptr_array_unref(result->findings);
    g_ptr_array_unref(result->notes);
    foreign_log_free(result->log);
    g_ptr_array_unref(result->lockers);
    g_free(result);
}

const char *scan_result_text(struct scan_result *result, const char *text)
{
    return text ? g_string_chunk_insert_const(result->text, text) : NULL;
}

void *scan_result_alloc(struct scan_result *result, size_t bytes)
{
    void *memory = g_malloc0(bytes);
    g_ptr_array_add(result->memory, memory);
    return memory;
}
