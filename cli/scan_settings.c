// See scan_settings.h.
#include "scan_settings.h"

#include <string.h>

#include "nearest.h"
#include "spinfault/analyzer.h"

static void add_text(char **text, const char *more)
{
    if (!*text)
        *text = g_strdup(more);
}

static void add_list(char ***list, char **more)
{
    g_autoptr(GStrvBuilder) all = g_strv_builder_new();
    if (!more)
        return;
    g_strv_builder_addv(all, (const char **)more);
    if (*list)
        g_strv_builder_addv(all, (const char **)*list);
    g_strfreev(*list);
    *list = g_strv_builder_end(all);
}

static bool assumes(char *const *assumptions, const char *like)
{
    size_t n = strcspn(like, "=") + 1;
    for (; assumptions && *assumptions; assumptions++)
        if (strncmp(*assumptions, like, n) == 0)
            return true;
    return false;
}

static char **new_assumptions(const struct scan_settings *settings,
                              const struct scan_settings *more)
{
    g_autoptr(GStrvBuilder) added = g_strv_builder_new();
    for (char **one = more->assumptions; one && *one; one++)
        if (!assumes(settings->assumptions, *one))
            g_strv_builder_add(added, *one);
    return g_strv_builder_end(added);
}

void scan_settings_add(struct scan_settings *settings, const struct scan_settings *more)
{
    g_auto(GStrv) assumptions = new_assumptions(settings, more);
    add_text(&settings->build_dir, more->build_dir);
    add_text(&settings->fail_on, more->fail_on);
    add_text(&settings->min_severity, more->min_severity);
    add_text(&settings->min_confidence, more->min_confidence);
    add_text(&settings->baseline, more->baseline);
    add_list(&settings->models, more->models);
    add_list(&settings->assumptions, assumptions);
    add_list(&settings->ignored, more->ignored);
    add_list(&settings->disabled, more->disabled);
    add_list(&settings->clang_args, more->clang_args);
}

void scan_settings_clear(struct scan_settings *settings)
{
    g_free(settings->build_dir);
    g_free(settings->fail_on);
    g_free(settings->min_severity);
    g_free(settings->min_confidence);
    g_free(settings->baseline);
    g_strfreev(settings->models);
    g_strfreev(settings->assumptions);
    g_strfreev(settings->ignored);
    g_strfreev(settings->disabled);
    g_strfreev(settings->clang_args);
    *settings = (struct scan_settings){0};
}

bool scan_rule_exists(const char *name)
{
    size_t n;
    const struct rule_info *rules = analyzer_rules(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(rules[i].name, name) == 0)
            return true;
    return false;
}

static bool parse_severity(const char *option, const char *text, enum severity *severity,
                           GError **error)
{
    return !text || (severity_parse(text, severity) && *severity != SEVERITY_NONE) ||
           error_set(error, SPINFAULT_ERROR_USAGE,
                     "%s cannot be \"%s\"; it is one of low, medium, high", option, text);
}

static bool check_assumptions(char *const *assumptions, GError **error)
{
    for (char *const *a = assumptions; a && *a; a++) {
        const char *equals = strchr(*a, '=');
        if (!equals || equals == *a || !equals[1])
            return error_set(error, SPINFAULT_ERROR_USAGE,
                             "--assume needs NAME=VALUE, as in NBuffers=15728640, not \"%s\"", *a);
    }
    return true;
}

bool scan_settings_check(const struct scan_settings *settings, struct scan_thresholds *thresholds,
                         GError **error)
{
    *thresholds = (struct scan_thresholds){SEVERITY_MEDIUM, SEVERITY_LOW, CONFIDENCE_LOW};
    if (!parse_severity("--fail-on", settings->fail_on, &thresholds->fail_on, error) ||
        !parse_severity("--min-severity", settings->min_severity, &thresholds->min_severity, error))
        return false;
    if (settings->min_confidence &&
        !confidence_parse(settings->min_confidence, &thresholds->min_confidence))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--min-confidence cannot be \"%s\"; it is one of low, medium, high",
                         settings->min_confidence);
    for (char **rule = settings->disabled; rule && *rule; rule++)
        if (!scan_rule_exists(*rule))
            return error_set(error, SPINFAULT_ERROR_USAGE,
                             "--disable: there is no rule \"%s\"; \"spinfault explain\" lists them",
                             *rule);
    return check_assumptions(settings->assumptions, error);
}
