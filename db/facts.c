// Copies of scan facts.
#include "facts.h"

static void free_text(const char *text)
{
    g_free((char *)text);
}

struct section_fact *section_fact_copy(const struct section_fact *fact)
{
    struct section_fact *f = g_memdup2(fact, sizeof *fact);
    f->file = g_strdup(fact->file);
    f->function = g_strdup(fact->function);
    f->api = g_strdup(fact->api);
    f->model = g_strdup(fact->model);
    f->lock = g_strdup(fact->lock);
    f->excerpt = g_strdup(fact->excerpt);
    f->release_lines =
        g_memdup2(fact->release_lines, fact->n_release_lines * sizeof *fact->release_lines);
    struct access_fact *accesses =
        g_memdup2(fact->accesses, fact->n_accesses * sizeof *fact->accesses);
    for (size_t i = 0; i < fact->n_accesses; i++)
        accesses[i].object = g_strdup(accesses[i].object);
    f->accesses = accesses;
    struct call_fact *calls = g_memdup2(fact->calls, fact->n_calls * sizeof *fact->calls);
    for (size_t i = 0; i < fact->n_calls; i++)
        calls[i].name = g_strdup(calls[i].name);
    f->calls = calls;
    return f;
}

void section_fact_free(gpointer fact)
{
    struct section_fact *f = fact;
    if (!f)
        return;
    free_text(f->file);
    free_text(f->function);
    free_text(f->api);
    free_text(f->model);
    free_text(f->lock);
    free_text(f->excerpt);
    g_free((unsigned *)f->release_lines);
    for (size_t i = 0; i < f->n_accesses; i++)
        free_text(f->accesses[i].object);
    g_free((struct access_fact *)f->accesses);
    for (size_t i = 0; i < f->n_calls; i++)
        free_text(f->calls[i].name);
    g_free((struct call_fact *)f->calls);
    g_free(f);
}

struct finding_fact *finding_fact_copy(const struct finding_fact *fact)
{
    struct finding_fact *f = g_memdup2(fact, sizeof *fact);
    f->rule = g_strdup(fact->rule);
    f->file = g_strdup(fact->file);
    f->function = g_strdup(fact->function);
    f->lock = g_strdup(fact->lock);
    f->object = g_strdup(fact->object);
    f->message = g_strdup(fact->message);
    f->suggestion = g_strdup(fact->suggestion);
    f->fingerprint = g_strdup(fact->fingerprint);
    struct path_step *path = g_memdup2(fact->path, fact->n_path * sizeof *fact->path);
    for (size_t i = 0; i < fact->n_path; i++) {
        path[i].file = g_strdup(path[i].file);
        path[i].what = g_strdup(path[i].what);
    }
    f->path = path;
    return f;
}

void finding_fact_free(gpointer fact)
{
    struct finding_fact *f = fact;
    if (!f)
        return;
    free_text(f->rule);
    free_text(f->file);
    free_text(f->function);
    free_text(f->lock);
    free_text(f->object);
    free_text(f->message);
    free_text(f->suggestion);
    free_text(f->fingerprint);
    for (size_t i = 0; i < f->n_path; i++) {
        free_text(f->path[i].file);
        free_text(f->path[i].what);
    }
    g_free((struct path_step *)f->path);
    g_free(f);
}

struct file_fact *file_fact_copy(const struct file_fact *fact)
{
    struct file_fact *f = g_new(struct file_fact, 1);
    *f = (struct file_fact){g_strdup(fact->file), fact->status, g_strdup(fact->why)};
    return f;
}

void file_fact_free(gpointer fact)
{
    struct file_fact *f = fact;
    if (!f)
        return;
    free_text(f->file);
    free_text(f->why);
    g_free(f);
}
