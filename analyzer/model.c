// Sets of models: built in, loaded, asked.
#include "model.h"

#include "model_set.h"

// Embedded by CMakeLists.txt: a row here and a row there add a built-in model.
#define BUILT_IN(X)                                                                                \
    X(postgresql)                                                                                  \
    X(pthread)                                                                                     \
    X(c11_gcc_atomics)                                                                             \
    X(libc)                                                                                        \
    X(linux_kernel)                                                                                \
    X(haproxy)                                                                                     \
    X(nginx)                                                                                       \
    X(dpdk)                                                                                        \
    X(spdk)                                                                                        \
    X(concurrency_kit)                                                                             \
    X(vpp)                                                                                         \
    X(wiredtiger)                                                                                  \
    X(jemalloc)                                                                                    \
    X(ucx)                                                                                         \
    X(openmpi)                                                                                     \
    X(libfabric)                                                                                   \
    X(pmdk)                                                                                        \
    X(freebsd)                                                                                     \
    X(xen)                                                                                         \
    X(qemu)                                                                                        \
    X(openvswitch)                                                                                 \
    X(op_tee)                                                                                      \
    X(zephyr)                                                                                      \
    X(xnu)                                                                                         \
    X(erlang_otp)                                                                                  \
    X(openssl)                                                                                     \
    X(glibc)                                                                                       \
    X(slurm)                                                                                       \
    X(liburcu)

#define DECLARE(name) extern const char model_##name[], model_##name##_end[];
BUILT_IN(DECLARE)

static const struct {
    const char *name, *data, *end;
} built_in[] = {
#define ROW(name) {"built-in model " #name, model_##name, model_##name##_end},
    BUILT_IN(ROW)};

static struct model_set *model_set_new(void)
{
    struct model_set *set = g_new0(struct model_set, 1);
    set->lock_ops = g_ptr_array_new_with_free_func(g_free);
    set->functions = g_ptr_array_new_with_free_func(g_free);
    set->op_by_name = g_hash_table_new(g_str_hash, g_str_equal);
    set->function_by_name = g_hash_table_new(g_str_hash, g_str_equal);
    set->shared = g_hash_table_new(g_str_hash, g_str_equal);
    set->constants = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    set->declarations = g_hash_table_new(g_str_hash, g_str_equal);
    set->acquire_names = g_ptr_array_new();
    set->text = g_string_chunk_new(4096);
    set->digesting = digest_new();
    return set;
}

void model_set_free(struct model_set *models)
{
    if (!models)
        return;
    g_ptr_array_unref(models->lock_ops);
    g_ptr_array_unref(models->functions);
    g_hash_table_unref(models->op_by_name);
    g_hash_table_unref(models->function_by_name);
    g_hash_table_unref(models->shared);
    g_hash_table_unref(models->constants);
    g_hash_table_unref(models->declarations);
    g_ptr_array_unref(models->acquire_names);
    g_string_chunk_free(models->text);
    digest_free(models->digesting);
    g_free(models);
}

static bool load_file(struct model_set *set, const char *path, GError **error)
{
    g_autofree char *data = NULL;
    gsize bytes;
    g_autoptr(GError) read_error = NULL;
    if (!g_file_get_contents(path, &data, &bytes, &read_error)) {
        bool missing = g_error_matches(read_error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
        return error_set(error, missing ? SPINFAULT_ERROR_NOT_FOUND : SPINFAULT_ERROR_IO,
                         "cannot read model %s: %s", path, read_error->message);
    }
    return model_read(set, data, bytes, path, true, error);
}

// A name that an op of a later file took over is listed once: by what its name now means.
static void list_acquire_names(struct model_set *set)
{
    for (guint i = 0; i < set->lock_ops->len; i++) {
        const struct model_lock_op *op = set->lock_ops->pdata[i];
        if (op->action != MODEL_RELEASE && op->action != MODEL_CHANGE && !op->sleeps &&
            g_hash_table_lookup(set->op_by_name, op->name) == op)
            g_ptr_array_add(set->acquire_names, (gpointer)op->name);
    }
    g_ptr_array_add(set->acquire_names, NULL);
}

struct model_set *model_set_load(const char *const *files, GError **error)
{
    struct model_set *set = model_set_new();
    for (size_t i = 0; i < G_N_ELEMENTS(built_in); i++) {
        if (!model_read(set, built_in[i].data, (size_t)(built_in[i].end - built_in[i].data),
                        built_in[i].name, false, error)) {
            model_set_free(set);
            return NULL;
        }
    }
    for (; files && *files; files++) {
        if (!load_file(set, *files, error)) {
            model_set_free(set);
            return NULL;
        }
    }
    list_acquire_names(set);
    digest_finish(g_steal_pointer(&set->digesting), set->digest);
    return set;
}

const struct model_lock_op *model_lock_op_by_id(const struct model_set *models, unsigned id)
{
    return id < models->lock_ops->len ? models->lock_ops->pdata[id] : NULL;
}

unsigned model_lock_op_count(const struct model_set *models)
{
    return models->lock_ops->len;
}

const struct model_lock_op *model_find_lock_op(const struct model_set *models, const char *name)
{
    return g_hash_table_lookup(models->op_by_name, name);
}

unsigned model_function_count(const struct model_set *models)
{
    return models->functions->len;
}

const struct model_function *model_function_at(const struct model_set *models, unsigned i)
{
    return i < models->functions->len ? models->functions->pdata[i] : NULL;
}

const struct model_function *model_find_function(const struct model_set *models, const char *name)
{
    return g_hash_table_lookup(models->function_by_name, name);
}

unsigned model_call_effects(const struct model_function *function, const int64_t *flags)
{
    if (function->flag_arg < 0 || !flags)
        return function->effects;
    return (uint64_t)*flags & function->flag_bits ? function->effects_with
                                                  : function->effects_without;
}

unsigned model_level_effects(const struct model_function *function, unsigned effects, int64_t level)
{
    bool usual = level >= function->usual_low && level <= function->usual_high;
    if (usual || !(effects & MODEL_LOGS))
        return effects;
    return (effects & ~(unsigned)MODEL_LOGS) | MODEL_COMPLAINS;
}

bool model_is_set_up(const struct model_lock_op *op, const char *function)
{
    if (!op || !op->set_up || !function)
        return false;
    g_auto(GStrv) patterns = g_strsplit_set(op->set_up, " \t\n", -1);
    for (char **pattern = patterns; *pattern; pattern++) {
        if (**pattern && g_pattern_match_simple(*pattern, function))
            return true;
    }
    return false;
}

bool model_global_is_shared(const struct model_set *models, const char *name)
{
    return g_hash_table_contains(models->shared, name);
}

bool model_find_constant(const struct model_set *models, const char *name, int64_t *value)
{
    const gint64 *found = g_hash_table_lookup(models->constants, name);
    if (found)
        *value = *found;
    return found;
}

const char *model_find_declarations(const struct model_set *models, const char *header)
{
    return g_hash_table_lookup(models->declarations, header);
}

const char *const *model_acquire_names(const struct model_set *models)
{
    return (const char *const *)models->acquire_names->pdata;
}

const char *model_set_digest(const struct model_set *models)
{
    return models->digest;
}
