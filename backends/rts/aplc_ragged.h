/* Rows of any length in whole vectors, for generated C:

       int64_t aplc_whole(int64_t start, int64_t stop, int64_t size)
       bool aplc_in_vectors(int64_t length, int64_t lanes)
       bool aplc_is_one(const void *a, const void *b)

   The first is where the last block of `size` elements ends in a range; what is behind it is done in vectors
   of which some lanes are masked. The second tells whether a range fits so many lanes. Where there are no masks
   for memory, a range is one block, and fits none. The third tells whether two descriptors of rows are one memory. */

#ifndef APLC_RAGGED_H
#define APLC_RAGGED_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__AVX2__) || defined(__ARM_FEATURE_SVE)
#define APLC_MASKS true
#else
#define APLC_MASKS false
#endif

static inline int64_t aplc_whole(int64_t start, int64_t stop, int64_t size) {
    return APLC_MASKS && stop > start ? start + (stop - start) / size * size : stop;
}

static inline bool aplc_in_vectors(int64_t length, int64_t lanes) { return APLC_MASKS && length <= lanes; }

static inline bool aplc_is_one(const void *a, const void *b) { return (uintptr_t)a == (uintptr_t)b; }

#endif
