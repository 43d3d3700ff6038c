// compile_commands.json: an array of {directory, file, arguments | command}. A reader of its own,
// because libclang's prints to stderr and cannot say which line is wrong.
#include <string.h>

#include "compdb.h"

#define JSON_DEPTH 64

struct json {
    const char *at, *end, *where;
    unsigned line;
    GError **error;
};

static bool fail(struct json *json, const char *what)
{
    return error_set(json->error, SPINFAULT_ERROR_DAMAGED,
                     "%s:%u: %s; generate the compile database again", json->where, json->line,
                     what);
}

static char peek(struct json *json)
{
    for (; json->at < json->end; json->at++) {
        if (*json->at == '\n')
            json->line++;
        else if (!g_ascii_isspace(*json->at))
            return *json->at;
    }
    return 0;
}

static bool expect(struct json *json, char wanted)
{
    if (peek(json) != wanted) {
        char what[32];
        g_snprintf(what, sizeof what, "expected '%c'", wanted);
        return fail(json, what);
    }
    json->at++;
    return true;
}

static bool read_hex4(struct json *json, gunichar *value)
{
    *value = 0;
    if (json->end - json->at < 4)
        return fail(json, "the file ends inside a \\u escape");
    for (int i = 0; i < 4; i++) {
        int digit = g_ascii_xdigit_value(*json->at++);
        if (digit < 0)
            return fail(json, "\\u needs four hex digits");
        *value = *value * 16 + (gunichar)digit;
    }
    return true;
}

static bool read_escape(struct json *json, GString *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (json->at == json->end)
        return fail(json, "the file ends inside a string");
    char c = *json->at++;
    const char *known = c ? strchr(from, c) : NULL;
    if (known) {
        g_string_append_c(out, to[known - from]);
        return true;
    }
    if (c != 'u')
        return fail(json, "unknown escape in a string");
    gunichar high, low;
    if (!read_hex4(json, &high))
        return false;
    if (high >= 0xd800 && high < 0xdc00 && json->end - json->at >= 6 && json->at[0] == '\\' &&
        json->at[1] == 'u') {
        json->at += 2;
        if (!read_hex4(json, &low))
            return false;
        high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    }
    if (!g_unichar_validate(high) || high == 0)
        return fail(json, "a \\u escape that is no character");
    g_string_append_unichar(out, high);
    return true;
}

static char *read_string(struct json *json)
{
    if (!expect(json, '"'))
        return NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    while (json->at < json->end && *json->at != '"') {
        char c = *json->at++;
        if (c == '\n' || c == 0) {
            fail(json, "a string is not closed on its line");
            return NULL;
        }
        if (c != '\\')
            g_string_append_c(out, c);
        else if (!read_escape(json, out))
            return NULL;
    }
    if (json->at == json->end) {
        fail(json, "the file ends inside a string");
        return NULL;
    }
    json->at++;
    return g_strdup(out->str);
}

static bool skip_value(struct json *json, unsigned depth);

static bool skip_members(struct json *json, char close, unsigned depth)
{
    json->at++;
    if (peek(json) == close) {
        json->at++;
        return true;
    }
    for (;;) {
        if (close == '}') {
            g_autofree char *key = read_string(json);
            if (!key || !expect(json, ':'))
                return false;
        }
        if (!skip_value(json, depth + 1))
            return false;
        if (peek(json) != ',')
            return expect(json, close);
        json->at++;
    }
}

static bool skip_value(struct json *json, unsigned depth)
{
    if (depth > JSON_DEPTH)
        return fail(json, "nested too deeply");
    char c = peek(json);
    if (c == '{' || c == '[')
        return skip_members(json, c == '{' ? '}' : ']', depth);
    if (c == '"') {
        g_autofree char *text = read_string(json);
        return text != NULL;
    }
    const char *start = json->at;
    while (json->at < json->end && (g_ascii_isalnum(*json->at) || strchr("+-.", *json->at)))
        json->at++;
    return json->at > start || fail(json, "expected a value");
}

static bool read_arguments(struct json *json, GStrvBuilder *argv)
{
    if (!expect(json, '['))
        return false;
    if (peek(json) == ']') {
        json->at++;
        return true;
    }
    for (;;) {
        g_autofree char *argument = read_string(json);
        if (!argument)
            return false;
        g_strv_builder_add(argv, argument);
        if (peek(json) != ',')
            return expect(json, ']');
        json->at++;
    }
}

struct command {
    char *directory, *file;
    char **argv;
};

static bool read_command_text(struct json *json, struct command *command)
{
    g_autofree char *text = read_string(json);
    g_autoptr(GError) shell = NULL;
    if (!text)
        return false;
    if (command->argv)
        return true; // "arguments" says it better
    if (!g_shell_parse_argv(text, NULL, &command->argv, &shell))
        return fail(json, "\"command\" is not a shell command");
    return true;
}

static bool read_member(struct json *json, struct command *command)
{
    g_autofree char *key = read_string(json);
    if (!key || !expect(json, ':'))
        return false;
    if (strcmp(key, "directory") == 0) {
        g_free(command->directory);
        return (command->directory = read_string(json)) != NULL;
    }
    if (strcmp(key, "file") == 0) {
        g_free(command->file);
        return (command->file = read_string(json)) != NULL;
    }
    if (strcmp(key, "command") == 0)
        return read_command_text(json, command);
    if (strcmp(key, "arguments") == 0) {
        g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
        bool ok = read_arguments(json, argv);
        g_strfreev(command->argv);
        command->argv = g_strv_builder_end(argv);
        return ok;
    }
    return skip_value(json, 0);
}

static bool read_command(struct json *json, compdb_add add, void *context)
{
    struct command command = {0};
    bool ok = expect(json, '{');
    while (ok) {
        ok = read_member(json, &command);
        if (ok && peek(json) != ',')
            break;
        json->at += ok;
    }
    ok = ok && expect(json, '}');
    if (ok && (!command.directory || !command.file))
        ok = fail(json, "an entry lacks \"directory\" or \"file\"");
    if (ok && (!command.argv || !command.argv[0]))
        ok = fail(json, "an entry lacks \"arguments\" and \"command\"");
    if (ok)
        add(context, command.directory, command.file, command.argv);
    g_free(command.directory);
    g_free(command.file);
    g_strfreev(command.argv);
    return ok;
}

bool compdb_parse(const char *text, size_t bytes, const char *where, compdb_add add, void *context,
                  GError **error)
{
    struct json json = {.at = text, .end = text + bytes, .where = where, .line = 1, .error = error};
    if (!expect(&json, '['))
        return false;
    if (peek(&json) == ']') {
        json.at++;
    } else {
        for (;;) {
            if (!read_command(&json, add, context))
                return false;
            if (peek(&json) != ',')
                break;
            json.at++;
        }
        if (!expect(&json, ']'))
            return false;
    }
    return !peek(&json) || fail(&json, "something follows the array");
}
