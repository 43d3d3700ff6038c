// What a line that is neither a header nor a frame looks like.
#include "perf_script.h"

// Two blanks and no more; but simpleperf's frames have a tab behind the ip.
bool perf_is_srcline(struct slice line)
{
    struct slice word = {line.data, line.len};
    if (line.len < 3 || !slice_starts(line, "  ") || perf_blank(line.data[2]))
        return false;
    word = slice_skip_blanks(word);
    while (word.len > 0 && g_ascii_isxdigit(*word.data)) {
        word.data++;
        word.len--;
    }
    return word.len == 0 || *word.data != '\t';
}

// "a (b).c:9", which could be a frame.
bool perf_is_numbered(struct slice line)
{
    size_t n = line.len;
    while (n > 0 && g_ascii_isdigit(line.data[n - 1]))
        n--;
    return n > 0 && n < line.len && line.data[n - 1] == ':';
}

// An address in 16 columns below an empty chain is no frame: those begin with a tab.
bool perf_is_physical(struct slice line)
{
    size_t blanks = 0;
    while (blanks < line.len && line.data[blanks] == ' ')
        blanks++;
    size_t end = blanks;
    while (end < line.len && g_ascii_isxdigit(line.data[end]))
        end++;
    return blanks > 0 && end == 16 && end > blanks;
}

// "|23       static void f()" is source code, by -F srccode: a number in eight columns.
bool perf_is_source_code(struct slice line)
{
    size_t i = 1;
    if (line.len < 10 || line.data[0] != '|' || !g_ascii_isdigit(line.data[1]))
        return false;
    while (i < 9 && g_ascii_isdigit(line.data[i]))
        i++;
    while (i < 10 && line.data[i] == ' ')
        i++;
    return i == 10;
}

// "\t00000000004005d0\tinsn: 55 …", which no frame looks like: those have a blank behind the ip.
static bool is_instruction(struct slice line)
{
    size_t n = 1;
    while (n < line.len && g_ascii_isxdigit(line.data[n]))
        n++;
    return n == 17 && n < line.len && line.data[n] == '\t';
}

// The instructions between branches, by -F brstackinsn and brstackdisasm, and the bytes of a
// program's own output.
bool perf_is_listing(struct slice line)
{
    static const char *const known[] = {"\tmismatch of LBR data", "\t... not reaching sample",
                                        "      BPF output: ", "      BPF string: ",
                                        "                  0"};
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (slice_starts(line, known[i]))
            return true;
    if (line.len < 3 || line.data[0] != '\t' || perf_blank(line.data[1]))
        return false;
    // "\tmain+12:", and behind it perhaps the line of source
    return is_instruction(line) || line.data[line.len - 1] == ':' ||
           memmem(line.data, line.len, ":\t", 2);
}
