// Scenes: a list of marks and the text they point to.
#include "scene.h"

struct scene *scene_new(const char *id, const char *title, const char *desc, double height)
{
    struct scene *scene = g_new0(struct scene, 1);
    scene->marks = g_array_new(FALSE, FALSE, sizeof(struct mark));
    scene->text = g_string_chunk_new(1024);
    scene->id = scene_text(scene, "%s", id);
    scene->title = scene_text(scene, "%s", title);
    scene->desc = scene_text(scene, "%s", desc);
    scene->height = height;
    return scene;
}

void scene_free(struct scene *scene)
{
    if (!scene)
        return;
    g_array_free(scene->marks, TRUE);
    g_string_chunk_free(scene->text);
    g_free(scene);
}

const char *scene_text(struct scene *scene, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return g_string_chunk_insert(scene->text, text);
}

void scene_add(struct scene *scene, struct mark mark)
{
    if (mark.href)
        scene->links = true;
    g_array_append_val(scene->marks, mark);
}

bool mark_has_halo(const struct mark *mark)
{
    return mark->kind == MARK_TEXT && mark->class &&
           (g_str_has_prefix(mark->class, "mv") || g_str_has_prefix(mark->class, "tk"));
}

void scene_line(struct scene *scene, const char *class, double x, double y, double w, double h)
{
    scene_add(scene,
              (struct mark){.kind = MARK_LINE, .class = class, .x = x, .y = y, .w = w, .h = h});
}

void scene_label(struct scene *scene, const char *class, double x, double y, double dx,
                 enum mark_anchor anchor, const char *text)
{
    scene_add(scene, (struct mark){.kind = MARK_TEXT,
                                   .class = class,
                                   .x = x,
                                   .y = y,
                                   .dx = dx,
                                   .anchor = anchor,
                                   .text = text});
}
