// explain: what a rule is about, why it matters and what to do.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "nearest.h"
#include "spinfault/analyzer.h"

static const char *nth_rule(size_t i)
{
    size_t n;
    const struct rule_info *rules = analyzer_rules(&n);
    return i < n ? rules[i].name : NULL;
}

static void list_rules(void)
{
    size_t n;
    const struct rule_info *rules = analyzer_rules(&n);
    for (size_t i = 0; i < n; i++)
        printf("%-20s %s\n", rules[i].name, rules[i].summary);
}

static bool explain(const char *name, GError **error)
{
    size_t n;
    const struct rule_info *rules = analyzer_rules(&n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(rules[i].name, name) != 0)
            continue;
        const char *help = rules[i].help ? rules[i].help : rules[i].summary;
        printf("%s%s", help, g_str_has_suffix(help, "\n") ? "" : "\n");
        return true;
    }
    const char *near = nearest_name(name, nth_rule);
    if (near)
        return error_set(error, SPINFAULT_ERROR_UNKNOWN,
                         "there is no rule \"%s\"; did you mean \"%s\"?", name, near);
    return error_set(error, SPINFAULT_ERROR_UNKNOWN,
                     "there is no rule \"%s\"; \"spinfault explain\" lists them", name);
}

static enum status run(struct command_context *context, GError **error)
{
    if (context->n_arguments == 0)
        list_rules();
    for (unsigned i = 0; i < context->n_arguments; i++)
        if (!explain(context->arguments[i], error))
            return STATUS_TROUBLE;
    return STATUS_FINE;
}

const struct command command_explain = {
    .name = "explain",
    .summary = "Tells what a rule is about and what to do",
    .usage = "[RULE…]",
    .details = "Without a RULE, lists the rules.",
    .run = run,
};
