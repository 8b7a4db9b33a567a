/* The different rows of long arrays in threads, for generated C, as `aplc_search.h` finds them.

       int aplc_unique_T_in_threads(aplc_host *host, const T *a, int64_t rows, int64_t columns, int64_t *positions,
                                    int64_t *count)
       int aplc_number_T_in_threads(aplc_host *host, const T *a, int64_t rows, int64_t columns, int64_t *positions,
                                    int64_t *numbers, int64_t *count)       also `…_narrow_in_threads`
       int aplc_count_each_T_in_threads(aplc_host *host, const T *a, int64_t rows, int64_t columns,
                                        int64_t *positions, int64_t *counts, int64_t *count)

   Each part of a vector finds the different elements of its own, with a table of its own; what they have found is
   numbered in the order of parts, which is that of the first occurrences. It is worth it where elements are repeated,
   which a sample tells. Of a matrix the codes of its rows are such a vector, if they have any. */

#ifndef APLC_SEARCH_THREADS_H
#define APLC_SEARCH_THREADS_H

#include "aplc_search.h"
#include "aplc_threads.h"

enum {
    APLC_MOST_SEEKERS = 64, /* so many threads look for rows, */
    APLC_SAMPLED = 4, /* a sample has so many times the square root of the elements, */
    APLC_SEEN_AGAIN = 128, /* and so many of it for each part have been seen before where they are repeated; */
    APLC_FEW_SEEKERS = 4, /* less threads are as fast as memory where a table by code has numbers for all */
};

/* What it takes to look for an element. */
#define APLC_SEEKING 64.0

/* What the parts of an array have found: how many different rows, and how many come before these. */
typedef struct {
    int64_t kept[APLC_MOST_SEEKERS], before[APLC_MOST_SEEKERS + 1];
    int status[APLC_MOST_SEEKERS];
} aplc_shares_found;

/* How many rows all parts have kept, one behind the other; less than 0 if memory is exhausted. */
static inline int64_t aplc_all_kept(aplc_shares_found *found, int parts) {
    found->before[0] = 0;
    for (int part = 0; part < parts; part++) {
        if (found->status[part] != 0)
            return -1;
        found->before[part + 1] = found->before[part] + found->kept[part];
    }
    return found->before[parts];
}

#define APLC_T int64_t
#define APLC_TYPED(before, after) before##_int##after
#include "aplc_search_threads_typed.h"
#define APLC_T double
#define APLC_TYPED(before, after) before##_double##after
#include "aplc_search_threads_typed.h"
#define APLC_T bool
#define APLC_TYPED(before, after) before##_bool##after
#include "aplc_search_threads_typed.h"
#define APLC_T uint32_t
#define APLC_TYPED(before, after) before##_char##after
#include "aplc_search_threads_typed.h"

#endif
