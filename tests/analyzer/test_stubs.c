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

static struct stubs *learn_one(const char *text, const char *message)
{
    struct stubs *stubs = stubs_new(text, strlen(text), models);
    g_assert_true(stubs_learn(stubs, message, 1));
    return stubs;
}

static void assert_declares(struct stubs *stubs, const char *text)
{
    g_autofree char *header = stubs_header(stubs);
    g_assert_nonnull(strstr(header, text));
    stubs_free(stubs);
}

// Of a call that returns an enum which nothing defines, the compiler leaves nothing.
static void test_tags(void)
{
    static const char *const uses[][2] = {
        {"calling 'end' with incomplete return type 'enum result'", "enum result {"},
        {"variable has incomplete type 'const struct operations'", "struct operations {"},
        {"incomplete definition of type 'union word'", "union word {"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(uses); i++)
        assert_declares(learn_one("", uses[i][0]), uses[i][1]);
}

// An enum that a header defines after all.
static void test_tag_is_there(void)
{
    struct stubs *stubs = learn_one("", "variable has incomplete type 'enum result'");
    g_assert_true(stubs_learn(stubs, "redefinition of 'result'", 0));
    g_autofree char *header = stubs_header(stubs);
    g_assert_null(strstr(header, "enum result"));
    stubs_free(stubs);
}

// A name that only a header uses is a constant when it looks like one.
static void test_names_of_headers(void)
{
    assert_declares(learn_one("", "use of undeclared identifier 'NAME_MAX_LEN'"),
                    "enum { NAME_MAX_LEN =");
    assert_declares(learn_one("", "use of undeclared identifier 'current'"), "long current;");
    assert_declares(learn_one("int f(u16 *p) { return p->x; }", "unknown type name 'u16'"),
                    "typedef unsigned short u16;");
}

// What a model has for a header is not learned besides, before or after.
static void test_declarations(void)
{
    struct stubs *stubs = learn_one("f() { list_for_each_entry(a, b, c) { } }",
                                    "use of undeclared identifier 'BITS_PER_LONG'");
    g_assert_true(stubs_learn(stubs, "'linux/list.h' file not found", 1));
    g_assert_false(stubs_learn(stubs, "'linux/slab.h' file not found", 1));
    g_assert_false(stubs_learn(stubs, "'linux/of_our_own.h' file not found", 1));
    g_assert_false(stubs_learn(stubs, "expected ';' after expression", 1));
    g_assert_cmpuint(stubs_count(stubs), ==, 0);
    assert_declares(stubs, "#define list_for_each_entry(");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autoptr(GError) error = NULL;
    models = model_set_load(NULL, &error);
    g_assert_no_error(error);
    g_test_add_func("/stubs/constants-differ", test_constants_differ);
    g_test_add_func("/stubs/matrix-stays-small", test_matrix_stays_small);
    g_test_add_func("/stubs/tags", test_tags);
    g_test_add_func("/stubs/tag-is-there", test_tag_is_there);
    g_test_add_func("/stubs/names-of-headers", test_names_of_headers);
    g_test_add_func("/stubs/declarations", test_declarations);
    int status = g_test_run();
    model_set_free(models);
    return status;
}
