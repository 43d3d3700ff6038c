// The page and the other formats as a whole: what a browser needs to show it with nothing loaded.
#include <glib.h>
#include <glib/gstdio.h>
#include <libxml/HTMLparser.h>
#include <libxml/xpath.h>
#include <string.h>

#include "fixture.h"
#include "spinfault/report.h"

// fontconfig keeps its cache of fonts until the process ends.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig";
}

static struct archive *archive;
static char *dir;

// Writes the report and returns what is in the file.
static char *report_with(struct report_options options, gsize *len)
{
    g_autofree char *path = g_build_filename(dir, "out", NULL);
    GError *error = NULL;
    char *text = NULL;
    options.output = path;
    report_write(archive, &options, NULL, &error);
    g_assert_no_error(error);
    g_file_get_contents(path, &text, len, &error);
    g_assert_no_error(error);
    return text;
}

static char *report_as(const char *format)
{
    return report_with((struct report_options){.format = format}, NULL);
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        g_error("there is no %s", part);
}

static htmlDocPtr parsed(const char *text)
{
    return htmlReadMemory(text, (int)strlen(text), NULL, "UTF-8",
                          HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
}

static xmlNodeSet *select_nodes(xmlXPathContext *context, const char *path, xmlXPathObject **object)
{
    *object = xmlXPathEvalExpression(BAD_CAST path, context);
    g_assert_nonnull(*object);
    return (*object)->nodesetval;
}

static void test_links(void)
{
    g_autofree char *text = report_as("html");
    htmlDocPtr doc = parsed(text);
    xmlXPathContext *context = xmlXPathNewContext(doc);
    xmlXPathObject *object;
    g_autoptr(GHashTable) ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    xmlNodeSet *nodes = select_nodes(context, "//@id", &object);
    g_assert_cmpint(nodes->nodeNr, >, 20);
    for (int i = 0; i < nodes->nodeNr; i++) {
        const char *id = (const char *)nodes->nodeTab[i]->children->content;
        if (!g_hash_table_add(ids, g_strdup(id)))
            g_error("the id %s is there twice", id);
    }
    xmlXPathFreeObject(object);
    nodes = select_nodes(context, "//@href", &object);
    for (int i = 0; i < nodes->nodeNr; i++) {
        const char *href = (const char *)nodes->nodeTab[i]->children->content;
        if (*href != '#' || !g_hash_table_contains(ids, href + 1))
            g_error("%s leads nowhere on the page", href);
    }
    xmlXPathFreeObject(object);
    // Nothing to load, nothing that the policy forbids.
    nodes = select_nodes(context, "//@src|//@style|//link|//img|//iframe|//*[@onclick]", &object);
    g_assert_true(xmlXPathNodeSetIsEmpty(nodes));
    xmlXPathFreeObject(object);
    nodes = select_nodes(context, "//svg[@role][not(title) or not(desc)]", &object);
    g_assert_true(xmlXPathNodeSetIsEmpty(nodes));
    xmlXPathFreeObject(object);
    xmlXPathFreeContext(context);
    xmlFreeDoc(doc);
}

static void check_hash(const char *text, const char *open, const char *close)
{
    const char *start = strstr(text, open);
    g_assert_nonnull(start);
    start += strlen(open);
    const char *end = strstr(start, close);
    g_assert_nonnull(end);
    guint8 digest[32];
    gsize len = sizeof digest;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(sum, (const guchar *)start, end - start);
    g_checksum_get_digest(sum, digest, &len);
    g_autofree char *base64 = g_base64_encode(digest, len);
    g_autofree char *source = g_strdup_printf("'sha256-%s'", base64);
    has(text, source);
}

static void test_policy(void)
{
    g_autofree char *text = report_as("html");
    has(text, "default-src 'none'");
    check_hash(text, "<style>", "</style>");
    check_hash(text, "<script>", "</script>");
    g_assert_null(strstr(text, "unsafe-inline"));
}

static void test_content(void)
{
    g_autofree char *text = report_as("html");
    g_assert_true(g_str_has_prefix(text, "<!DOCTYPE html>\n<html lang=\"en\">"));
    g_assert_true(g_utf8_validate(text, -1, NULL));
    has(text, "PREEMPT_LAZY runs at <em class=\"worse\">0.51×</em> of PREEMPT_NONE.");
    has(text, "31,457,280");
    has(text, "/* &lt;the touch&gt; &amp; \"more\" */");
    has(text, "lock taken");
    has(text, "lock released");
    has(text, "src/broken.c");
    has(text, "<b>confirmed</b>");
    has(text, "<span>not run</span>");
}

static unsigned count(const char *text, const char *part)
{
    unsigned n = 0;
    for (const char *p = text; (p = strstr(p, part)); p++)
        n++;
    return n;
}

// The report of another archive than the one that the other tests have.
static char *report_of(unsigned parts)
{
    struct archive *before = archive;
    char *here = dir, *text;
    archive = fixture_open(&dir);
    fixture_fill(archive, parts);
    text = report_as("html");
    fixture_close(archive, dir);
    archive = before;
    dir = here;
    return text;
}

// What the script draws from: no name ends its element, and all weight is told.
static void test_data(void)
{
    g_autofree char *text = report_of(FIXTURE_MARKUP);
    has(text, "\"names\":[\"main\",\"\\u003c/script>\\u003cb>&\",\"exec_simple_query\"]");
    has(text, "\"threads\":[\"postgres 10\",\"postgres 11\"],\"step\":0.001,\"steps\":10,");
    has(text, "\"cells\":[0,0,1,2,1,0,1,1,2,1,");
    g_assert_null(strstr(text, "</script><b>"));
}

// Thousands of findings stay on the page: some hundreds in full, the others in a line each.
static void test_many(void)
{
    g_autofree char *text = report_of(FIXTURE_MANY);
    has(text, "700 findings in 2 critical sections");
    has(text, "<summary>Findings 201 to 600</summary>");
    has(text, "<summary>Findings 601 to 700</summary>");
    g_assert_cmpuint(count(text, "many.c</wbr>") + count(text, "many.c:"), >=, 700);
}

// Every setup has its grid, in small.
static void test_multiples(void)
{
    g_autofree char *text = report_as("html");
    has(text, "id=\"multiples\"");
    g_assert_cmpuint(count(text, "class=\"heat small\""), >=, 2);
}

static void test_same_bytes(void)
{
    static const char *const formats[] = {"html", "markdown", "json", "csv", "svg", "png", "pdf"};
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
        gsize len, again_len;
        struct report_options options = {.format = formats[i]};
        g_autofree char *once = report_with(options, &len);
        g_autofree char *again = report_with(options, &again_len);
        if (len != again_len || memcmp(once, again, len) != 0)
            g_error("two reports as %s differ", formats[i]);
    }
}

static void test_formats(void)
{
    g_autofree char *markdown = report_as("markdown");
    g_assert_true(g_str_has_prefix(markdown, "# With 4K pages, PREEMPT_LAZY runs at 0.51×"));
    has(markdown, "| 4K | LAZY | 50,751.96 |");
    has(markdown, "`src/freelist.c:279` StrategyGetBuffer | **confirmed**");
    g_autofree char *csv = report_as("csv");
    has(csv,
        "pgbench,simple update,m8g.24xlarge,,1024,4K,lazy,tps,tps,50751.96,,,3,published,0.5149");
    g_autofree char *json = report_as("json");
    has(json, "{\"type\":\"summary\",\"heading\":\"With 4K pages");
    has(json, "\"gate\":\"fail\"");
    g_autofree char *svg = report_as("svg");
    has(svg, "<svg");
    gsize len;
    g_autofree char *png =
        report_with((struct report_options){.format = "png", .chart = "flame"}, &len);
    g_assert_cmpmem(png, 8, "\x89PNG\r\n\x1a\n", 8);
    g_autofree char *pdf = report_with((struct report_options){.format = "pdf"}, &len);
    g_assert_true(g_str_has_prefix(pdf, "%PDF-"));
}

static void fails(const struct report_options *options, enum spinfault_error code)
{
    GError *error = NULL;
    g_assert_false(report_write(archive, options, NULL, &error));
    g_assert_error(error, SPINFAULT_ERROR, (int)code);
    g_error_free(error);
}

static void test_refusals(void)
{
    g_autofree char *path = g_build_filename(dir, "never", NULL);
    g_autofree char *nowhere = g_build_filename(dir, "no-such-dir", "out.html", NULL);
    fails(&(struct report_options){.format = "docx", .output = path}, SPINFAULT_ERROR_UNKNOWN);
    fails(&(struct report_options){.format = "svg", .chart = "pie", .output = path},
          SPINFAULT_ERROR_UNKNOWN);
    fails(&(struct report_options){.output = nowhere}, SPINFAULT_ERROR_NOT_FOUND);
    g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

static void test_templates(void)
{
    g_autofree char *sheet = g_build_filename(dir, "verdict.xsl", NULL);
    static const char own[] =
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
        "<xsl:template match='verdict'><h1>OURS: <xsl:value-of select='heading'/></h1>"
        "</xsl:template></xsl:stylesheet>";
    GError *error = NULL;
    g_file_set_contents(sheet, own, -1, &error);
    g_assert_no_error(error);
    g_autofree char *text = report_with((struct report_options){.template_dir = dir}, NULL);
    has(text, "<h1>OURS: With 4K pages");
    has(text, "31,457,280"); // the rest is as it was

    g_file_set_contents(sheet, "<xsl:stylesheet", -1, &error);
    g_autofree char *path = g_build_filename(dir, "never", NULL);
    fails(&(struct report_options){.template_dir = dir, .output = path}, SPINFAULT_ERROR_DAMAGED);
    // A stylesheet may not read files.
    static const char spy[] =
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
        "<xsl:template match='verdict'><xsl:copy-of select=\"document('/etc/hostname')\"/>"
        "</xsl:template></xsl:stylesheet>";
    g_file_set_contents(sheet, spy, -1, &error);
    fails(&(struct report_options){.template_dir = dir, .output = path}, SPINFAULT_ERROR_DAMAGED);
    g_unlink(sheet);
    g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

static void test_verdict(void)
{
    g_autofree char *path = g_build_filename(dir, "out", NULL);
    struct report_verdict verdict = {0};
    GError *error = NULL;
    report_write(archive, &(struct report_options){.output = path}, &verdict, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(verdict.slower, ==, 1);
    g_assert_cmpuint(verdict.missing, ==, 12);
    g_assert_cmpuint(verdict.findings_high, ==, 2);
    g_assert_true(g_str_has_prefix(verdict.heading, "With 4K pages"));
    report_verdict_clear(&verdict);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    archive = fixture_open(&dir);
    fixture_fill(archive, FIXTURE_ALL);
    g_test_add_func("/page/links", test_links);
    g_test_add_func("/page/policy", test_policy);
    g_test_add_func("/page/content", test_content);
    g_test_add_func("/page/data", test_data);
    g_test_add_func("/page/many", test_many);
    g_test_add_func("/page/multiples", test_multiples);
    g_test_add_func("/page/same-bytes", test_same_bytes);
    g_test_add_func("/page/formats", test_formats);
    g_test_add_func("/page/refusals", test_refusals);
    g_test_add_func("/page/templates", test_templates);
    g_test_add_func("/page/verdict", test_verdict);
    int result = g_test_run();
    fixture_close(archive, dir);
    return result;
}
