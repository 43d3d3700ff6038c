// The models against the catalogue of lock families: every name that takes, tries or releases a
// lock there is known with the right action, polarity and argument, or stands in the table of
// exceptions with the reason. The catalogue is found through SPINFAULT_SHARED. What the schema can
// say beyond that is checked at the end on the models themselves.
#include "model.h"

#include <string.h>

#define CATALOGUE "corpora/locks/lock_catalogue.csv"

static const struct exception {
    unsigned row;
    const char *name; // NULL: the whole row
    const char *reason;
} exceptions[] = {
    {3, "s_lock", "the waiting half of S_LOCK, after a failed try: it returns with the lock"},
    {3, "s_unlock", "the body of S_UNLOCK where that is not inline"},
    {7, "pg_atomic_test_set_flag", "taken only by a loop around the try"},
    {18, NULL, "guard(class)(&l) is made of class_…_constructor: see /catalogue/guards"},
    {19, NULL, "scoped_guard(class, &l) is made of class_…_constructor: see /catalogue/guards"},
    {21, "spin_unlock", "argument 1 is the try's; the release has the lock alone"},
    {65, "spin_unlock", "argument 1 is the acquire's; the release has the lock alone"},
    {22, "bpf_res_spin_lock", "may fail, so it is a try: 0 when taken"},
    {22, "res_spin_lock", "may fail, so it is a try: 0 when taken"},
    {24, NULL, "sleeps in the kernel: see /catalogue/sleepers"},
    {25, NULL, "C11 atomics are instructions of the IR; such a lock is known by its shape"},
    {26, NULL, "C11 atomics are instructions of the IR; such a lock is known by its shape"},
    {27, NULL, "builtins are instructions of the IR; such a lock is known by its shape"},
    {28, NULL, "builtins are instructions of the IR; such a lock is known by its shape"},
    {31, "ngx_rwlock_downgrade", "keeps the lock"},
    {47, "ck_spinlock_clh_lock",
     "the node, argument 1, stands for the lock: the release has no more"},
    {47, "ck_spinlock_hclh_lock", "the node, argument 1, stands for the lock, as with clh"},
    {47, "ck_spinlock_clh_unlock", "argument 0 is the address of the pointer to the node"},
    {47, "ck_spinlock_hclh_unlock", "argument 0 is the address of the pointer to the node"},
    {49, "ck_brlock_read_lock",
     "the reader, argument 1, stands for the lock: the release has no more"},
    {49, "ck_brlock_read_trylock", "the reader, argument 1, stands for the lock"},
    {69, "end", "a guard is released at the end of its scope and has no release"},
    {69, "qemu_lockable_lock", "of any kind, most often a mutex: see /catalogue/sleepers"},
    {69, "qemu_lockable_unlock", "of any kind, most often a mutex"},
    {73, NULL, "a loop over k_spin_lock and k_spin_unlock, which are known"},
    {76, NULL, "sleeps: see /catalogue/sleepers"},
    {77, NULL, "sleeps: see /catalogue/sleepers"},
    {78, NULL, "a mutex and read-side sections: no lock that spins"},
    {79, NULL, "a loop that waits for a ring buffer, and no lock"},
};
static bool exception_used[G_N_ELEMENTS(exceptions)];

enum column { ID = 0, ACQUIRE = 3, TRY = 4, TRY_WHEN = 5, RELEASE = 6, ARGUMENT = 7 };

static struct model_set *models;
static unsigned checked;

G_GNUC_PRINTF(1, 2)
static void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_test_message("%s", text);
    g_test_fail();
}

static bool is_exception(unsigned row, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(exceptions); i++) {
        const struct exception *e = &exceptions[i];
        if (e->row == row && (!e->name || g_strcmp0(e->name, name) == 0)) {
            exception_used[i] = true;
            return true;
        }
    }
    return false;
}

// One record; cells may be quoted and hold commas, quotes are doubled. No line breaks inside.
static GPtrArray *split_record(const char *line)
{
    GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
    GString *cell = g_string_new(NULL);
    bool quoted = false;
    for (const char *at = line;; at++) {
        if (quoted && at[0] == '"' && at[1] == '"') {
            g_string_append_c(cell, *at++);
        } else if (*at == '"') {
            quoted = !quoted;
        } else if (!*at || (*at == ',' && !quoted)) {
            g_ptr_array_add(cells, g_strdup(cell->str));
            g_string_truncate(cell, 0);
            if (!*at)
                break;
        } else {
            g_string_append_c(cell, *at);
        }
    }
    g_string_free(cell, TRUE);
    return cells;
}

static void check_operation(unsigned row, const char *name, enum model_action action,
                            const GPtrArray *record)
{
    if (is_exception(row, name))
        return;
    const struct model_lock_op *op = model_find_lock_op(models, name);
    if (!op) {
        complain("row %u: no model knows %s", row, name);
        return;
    }
    const char *argument = record->pdata[ARGUMENT];
    if (op->action != action || op->lock_arg != (unsigned)atoi(argument))
        complain("row %u: %s has action %d and argument %u", row, name, op->action, op->lock_arg);
    if (action == MODEL_TRY) {
        const char *when = record->pdata[TRY_WHEN];
        bool zero = g_str_has_prefix(when, "0") || g_str_has_prefix(when, "false");
        if ((op->acquired == ACQUIRED_WHEN_ZERO) != zero)
            complain("row %u: %s is acquired when %s", row, name, when);
    }
    checked++;
}

// `ck_pflock_*_lock` stands for every operation that matches, and there must be one.
static void check_name(unsigned row, const char *name, enum model_action action,
                       const GPtrArray *record)
{
    if (!strchr(name, '*')) {
        check_operation(row, name, action, record);
        return;
    }
    unsigned found = 0;
    for (unsigned i = 0; i < model_lock_op_count(models); i++) {
        const struct model_lock_op *op = model_lock_op_by_id(models, i);
        if (!g_pattern_match_simple(name, op->name))
            continue;
        check_operation(row, op->name, action, record);
        found++;
    }
    if (!found)
        complain("row %u: no model knows a name like %s", row, name);
}

// `b (+_irq/_bh)`: b_irq and b_bh for at least one of the names in the cell.
static void check_suffixes(unsigned row, char **names, const char *cell, enum model_action action,
                           const GPtrArray *record)
{
    const char *plus = strstr(cell, "(+_");
    if (!plus)
        return;
    g_autofree char *list = g_strndup(plus + 2, strcspn(plus + 2, ")"));
    g_auto(GStrv) suffixes = g_strsplit_set(list, ",/", -1);
    for (char **suffix = suffixes; *suffix; suffix++) {
        unsigned found = 0;
        for (char **name = names; *name; name++) {
            g_autofree char *longer = g_strconcat(*name, g_strstrip(*suffix), NULL);
            if (!model_find_lock_op(models, longer))
                continue;
            check_operation(row, longer, action, record);
            found++;
        }
        if (!found)
            complain("row %u: no model knows a name with %s", row, *suffix);
    }
}

// Names are parted by semicolons; what follows a name is a remark.
static void check_cell(unsigned row, enum column column, enum model_action action,
                       const GPtrArray *record)
{
    static const char in_names[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*";
    const char *cell = record->pdata[column];
    g_auto(GStrv) names = g_strsplit(cell, ";", -1);
    for (char **name = names; *name; name++) {
        g_strchug(*name);
        (*name)[strspn(*name, in_names)] = 0;
        if (**name)
            check_name(row, *name, action, record);
    }
    check_suffixes(row, names, cell, action, record);
}

static char *catalogue_text(void)
{
    const char *shared = g_getenv("SPINFAULT_SHARED");
    g_autofree char *path =
        g_build_filename(shared ? shared : SPINFAULT_SOURCE_DIR "/../shared", CATALOGUE, NULL);
    char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    return text;
}

static void test_names(void)
{
    g_autofree char *text = catalogue_text();
    if (!text) {
        g_test_skip("the catalogue is not there; set SPINFAULT_SHARED");
        return;
    }
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    unsigned rows = 0;
    for (char **line = lines + 1; *lines && *line; line++) {
        g_strchomp(*line);
        if (!**line)
            continue;
        g_autoptr(GPtrArray) record = split_record(*line);
        g_assert_cmpuint(record->len, ==, 17);
        unsigned row = (unsigned)atoi(record->pdata[ID]);
        rows++;
        if (is_exception(row, NULL))
            continue;
        check_cell(row, ACQUIRE, MODEL_ACQUIRE, record);
        check_cell(row, TRY, MODEL_TRY, record);
        check_cell(row, RELEASE, MODEL_RELEASE, record);
    }
    g_assert_cmpuint(rows, ==, 79);
    g_assert_cmpuint(checked, >=, 250);
    for (size_t i = 0; i < G_N_ELEMENTS(exceptions); i++) {
        if (!exception_used[i])
            complain("the exception for row %u, %s, is not needed", exceptions[i].row,
                     exceptions[i].name ? exceptions[i].name : "all");
    }
}

// ---- What the catalogue says in words

static void test_sleepers(void)
{
    static const char *const names[] = {"lll_lock",
                                        "CRYPTO_THREAD_write_lock",
                                        "CRYPTO_THREAD_read_lock",
                                        "slurm_mutex_lock",
                                        "cds_lfs_pop_lock",
                                        "qemu_lockable_lock",
                                        "qemu_lockable_auto_lock",
                                        "mutex_lock",
                                        "pthread_mutex_lock"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const struct model_function *function = model_find_function(models, names[i]);
        g_assert_nonnull(function);
        g_assert_true(function->effects & MODEL_BLOCKS);
        g_assert_null(model_find_lock_op(models, names[i]));
    }
}

static void test_guards(void)
{
    static const struct {
        const char *class;
        enum lock_mode mode;
    } guards[] = {
        {"spinlock", MODE_EXCLUSIVE},     {"spinlock_irq", MODE_EXCLUSIVE},
        {"spinlock_bh", MODE_EXCLUSIVE},  {"spinlock_irqsave", MODE_EXCLUSIVE},
        {"spinlock_try", MODE_EXCLUSIVE}, {"raw_spinlock", MODE_EXCLUSIVE},
        {"read_lock", MODE_SHARED},       {"write_lock_irqsave", MODE_EXCLUSIVE},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(guards); i++) {
        g_autofree char *taken = g_strdup_printf("class_%s_constructor", guards[i].class);
        g_autofree char *left = g_strdup_printf("class_%s_destructor", guards[i].class);
        const struct model_lock_op *acquire = model_find_lock_op(models, taken);
        const struct model_lock_op *release = model_find_lock_op(models, left);
        g_assert_cmpint(acquire->action, ==, MODEL_ACQUIRE);
        g_assert_cmpint(acquire->form, ==, MODEL_GUARD);
        g_assert_cmpint(acquire->mode, ==, guards[i].mode);
        g_assert_cmpint(release->action, ==, MODEL_RELEASE);
        g_assert_cmpstr(release->family, ==, acquire->family);
    }
    const struct model_lock_op *guard = model_find_lock_op(models, "QEMU_LOCK_GUARD");
    g_assert_cmpint(guard->form, ==, MODEL_GUARD);
    g_assert_true(guard->only_type);
    g_assert_cmpstr(guard->lock_type, ==, "QemuSpin");
    g_assert_cmpint(model_find_lock_op(models, "WITH_QEMU_LOCK_GUARD")->form, ==, MODEL_BLOCK);
}

static void test_shapes(void)
{
    const struct model_lock_op *bit = model_find_lock_op(models, "bit_spin_lock");
    g_assert_cmpint(bit->bit_arg, ==, 0);
    g_assert_cmpuint(bit->lock_arg, ==, 1);
    g_assert_cmpint(model_find_lock_op(models, "spin_lock")->bit_arg, ==, -1);
    g_assert_cmpint(model_find_lock_op(models, "spin_lock_if")->when_arg, ==, 0);
    g_assert_cmpint(model_find_lock_op(models, "spin_lock")->when_arg, ==, -1);
    g_assert_true(model_find_lock_op(models, "ck_spinlock_clh_unlock")->lock_behind_pointer);
    g_assert_true(model_find_lock_op(models, "rte_spinlock_recursive_lock")->recursive);
    g_assert_false(model_find_lock_op(models, "rte_spinlock_lock")->recursive);
    g_assert_true(model_find_lock_op(models, "CLIB_SPINLOCK_LOCK")->lock_is_object);
    g_assert_cmpstr(model_find_lock_op(models, "rte_mcfg_tailq_write_lock")->global, ==,
                    model_find_lock_op(models, "rte_mcfg_tailq_read_unlock")->global);
    g_assert_null(model_find_lock_op(models, "rte_rwlock_write_lock")->global);
    g_assert_true(model_find_lock_op(models, "k_spin_lock")->returns_state);
    g_assert_cmpint(model_find_lock_op(models, "spin_lock")->guarded, ==, GUARDED_WIRED);
    g_assert_cmpint(model_find_lock_op(models, "HA_SPIN_LOCK")->guarded, ==, GUARDED_PROCESS);
    g_assert_cmpint(model_find_lock_op(models, "SpinLockAcquire")->guarded, ==, GUARDED_ANY);
    g_assert_true(model_find_lock_op(models, "k_spin_trylock")->fails_negative);
    g_assert_false(model_find_lock_op(models, "pthread_spin_trylock")->fails_negative);
    g_assert_cmpint(model_find_lock_op(models, "HA_RWLOCK_SKLOCK")->mode, ==, MODE_EXCLUSIVE);
    const struct model_lock_op *upgrade = model_find_lock_op(models, "HA_RWLOCK_TRYRDTOWR");
    g_assert_cmpint(upgrade->action, ==, MODEL_CHANGE);
    g_assert_cmpint(upgrade->acquired, ==, ACQUIRED_WHEN_ZERO);
    g_assert_cmpint(upgrade->mode, ==, MODE_EXCLUSIVE);
    const struct model_lock_op *downgrade = model_find_lock_op(models, "HA_RWLOCK_WRTORD");
    g_assert_cmpint(downgrade->acquired, ==, ACQUIRED_ALWAYS);
    g_assert_cmpint(downgrade->mode, ==, MODE_SHARED);
}

static void test_flags(void)
{
    const struct model_function *kmalloc = model_find_function(models, "kmalloc");
    int64_t kernel = 0xcc0, atomic = 0x820; // GFP_KERNEL and GFP_ATOMIC of 6.6
    g_assert_cmpuint(model_call_effects(kmalloc, &kernel), ==, MODEL_BLOCKS | MODEL_ALLOCATES);
    g_assert_cmpuint(model_call_effects(kmalloc, &atomic), ==, MODEL_PURE);
    g_assert_cmpuint(model_call_effects(kmalloc, NULL), ==, MODEL_ALLOCATES);
    const struct model_function *zone = model_find_function(models, "uma_zalloc");
    int64_t wait = 2, no_wait = 1;
    g_assert_cmpuint(model_call_effects(zone, &wait), ==, MODEL_BLOCKS | MODEL_ALLOCATES);
    g_assert_cmpuint(model_call_effects(zone, &no_wait), ==, MODEL_ALLOCATES);
    g_assert_cmpuint(model_find_function(models, "abort")->effects, ==,
                     MODEL_CRASHES | MODEL_NO_RETURN);
    const struct model_function *plain = model_find_function(models, "msleep");
    g_assert_cmpint(plain->flag_arg, ==, -1);
    g_assert_cmpuint(model_call_effects(plain, &wait), ==, MODEL_BLOCKS);
}

// What a later model says about a name that an earlier one took is not heard; so none may.
static void test_no_name_twice(void)
{
    for (unsigned i = 0; i < model_lock_op_count(models); i++) {
        const struct model_lock_op *op = model_lock_op_by_id(models, i);
        if (model_find_lock_op(models, op->name) != op)
            complain("%s of model %s is said twice", op->name, op->model);
        const struct model_function *function = model_find_function(models, op->name);
        if (function && !op->only_type)
            complain("%s of model %s is a function of model %s too", op->name, op->model,
                     function->model);
    }
}

// docs/models-shipped.md lists every operation.
static void test_documented(void)
{
    g_autofree char *page = NULL;
    g_autoptr(GError) error = NULL;
    g_file_get_contents(SPINFAULT_SOURCE_DIR "/docs/models-shipped.md", &page, NULL, &error);
    g_assert_no_error(error);
    for (unsigned i = 0; i < model_lock_op_count(models); i++) {
        const struct model_lock_op *op = model_lock_op_by_id(models, i);
        g_autofree char *quoted = g_strdup_printf("`%s`", op->name);
        g_autofree char *row = g_strdup_printf("| %s |", op->family);
        if (!strstr(page, quoted) || !strstr(page, row))
            complain("docs/models-shipped.md says nothing about %s of %s", op->name, op->family);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autoptr(GError) error = NULL;
    models = model_set_load(NULL, &error);
    g_assert_no_error(error);
    g_test_add_func("/catalogue/names", test_names);
    g_test_add_func("/catalogue/sleepers", test_sleepers);
    g_test_add_func("/catalogue/guards", test_guards);
    g_test_add_func("/catalogue/shapes", test_shapes);
    g_test_add_func("/catalogue/flags", test_flags);
    g_test_add_func("/catalogue/no-name-twice", test_no_name_twice);
    g_test_add_func("/catalogue/documented", test_documented);
    int status = g_test_run();
    model_set_free(models);
    return status;
}
