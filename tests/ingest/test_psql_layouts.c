// Tables of psql: the same values in every layout give the same facts.
//
// The layouts are composed after what psql prints: columns as wide as their widest value, a blank
// or a mark at each side of it, and three styles of lines.
#include "property.h"

#define COLUMNS 5
#define ROWS    6

struct style {
    const char *dash, *bar, *joint, *left, *right; // of rules, and between columns
    const char *newline, *wrap;                    // marks behind a value; "" for old-ascii
};

static const struct style styles[] = {
    {"-", "|", "+", "+", "+", "+", "."},
    {"-", "|", "+", "+", "+", "", ""}, // old-ascii
    {"\u2500", "\u2502", "\u253C", "\u251C", "\u2524", "\u21B5", "\u2026"},
    {"\u2550", "\u2551", "\u256C", "\u2560", "\u2563", "\u21B5", "\u2026"},
    {"\u2550", "\u2502", "\u256A", "\u255E", "\u2561", "\u21B5", "\u2026"},
};

static const char *const names[COLUMNS] = {"backend_type", "wait_event_type", "wait_event", "state",
                                           "count"};

struct layout {
    unsigned border;
    const struct style *style;
    bool expanded, numbered, header, footer, wrapped;
    const char *null;
};

struct data {
    const char *cells[ROWS][COLUMNS]; // NULL: null
    size_t rows;
    char counts[ROWS][16];
};

static void compose(struct gen *g, struct data *d)
{
    static const char *const backends[] = {"client backend", "checkpointer", "Sitzung \u00FC",
                                           "\u540E\u53F0"};
    static const char *const types[] = {"LWLock", "IO", "Timeout", "Client", "Lock"};
    static const char *const events[] = {"WALWrite", "a|b", "DataFileRead", "Spin.Delay+",
                                         "two words"};
    static const char *const states[] = {"active", "idle", "idle in transaction", NULL};
    d->rows = 1 + gen_below(g, ROWS);
    for (size_t i = 0; i < d->rows; i++) {
        g_snprintf(d->counts[i], sizeof d->counts[i], "%u",
                   gen_maybe(g) ? gen_below(g, 100) : gen_below(g, 2000000));
        bool null = gen_below(g, 6) == 0;
        d->cells[i][0] = gen_pick(g, backends);
        d->cells[i][1] = null ? NULL : gen_pick(g, types);
        d->cells[i][2] = null ? NULL : gen_pick(g, events);
        d->cells[i][3] = gen_pick(g, states);
        d->cells[i][4] = d->counts[i];
    }
}

static size_t width_of(const char *s)
{
    size_t n = 0;
    for (; *s; s = g_utf8_next_char(s))
        n += g_unichar_iswide(g_utf8_get_char(s)) ? 2 : 1;
    return n;
}

static const char *shown(const struct layout *l, const char *cell)
{
    return cell ? cell : l->null;
}

static void add_times(GString *s, const char *piece, size_t n)
{
    while (n-- > 0)
        g_string_append(s, piece);
}

static void add_rule(struct gen *g, const struct layout *l, const size_t *widths, size_t n)
{
    const struct style *s = l->style;
    g_string_append(g->text, l->border == 2 ? s->left : "");
    for (size_t i = 0; i < n; i++) {
        add_times(g->text, s->dash, widths[i] + (l->border > 0 ? 2 : 0));
        if (i + 1 < n)
            g_string_append(g->text, l->border > 0 ? s->joint : " ");
    }
    g_string_append_printf(g->text, "%s\n", l->border == 2 ? s->right : "");
}

// The first `width` columns of the screen of *text, which is moved behind them.
static char *take_piece(const char **text, size_t width)
{
    const char *start = *text, *p = start;
    size_t used = 0;
    while (*p) {
        size_t w = g_unichar_iswide(g_utf8_get_char(p)) ? 2 : 1;
        if (used + w > width)
            break;
        used += w;
        p = g_utf8_next_char(p);
    }
    *text = p;
    return g_strndup(start, (gsize)(p - start));
}

// A row of the table, in as many lines as its values take.
static void add_row(struct gen *g, const struct layout *l, const size_t *widths,
                    const char *const *cells)
{
    const char *rest[COLUMNS];
    bool goes_on[COLUMNS] = {false}, old = !*l->style->wrap, more = true;
    for (size_t i = 0; i < COLUMNS; i++)
        rest[i] = shown(l, cells[i]);
    for (bool first = true; more; first = false) {
        more = false;
        g_string_append(g->text, l->border == 2 ? l->style->bar : "");
        for (size_t i = 0; i < COLUMNS; i++) {
            bool last = i + 1 == COLUMNS, was = goes_on[i], any = first || *rest[i];
            g_autofree char *piece = take_piece(&rest[i], widths[i]);
            size_t pad = widths[i] - width_of(piece);
            goes_on[i] = *rest[i] != '\0';
            more |= goes_on[i];
            if (l->border > 0)
                g_string_append(g->text, was && *l->style->wrap ? l->style->wrap : " ");
            if (i == COLUMNS - 1)
                add_times(g->text, " ", pad);
            g_string_append(g->text, any ? piece : "");
            if (i < COLUMNS - 1)
                add_times(g->text, " ", pad);
            g_string_append(g->text, goes_on[i] && *l->style->wrap ? l->style->wrap
                                     : !last || l->border == 2     ? " "
                                                                   : "");
            if (l->border > 0 && !last)
                g_string_append(g->text, !old || first                    ? l->style->bar
                                         : goes_on[i + 1] || *rest[i + 1] ? ";"
                                                                          : " ");
        }
        g_string_append_printf(g->text, "%s\n", l->border == 2 ? l->style->bar : "");
    }
}

static void add_footer(struct gen *g, const struct layout *l, size_t rows)
{
    static const char *const words[] = {"rows", "Zeilen", "lignes", "\u884C",
                                        "\u0441\u0442\u0440\u043E\u043A\u0438"};
    if (l->footer)
        g_string_append_printf(g->text, "(%zu %s)\n", rows, gen_pick(g, words));
    g_string_append_c(g->text, '\n');
}

static void add_aligned(struct gen *g, const struct layout *l, const struct data *d)
{
    size_t widths[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++) {
        widths[i] = width_of(names[i]);
        for (size_t row = 0; row < d->rows; row++)
            widths[i] = MAX(widths[i], width_of(shown(l, d->cells[row][i])));
    }
    if (l->wrapped) { // as narrow as the header
        widths[0] = 12;
        widths[3] = MIN(widths[3], 9);
    }
    if (l->border == 2 && l->header)
        add_rule(g, l, widths, COLUMNS);
    if (l->header) {
        struct layout plain = *l;
        plain.wrapped = false;
        add_row(g, &plain, widths, names);
        add_rule(g, l, widths, COLUMNS);
    }
    for (size_t row = 0; row < d->rows; row++)
        add_row(g, l, widths, d->cells[row]);
    if (l->border == 2)
        add_rule(g, l, widths, COLUMNS);
    add_footer(g, l, d->rows);
}

// Names have no blank before them without a frame.
static void add_record_rule(struct gen *g, const struct layout *l, const size_t *widths)
{
    const struct style *s = l->style;
    bool framed = l->border == 2;
    g_string_append(g->text, framed ? s->left : "");
    add_times(g->text, s->dash, widths[0] + (framed ? 2 : 1));
    g_string_append(g->text, s->joint);
    add_times(g->text, s->dash, widths[1] + (framed ? 2 : 1));
    g_string_append_printf(g->text, "%s\n", framed ? s->right : "");
}

// "-[ RECORD 2 ]---+----", or without numbers a plain rule.
static void add_record_line(struct gen *g, const struct layout *l, size_t row, const size_t *widths)
{
    if (!l->numbered) {
        if (row > 0 || l->border == 2)
            add_record_rule(g, l, widths);
        return;
    }
    if (l->border == 0)
        g_string_append_printf(g->text, "* Record %zu        \n", row + 1);
    else
        g_string_append_printf(g->text, "%s%s[ RECORD %zu ]%s%s%s%s\n",
                               l->border == 2 ? l->style->left : "", l->style->dash, row + 1,
                               l->style->dash, l->style->joint, l->style->dash,
                               l->border == 2 ? l->style->right : "");
}

static void add_expanded(struct gen *g, const struct layout *l, const struct data *d)
{
    size_t widths[2] = {15, 1};
    const char *bar = l->border > 0 ? l->style->bar : "";
    for (size_t row = 0; row < d->rows; row++)
        for (size_t i = 0; i < COLUMNS; i++)
            widths[1] = MAX(widths[1], width_of(shown(l, d->cells[row][i])));
    for (size_t row = 0; row < d->rows; row++) {
        add_record_line(g, l, row, widths);
        for (size_t i = 0; i < COLUMNS; i++) {
            const char *value = shown(l, d->cells[row][i]);
            g_string_append_printf(g->text, "%s%s%-*s%s%s %s", l->border == 2 ? bar : "",
                                   l->border == 2 ? " " : "", (int)widths[0], names[i],
                                   l->border > 0 ? " " : "", bar, value);
            if (l->border == 2)
                add_times(g->text, " ", widths[1] - width_of(value) + 1);
            g_string_append_printf(g->text, "%s\n", l->border == 2 ? bar : "");
        }
    }
    if (l->border == 2)
        add_record_rule(g, l, widths);
    g_string_append_c(g->text, '\n');
}

static void add_separated(struct gen *g, const struct layout *l, const struct data *d)
{
    static const char separators[] = {'|', ';', '\t'};
    char cut = gen_pick(g, separators);
    for (size_t row = 0; row <= d->rows; row++) {
        if (row == 0 && !l->header)
            continue;
        for (size_t i = 0; i < COLUMNS; i++) {
            const char *cell = row == 0 ? names[i] : shown(l, d->cells[row - 1][i]);
            if (cut == '|' && strchr(cell, '|'))
                cell = "WALWrite"; // what nobody could tell
            g_string_append_printf(g->text, "%s%c", cell, i + 1 < COLUMNS ? cut : '\n');
        }
    }
    if (l->footer)
        add_footer(g, l, d->rows);
}

static void quoted(GString *out, const char *text)
{
    if (!text)
        g_string_append(out, "null");
    else
        g_string_append_printf(out, "\"%s\"", text);
}

static void expect_all(struct gen *g, const struct data *d, const char *facts, bool bars)
{
    GString *all = g_string_new(NULL);
    for (size_t row = 0; row < d->rows; row++) {
        const char *const *c = d->cells[row];
        static const char *const keys[] = {"backend_type", "event_type", "event", "state"};
        g_string_append(all, "{\"type\":\"wait\"");
        for (size_t i = 0; i < 4; i++) {
            g_string_append_printf(all, ",\"%s\":", keys[i]);
            quoted(all, !bars && c[i] && strchr(c[i], '|') ? "WALWrite" : c[i]);
        }
        g_string_append_printf(all, ",\"count\":%s}\n", c[4]);
    }
    gen_expect(g, facts, all->str);
    gen_expect_count(g, facts, "{\"type\":", (unsigned)d->rows);
    g_string_free(all, TRUE);
}

static void layout_of(struct gen *g, struct layout *l)
{
    static const char *const nulls[] = {"", "(null)", "\u2205", "NULL"};
    *l = (struct layout){.border = gen_below(g, 3),
                         .style = &gen_pick(g, styles),
                         .numbered = true,
                         .header = true,
                         .footer = gen_maybe(g),
                         .null = gen_pick(g, nulls)};
}

static void check(struct gen *g, const struct data *d)
{
    g_autofree char *facts = gen_facts(g, DRESS_PLAIN, NULL);
    expect_all(g, d, facts, true);
    gen_expect_dressed(g, facts);
}

static void aligned(struct gen *g)
{
    struct layout l;
    struct data d;
    layout_of(g, &l);
    compose(g, &d);
    // Nothing shows in old-ascii without separators that a value goes on.
    l.wrapped = gen_maybe(g) && (l.border > 0 || *l.style->wrap);
    if (gen_maybe(g))
        g_string_append(g->text, "     Waits of the run\n");
    add_aligned(g, &l, &d);
    check(g, &d);
}

static void expanded(struct gen *g)
{
    struct layout l;
    struct data d;
    layout_of(g, &l);
    compose(g, &d);
    l.numbered = l.border == 0 || gen_maybe(g);
    add_expanded(g, &l, &d);
    check(g, &d);
}

static void separated(struct gen *g)
{
    struct layout l;
    struct data d;
    layout_of(g, &l);
    compose(g, &d);
    if (gen_maybe(g))
        g_string_append(g->text, "Waits of the run\n");
    add_separated(g, &l, &d);
    g_autofree char *facts = gen_facts(g, DRESS_PLAIN, NULL);
    bool cut_by_bar = strchr(g->text->str, '|') != NULL && strstr(g->text->str, "backend_type|");
    expect_all(g, &d, facts, !cut_by_bar);
    gen_expect_dressed(g, facts);
}

// Rows without a header: types of events tell what the columns are, or it is refused.
static void headless(struct gen *g)
{
    struct layout l;
    struct data d;
    layout_of(g, &l);
    compose(g, &d);
    d.cells[0][1] = "LWLock";
    d.cells[0][2] = "WALWrite";
    l.header = l.footer = false;
    l.border = 1 + gen_below(g, 2);
    add_aligned(g, &l, &d);
    check(g, &d);
}

// Cut anywhere, a table gives no count that was not printed.
static void cut(struct gen *g)
{
    struct layout l;
    struct data d;
    layout_of(g, &l);
    compose(g, &d);
    for (size_t i = 0; i < d.rows; i++)
        strcpy(d.counts[i], "7777777");
    if (gen_maybe(g))
        add_aligned(g, &l, &d);
    else
        add_expanded(g, &l, &d);
    g_string_truncate(g->text, gen_below(g, (unsigned)g->text->len));
    g_autofree char *refused = NULL, *facts = gen_facts(g, DRESS_PLAIN, &refused);
    if (facts)
        gen_expect_count(g, facts, "\"type\":\"wait\"", count_lines(facts, "\"count\":7777777}"));
}

static void add(void)
{
    property_add("/ingest/psql/aligned", aligned);
    property_add("/ingest/psql/expanded", expanded);
    property_add("/ingest/psql/separated", separated);
    property_add("/ingest/psql/headless", headless);
    property_add("/ingest/psql/cut", cut);
}

int main(int argc, char **argv)
{
    return property_main(argc, argv, add);
}
