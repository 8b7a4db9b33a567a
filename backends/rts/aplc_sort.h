/* Sorting the elements of vectors where they lie, and finding single ones of their order without sorting. Of doubles the
   order of equal ones shows where zeros have signs, and NaNs differ: those are graded. */

#ifndef APLC_SORT_H
#define APLC_SORT_H

#include "aplc_order.h"

enum {
    APLC_FEWEST_SORTED = 8, /* so many elements are sorted in registers, */
    APLC_FEW_SORTED = APLC_FEW_WORDS, /* so many elements are sorted by comparing each with all, */
    APLC_SORTED_IN_PLACE = 48, /* so many by exchanges, more of them by digits */
    APLC_RANKED_SORTED = 256, /* of so many elements that of a rank is found by sorting them, */
    APLC_RANKED_BLOCK = 64, /* it is asked at once whether one of so many is looked into again */
    APLC_RANKED_BITS = 11, /* of more by counting how many there are for each value of so many bits */
    APLC_FEW_LEAST = 64, /* the first of so many times as many elements are found by their positions, */
    APLC_FEW_LEFT = 8, /* and all are sorted where of so many times as many the others are left out */
};

static inline int64_t aplc_element_int(uint64_t key) { return (int64_t)(key ^ (uint64_t)1 << 63); }
static inline bool aplc_element_bool(uint64_t key) { return key != 0; }
static inline uint32_t aplc_element_char(uint64_t key) { return (uint32_t)key; }

/* The double of a key, of those that are neither ¯0 nor NaN. */
static inline double aplc_element_double(uint64_t key) {
    const uint64_t middle = (uint64_t)1 << 63, bits = key >= middle ? key - middle : (middle - key) | middle;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline bool aplc_shows_int(int64_t x) { return false; }
static inline bool aplc_shows_bool(bool x) { return false; }
static inline bool aplc_shows_char(uint32_t x) { return false; }

/* Whether an element may be told from others with its key. */
static inline bool aplc_shows_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (x != x) | (bits == (uint64_t)1 << 63);
}

#define APLC_T int64_t
#define APLC_TYPED(name) name##_int
#include "aplc_sort_typed.h"
#define APLC_T double
#define APLC_TYPED(name) name##_double
#include "aplc_sort_typed.h"
#define APLC_T bool
#define APLC_TYPED(name) name##_bool
#include "aplc_sort_typed.h"
#define APLC_T uint32_t
#define APLC_TYPED(name) name##_char
#include "aplc_sort_typed.h"

#endif
