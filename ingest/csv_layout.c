// What the columns are, by their names, their units and their values.
//
// A column with a known name is what the name says. Of the others, text is a tag of the run.
// Numbers with a unit are metrics. Numbers without one are metrics when they stand to the right of
// the first known metric, else tags: tables name the run first and its results last. If no metric
// is known at all, every such column is one.
#include "csv.h"

#include "metrics.h"
#include "settings.h"

// Compared like names of metrics: without case, '_', '-' and blanks alike.
static const struct {
    const char *alias;
    enum column_role role;
    const char *name;
} known[] = {
    {"benchmark", ROLE_BENCHMARK, NULL},
    {"schema", ROLE_BENCHMARK, NULL},
    {"workload", ROLE_WORKLOAD, NULL},
    {"script", ROLE_WORKLOAD, NULL},
    {"started", ROLE_STARTED, NULL},
    {"timestamp", ROLE_STARTED, NULL},
    {"date", ROLE_STARTED, NULL},
    {"status", ROLE_STATUS, NULL},
    {"host", ROLE_SETTING, "host"},
    {"hostname", ROLE_SETTING, "host"},
    {"kernel", ROLE_SETTING, "kernel"},
    {"kernel config", ROLE_SETTING, "kernel"},
    {"kernel version", ROLE_SETTING, "kernel"},
    {"preempt", ROLE_SETTING, "preempt"},
    {"preempt mode", ROLE_SETTING, "preempt"},
    {"preempt source", ROLE_SETTING, "preempt_source"},
    {"preempt confidence", ROLE_SETTING, "preempt_confidence"},
    {"page", ROLE_SETTING, "page"},
    {"page size", ROLE_SETTING, "page"},
    {"pages", ROLE_SETTING, "page"},
    {"page asked", ROLE_SETTING, "page_asked"},
    {"page kind", ROLE_SETTING, "page_kind"},
    {"huge pages", ROLE_SETTING, "huge_pages"},
    {"thp", ROLE_SETTING, "thp"},
    {"clients", ROLE_SETTING, "clients"},
    {"connections", ROLE_SETTING, "clients"},
    {"workers", ROLE_SETTING, "clients"},
    {"threads", ROLE_SETTING, "threads"},
    {"jobs", ROLE_SETTING, "threads"},
    {"arch", ROLE_SETTING, "arch"},
    {"architecture", ROLE_SETTING, "arch"},
    {"architektur", ROLE_SETTING, "arch"},
    {"vcpus", ROLE_SETTING, "vcpus"},
    {"ncpu", ROLE_SETTING, "vcpus"},
    {"cpus", ROLE_SETTING, "vcpus"},
    {"instance", ROLE_SETTING, "instance"},
    {"instanz", ROLE_SETTING, "instance"},
    {"instance type", ROLE_SETTING, "instance"},
    {"scale", ROLE_SETTING, "scale"},
    {"scale factor", ROLE_SETTING, "scale"},
    {"shared buffers", ROLE_SETTING, "shared_buffers"},
    {"protocol", ROLE_SETTING, "protocol"},
    {"duration s", ROLE_SETTING, "duration_s"},
    {"seconds", ROLE_SETTING, "duration_s"},
    {"source", ROLE_SETTING, "source"},
    {"address", ROLE_SETTING, "source"},
    {"repetition", ROLE_SETTING, "repetition"},
    {"rep", ROLE_SETTING, "repetition"},
    {"iteration", ROLE_SETTING, "repetition"},
    {"run", ROLE_SETTING, "run"},
    {"label", ROLE_SETTING, "label"},
    {"seed", ROLE_SETTING, "seed"},
    {"provenance", ROLE_PROVENANCE, NULL},
    {"kind", ROLE_PROVENANCE, NULL},
    {"note", ROLE_NOTE, NULL},
    {"notes", ROLE_NOTE, NULL},
    {"runs", ROLE_RUNS, NULL},
};

// Only where the table has a column "metric" and a column "value".
static const struct {
    const char *alias;
    enum column_role role;
} known_long[] = {
    {"metric", ROLE_METRIC_NAME}, {"value", ROLE_VALUE},
    {"unit", ROLE_UNIT},          {"n", ROLE_RUNS},
    {"stddev", ROLE_STDDEV},      {"backend type", ROLE_BACKEND_TYPE},
    {"state", ROLE_STATE},        {"as printed", ROLE_IGNORE},
};

static bool same_words(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        char x = g_ascii_tolower(*a);
        if (x == '_' || x == '-')
            x = ' ';
        if (x != *b)
            return false;
    }
    return !*a && !*b;
}

static bool find_known(const char *name, bool is_long, enum column_role *role, const char **key)
{
    for (size_t i = 0; is_long && i < G_N_ELEMENTS(known_long); i++) {
        if (same_words(name, known_long[i].alias)) {
            *role = known_long[i].role;
            *key = NULL;
            return true;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (same_words(name, known[i].alias)) {
            *role = known[i].role;
            *key = known[i].name;
            return true;
        }
    }
    return false;
}

bool csv_known_name(struct slice name)
{
    enum column_role role;
    const char *key;
    g_autofree char *text = slice_dup(slice_trim(name));
    return text && (find_known(text, true, &role, &key) || metric_standard_name(text));
}

// "Baseline [tps]", "Preempt None (tps)", "Preempt None, tps", "Latenz in ms", "hold_mean_ns":
// takes a unit off the end of `name`. Returns the unit, or NULL.
static char *take_unit(char *name, bool *soft)
{
    static const struct {
        const char *open, *close;
    } forms[] = {{" [", "]"}, {"[", "]"},   {" (", ")"}, {"(", ")"},
                 {", ", ""},  {" in ", ""}, {"_", ""}};
    const char *base;
    double factor;
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        char *open = g_strrstr(name, forms[i].open);
        if (!open || open == name || !g_str_has_suffix(name, forms[i].close))
            continue;
        char *start = open + strlen(forms[i].open);
        size_t close = strlen(forms[i].close), n = strlen(start);
        struct slice unit = {start, n > close ? n - close : 0};
        bool drawn = *forms[i].close != '\0'; // between brackets anything is a unit
        if (unit.len == 0 || (!drawn && !unit_parse(unit, &base, &factor)))
            continue;
        if (strcmp(forms[i].open, "_") == 0 &&
            (strcmp(base, "s") != 0 || g_str_has_suffix(name, "_per_s")))
            continue;
        char *result = g_strndup(unit.data, unit.len);
        *soft = strcmp(forms[i].open, "_") == 0;
        *open = '\0';
        return result;
    }
    return NULL;
}

// By name alone; ROLE_TAG is what is not known.
static void name_column(struct csv_column *c, struct slice title, bool is_long)
{
    const char *key = NULL;
    g_autofree char *name = text_printable(slice_trim(title));
    c->title = g_strdup(name);
    if (find_known(name, is_long, &c->role, &key)) {
        c->name = g_strdup(key ? key : name);
        return;
    }
    c->role = ROLE_TAG;
    const char *standard = metric_standard_name(name);
    if (!standard) {
        c->unit = take_unit(name, &c->soft_unit);
        standard = metric_standard_name(name);
        if (c->unit && find_known(name, is_long, &c->role, &key)) {
            c->name = g_strdup(key ? key : name);
            return;
        }
    }
    if (standard)
        c->role = ROLE_METRIC;
    c->name = g_strdup(standard ? standard : name);
    if (standard && !c->unit)
        c->unit = g_strdup(strcmp(name, "lat_ms") == 0 ? "ms" : metric_unit(standard));
}

// A sign that one column cannot tell, another one may, or the way fields are cut: where a comma
// cuts unquoted fields, the decimal sign is a dot.
static char table_decimal(const struct table *t)
{
    char found = 0;
    for (size_t i = 0; i < t->columns; i++) {
        struct column_numbers c = number_column(t, i, 0);
        if (c.kind != COLUMN_NUMBER || !c.decimal || c.open)
            continue;
        if (found && found != c.decimal)
            return 0;
        found = c.decimal;
    }
    return found ? found : t->delimiter == ',' ? '.' : 0;
}

static bool take_decimal_setting(struct ingest *in, char *decimal, GError **error)
{
    const char *value = settings_get(in->settings, "decimal");
    if (!value)
        return true;
    if (strcmp(value, ".") != 0 && strcmp(value, ",") != 0)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--set decimal=%s: the decimal sign is . or ,", value);
    *decimal = *value;
    settings_unset(in->settings, "decimal");
    return true;
}

// `--set column:TITLE=ROLE`: ignore, tag, metric, metric:NAME, or the name of a setting. Over
// everything that the name says by itself.
static bool map_columns(struct csv_layout *l, struct ingest *in, GError **error)
{
    for (guint i = in->settings->len; i-- > 0;) {
        const struct setting *s = in->settings->pdata[i];
        if (!g_str_has_prefix(s->key, "column:"))
            continue;
        const char *title = s->key + strlen("column:");
        size_t c = 0;
        while (c < l->n && g_ascii_strcasecmp(l->columns[c].title, title) != 0)
            c++;
        if (c == l->n)
            return error_set(error, SPINFAULT_ERROR_USAGE, "%s: there is no column \"%s\"",
                             in->name, title);
        struct csv_column *column = &l->columns[c];
        bool is_metric = g_str_has_prefix(s->value, "metric");
        const char *name = is_metric && s->value[6] == ':' ? s->value + 7 : column->name;
        column->role = is_metric                           ? ROLE_METRIC
                       : strcmp(s->value, "ignore") == 0   ? ROLE_IGNORE
                       : strcmp(s->value, "workload") == 0 ? ROLE_WORKLOAD
                                                           : ROLE_SETTING;
        char *chosen = g_strdup(is_metric                      ? name
                                : strcmp(s->value, "tag") == 0 ? column->title
                                                               : s->value);
        g_free(column->name);
        column->name = chosen;
        if (is_metric && !column->unit)
            column->unit = g_strdup(metric_unit(chosen));
        g_ptr_array_remove_index(in->settings, i);
    }
    return true;
}

static bool is_numeric_role(enum column_role role)
{
    return role == ROLE_TAG || role == ROLE_METRIC || role == ROLE_VALUE || role == ROLE_RUNS ||
           role == ROLE_STDDEV;
}

// Which decimal sign the numbers of a column have must be known, if they are figures: of a column
// that has words, too, those are missing and the others are read.
static bool settle_column(struct csv_column *c, struct ingest *in, GError **error)
{
    bool figures =
        is_numeric_role(c->role) && (c->role != ROLE_TAG || c->numbers.kind == COLUMN_NUMBER);
    g_autofree char *example = slice_dup(c->numbers.example);
    if (figures && c->numbers.conflict)
        return ingest_ambiguous(in, c->numbers.line, error,
                                "\"%s\" in column \"%s\" has another decimal sign than a number "
                                "above it; write all of them the same way",
                                example, c->name);
    if (figures && c->numbers.undecided)
        return ingest_ambiguous(in, c->numbers.line, error,
                                "\"%s\" in column \"%s\" may have a decimal sign or a "
                                "thousands separator, and nothing in the file tells; say which "
                                "with --set decimal=. or --set decimal=,",
                                example, c->name);
    if (c->numbers.kind == COLUMN_NUMBER && c->numbers.unit.data && !c->unit)
        c->unit = slice_dup(c->numbers.unit);
    return true;
}

static bool settle_numbers(struct csv_layout *l, struct ingest *in, const struct table *t,
                           char decimal, GError **error)
{
    char hint = decimal ? decimal : table_decimal(t);
    for (size_t i = 0; i < l->n; i++) {
        l->columns[i].numbers = number_column(t, i, hint);
        if (!settle_column(&l->columns[i], in, error))
            return false;
    }
    return true;
}

static bool is_first_metric(const struct csv_column *c)
{
    if (c->role == ROLE_METRIC)
        return true;
    bool number = c->role == ROLE_TAG && c->numbers.kind == COLUMN_NUMBER;
    return number && (c->numbers.decimal || (c->unit && !c->soft_unit && !c->numbers.unit.data));
}

static bool is_number(const struct csv_column *c)
{
    return c->role == ROLE_METRIC || (c->role == ROLE_TAG && c->numbers.kind == COLUMN_NUMBER);
}

// An empty column is a metric that was never measured, but only beside one that was.
static void settle_roles(struct csv_layout *l)
{
    size_t first = 0, number = 0;
    while (number < l->n && !is_number(&l->columns[number]))
        number++;
    if (number == l->n)
        return;
    while (first < l->n && !is_first_metric(&l->columns[first]))
        first++;
    bool none = first == l->n;
    for (size_t i = 0; i < l->n && !l->is_long; i++) {
        struct csv_column *c = &l->columns[i];
        if (c->role != ROLE_TAG)
            continue;
        if (c->numbers.kind != COLUMN_TEXT && (none || i >= first)) {
            c->role = ROLE_METRIC;
        } else {
            g_free(c->name);
            c->name = g_strdup(c->title);
        }
    }
}

bool csv_layout_init(struct csv_layout *layout, struct ingest *in, const struct table *t,
                     GError **error)
{
    char decimal = 0;
    *layout = (struct csv_layout){
        .columns = g_new0(struct csv_column, t->columns),
        .n = t->columns,
        .is_long = table_find(t, "metric") >= 0 && table_find(t, "value") >= 0,
    };
    for (size_t i = 0; i < t->columns; i++)
        name_column(&layout->columns[i], table_name(t, i), layout->is_long);
    if (!map_columns(layout, in, error) || !take_decimal_setting(in, &decimal, error) ||
        !settle_numbers(layout, in, t, decimal, error))
        return false;
    settle_roles(layout);
    if (!layout->is_long && csv_find(layout, ROLE_METRIC) < 0)
        return ingest_damaged(in, table_line(t, 0), error,
                              "no column of numbers in this table; is the first line a header?");
    return true;
}

void csv_layout_clear(struct csv_layout *layout)
{
    for (size_t i = 0; i < layout->n; i++) {
        g_free(layout->columns[i].title);
        g_free(layout->columns[i].name);
        g_free(layout->columns[i].unit);
    }
    g_clear_pointer(&layout->columns, g_free);
    layout->n = 0;
}

int csv_find(const struct csv_layout *layout, enum column_role role)
{
    for (size_t i = 0; i < layout->n; i++)
        if (layout->columns[i].role == role)
            return (int)i;
    return -1;
}
