// The page: the document through report.xsl, with the stylesheet and the script inside and a policy
// that allows exactly those two and no request.
#include "document/page.h"

#include <string.h>

#include "document/templates.h"

static char *csp_hash(const char *text)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text));
    guint8 digest[32];
    gsize len = sizeof digest;
    g_checksum_get_digest(sum, digest, &len);
    g_autofree char *base64 = g_base64_encode(digest, len);
    return g_strdup_printf("'sha256-%s'", base64);
}

// Dark colours count when the system asks for them, unless the reader chose light; and when the
// reader chose dark. On paper never.
static char *css_with_dark(const char *css, const char *dark)
{
    return g_strconcat(
        css, "@media screen and (prefers-color-scheme: dark) {\n:root:not([data-theme=light]) {\n",
        dark, "}\n}\n@media screen {\n:root[data-theme=dark] {\n", dark, "}\n}\n", NULL);
}

char *page_html(xmlDoc *doc, const char *template_dir, GError **error)
{
    g_autofree char *light = template_text(template_dir, "report.css", error);
    g_autofree char *dark = light ? template_text(template_dir, "dark.css", error) : NULL;
    g_autofree char *main = dark ? template_text(template_dir, "report.js", error) : NULL;
    g_autofree char *trees = main ? template_text(template_dir, "trees.js", error) : NULL;
    g_autofree char *flames = trees ? template_text(template_dir, "flames.js", error) : NULL;
    if (!flames)
        return NULL;
    g_autofree char *script = g_strconcat(main, trees, flames, NULL);
    g_autofree char *css = css_with_dark(light, dark);
    g_autofree char *css_hash = csp_hash(css);
    g_autofree char *script_hash = csp_hash(script);
    g_autofree char *csp = g_strdup_printf("default-src 'none'; style-src %s; script-src %s; "
                                           "base-uri 'none'; form-action 'none'",
                                           css_hash, script_hash);
    const char *const params[] = {"css", css, "script", script, "csp", csp, NULL};
    return template_apply(template_dir, "report.xsl", doc, params, error);
}

char *page_markdown(xmlDoc *doc, const char *template_dir, GError **error)
{
    return template_apply(template_dir, "markdown.xsl", doc, NULL, error);
}
