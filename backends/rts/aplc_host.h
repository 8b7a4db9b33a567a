/* What a program and its host hand each other. */

#ifndef APLC_HOST_H
#define APLC_HOST_H

#include <stdint.h>

#include "aplc_work.h"

/* A library for C programs exports its own functions only, and defines this otherwise. */
#ifndef APLC_EXPORT
#define APLC_EXPORT __attribute__((visibility("default")))
#endif

/* An array: its elements in row-major order, and its extents. Of a scalar `shape` is not looked at. */
typedef struct {
    void *data;
    int64_t *shape;
} aplc_array;

/* A stream of random numbers, and how many of them are used up. */
typedef struct {
    uint64_t key, position;
} aplc_stream;

/* What a program asks of its host, which gives 0 to go on. `print` shows value number `k` with that many
   digits; `ask` answers question number `k`, a primitive that the host computes, with arrays in memory of their own.
   A check that fails leaves its number, the values it reports, and the numbers of the items in which it is. */
enum { APLC_MOST_TOLD = 32 };
enum { APLC_TOLD_CHARACTERS = 40 }; /* of a text in an error */
typedef struct {
    int (*print)(int64_t k, const aplc_array *values, int64_t digits);
    int (*ask)(int64_t k, const aplc_array *arguments, aplc_array *results);
    int64_t site;
    int64_t values[2];
    aplc_stream random;
    const char *stack; /* where the program began, */
    int64_t stack_size; /* and how far from there recursion may go, */
    uintptr_t deepest;  /* which is down to here */
    int64_t threads; /* that a loop may use; 0: as many as OpenMP says */
    int64_t *memory; /* bytes that arrays may still take, where that is limited */
    int64_t may_be_silent; /* whether `print` and `ask` may return without an answer, as functions of Python do at an
                              interrupt; */
    int64_t is_silent; /* they clear this when they have one */
    aplc_work *work;   /* which may be ended from outside; NULL if that may not be */
    int64_t told;      /* how many numbers of items there are, and of a text that a check reports */
    int64_t items[APLC_MOST_TOLD];
    struct aplc_crew *crew; /* the threads that do tasks, where this is part of one (`aplc_tasks.h`), */
    int64_t budget;         /* the work that calls may do until that is tried with tasks, */
    int64_t is_alone;       /* and whether there are to be none */
} aplc_host;

enum { APLC_OK = 0, APLC_FAILED = 1, APLC_STOPPED = 2, APLC_AGAIN = 4, APLC_DIGITS = -1 };

/* `print` and `ask`; without an answer the program stops. */
static inline int aplc_print(aplc_host *host, int64_t k, const aplc_array *values, int64_t digits) {
    host->is_silent = host->may_be_silent;
    aplc_stay(host->work);
    const int status = host->print(k, values, digits);
    aplc_go_on(host->work);
    return host->is_silent ? 1 : status;
}
static inline int aplc_ask(aplc_host *host, int64_t k, const aplc_array *arguments, aplc_array *results) {
    host->is_silent = host->may_be_silent;
    aplc_stay(host->work);
    const int status = host->ask(k, arguments, results);
    if (host->work != NULL)
        host->work->stays--; /* what it has answered is not noted yet */
    return host->is_silent ? 1 : status;
}

#endif
