/* The pool of large blocks (`aplc_pool.h`) for a library without a host, as that of a wheel: what NAME_free lets go of
   is kept for the next call, and freed when there was no such block for a second, which a thread of our own notices.
   Where that cannot be started, nothing is kept. */

#ifndef APLC_LIBRARY_POOL_H
#define APLC_LIBRARY_POOL_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "aplc_pool.h"

#define APLC_POOLED /* for aplc_memory.h */

enum { LIB_SHARE_KEPT = 8, LIB_WATCHER_STACK = 1 << 17 };

static struct {
    pthread_once_t opened;
    int is_watched;
    unsigned given; /* blocks so far */
} lib_pool = {.opened = PTHREAD_ONCE_INIT};

static void lib_pool_after_fork(void) {
    aplc_pool_after_fork();
    lib_pool.is_watched = 0;
}

/* An eighth of the memory is kept, or the megabytes that APLC_POOL_MB says. */
static void lib_open_pool(void) {
    const char *given = getenv("APLC_POOL_MB");
    char *end = NULL;
    const long megabytes = given == NULL ? -1 : strtol(given, &end, 10);
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    if (end != NULL && end != given && *end == 0 && megabytes >= 0 && megabytes < 1000000000)
        aplc_pool.most = (size_t)megabytes << 20;
    else if (pages > 0 && bytes > 0)
        aplc_pool.most = (size_t)pages / LIB_SHARE_KEPT * (size_t)bytes;
    aplc_pool.is_open = pthread_atfork(NULL, NULL, lib_pool_after_fork) == 0;
}

static void *lib_empty_when_idle(void *nothing) {
    unsigned seen;
    do {
        struct timespec second = {1, 0};
        seen = __atomic_load_n(&lib_pool.given, __ATOMIC_SEQ_CST);
        nanosleep(&second, NULL);
        aplc_look_at_pool();
    } while (__atomic_load_n(&lib_pool.given, __ATOMIC_SEQ_CST) != seen);
    __atomic_store_n(&lib_pool.is_watched, 0, __ATOMIC_SEQ_CST); /* who gives a block from now on starts another */
    aplc_drop();
    return nothing;
}

/* A thread that no signal interrupts: these are for the threads of the program. */
static bool lib_start_watcher(void) {
    pthread_attr_t how;
    pthread_t thread;
    sigset_t all, before;
    if (pthread_attr_init(&how) != 0)
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool runs = pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED) == 0 &&
                      pthread_attr_setstacksize(&how, LIB_WATCHER_STACK) == 0 &&
                      pthread_create(&thread, &how, lib_empty_when_idle, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&how);
    return runs;
}

/* Free a block of malloc, or keep it for the next call. */
static void lib_let_go(void *memory) {
    if (!aplc_is_at_huge_page(memory) || memory == NULL) {
        free(memory);
        return;
    }
    pthread_once(&lib_pool.opened, lib_open_pool);
    if (!aplc_give(memory)) {
        free(memory);
        return;
    }
    __atomic_fetch_add(&lib_pool.given, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_exchange_n(&lib_pool.is_watched, 1, __ATOMIC_SEQ_CST) && !lib_start_watcher()) {
        __atomic_store_n(&lib_pool.is_watched, 0, __ATOMIC_SEQ_CST);
        aplc_empty_pool(false);
    }
}

#endif
