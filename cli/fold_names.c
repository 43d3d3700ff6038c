// What stackcollapse-perf.pl does to names, and inferno after it.
#include "fold_names.h"

#include <string.h>

static bool is_go_method(const char *name)
{
    // "net/http.(*conn).serve": the parenthesis is part of the name.
    const char *open = strstr(name, ".(");
    return open && strstr(open, ").");
}

static bool is_arguments(const char *p)
{
    return *p == '(' && !g_str_has_prefix(p, "(anonymous namespace)");
}

// "f(int)" is "f". With `brackets`, parentheses within <> and {} are not arguments: those of
// "function<int (int)>::operator()".
static void drop_arguments(GString *name, bool brackets)
{
    int depth = 0;
    if (is_go_method(name->str))
        return;
    for (const char *p = name->str; *p; p++) {
        depth += *p == '<' || *p == '{';
        depth -= *p == '>' || *p == '}';
        if (is_arguments(p) && (!brackets || depth <= 0)) {
            g_string_truncate(name, (gsize)(p - name->str));
            return;
        }
    }
}

static void drop_quotes(GString *name)
{
    gsize n = 0;
    for (gsize i = 0; i < name->len; i++)
        if (name->str[i] != '"' && name->str[i] != '\'')
            name->str[n++] = name->str[i];
    g_string_truncate(name, n);
}

static void drop_java_l(GString *name)
{
    if (name->str[0] == 'L' && strchr(name->str, '/'))
        g_string_erase(name, 0, 1);
}

void fold_tidy(GString *name, bool java)
{
    drop_arguments(name, false);
    drop_quotes(name);
    if (java)
        drop_java_l(name);
}

// "core::ops::next::h0123456789abcdef"
static bool is_rust(const GString *name)
{
    const char *hash = name->len > 19 ? name->str + name->len - 19 : NULL;
    return hash && g_str_has_prefix(hash, "::h") && strspn(hash + 3, "0123456789abcdef") == 16;
}

// One "$LT$" or "$u20$" at `p`. Returns what follows it, or NULL.
static const char *unescape(const char *p, GString *to)
{
    static const struct {
        const char *name;
        char c;
    } names[] = {{"LT", '<'}, {"GT", '>'}, {"LP", '('}, {"RP", ')'},
                 {"C", ','},  {"RF", '&'}, {"BP", '*'}, {"SP", '@'}};
    const char *end = strchr(p + 1, '$');
    if (!end)
        return NULL;
    size_t len = (size_t)(end - p) - 1;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strlen(names[i].name) == len && memcmp(p + 1, names[i].name, len) == 0) {
            g_string_append_c(to, names[i].c);
            return end + 1;
        }
    uint64_t code;
    if (len < 2 || p[1] != 'u' || !slice_to_hex((struct slice){p + 2, len - 1}, &code) ||
        code < ' ' || code > '~')
        return NULL;
    g_string_append_c(to, (char)code);
    return end + 1;
}

// rustc's older mangling: "_$LT$T$u20$as$u20$a..B$GT$::c::h…" is "<T as a::B>::c".
static void read_rust(GString *name)
{
    g_autoptr(GString) to = g_string_new(NULL);
    g_string_truncate(name, name->len - 19);
    const char *p = name->str;
    if (p[0] == '_' && p[1] == '$')
        p++;
    while (*p) {
        const char *next = *p == '$' ? unescape(p, to) : NULL;
        if (next) {
            p = next;
        } else if (p[0] == '.' && p[1] == '.') {
            g_string_append(to, "::");
            p += 2;
        } else {
            g_string_append_c(to, *p++);
        }
    }
    g_string_assign(name, to->str);
}

void fold_tidy_inferno(GString *name, bool java)
{
    if (is_rust(name)) {
        read_rust(name);
        return;
    }
    drop_arguments(name, true);
    drop_quotes(name);
    if (java)
        drop_java_l(name);
}
