// Findings beside their evidence, and the source around them.
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "xml.h"

#define FINDINGS_MOST 200u   // with all that is known of them
#define LISTED_MOST   10000u // one line each
#define LISTED_BLOCK  400u
#define EXCERPTS_MOST 12u

static const char *severity_class(enum severity severity)
{
    static const char *const classes[] = {"same", "same", "unsure", "worse"};
    return classes[severity];
}

static const char *severity_symbol(enum severity severity)
{
    static const char *const symbols[] = {"●", "●", "?", "▼"};
    return symbols[severity];
}

static bool is_release(const struct section_fact *section, unsigned line)
{
    for (size_t i = 0; i < section->n_release_lines; i++)
        if (section->release_lines[i] == line)
            return true;
    return false;
}

static bool is_touch(const struct finding *finding, unsigned line)
{
    if (line == finding->fact->line)
        return true;
    for (size_t i = 0; i < finding->section->n_accesses; i++) {
        const struct access_fact *access = &finding->section->accesses[i];
        if (access->line == line && access->residency == RESIDENCY_MAY_FAULT)
            return true;
    }
    return false;
}

static void mark_line(xmlNode *line, const struct finding *finding, unsigned number)
{
    const struct section_fact *section = finding->section;
    if (number == section->acquire_line) {
        xml_set(line, "class", "lock");
        xml_set(line, "note", "lock taken");
    } else if (is_release(section, number)) {
        xml_set(line, "class", "lock");
        xml_set(line, "note", "lock released");
    } else if (is_touch(finding, number)) {
        xml_set(line, "class", "hit");
        if (number == finding->fact->line)
            xml_set_f(line, "note", "%s: %s", finding->fact->rule, finding->fact->object);
        else
            xml_set(line, "note", "may fault");
    }
}

static void add_excerpt(xmlNode *node, const struct finding *finding)
{
    const struct section_fact *section = finding->section;
    if (!section || !section->excerpt)
        return;
    xmlNode *excerpt = xml_add(node, "excerpt");
    g_auto(GStrv) lines = g_strsplit(section->excerpt, "\n", LIMIT_EXCERPT_LINES + 1);
    unsigned number = section->excerpt_line;
    for (size_t i = 0; lines[i] && i < LIMIT_EXCERPT_LINES; i++, number++) {
        if (!*lines[i] && !lines[i + 1])
            break; // the text ended with its last line's end
        xmlNode *line = xml_add_text(excerpt, "line", lines[i]);
        xml_set_f(line, "n", "%u", number);
        mark_line(line, finding, number);
    }
    xml_set_f(excerpt, "from", "%u", section->excerpt_line);
    xml_set_f(excerpt, "to", "%u", number ? number - 1 : 0);
}

static void add_finding(xmlNode *parent, const struct finding *finding, bool excerpt)
{
    const struct finding_fact *fact = finding->fact;
    const struct evidence *evidence = &finding->evidence;
    xmlNode *node = xml_add(parent, "finding");
    xml_set(node, "severity", severity_name(fact->severity));
    xml_set(node, "class", severity_class(fact->severity));
    xml_set(node, "symbol", severity_symbol(fact->severity));
    xml_set(node, "confidence", confidence_name(fact->confidence));
    xml_set(node, "rule", fact->rule);
    xml_set(node, "file", fact->file);
    xml_set_f(node, "line", "%u", fact->line);
    xml_set(node, "function", fact->function);
    xml_set(node, "lock", fact->lock);
    xml_set(node, "object", fact->object);
    xml_set(node, "fingerprint", fact->fingerprint);
    // A sentence begins with a capital, an identifier does not.
    g_autofree char *message = g_strdup(fact->message);
    if (g_ascii_isspace(message[strspn(message, "abcdefghijklmnopqrstuvwxyz-")]))
        *message = g_ascii_toupper(*message);
    xml_add_text(node, "message", message);
    if (fact->suggestion && *fact->suggestion)
        xml_add_text(node, "suggestion", fact->suggestion);
    xmlNode *seen = xml_add_rich(node, "evidence", evidence->text);
    xml_set(seen, "state", evidence_name(evidence->state));
    xml_set(seen, "href", evidence->href);
    if (excerpt)
        add_excerpt(node, finding);
}

// Those after the first hundreds, one line each, in blocks that are folded away one by one: what
// nobody opens costs the browser nothing.
static void add_listed(xmlNode *findings, const struct report_model *model)
{
    guint end = MIN(model->findings->len, LISTED_MOST);
    for (guint from = FINDINGS_MOST; from < end; from += LISTED_BLOCK) {
        guint to = MIN(from + LISTED_BLOCK, end);
        xmlNode *block = xml_add(findings, "listed");
        xml_set_f(block, "from", "%u", from + 1);
        xml_set_f(block, "to", "%u", to);
        for (guint i = from; i < to; i++) {
            const struct finding *finding = g_ptr_array_index(model->findings, i);
            const struct finding_fact *fact = finding->fact;
            xmlNode *node = xml_add_text(block, "one", fact->object ? fact->object : "");
            xml_set(node, "severity", severity_name(fact->severity));
            xml_set(node, "class", severity_class(fact->severity));
            xml_set(node, "rule", fact->rule);
            xml_set(node, "file", fact->file);
            xml_set_f(node, "line", "%u", fact->line);
            xml_set(node, "function", fact->function);
            xml_set(node, "state", evidence_name(finding->evidence.state));
        }
    }
}

// An excerpt is shown once a section, for the findings that come first.
void document_add_findings(xmlNode *parent, struct report_model *model)
{
    if (!model->scan)
        return;
    const struct scan_summary *s = &model->scan->summary;
    xmlNode *findings = xml_add(parent, "findings");
    xml_set_f(findings, "count", "%u", model->findings->len);
    xml_set_f(findings, "words", "%u finding%s in %u critical section%s", model->findings->len,
              model->findings->len == 1 ? "" : "s", s->sections, s->sections == 1 ? "" : "s");
    if (model->suppressed)
        xml_set_f(findings, "suppressed", "%u", model->suppressed);
    if (model->findings->len > LISTED_MOST)
        xml_set_f(findings, "more", "%u", model->findings->len - LISTED_MOST);
    if (s->failed + s->degraded)
        xml_set_f(findings, "unparsed", "%u", s->failed + s->degraded);
    g_autoptr(GHashTable) shown = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (guint i = 0; i < MIN(model->findings->len, FINDINGS_MOST); i++) {
        const struct finding *finding = g_ptr_array_index(model->findings, i);
        bool excerpt = finding->section && g_hash_table_size(shown) < EXCERPTS_MOST &&
                       g_hash_table_add(shown, (void *)finding->section);
        add_finding(findings, finding, excerpt);
    }
    add_listed(findings, model);
    for (guint i = 0; i < model->files->len; i++) {
        const struct file_fact *file = g_ptr_array_index(model->files, i);
        if (file->status != FILE_FAILED && file->status != FILE_DEGRADED)
            continue;
        xmlNode *node = xml_add_text(findings, "unparsed", file->file);
        xml_set(node, "status", file_status_name(file->status));
        xml_set(node, "why", file->why);
    }
}
