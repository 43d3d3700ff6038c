// The provider. See foreign.h.
#include "foreign_log.h"

#include <string.h>

#include "flow.h"
#include "foreign_copy.h"
#include "foreign_units.h"

// A function's summary, for one number of hops left; or `exact`, when they sufficed.
struct answer {
    bool running;
    struct foreign_copy *copy; // NULL: the file has no such function after all
    struct foreign_log *log;
};

struct foreign {
    const struct front *front;
    const struct model_set *models;
    const GPtrArray *assumptions;
    struct foreign_units *units;
    GMutex lock; // of `answers` and what it holds
    GCond answered;
    GHashTable *answers;  // text of a question -> struct answer*
    GHashTable *exact;    // the same without the hops -> struct answer* of `answers`
    GHashTable *mentions; // name -> GArray of unsigned
    GHashTable *lockers;  // names that foreign_add_locker() was told; written between rounds only
};

static void answer_free(gpointer data)
{
    struct answer *answer = data;
    foreign_copy_free(answer->copy);
    foreign_log_free(answer->log);
    g_free(answer);
}

struct foreign *foreign_new(const struct front *front, const struct model_set *models,
                            const GPtrArray *assumptions)
{
    struct foreign *foreign = g_new0(struct foreign, 1);
    foreign->front = front;
    foreign->models = models;
    foreign->assumptions = assumptions;
    foreign->units = foreign_units_new(front);
    foreign->answers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, answer_free);
    foreign->exact = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    foreign->mentions =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_array_unref);
    foreign->lockers = g_hash_table_new(g_str_hash, g_str_equal);
    g_mutex_init(&foreign->lock);
    g_cond_init(&foreign->answered);
    return foreign;
}

void foreign_free(struct foreign *foreign)
{
    if (!foreign)
        return;
    g_hash_table_unref(foreign->exact);
    g_hash_table_unref(foreign->answers);
    g_hash_table_unref(foreign->mentions);
    g_hash_table_unref(foreign->lockers);
    foreign_units_free(foreign->units);
    g_mutex_clear(&foreign->lock);
    g_cond_clear(&foreign->answered);
    g_free(foreign);
}

// ---- Units.

const struct ir_unit *foreign_take_unit(struct foreign *foreign, unsigned file)
{
    return foreign_units_take(foreign->units, file);
}

void foreign_give_unit(struct foreign *foreign, unsigned file)
{
    foreign_units_give(foreign->units, file);
}

void foreign_expect(struct foreign *foreign, unsigned file, bool expected)
{
    foreign_units_expect(foreign->units, file, expected);
}

const GPtrArray *foreign_includes(struct foreign *foreign, unsigned file)
{
    return foreign_units_includes(foreign->units, file);
}

// ---- Summaries.

// Everything an answer may depend on but the hops.
struct question {
    unsigned file;
    const char *name;
    bool deep;
};

static char *question_text(const struct question *question)
{
    return g_strdup_printf("%u %d %s", question->file, question->deep, question->name);
}

// In an analysis of the callee's own file, which has `hops` left.
static void compute(struct foreign *foreign, const struct question *question, unsigned hops,
                    struct answer *answer)
{
    const struct ir_unit *unit = foreign_take_unit(foreign, question->file);
    struct analysis *analysis = analysis_new(unit, foreign->models);
    analysis->assumptions = foreign->assumptions;
    analysis->foreign = foreign;
    analysis->hops = hops;
    analysis->log = answer->log;
    analysis->deep = question->deep;
    const struct ir_function *function = g_hash_table_lookup(analysis->functions, question->name);
    const struct summary *summary = function ? summary_of(analysis, function) : NULL;
    if (summary)
        answer->copy = foreign_copy_new(summary);
    analysis_free(analysis);
    foreign_give_unit(foreign, question->file);
}

// The answer that is known already, or a new one that the caller has to compute. With `lock` held.
static struct answer *find_answer(struct foreign *foreign, const char *text, unsigned hops,
                                  bool *is_new)
{
    g_autofree char *key = g_strdup_printf("%u %s", hops, text);
    for (;;) {
        struct answer *exact = g_hash_table_lookup(foreign->exact, text);
        if (exact && foreign_log_height(exact->log) <= hops)
            return exact;
        struct answer *answer = g_hash_table_lookup(foreign->answers, key);
        *is_new = !answer;
        if (!answer) {
            answer = g_new0(struct answer, 1);
            answer->running = true;
            answer->log = foreign_log_new();
            g_hash_table_insert(foreign->answers, g_steal_pointer(&key), answer);
        }
        if (*is_new || !answer->running)
            return answer;
        g_cond_wait(&foreign->answered, &foreign->lock);
    }
}

static const struct answer *answer_of(struct foreign *foreign, const struct question *question,
                                      unsigned hops)
{
    g_autofree char *text = question_text(question);
    bool is_new = false;
    g_mutex_lock(&foreign->lock);
    struct answer *answer = find_answer(foreign, text, hops, &is_new);
    if (is_new) {
        g_mutex_unlock(&foreign->lock);
        compute(foreign, question, hops, answer);
        g_mutex_lock(&foreign->lock);
        answer->running = false;
        if (!foreign_log_is_cut(answer->log) && !g_hash_table_contains(foreign->exact, text))
            g_hash_table_insert(foreign->exact, g_steal_pointer(&text), answer);
        g_cond_broadcast(&foreign->answered);
    }
    g_mutex_unlock(&foreign->lock);
    return answer;
}

bool foreign_may_lock(struct foreign *foreign, const char *name, struct foreign_log *log)
{
    bool yes = front_may_lock(foreign->front, name);
    unsigned file = yes ? (unsigned)front_find_definition(foreign->front, name) : 0;
    struct foreign_use use = {FOREIGN_MAY_LOCK, g_intern_string(name), &file, yes};
    if (log)
        foreign_log_add(log, &use);
    return yes || g_hash_table_contains(foreign->lockers, name);
}

bool foreign_add_locker(struct foreign *foreign, const char *name)
{
    if (foreign_may_lock(foreign, name, NULL))
        return false;
    g_hash_table_add(foreign->lockers, (gpointer)g_intern_string(name));
    g_hash_table_remove_all(foreign->exact);
    g_hash_table_remove_all(foreign->answers);
    return true;
}

// The file that defines it, noted as what the facts rest on; -1: none.
static int definition_of(struct analysis *analysis, const char *name)
{
    int found = front_find_definition(analysis->foreign->front, name);
    unsigned file = (unsigned)found;
    struct foreign_use use = {FOREIGN_DEFINITION, g_intern_string(name), &file, found >= 0};
    if (analysis->log)
        foreign_log_add(analysis->log, &use);
    return found;
}

static struct summary *look_up(struct analysis *analysis, const struct question *question)
{
    if (analysis->hops == 0) {
        if (analysis->log)
            foreign_log_cut(analysis->log);
        return NULL;
    }
    const struct answer *answer = answer_of(analysis->foreign, question, analysis->hops - 1);
    if (analysis->log)
        foreign_log_merge(analysis->log, answer->log);
    if (!answer->copy)
        return NULL;
    struct summary *summary = foreign_copy_import(answer->copy, analysis->table);
    summary->judged &= foreign_is_candidate(analysis->foreign, question->file);
    return summary;
}

const struct summary *foreign_summary(struct analysis *analysis, const char *name, bool deep)
{
    GHashTable *imported = analysis->imported[deep];
    gpointer known = NULL;
    if (g_hash_table_lookup_extended(imported, name, NULL, &known))
        return known;
    int file = definition_of(analysis, name);
    struct question question = {(unsigned)file, name, deep};
    struct summary *summary = file < 0 ? NULL : look_up(analysis, &question);
    if (summary)
        g_ptr_array_add(analysis->owned, summary);
    g_hash_table_insert(imported, (gpointer)g_intern_string(name), summary);
    return summary;
}

const struct summary *foreign_static_summary(struct analysis *analysis, unsigned file,
                                             const char *usr)
{
    // Only the last part of a file's name is in it.
    g_autofree char *key = g_strdup_printf("%u %s", file, usr);
    gpointer known = NULL;
    if (g_hash_table_lookup_extended(analysis->imported[true], key, NULL, &known))
        return known;
    struct question question = {file, usr, true};
    struct summary *summary = look_up(analysis, &question);
    if (summary)
        g_ptr_array_add(analysis->owned, summary);
    g_hash_table_insert(analysis->imported[true], (gpointer)g_intern_string(key), summary);
    return summary;
}

const unsigned *foreign_mentions(struct analysis *analysis, const char *name, unsigned *n)
{
    struct foreign *foreign = analysis->foreign;
    const char *word = g_intern_string(name);
    g_mutex_lock(&foreign->lock);
    GArray *files = g_hash_table_lookup(foreign->mentions, word);
    if (!files) {
        size_t count;
        g_autofree unsigned *found = front_mentions(foreign->front, word, &count);
        files = g_array_new(FALSE, FALSE, sizeof(unsigned));
        g_array_append_vals(files, found, (guint)count);
        g_hash_table_insert(foreign->mentions, (gpointer)word, files);
    }
    g_mutex_unlock(&foreign->lock);
    *n = files->len;
    const unsigned *all = (const unsigned *)(gconstpointer)files->data;
    struct foreign_use use = {FOREIGN_MENTIONS, word, all, files->len};
    if (analysis->log)
        foreign_log_add(analysis->log, &use);
    return all;
}

bool foreign_is_candidate(const struct foreign *foreign, unsigned file)
{
    return front_is_candidate(foreign->front, file);
}

bool foreign_is_file(const struct foreign *foreign, unsigned file, const char *name)
{
    return strcmp(front_file_name(foreign->front, file), name) == 0;
}

bool foreign_too_far(const struct analysis *analysis, const char *name)
{
    return analysis->foreign && analysis->hops == 0 &&
           front_find_definition(analysis->foreign->front, name) >= 0;
}
