// See scan_pack.h. Packing and unpacking name the same fields in the same order. What is decided
// over all units together (suppressions) or by others (baselines) is not among them.
#include "scan_pack.h"

static void pack_section(struct pack *pack, const struct section_fact *s)
{
    pack_text(pack, s->file);
    pack_text(pack, s->function);
    pack_number(pack, s->acquire_line);
    pack_number(pack, s->n_release_lines);
    for (size_t i = 0; i < s->n_release_lines; i++)
        pack_number(pack, s->release_lines[i]);
    pack_text(pack, s->api);
    pack_text(pack, s->model);
    pack_text(pack, s->lock);
    pack_number(pack, s->scope);
    pack_number(pack, s->mode);
    pack_number(pack, s->entered_held);
    pack_number(pack, s->left_held);
    pack_number(pack, s->cost);
    pack_number(pack, s->n_accesses);
    for (size_t i = 0; i < s->n_accesses; i++) {
        const struct access_fact *a = &s->accesses[i];
        pack_number(pack, a->line);
        pack_text(pack, a->object);
        pack_number(pack, a->write);
        pack_number(pack, a->residency);
        pack_number(pack, a->why);
        pack_number(pack, a->bytes);
        pack_number(pack, a->pages_4k);
    }
    pack_number(pack, s->n_calls);
    for (size_t i = 0; i < s->n_calls; i++) {
        pack_number(pack, s->calls[i].line);
        pack_text(pack, s->calls[i].name);
        pack_number(pack, s->calls[i].effect);
    }
    pack_text(pack, s->excerpt);
    pack_number(pack, s->excerpt_line);
}

static void pack_finding(struct pack *pack, const struct finding_fact *f)
{
    pack_text(pack, f->rule);
    pack_number(pack, f->severity);
    pack_number(pack, f->confidence);
    pack_text(pack, f->file);
    pack_number(pack, f->line);
    pack_number(pack, f->column);
    pack_text(pack, f->function);
    pack_text(pack, f->lock);
    pack_number(pack, f->acquire_line);
    pack_text(pack, f->object);
    pack_text(pack, f->message);
    pack_text(pack, f->suggestion);
    pack_text(pack, f->fingerprint);
    pack_number(pack, f->n_path);
    for (size_t i = 0; i < f->n_path; i++) {
        pack_text(pack, f->path[i].file);
        pack_number(pack, f->path[i].line);
        pack_text(pack, f->path[i].what);
    }
}

void scan_pack(struct pack *pack, const struct scan_result *result)
{
    pack_number(pack, result->has_file);
    if (result->has_file) {
        pack_text(pack, result->file.file);
        pack_number(pack, result->file.status);
        pack_text(pack, result->file.why);
    }
    pack_number(pack, result->sections->len);
    for (guint i = 0; i < result->sections->len; i++)
        pack_section(pack, result->sections->pdata[i]);
    pack_number(pack, result->findings->len);
    for (guint i = 0; i < result->findings->len; i++)
        pack_finding(pack, result->findings->pdata[i]);
    pack_number(pack, result->notes->len);
    for (guint i = 0; i < result->notes->len; i++)
        pack_text(pack, result->notes->pdata[i]);
    pack_number(pack, result->lockers->len);
    for (guint i = 0; i < result->lockers->len; i++)
        pack_text(pack, result->lockers->pdata[i]);
}

// ---- And back

struct reading {
    struct unpack *unpack;
    struct scan_result *result;
};

static const char *text(struct reading *r)
{
    return scan_result_text(r->result, unpack_text(r->unpack));
}

static const char *required(struct reading *r)
{
    return scan_result_text(r->result, unpack_required_text(r->unpack));
}

static unsigned small(struct reading *r, unsigned most)
{
    return unpack_up_to(r->unpack, most);
}

static unsigned line(struct reading *r)
{
    return unpack_up_to(r->unpack, G_MAXUINT);
}

static void read_releases(struct reading *r, struct section_fact *s)
{
    s->n_release_lines = unpack_count(r->unpack);
    unsigned *lines = SCAN_RESULT_NEW(r->result, unsigned, s->n_release_lines);
    for (size_t i = 0; i < s->n_release_lines; i++)
        lines[i] = line(r);
    s->release_lines = lines;
}

static void read_accesses(struct reading *r, struct section_fact *s)
{
    s->n_accesses = unpack_count(r->unpack);
    struct access_fact *facts = SCAN_RESULT_NEW(r->result, struct access_fact, s->n_accesses);
    for (size_t i = 0; i < s->n_accesses && !r->unpack->bad; i++) {
        struct access_fact *a = &facts[i];
        a->line = line(r);
        a->object = required(r);
        a->write = small(r, 1);
        a->residency = small(r, RESIDENCY_MAY_FAULT);
        a->why = small(r, WHY_GLOBAL);
        a->bytes = unpack_number(r->unpack);
        a->pages_4k = unpack_number(r->unpack);
    }
    s->accesses = facts;
}

static void read_calls(struct reading *r, struct section_fact *s)
{
    s->n_calls = unpack_count(r->unpack);
    struct call_fact *facts = SCAN_RESULT_NEW(r->result, struct call_fact, s->n_calls);
    for (size_t i = 0; i < s->n_calls && !r->unpack->bad; i++) {
        facts[i].line = line(r);
        facts[i].name = required(r);
        facts[i].effect = small(r, EFFECT_NO_RETURN);
    }
    s->calls = facts;
}

static void read_section(struct reading *r)
{
    struct section_fact *s = SCAN_RESULT_NEW(r->result, struct section_fact, 1);
    s->file = required(r);
    s->function = required(r);
    s->acquire_line = line(r);
    read_releases(r, s);
    s->api = text(r);
    s->model = text(r);
    s->lock = required(r);
    s->scope = small(r, SCOPE_INSTANCE);
    s->mode = small(r, MODE_TRY);
    s->entered_held = small(r, 1);
    s->left_held = small(r, 1);
    s->cost = line(r);
    read_accesses(r, s);
    read_calls(r, s);
    s->excerpt = text(r);
    s->excerpt_line = line(r);
    g_ptr_array_add(r->result->sections, s);
}

static void read_steps(struct reading *r, struct finding_fact *f)
{
    f->n_path = unpack_count(r->unpack);
    struct path_step *steps = SCAN_RESULT_NEW(r->result, struct path_step, f->n_path);
    for (size_t i = 0; i < f->n_path && !r->unpack->bad; i++) {
        steps[i].file = required(r);
        steps[i].line = line(r);
        steps[i].what = required(r);
    }
    f->path = steps;
}

static void read_finding(struct reading *r)
{
    struct finding_fact *f = SCAN_RESULT_NEW(r->result, struct finding_fact, 1);
    f->rule = required(r);
    f->severity = small(r, SEVERITY_HIGH);
    f->confidence = small(r, CONFIDENCE_HIGH);
    f->file = required(r);
    f->line = line(r);
    f->column = line(r);
    f->function = required(r);
    f->lock = required(r);
    f->acquire_line = line(r);
    f->object = required(r);
    f->message = required(r);
    f->suggestion = text(r);
    f->fingerprint = required(r);
    read_steps(r, f);
    g_ptr_array_add(r->result->findings, f);
}

struct scan_result *scan_unpack(struct unpack *unpack)
{
    struct reading r = {unpack, scan_result_new()};
    r.result->has_file = small(&r, 1);
    if (r.result->has_file) {
        r.result->file.file = required(&r);
        r.result->file.status = small(&r, FILE_SKIPPED);
        r.result->file.why = required(&r);
    }
    size_t n = unpack_count(unpack);
    for (size_t i = 0; i < n && !unpack->bad; i++)
        read_section(&r);
    n = unpack_count(unpack);
    for (size_t i = 0; i < n && !unpack->bad; i++)
        read_finding(&r);
    n = unpack_count(unpack);
    for (size_t i = 0; i < n && !unpack->bad; i++)
        g_ptr_array_add(r.result->notes, (gpointer)required(&r));
    n = unpack_count(unpack);
    for (size_t i = 0; i < n && !unpack->bad; i++)
        g_ptr_array_add(r.result->lockers, (gpointer)required(&r));
    if (!unpack->bad && unpack->at == unpack->end)
        return r.result;
    scan_result_free(r.result);
    return NULL;
}
