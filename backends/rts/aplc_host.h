/* What a program and its host hand each other. */

#ifndef APLC_HOST_H
#define APLC_HOST_H

#include <stdint.h>

#define APLC_EXPORT __attribute__((visibility("default")))

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
   A check that fails leaves its number and the values it reports. */
typedef struct {
    int (*print)(int64_t k, const aplc_array *values, int64_t digits);
    int (*ask)(int64_t k, const aplc_array *arguments, aplc_array *results);
    int64_t site;
    int64_t values[2];
    aplc_stream random;
    const char *stack; /* where the program began, */
    int64_t stack_size; /* and how far from there recursion may go */
    int64_t threads; /* that a loop may use; 0: as many as OpenMP says */
} aplc_host;

enum { APLC_OK = 0, APLC_FAILED = 1, APLC_STOPPED = 2, APLC_DIGITS = -1 };

#endif
