// Help, written from the command table. Everything fits 80 columns.
#include "help.h"

#include <string.h>

enum { WIDTH = 79, OPTION_COLUMN = 26 };

void help_print_overview(FILE *out)
{
    fputs("usage: spinfault COMMAND [OPTION…] [ARGUMENT…]\n\n"
          "Finds page faults waiting to happen inside spinlock critical sections, and\n"
          "proves what they cost.\n\n"
          "Commands:\n",
          out);
    for (size_t i = 0; commands[i]; i++)
        fprintf(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n\"spinfault help COMMAND\" tells more. Exit status: 0 fine, 1 findings or a\n"
          "regression, 2 trouble, 3 unsure.\n",
          out);
}

void help_print_wrapped(const char *text, int column)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    int at = column;
    for (size_t i = 0; words[i]; i++) {
        int length = (int)g_utf8_strlen(words[i], -1);
        if (at > column && at + 1 + length > WIDTH) {
            printf("\n%*s", column, "");
            at = column;
        }
        if (at > column) {
            putchar(' ');
            at++;
        }
        fputs(words[i], stdout);
        at += length;
    }
    putchar('\n');
}

static void print_option(const GOptionEntry *entry)
{
    GString *left = g_string_new("  ");
    if (entry->short_name)
        g_string_append_printf(left, "-%c, ", entry->short_name);
    else
        g_string_append(left, "    ");
    g_string_append_printf(left, "--%s", entry->long_name);
    if (entry->arg_description)
        g_string_append_printf(left, "=%s", entry->arg_description);
    int length = (int)g_utf8_strlen(left->str, -1);
    fputs(left->str, stdout);
    g_string_free(left, TRUE);
    if (length > OPTION_COLUMN - 2)
        printf("\n%*s", OPTION_COLUMN, "");
    else
        printf("%*s", OPTION_COLUMN - length, "");
    help_print_wrapped(entry->description, OPTION_COLUMN);
}

static void print_options(const GOptionEntry *entries)
{
    for (const GOptionEntry *entry = entries; entry && entry->long_name; entry++)
        if (!(entry->flags & G_OPTION_FLAG_HIDDEN))
            print_option(entry);
}

void help_print_command(const struct command *command)
{
    printf("usage: spinfault %s [OPTION…]%s%s\n\n", command->name, *command->usage ? " " : "",
           command->usage);
    g_autofree char *sentence = g_strconcat(command->summary, ".", NULL);
    help_print_wrapped(sentence, 0);
    if (command->details) {
        g_auto(GStrv) paragraphs = g_strsplit(command->details, "\n\n", -1);
        for (size_t i = 0; paragraphs[i]; i++) {
            putchar('\n');
            if (g_str_has_prefix(paragraphs[i], "  "))
                puts(paragraphs[i]); // something to type
            else
                help_print_wrapped(paragraphs[i], 0);
        }
    }
    fputs("\nOptions:\n", stdout);
    print_options(command->options);
    print_options(command_common_options(command));
    if (command->more_help)
        command->more_help();
}
