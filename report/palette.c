// Colours and weights by class, as in templates/report.css.
#include "palette.h"

#include <glib.h>
#include <string.h>

enum part { INK = 1, FILL = 2, STROKE = 4, SERIES = 8 };

static const struct {
    const char *class;
    unsigned parts;
    uint32_t rgb;
    double size, width, alpha; // 0: as it is
    bool bold, dashed, round;
} rows[] = {
    // What a mark is.
    {"tk", INK, 0x5b6675, 11.5, 0, 0, false, false, false},
    {"rl", INK, 0x161d29, 13.5, 0, 0, true, false, false},
    {"ll", INK, 0x454f60, 12.5, 0, 0, false, false, false},
    {"rv", INK, 0x454f60, 13, 0, 0, false, false, false},
    {"mv", INK, 0x454f60, 12, 0, 0, false, false, false},
    {"sl", INK, 0x161d29, 13.5, 0, 0, true, false, false},
    {"title", INK, 0x161d29, 18, 0, 0, true, false, false},
    {"inverse", INK, 0xffffff, 0, 0, 0, true, false, false},
    {"worse", INK, 0xa23a10, 0, 0, 0, true, false, false},
    {"better", INK, 0x0a5896, 0, 0, 0, true, false, false},
    {"same", INK, 0x454f60, 0, 0, 0, true, false, false},
    {"unsure", INK, 0x674d00, 0, 0, 0, true, false, false},
    {"gr", STROKE, 0xe7ebf0, 0, 1, 0, false, false, false},
    {"gd", STROKE, 0xc9d1da, 0, 1, 0, false, true, false},
    {"bl", STROKE, 0x161d29, 0, 1.5, 0, false, false, false},
    {"rf", STROKE, 0x5b6675, 0, 1, 0, false, true, false},
    {"cm", STROKE, 0x161d29, 0, 3, 0, false, false, false},
    {"dia", FILL | SERIES, 0xffffff, 0, 2.5, 0, false, false, false},
    {"dot", SERIES, 0, 0, 1, 0.62, false, false, false},
    {"pt", SERIES, 0, 0, 1.5, 0, false, false, false},
    {"ci", SERIES, 0, 0, 4, 0, false, false, true},
    {"ln", SERIES, 0, 0, 2.5, 0, false, false, false},
    {"db", SERIES, 0, 0, 3, 0.4, false, false, false},
    // Fills.
    {"hm4", FILL, 0xb04110, 0, 0, 0, false, false, false},
    {"hm3", FILL, 0xe0824f, 0, 0, 0, false, false, false},
    {"hm2", FILL, 0xf0af8a, 0, 0, 0, false, false, false},
    {"hm1", FILL, 0xf9d9c6, 0, 0, 0, false, false, false},
    {"h0", FILL, 0xeceff3, 0, 0, 0, false, false, false},
    {"hp1", FILL, 0xd0e4f5, 0, 0, 0, false, false, false},
    {"hp2", FILL, 0x99c6e9, 0, 0, 0, false, false, false},
    {"hp3", FILL, 0x559fd6, 0, 0, 0, false, false, false},
    {"hp4", FILL, 0x19659f, 0, 0, 0, false, false, false},
    {"missing", FILL, 0xf5f6f8, 0, 0, 0, false, false, false},
    {"f0", FILL, 0xdbe0e8, 0, 0, 0, false, false, false},
    {"f1", FILL, 0xf7d6c1, 0, 0, 0, false, false, false},
    {"f2", FILL, 0xf1b793, 0, 0, 0, false, false, false},
    {"f3", FILL, 0xe88f5d, 0, 0, 0, false, false, false},
    {"f4", FILL | INK, 0xb04110, 0, 0, 0, true, false, false},
    {"fx", FILL, 0xeef0f4, 0, 0, 0, false, false, false},
    {"w1", FILL | INK, 0xb04110, 0, 0, 0, true, false, false},
    {"w2", FILL | INK, 0x19659f, 0, 0, 0, true, false, false},
    {"w3", FILL | INK, 0x6b7686, 0, 0, 0, true, false, false},
    {"w4", FILL | INK, 0x7d4699, 0, 0, 0, true, false, false},
    {"w5", FILL | INK, 0x76808e, 0, 0, 0, true, false, false},
    {"w6", FILL | INK, 0x0b6f54, 0, 0, 0, true, false, false},
};

static const struct {
    const char *class;
    uint32_t rgb;
} series[] = {{"s4k", 0xbd4814}, {"sthp", 0x1b74b8}, {"s2m", 0x0d7d5f}, {"s1g", 0x8b4fa8}};

static unsigned apply(struct look *look, const char *class)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].class, class) != 0)
            continue;
        if (rows[i].parts & FILL)
            look->fill = rows[i].rgb;
        if (rows[i].parts & INK) // text on a dark fill is white
            look->ink = rows[i].parts & FILL ? 0xffffff : rows[i].rgb;
        if (rows[i].parts & STROKE)
            look->stroke = rows[i].rgb;
        look->size = rows[i].size > 0 ? rows[i].size : look->size;
        look->width = rows[i].width > 0 ? rows[i].width : look->width;
        look->alpha = rows[i].alpha > 0 ? rows[i].alpha : look->alpha;
        look->bold |= rows[i].bold;
        look->dashed |= rows[i].dashed;
        look->round |= rows[i].round;
        return rows[i].parts;
    }
    return 0;
}

struct look palette_look(const char *classes)
{
    struct look look = {.ink = 0x161d29,
                        .fill = 0xffffff,
                        .stroke = 0x161d29,
                        .size = 12.5,
                        .width = 1,
                        .alpha = 1};
    g_auto(GStrv) names = g_strsplit(classes ? classes : "", " ", -1);
    unsigned parts = 0;
    for (size_t i = 0; names[i]; i++)
        parts |= apply(&look, names[i]);
    look.outline = g_strv_contains((const char *const *)names, "base");
    for (size_t i = 0; names[i]; i++)
        for (size_t k = 0; k < G_N_ELEMENTS(series); k++) {
            if (strcmp(series[k].class, names[i]) != 0)
                continue;
            look.stroke = series[k].rgb;
            look.ink = parts & INK ? series[k].rgb : look.ink;
            look.fill = parts & FILL ? look.fill : series[k].rgb;
        }
    return look;
}
