/* Searching, for generated C, among integers or characters that are constants. The result is a position,
   counted from 1.

       int64_t aplc_place_in_run(int64_t x, int64_t first, int64_t count)

   is that of x among count consecutive numbers from first on, or count + 1;

       int64_t aplc_place_in_table(const int16_t *table, int64_t x, int64_t first, int64_t count)

   is the element of a table for x, whose first one is for the number first; the last one, at count, is for all
   numbers that it does not cover. Those with 32 at the end are for x of 32 bits, in lanes of as many. */

#ifndef APLC_PLACES_H
#define APLC_PLACES_H

#include <stdint.h>

static inline int64_t aplc_place_in_run(int64_t x, int64_t first, int64_t count) {
    const uint64_t place = (uint64_t)x - (uint64_t)first, end = (uint64_t)count;
    return (int64_t)(place < end ? place : end) + 1;
}

static inline int64_t aplc_place_in_table(const int16_t *table, int64_t x, int64_t first, int64_t count) {
    const uint64_t place = (uint64_t)x - (uint64_t)first, end = (uint64_t)count;
    return table[place < end ? place : end];
}

static inline int32_t aplc_place_in_run32(uint32_t x, uint32_t first, uint32_t count) {
    const uint32_t place = x - first;
    return (int32_t)(place < count ? place : count) + 1;
}

static inline int32_t aplc_place_in_table32(const int16_t *table, uint32_t x, uint32_t first, uint32_t count) {
    const uint32_t place = x - first;
    return table[place < count ? place : count];
}

#endif
