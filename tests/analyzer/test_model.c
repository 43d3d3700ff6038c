// Models: the built-in ones say what they should; a broken one is refused with file and line.
#include "model.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static struct model_set *load_text(const char *text, GError **error)
{
    g_autofree char *path = NULL;
    int fd = g_file_open_tmp("model-XXXXXX.xml", &path, NULL);
    g_assert_cmpint(fd, >=, 0);
    close(fd);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    const char *files[] = {path, NULL};
    struct model_set *set = model_set_load(files, error);
    g_unlink(path);
    return set;
}

static void test_built_in(void)
{
    g_autoptr(GError) error = NULL;
    struct model_set *set = model_set_load(NULL, &error);
    g_assert_no_error(error);

    const struct model_lock_op *op = model_find_lock_op(set, "SpinLockAcquire");
    g_assert_nonnull(op);
    g_assert_cmpstr(op->model, ==, "postgresql");
    g_assert_cmpstr(op->family, ==, "SpinLock");
    g_assert_cmpstr(op->lock_type, ==, "slock_t");
    g_assert_cmpint(op->action, ==, MODEL_ACQUIRE);
    g_assert_true(model_lock_op_by_id(set, op->id) == op);
    g_assert_null(model_lock_op_by_id(set, model_lock_op_count(set)));

    g_assert_true(model_find_lock_op(set, "LockBufHdr")->returns_state);
    g_assert_cmpint(model_find_lock_op(set, "TAS")->acquired, ==, ACQUIRED_WHEN_ZERO);
    g_assert_cmpint(model_find_lock_op(set, "TAS")->mode, ==, MODE_TRY);
    g_assert_cmpint(model_find_lock_op(set, "pthread_spin_unlock")->action, ==, MODEL_RELEASE);
    g_assert_null(model_find_lock_op(set, "printf"));

    const struct model_function *copy = model_find_function(set, "memcpy");
    g_assert_cmpint(copy->writes_arg, ==, 0);
    g_assert_cmpint(copy->reads_arg, ==, 1);
    g_assert_cmpint(copy->length_arg, ==, 2);
    const struct model_function *level = model_find_function(set, "elog");
    g_assert_cmpint(level->no_return_level_arg, ==, 0);
    g_assert_cmpint(level->no_return_level, ==, 20);
    g_assert_cmpint(model_find_function(set, "ShmemInitStruct")->returns, ==, MEMORY_SHARED);
    g_assert_cmpint(model_find_function(set, "exit")->effects, ==, MODEL_NO_RETURN | MODEL_EXITS);
    g_assert_cmpint(model_find_function(set, "exit")->writes_arg, ==, -1);
    g_assert_true(model_global_is_shared(set, "BufferDescriptors"));
    g_assert_true(model_global_is_shared(set, "PGPROC"));
    g_assert_false(model_global_is_shared(set, "MyProcPid"));

    g_assert_true(g_strv_contains(model_acquire_names(set), "LWLockWaitListLock"));
    g_assert_false(g_strv_contains(model_acquire_names(set), "SpinLockRelease"));
    g_assert_cmpuint(strlen(model_set_digest(set)), ==, 64);
    model_set_free(set);
}

static void test_user_model_wins(void)
{
    g_autoptr(GError) error = NULL;
    struct model_set *plain = model_set_load(NULL, &error);
    struct model_set *set =
        load_text("<model name='mine' title='Mine'>"
                  "<lock family='latch' sleeps='no'><acquire names='latch_take LockBufHdr' arg='1'"
                  " object='yes' mode='shared'/><release names='latch_drop' arg='1'/></lock>"
                  "<lock family='slow' sleeps='yes'><acquire names='slow_take'/></lock>"
                  "<function names='memcpy' effects='pure blocks'/>"
                  "<shared globals='pool table'/></model>",
                  &error);
    g_assert_no_error(error);
    const struct model_lock_op *op = model_find_lock_op(set, "LockBufHdr");
    g_assert_cmpstr(op->model, ==, "mine");
    g_assert_cmpuint(op->lock_arg, ==, 1);
    g_assert_true(op->lock_is_object);
    g_assert_cmpint(op->mode, ==, MODE_SHARED);
    g_assert_cmpuint(model_find_function(set, "memcpy")->effects, ==, MODEL_PURE | MODEL_BLOCKS);
    g_assert_true(model_global_is_shared(set, "table"));
    g_assert_true(model_find_lock_op(set, "slow_take")->sleeps);
    g_assert_true(g_strv_contains(model_acquire_names(set), "latch_take"));
    g_assert_false(g_strv_contains(model_acquire_names(set), "slow_take"));
    g_assert_cmpstr(model_set_digest(set), !=, model_set_digest(plain));
    model_set_free(set);
    model_set_free(plain);
}

static void check_damaged(const char *text, const char *line, const char *about)
{
    g_autoptr(GError) error = NULL;
    struct model_set *set = load_text(text, &error);
    g_assert_null(set);
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
    g_assert_nonnull(strstr(error->message, line));
    g_assert_nonnull(strstr(error->message, about));
    g_assert_null(strchr(error->message, '\n'));
}

static void test_damaged(void)
{
    check_damaged("<model name='x' title='x'>\n<lock", ".xml:2:", "");
    check_damaged("", ".xml:", "");
    check_damaged("<model name='x' title='x'>\n\n<lok family='a'/></model>", ".xml:3:", "lok");
    check_damaged("<model name='x' title='x'>\n<function names='a b' efects='pure'/></model>",
                  ".xml:2:", "efects");
    check_damaged("<model name='x' title='x'>\n<function names='a-b'/></model>", ".xml:2:", "");
    check_damaged("<model name='x' title='x'>\n<function names='a' writes='-1'/></model>",
                  ".xml:2:", "");
    check_damaged("<model name='x' title='x'>\n<lock family='f'><try names='t'/></lock></model>",
                  ".xml:2:", "");
}

// Every example of the documentation is a model.
static void test_documentation(void)
{
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(SPINFAULT_SOURCE_DIR "/docs/models.md", &text, NULL, NULL));
    unsigned examples = 0;
    for (const char *at = text; (at = strstr(at, "```xml\n")); examples++) {
        at += strlen("```xml\n");
        const char *end = strstr(at, "```");
        g_assert_nonnull(end);
        g_autofree char *example = g_strndup(at, (gsize)(end - at));
        g_autoptr(GError) error = NULL;
        struct model_set *set = load_text(example, &error);
        g_assert_no_error(error);
        model_set_free(set);
    }
    g_assert_cmpuint(examples, ==, 2);
}

static void test_missing(void)
{
    g_autoptr(GError) error = NULL;
    const char *files[] = {"/nonexistent/model.xml", NULL};
    g_assert_null(model_set_load(files, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_NOT_FOUND);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/model/built-in", test_built_in);
    g_test_add_func("/model/user-model-wins", test_user_model_wins);
    g_test_add_func("/model/damaged", test_damaged);
    g_test_add_func("/model/documentation", test_documentation);
    g_test_add_func("/model/missing", test_missing);
    return g_test_run();
}
