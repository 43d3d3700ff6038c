// Names of events, and payloads of tracepoints.
#include "spinfault/base/event.h"

#include <string.h>

#include <glib.h>

static struct slice part(const char *from, const char *to)
{
    return (struct slice){from, (size_t)(to - from)};
}

static bool is_modifiers(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!strchr("ukhGHIpPSDWebR", s.data[i]))
            return false;
    return s.len > 0;
}

// Between the slashes of "cpu/event=0x3c,name=x y/": a name, or else the term without a value.
static struct slice name_in_terms(struct slice terms)
{
    struct slice found = SLICE_NULL;
    const char *end = terms.data + terms.len;
    for (const char *p = terms.data; p < end;) {
        const char *comma = memchr(p, ',', (size_t)(end - p));
        struct slice term = part(p, comma ? comma : end);
        if (slice_starts(term, "name="))
            return part(term.data + strlen("name="), term.data + term.len);
        if (!found.data && term.len > 0 && !memchr(term.data, '=', term.len))
            found = term;
        p = comma ? comma + 1 : end;
    }
    return found;
}

struct slice event_base_name(struct slice event)
{
    if (event.len == 0)
        return event;
    const char *end = event.data + event.len;
    const char *slash = memchr(event.data, '/', event.len);
    const char *close = slash ? memrchr(event.data, '/', event.len) : NULL;
    const char *colon = memrchr(event.data, ':', event.len);
    bool before_colon = !colon || !slash || slash < colon;
    if (slash && close > slash && before_colon && !slice_starts(event, "mem:")) {
        struct slice name = name_in_terms(part(slash + 1, close));
        struct slice pmu = part(event.data, slash);
        if (name.len > 0)
            return name;
        // "cycles/period=50/u" is an event with terms; "cpu/event=0xc2/" has no other name.
        return slash + 1 == close || !slice_starts(pmu, "cpu") ? pmu : part(event.data, close + 1);
    }
    if (colon && is_modifiers(part(colon + 1, end)))
        return part(event.data, colon);
    return event;
}

static bool is_key_char(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

// Where a key begins at or behind `from`: "word=" or "word: " with a blank or the beginning before
// it. Sets its end.
static const char *find_key(const char *from, const char *end, const char **key_end)
{
    for (const char *p = from; p < end; p++) {
        if (p > from && p[-1] != ' ')
            continue;
        const char *q = p;
        while (q < end && is_key_char(*q))
            q++;
        bool is_key = q > p && q < end && !g_ascii_isdigit(*p) &&
                      (*q == '=' || (*q == ':' && q + 1 < end && q[1] == ' '));
        if (!is_key)
            continue;
        *key_end = q;
        return p;
    }
    return NULL;
}

static struct slice clean_value(struct slice v)
{
    v = slice_trim(v);
    if (slice_ends(v, "==>"))
        v = slice_trim(part(v.data, v.data + v.len - 3));
    if (v.len > 0 && v.data[v.len - 1] == ',')
        v.len--;
    return v;
}

static void add_pair(GArray *pairs, struct slice key, struct slice value)
{
    const struct payload_pair pair = {key, value};
    g_array_append_val(pairs, pair);
}

// "name:12 [120] S" into name, number, priority and state.
static bool old_task(struct slice s, struct slice out[4])
{
    s = slice_trim(s);
    const char *open = s.len ? memrchr(s.data, '[', s.len) : NULL;
    const char *close = open ? memchr(open, ']', (size_t)(s.data + s.len - open)) : NULL;
    const char *colon = open ? memrchr(s.data, ':', (size_t)(open - s.data)) : NULL;
    int64_t number;
    if (!close || !colon)
        return false;
    out[0] = part(s.data, colon);
    out[1] = slice_trim(part(colon + 1, open));
    out[2] = part(open + 1, close);
    out[3] = slice_trim(part(close + 1, s.data + s.len));
    return slice_to_i64(out[1], &number) && slice_to_i64(out[2], &number);
}

static void old_switch(struct slice payload, GArray *pairs)
{
    const char *arrow = payload.len ? memmem(payload.data, payload.len, "==>", 3) : NULL;
    struct slice prev[4], next[4];
    if (!arrow || !old_task(part(payload.data, arrow), prev) ||
        !old_task(part(arrow + 3, payload.data + payload.len), next))
        return;
    add_pair(pairs, SLICE("prev_comm"), prev[0]);
    add_pair(pairs, SLICE("prev_pid"), prev[1]);
    add_pair(pairs, SLICE("prev_prio"), prev[2]);
    add_pair(pairs, SLICE("prev_state"), prev[3]);
    add_pair(pairs, SLICE("next_comm"), next[0]);
    add_pair(pairs, SLICE("next_pid"), next[1]);
    add_pair(pairs, SLICE("next_prio"), next[2]);
}

GArray *payload_pairs(struct slice payload)
{
    GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct payload_pair));
    if (payload.len == 0)
        return pairs;
    const char *end = payload.data + payload.len, *key_end = NULL, *next_end = NULL;
    const char *key = find_key(payload.data, end, &key_end);
    if (!key)
        old_switch(payload, pairs);
    // Values hold blanks and colons: only what is written as the first key is another key.
    char mark = key ? *key_end : '=';
    while (key) {
        const char *next = find_key(key_end + 1, end, &next_end);
        while (next && *next_end != mark)
            next = find_key(next_end, end, &next_end);
        add_pair(pairs, part(key, key_end), clean_value(part(key_end + 1, next ? next : end)));
        key = next;
        key_end = next_end;
    }
    return pairs;
}
