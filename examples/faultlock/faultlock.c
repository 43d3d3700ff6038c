// faultlock: what page faults under a lock cost on this machine. README.md tells how to use it.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

static const char usage[] =
    "usage: faultlock [OPTION]...\n"
    "\n"
    "Workers empty a pool in shared memory, one slot at a time, under one lock.\n"
    "\n"
    "  --page=4k|thp|2m|1g        pages that back the pool (4k)\n"
    "  --prefault=no|parent|worker\n"
    "                             who maps all pages before the clock starts (no)\n"
    "  --touch=inside|before      touch the slot under the lock, or before too (inside)\n"
    "  --lock=spin|backoff|mutex  kind of lock (backoff)\n"
    "  --threads                  threads, not processes\n"
    "  --workers=N                how many (4)\n"
    "  --operations=N             slots of 1 KiB in the pool; all are taken (262144)\n"
    "  --think-ns=N               work between two operations, outside the lock (1000)\n"
    "  --repeat=N                 runs (1)\n"
    "  --seed=N                   of the order of the free list (1)\n"
    "  --csv                      one CSV line a run, for spinfault ingest\n"
    "  --no-header                CSV without its first line\n"
    "  --help                     this text\n";

struct command {
    struct run_options run;
    int repeat;
    bool csv, header, help;
};

enum {
    OPTION_PAGE = 1,
    OPTION_PREFAULT,
    OPTION_TOUCH,
    OPTION_LOCK,
    OPTION_THREADS,
    OPTION_WORKERS,
    OPTION_OPERATIONS,
    OPTION_THINK,
    OPTION_REPEAT,
    OPTION_SEED,
    OPTION_CSV,
    OPTION_NO_HEADER,
    OPTION_HELP
};

static const struct option options[] = {
    {"page", required_argument, NULL, OPTION_PAGE},
    {"prefault", required_argument, NULL, OPTION_PREFAULT},
    {"touch", required_argument, NULL, OPTION_TOUCH},
    {"lock", required_argument, NULL, OPTION_LOCK},
    {"threads", no_argument, NULL, OPTION_THREADS},
    {"workers", required_argument, NULL, OPTION_WORKERS},
    {"operations", required_argument, NULL, OPTION_OPERATIONS},
    {"think-ns", required_argument, NULL, OPTION_THINK},
    {"repeat", required_argument, NULL, OPTION_REPEAT},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"no-header", no_argument, NULL, OPTION_NO_HEADER},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static bool bad_value(const char *option, const char *value)
{
    fprintf(stderr, "faultlock: --%s cannot be \"%s\"; see faultlock --help\n", option, value);
    return false;
}

static bool choose(const char *option, const char *value, const char *const *names, int n,
                   int *chosen)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(names[i], value) == 0) {
            *chosen = i;
            return true;
        }
    }
    return bad_value(option, value);
}

static bool number(const char *option, const char *value, long min, long max, long *result)
{
    char *end;
    long v = strtol(value, &end, 10);
    if (end == value || *end || v < min || v > max)
        return bad_value(option, value);
    *result = v;
    return true;
}

static bool choose_lock(const char *value, const struct lock_kind **chosen)
{
    for (const struct lock_kind *kind = lock_kinds; kind->name; kind++) {
        if (strcmp(kind->name, value) == 0) {
            *chosen = kind;
            return true;
        }
    }
    return bad_value("lock", value);
}

static bool set_option(struct command *command, int option, const char *value)
{
    static const char *const touches[] = {"inside", "before"};
    struct run_options *run = &command->run;
    int chosen = 0;
    long n = 0;
    bool ok = true;
    switch (option) {
    case OPTION_PAGE:
        ok = choose("page", value, page_names, PAGE_1G + 1, &chosen);
        run->page = (enum page_kind)chosen;
        break;
    case OPTION_PREFAULT:
        ok = choose("prefault", value, prefault_names, PREFAULT_WORKER + 1, &chosen);
        run->prefault = (enum prefault)chosen;
        break;
    case OPTION_TOUCH:
        ok = choose("touch", value, touches, 2, &chosen);
        run->touch_before = chosen == 1;
        break;
    case OPTION_LOCK:
        ok = choose_lock(value, &run->lock);
        break;
    case OPTION_THREADS:
        run->threads = true;
        break;
    case OPTION_WORKERS:
        ok = number("workers", value, 1, 4096, &n);
        run->workers = (int)n;
        break;
    case OPTION_OPERATIONS:
        ok = number("operations", value, 1, 1 << 30, &n);
        run->operations = (int)n;
        break;
    case OPTION_THINK:
        ok = number("think-ns", value, 0, 1000000000, &n);
        run->think_ns = (unsigned)n;
        break;
    case OPTION_REPEAT:
        ok = number("repeat", value, 1, 1000, &n);
        command->repeat = (int)n;
        break;
    case OPTION_SEED:
        ok = number("seed", value, 0, 1 << 30, &n);
        run->seed = (unsigned)n;
        break;
    case OPTION_CSV:
        command->csv = true;
        break;
    case OPTION_NO_HEADER:
        command->header = false;
        break;
    case OPTION_HELP:
        command->help = true;
        break;
    default: // getopt has said why
        return false;
    }
    return ok;
}

static bool parse(int argc, char **argv, struct command *command)
{
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        if (!set_option(command, option, optarg))
            return false;
    if (optind == argc)
        return true;
    fprintf(stderr, "faultlock: no argument \"%s\" is known; see faultlock --help\n", argv[optind]);
    return false;
}

int main(int argc, char **argv)
{
    struct command command = {
        .run = {.lock = &lock_kinds[1],
                .workers = 4,
                .operations = 1 << 18,
                .think_ns = 1000,
                .seed = 1},
        .repeat = 1,
        .header = true,
    };
    if (!parse(argc, argv, &command))
        return 2;
    if (command.help) {
        fputs(usage, stdout);
        return 0;
    }
    if (command.csv && command.header)
        output_csv_header();
    for (int i = 0; i < command.repeat; i++) {
        static struct run_result result;
        if (!run(&command.run, &result))
            return 2;
        if (command.csv)
            output_csv(&command.run, &result, i + 1);
        else
            output_text(&command.run, &result);
    }
    return ferror(stdout) || fflush(stdout) != 0 ? 2 : 0;
}
