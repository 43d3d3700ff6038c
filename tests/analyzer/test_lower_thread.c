// The waiting for libclang ends when it is stuck after a crash, and only then.
#include "lower_thread.h"

#include <glib.h>

static GMutex never;

static void *get_stuck(void *data)
{
    (void)data;
    g_mutex_lock(&never);
    return NULL;
}

static void *work_for_two_seconds(void *data)
{
    gint64 until = g_get_monotonic_time() + 2 * G_USEC_PER_SEC;
    volatile unsigned *rounds = data;
    while (g_get_monotonic_time() < until)
        (*rounds)++;
    return NULL;
}

static void *sleep_for_two_seconds(void *data)
{
    (void)data;
    g_usleep(2 * G_USEC_PER_SEC);
    return NULL;
}

static bool wait_for(void *(*run)(void *), void *data, gint doubtful)
{
    pthread_t thread;
    g_assert_cmpint(pthread_create(&thread, NULL, run, data), ==, 0);
    return lower_wait(thread, 1, &doubtful);
}

static void test_stuck(void)
{
    g_mutex_lock(&never);
    g_assert_false(wait_for(get_stuck, NULL, 1));
    g_mutex_unlock(&never);
}

static void test_busy(void)
{
    unsigned rounds = 0;
    g_assert_true(wait_for(work_for_two_seconds, &rounds, 1));
    g_assert_cmpuint(rounds, >, 0);
}

// Without a crash there is nothing to be stuck on: a disk may be slow.
static void test_no_crash(void)
{
    g_assert_true(wait_for(sleep_for_two_seconds, NULL, 0));
}

static void test_run(void)
{
    unsigned rounds = 0;
    g_assert_true(lower_run(work_for_two_seconds, &rounds));
    g_assert_cmpuint(rounds, >, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lower-thread/stuck", test_stuck);
    g_test_add_func("/lower-thread/busy", test_busy);
    g_test_add_func("/lower-thread/no-crash", test_no_crash);
    g_test_add_func("/lower-thread/run", test_run);
    return g_test_run();
}
