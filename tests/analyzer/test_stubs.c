// Declarations that are made up for a file whose headers are missing.
#include <stdlib.h>
#include <string.h>

#include "stubs.h"

static struct model_set *models;

static struct stubs *learn(const char *text, const char *const *undeclared)
{
    struct stubs *stubs = stubs_new(text, strlen(text), models);
    for (; *undeclared; undeclared++) {
        g_autofree char *message =
            g_strdup_printf("use of undeclared identifier '%s'", *undeclared);
        g_assert_true(stubs_learn(stubs, message, 1));
    }
    return stubs;
}

static long value_of(const char *header, const char *name)
{
    g_autofree char *before = g_strdup_printf("enum { %s = ", name);
    const char *at = strstr(header, before);
    g_assert_nonnull(at);
    return strtol(at + strlen(before), NULL, 10);
}

static void test_constants_differ(void)
{
    struct stubs *stubs = learn("int a[BIG]; int f(int k) { switch (k) { case ONE: case TWO:; } }",
                                (const char *const[]){"BIG", "ONE", "TWO", NULL});
    g_autofree char *header = stubs_header(stubs);
    g_assert_cmpint(value_of(header, "BIG"), >=, 4096);
    g_assert_cmpint(value_of(header, "ONE"), !=, value_of(header, "TWO"));
    stubs_free(stubs);
}

// The compiler expands `[0 ... A - 1][0 ... B - 1]` element by element.
static void test_matrix_stays_small(void)
{
    const char *names[] = {"A", "B", "C", "D", NULL};
    struct stubs *stubs =
        learn("int m[A][B]; int r[] = {[0 ... C] = 1, [9 ... D - 1] = 2};", names);
    g_autofree char *header = stubs_header(stubs);
    for (const char **name = names; *name; name++) {
        g_assert_cmpint(value_of(header, *name), >, 1);
        g_assert_cmpint(value_of(header, *name), <, 64);
    }
    stubs_free(stubs);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autoptr(GError) error = NULL;
    models = model_set_load(NULL, &error);
    g_assert_no_error(error);
    g_test_add_func("/stubs/constants-differ", test_constants_differ);
    g_test_add_func("/stubs/matrix-stays-small", test_matrix_stays_small);
    int status = g_test_run();
    model_set_free(models);
    return status;
}
