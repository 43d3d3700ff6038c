// Lines of psql's drawn tables, measured as psql does: by columns of the screen, where a letter of
// several bytes is one column wide, some are two, and accents none.
//
// Three styles of lines exist. "ascii" and "unicode" mark a value that goes on below in the blank
// behind it: '+' or U+21B5 for a new line in the value, '.' or U+2026 where it was wrapped.
// "old-ascii" says it in the separator of the line below: ':' and ';', and a blank where nothing
// goes on.
#ifndef SPINFAULT_INGEST_PSQL_SCREEN_H
#define SPINFAULT_INGEST_PSQL_SCREEN_H

#include <glib.h>
#include <stdbool.h>

#include "spinfault/base.h"

enum psql_sign {
    SIGN_END,
    SIGN_BLANK,
    SIGN_DASH,    // of a rule
    SIGN_JOINT,   // '+' and box characters where lines meet
    SIGN_BAR,     // between columns
    SIGN_NEWLINE, // U+21B5; '+' is a SIGN_JOINT
    SIGN_WRAP,    // '.', U+2026
    SIGN_COLON,   // old-ascii: a new line
    SIGN_SEMICOLON,
    SIGN_OTHER,
};

enum psql_more { MORE_NOT, MORE_NEWLINE, MORE_WRAPPED };

struct psql_span {
    size_t from, to; // columns of the screen; the text of a column, without the blanks beside it
};

// A rule: what it says about the columns of its table.
struct psql_rule {
    GArray *spans; // of struct psql_span
    unsigned border;
};

struct psql_text {
    char **lines; // without their ends
    size_t n;
    bool cut; // the last line had no end, and was left out: what it belongs to is not whole
};

size_t screen_width(const char *line);
struct slice screen_cut(const char *line, size_t from, size_t to);
enum psql_sign screen_sign(const char *line, size_t column);
// What the sign at the end of a value says of the next line.
enum psql_more sign_more(enum psql_sign sign);

bool psql_is_rule(const char *line);
// The rule's columns; NULL when the line is no rule.
struct psql_rule *psql_rule_new(const char *line);
void psql_rule_free(struct psql_rule *rule); // accepts NULL
typedef struct psql_rule psql_rule_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(psql_rule_t, psql_rule_free)
// Does `line` have bars where the rule has joints?
bool psql_rule_fits(const struct psql_rule *rule, const char *line);

// "(2 rows)", "(2 Zeilen)": how many, or -1 when the line is no footer.
gint64 psql_footer(const char *line);
// The time in the title of \watch, "Mon Nov 30 13:27:07 2026 (every 1s)", with or without a title
// before it, in epoch seconds: the server's clock taken for UTC, since the zone is not printed. NAN
// when the line holds no such time.
double psql_watch_time(const char *line);
// "-[ RECORD 1 ]---+---" and "* Record 1".
bool psql_is_record(const char *line);

#endif
