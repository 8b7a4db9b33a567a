/* Rows of any length in whole vectors, for generated C:

       int64_t aplc_whole(int64_t start, int64_t stop, int64_t size)

   is where the last block of `size` elements ends in a range; what is behind it is done in vectors of which
   some lanes are masked. Where there are no masks for memory, the range is one block. */

#ifndef APLC_RAGGED_H
#define APLC_RAGGED_H

#include <stdint.h>

static inline int64_t aplc_whole(int64_t start, int64_t stop, int64_t size) {
#if defined(__AVX2__) || defined(__ARM_FEATURE_SVE)
    return stop > start ? start + (stop - start) / size * size : stop;
#else
    (void)start, (void)size;
    return stop;
#endif
}

#endif
