// Stylesheets. What xsl:include names is put in the place of the element before libxslt sees the
// sheet, so that included files too come from the program or from --template-dir, and nothing is
// ever read from elsewhere.
#include "document/templates.h"

#include <libxml/parser.h>
#include <libxslt/security.h>
#include <libxslt/transform.h>
#include <libxslt/variables.h>
#include <libxslt/xsltInternals.h>
#include <libxslt/xsltutils.h>
#include <stdbool.h>
#include <string.h>

#include "document/html.h"
#include "spinfault/base/error.h"

#define EMBEDDED(symbol) extern const char template_##symbol[], template_##symbol##_end[];
EMBEDDED(report_xsl)
EMBEDDED(verdict_xsl)
EMBEDDED(panel_xsl)
EMBEDDED(findings_xsl)
EMBEDDED(environment_xsl)
EMBEDDED(markdown_xsl)
EMBEDDED(report_css)
EMBEDDED(dark_css)
EMBEDDED(report_js)
EMBEDDED(trees_js)
EMBEDDED(flames_js)

static const struct {
    const char *name, *text;
} embedded[] = {
    {"report.xsl", template_report_xsl},
    {"verdict.xsl", template_verdict_xsl},
    {"panel.xsl", template_panel_xsl},
    {"findings.xsl", template_findings_xsl},
    {"environment.xsl", template_environment_xsl},
    {"markdown.xsl", template_markdown_xsl},
    {"report.css", template_report_css},
    {"dark.css", template_dark_css},
    {"report.js", template_report_js},
    {"trees.js", template_trees_js},
    {"flames.js", template_flames_js},
};

char *template_text(const char *dir, const char *name, GError **error)
{
    if (dir) {
        g_autofree char *path = g_build_filename(dir, name, NULL);
        g_autoptr(GError) failure = NULL;
        char *text = NULL;
        if (g_file_get_contents(path, &text, NULL, &failure))
            return text;
        if (!g_error_matches(failure, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
            error_set(error, SPINFAULT_ERROR_IO, "cannot read the template %s: %s", path,
                      failure->message);
            return NULL;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(embedded); i++)
        if (strcmp(embedded[i].name, name) == 0)
            return g_strdup(embedded[i].text);
    error_set(error, SPINFAULT_ERROR_NOT_FOUND, "there is no template %s%s%s", name,
              dir ? " in the program or in " : "", dir ? dir : "");
    return NULL;
}

struct complaint {
    GString *text;
};

// libxslt reports in pieces; the first line is what a user needs.
static void collect(void *context, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void collect(void *context, const char *format, ...)
{
    struct complaint *complaint = context;
    va_list args;
    va_start(args, format);
    g_autofree char *piece = g_strdup_vprintf(format, args);
    va_end(args);
    if (complaint->text->len < 400)
        g_string_append(complaint->text, piece);
}

static xmlDoc *parse(const char *dir, const char *name, GError **error)
{
    g_autofree char *text = template_text(dir, name, error);
    if (!text)
        return NULL;
    xmlDoc *doc = xmlReadMemory(text, (int)strlen(text), name, NULL,
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (doc && xmlDocGetRootElement(doc))
        return doc;
    xmlFreeDoc(doc);
    const xmlError *e = xmlGetLastError();
    g_autofree char *why = g_strdup(e && e->message ? g_strstrip((char *)e->message) : "empty");
    error_set(error, SPINFAULT_ERROR_DAMAGED, "the template %s is not well-formed, line %d: %s",
              name, e ? e->line : 0, why);
    return NULL;
}

static bool is_include(const xmlNode *node)
{
    return node->type == XML_ELEMENT_NODE && node->ns &&
           strcmp((const char *)node->ns->href, "http://www.w3.org/1999/XSL/Transform") == 0 &&
           strcmp((const char *)node->name, "include") == 0;
}

// Includes do not nest: one level is enough for sheets that are ours or follow ours.
static bool resolve_includes(const char *dir, xmlDoc *doc, GError **error)
{
    xmlNode *root = xmlDocGetRootElement(doc);
    for (xmlNode *node = root->children, *next; node; node = next) {
        next = node->next;
        if (!is_include(node))
            continue;
        xmlChar *href = xmlGetProp(node, BAD_CAST "href");
        g_autofree char *name = g_path_get_basename(href ? (const char *)href : "");
        xmlFree(href);
        xmlDoc *part = parse(dir, name, error);
        if (!part)
            return false;
        for (xmlNode *child = xmlDocGetRootElement(part)->children; child; child = child->next) {
            xmlNode *copy = xmlDocCopyNode(child, doc, 1);
            if (copy)
                xmlAddPrevSibling(node, copy);
        }
        xmlFreeDoc(part);
        xmlUnlinkNode(node);
        xmlFreeNode(node);
    }
    return true;
}

static void forbid_everything(xsltSecurityPrefs *security)
{
    static const xsltSecurityOption options[] = {XSLT_SECPREF_READ_FILE, XSLT_SECPREF_WRITE_FILE,
                                                 XSLT_SECPREF_CREATE_DIRECTORY,
                                                 XSLT_SECPREF_READ_NETWORK,
                                                 XSLT_SECPREF_WRITE_NETWORK};
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
        xsltSetSecurityPrefs(security, options[i], xsltSecurityForbid);
}

static char *result_text(xmlDoc *result, xsltStylesheet *sheet)
{
    const xmlNode *root = xmlDocGetRootElement(result);
    if (root && sheet->method && strcmp((const char *)sheet->method, "html") == 0) {
        GString *html = g_string_new("<!DOCTYPE html>\n");
        html_append(html, root);
        return g_string_free(html, FALSE);
    }
    xmlChar *text = NULL;
    int len = 0;
    if (xsltSaveResultToString(&text, &len, result, sheet) < 0)
        return NULL;
    char *copy = g_strndup((const char *)text, (gsize)len);
    xmlFree(text);
    return copy;
}

static char *transform(xsltStylesheet *sheet, xmlDoc *doc, const char *const *params,
                       struct complaint *complaint)
{
    xsltTransformContext *context = xsltNewTransformContext(sheet, doc);
    xsltSecurityPrefs *security = xsltNewSecurityPrefs();
    forbid_everything(security);
    xsltSetCtxtSecurityPrefs(security, context);
    xsltSetTransformErrorFunc(context, complaint, collect);
    for (size_t i = 0; params && params[i]; i += 2)
        xsltQuoteOneUserParam(context, BAD_CAST params[i], BAD_CAST params[i + 1]);
    xmlDoc *result = xsltApplyStylesheetUser(sheet, doc, NULL, NULL, NULL, context);
    char *text = result && context->state == XSLT_STATE_OK ? result_text(result, sheet) : NULL;
    xmlFreeDoc(result);
    xsltFreeTransformContext(context);
    xsltFreeSecurityPrefs(security);
    return text;
}

char *template_apply(const char *dir, const char *name, xmlDoc *doc, const char *const *params,
                     GError **error)
{
    xmlDoc *source = parse(dir, name, error);
    if (!source)
        return NULL;
    if (!resolve_includes(dir, source, error)) {
        xmlFreeDoc(source);
        return NULL;
    }
    struct complaint complaint = {.text = g_string_new(NULL)};
    xsltSetGenericErrorFunc(&complaint, collect);
    xsltStylesheet *sheet = xsltParseStylesheetDoc(source); // takes `source` when it succeeds
    char *text = NULL;
    if (sheet && sheet->errors == 0)
        text = transform(sheet, doc, params, &complaint);
    xsltSetGenericErrorFunc(NULL, NULL);
    if (!text) {
        g_strdelimit(complaint.text->str, "\n", ' ');
        error_set(error, SPINFAULT_ERROR_DAMAGED, "the template %s does not work: %s", name,
                  complaint.text->len ? g_strstrip(complaint.text->str) : "it gives no result");
    }
    if (sheet)
        xsltFreeStylesheet(sheet);
    else
        xmlFreeDoc(source);
    g_string_free(complaint.text, TRUE);
    return text;
}
