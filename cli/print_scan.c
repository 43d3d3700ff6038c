// What a scan finds, as JSON lines.
#include "print_scan.h"
#include "json_lines.h"

static void put_access(FILE *out, const struct access_fact *a)
{
    fprintf(out, "{\"line\":%u", a->line);
    json_key_text(out, "object", a->object);
    json_key_text(out, "rw", a->write ? "write" : "read");
    json_key_text(out, "residency", residency_name(a->residency));
    json_key_text(out, "why", a->why == WHY_NONE ? NULL : fault_why_name(a->why));
    json_key_uint(out, "bytes", a->bytes);
    json_key_uint(out, "pages_4k", a->pages_4k);
    putc('}', out);
}

bool print_section(void *context, const struct section_fact *s, GError **error)
{
    FILE *out = context;
    json_begin(out, "section");
    json_key_text(out, "file", s->file);
    json_key_text(out, "function", s->function);
    json_key_uint(out, "acquire_line", s->acquire_line);
    fputs(",\"release_lines\":[", out);
    for (size_t i = 0; i < s->n_release_lines; i++)
        fprintf(out, "%s%u", i ? "," : "", s->release_lines[i]);
    putc(']', out);
    json_key_text(out, "api", s->api);
    json_key_text(out, "model", s->model);
    json_key_text(out, "lock", s->lock);
    json_key_text(out, "scope", lock_scope_name(s->scope));
    json_key_text(out, "mode", lock_mode_name(s->mode));
    json_key_bool(out, "entered_held", s->entered_held);
    json_key_bool(out, "left_held", s->left_held);
    json_key_uint(out, "cost", s->cost);
    fputs(",\"accesses\":[", out);
    for (size_t i = 0; i < s->n_accesses; i++) {
        if (i > 0)
            putc(',', out);
        put_access(out, &s->accesses[i]);
    }
    fputs("],\"calls\":[", out);
    for (size_t i = 0; i < s->n_calls; i++) {
        fprintf(out, "%s{\"line\":%u", i ? "," : "", s->calls[i].line);
        json_key_text(out, "name", s->calls[i].name);
        json_key_text(out, "effect", call_effect_name(s->calls[i].effect));
        putc('}', out);
    }
    putc(']', out);
    return json_finish(out, error);
}

bool print_finding(void *context, const struct finding_fact *f, GError **error)
{
    FILE *out = context;
    json_begin(out, "finding");
    json_key_text(out, "rule", f->rule);
    json_key_text(out, "severity", severity_name(f->severity));
    json_key_text(out, "confidence", confidence_name(f->confidence));
    json_key_text(out, "file", f->file);
    json_key_uint(out, "line", f->line);
    json_key_uint(out, "column", f->column);
    json_key_text(out, "function", f->function);
    json_key_text(out, "lock", f->lock);
    json_key_uint(out, "acquire_line", f->acquire_line);
    json_key_text(out, "object", f->object);
    json_key_text(out, "message", f->message);
    json_key_text(out, "suggestion", f->suggestion);
    json_key_text(out, "fingerprint", f->fingerprint);
    json_key_bool(out, "suppressed", f->suppressed);
    json_key_bool(out, "baseline", f->baseline);
    fputs(",\"path\":[", out);
    for (size_t i = 0; i < f->n_path; i++) {
        fputs(i ? ",{\"file\":" : "{\"file\":", out);
        json_put_text(out, f->path[i].file);
        json_key_uint(out, "line", f->path[i].line);
        json_key_text(out, "what", f->path[i].what);
        putc('}', out);
    }
    putc(']', out);
    return json_finish(out, error);
}

bool print_file(void *context, const struct file_fact *f, GError **error)
{
    FILE *out = context;
    json_begin(out, "file");
    json_key_text(out, "file", f->file);
    json_key_text(out, "status", file_status_name(f->status));
    json_key_text(out, "why", f->why);
    return json_finish(out, error);
}

bool print_scan_end(void *context, const struct scan_summary *s, bool ok, GError **error)
{
    FILE *out = context;
    if (!ok)
        return true;
    json_begin(out, "summary");
    json_key_uint(out, "files", s->files);
    json_key_uint(out, "parsed", s->parsed);
    json_key_uint(out, "cached", s->cached);
    json_key_uint(out, "failed", s->failed);
    json_key_uint(out, "sections", s->sections);
    fputs(",\"findings\":{", out);
    for (int i = SEVERITY_HIGH; i >= SEVERITY_LOW; i--)
        fprintf(out, "%s\"%s\":%u", i == SEVERITY_HIGH ? "" : ",", severity_name((enum severity)i),
                s->findings[i]);
    putc('}', out);
    json_key_double(out, "seconds", s->seconds);
    json_key_uint(out, "degraded", s->degraded);
    json_key_uint(out, "skipped", s->skipped);
    json_key_uint(out, "suppressed", s->suppressed);
    json_key_uint(out, "baseline", s->baseline);
    return json_finish(out, error);
}
