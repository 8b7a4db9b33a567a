/* Sorting in threads, for generated C: long vectors, as `aplc_order.h` grades them.

       int aplc_grade_up_T_in_threads(aplc_host *host, const T *a, int64_t rows, int64_t columns, int64_t *out)
       int aplc_grade_down_T_in_threads(aplc_host *host, const T *a, int64_t rows, int64_t columns, int64_t *out)

   All passes over the words are in parts, and each part of them that begins with the same digit is sorted by one
   thread. Words are distinct, so that the result is the same however many threads there are. */

#ifndef APLC_ORDER_THREADS_H
#define APLC_ORDER_THREADS_H

#include "aplc_order.h"
#include "aplc_threads.h"

enum {
    APLC_MOST_SORTERS = 64, /* so many threads sort, */
#ifdef APLC_DEBUG
    APLC_FEWEST_SHARED = APLC_FEW_WORDS, /* and more elements than these */
#else
    APLC_FEWEST_SHARED = APLC_CACHED_WORDS,
#endif
};

/* By how many threads something is done for so many elements. */
static inline int aplc_sorters(const aplc_host *host, int64_t n, double work) {
    const int parts = n <= APLC_FEWEST_SHARED ? 1 : aplc_parts(host, n, work);
    return parts < APLC_MOST_SORTERS ? parts : APLC_MOST_SORTERS;
}

/* What it takes to sort an element by digits, and to look at one or count it. */
#define APLC_SORTING 400.0
#define APLC_LOOKING 40.0

/* What several parts of a vector show. */
static inline aplc_look aplc_joined_looks(const aplc_look *looks, int parts) {
    aplc_look all = looks[0];
    for (int part = 1; part < parts; part++) {
        all.least = looks[part].least < all.least ? looks[part].least : all.least;
        all.greatest = looks[part].greatest > all.greatest ? looks[part].greatest : all.greatest;
        all.ones |= looks[part].ones;
        all.zeros |= looks[part].zeros;
        all.has_nan |= looks[part].has_nan;
        all.falls |= looks[part].falls;
        all.stays |= looks[part].stays;
    }
    return all;
}

/* How often each digit occurs in some words. */
static APLC_APART void aplc_tally_digits(const uint64_t *words, int64_t from, int64_t to, int shift, uint64_t size,
                                         int64_t *restrict counts) {
    memset(counts, 0, size * sizeof *counts);
    for (int64_t i = from; i < to; i++)
        counts[words[i] >> shift & (size - 1)]++;
}

static APLC_APART void aplc_spread_words(const uint64_t *words, int64_t from, int64_t to, int shift, uint64_t size,
                                         int64_t *restrict places, uint64_t *restrict spread) {
    for (int64_t i = from; i < to; i++)
        spread[places[words[i] >> shift & (size - 1)]++] = words[i];
}

/* What begins with one digit and another, each sorted by the thread that takes it, but for what is more than `most`. */
static APLC_APART void aplc_sort_runs(uint64_t *words, uint64_t *spread, const int64_t *ends, int size, int low,
                                      int bits, int64_t most, int *taken) {
    for (int k; (k = aplc_next(taken)) < size;) {
        const int64_t start = k == 0 ? 0 : ends[k - 1], count = ends[k] - start;
        if (count == 0 || count > most)
            continue;
        const uint64_t *const sorted = aplc_sort_words(spread + start, words + start, count, low, bits);
        if (sorted != words + start)
            memcpy(words + start, sorted, (size_t)count * sizeof *words);
    }
}

/* Counts of each part become places: for each digit those of the parts in their order. The greatest number of words
   with one digit. */
static inline int64_t aplc_begin_places(int64_t *places, int parts, uint64_t size) {
    int64_t start = 0, most = 0;
    for (uint64_t k = 0; k < size; k++) {
        const int64_t before = start;
        for (int part = 0; part < parts; part++) {
            int64_t *const place = &places[(uint64_t)part * size + k];
            const int64_t count = *place;
            *place = start;
            start += count;
        }
        most = start - before > most ? start - before : most;
    }
    return most;
}

/* What `aplc_sort_words` does; with too little memory in one thread. */
static APLC_APART uint64_t *aplc_sort_words_in_parts(const aplc_host *host, int parts, uint64_t *words,
                                                     uint64_t *scratch, int64_t n, int low, int bits) {
    const int width = bits < APLC_SPLIT_BITS ? bits : APLC_SPLIT_BITS, rest = bits - width, shift = low + rest;
    const uint64_t size = (uint64_t)1 << width;
    int64_t *const places = bits == 0 || n <= APLC_FEWEST_SHARED ? NULL : aplc_alloc(parts * (int64_t)size, 8);
    if (places == NULL)
        return aplc_sort_words(words, scratch, n, low, bits);
    APLC_IN_PARTS(host, parts, n,
                  aplc_tally_digits(words, from, to, shift, size, places + (uint64_t)part * size));
    const bool alike = aplc_begin_places(places, parts, size) == n;
    if (alike) {
        free(places);
        return aplc_sort_words_in_parts(host, parts, words, scratch, n, low, rest);
    }
    APLC_IN_PARTS(host, parts, n,
                  aplc_spread_words(words, from, to, shift, size, places + (uint64_t)part * size, scratch));
    const int64_t *const ends = places + (uint64_t)(parts - 1) * size, most = n / (2 * parts);
    int taken = 0;
    if (rest > 0)
        APLC_IN_PARTS(host, parts, parts,
                      aplc_sort_runs(words, scratch, ends, (int)size, low, rest, most, &taken));
    int64_t start = 0;
    for (uint64_t k = 0; k < size && rest > 0; k++) { /* what is long is sorted by all threads */
        const int64_t count = ends[k] - start;
        if (count > most) {
            const uint64_t *const sorted =
                aplc_sort_words_in_parts(host, parts, scratch + start, words + start, count, low, rest);
            if (sorted != words + start)
                memcpy(words + start, sorted, (size_t)count * sizeof *words);
        }
        start = ends[k];
    }
    free(places);
    return rest == 0 ? scratch : words;
}

/* From a place in sorted words the first one where no word agrees with the one before it above `index` bits. */
static inline int64_t aplc_next_run(const uint64_t *sorted, int64_t n, int64_t place, int index) {
    if (place == 0 || place >= n)
        return place;
    const uint64_t leading = sorted[place - 1] >> index;
    int64_t low = place, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sorted[middle] >> index == leading)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#define APLC_T int64_t
#define APLC_TYPED(before, after) before##_int##after
#include "aplc_order_threads_typed.h"
#define APLC_T double
#define APLC_TYPED(before, after) before##_double##after
#include "aplc_order_threads_typed.h"
#define APLC_T bool
#define APLC_TYPED(before, after) before##_bool##after
#include "aplc_order_threads_typed.h"
#define APLC_T uint32_t
#define APLC_TYPED(before, after) before##_char##after
#include "aplc_order_threads_typed.h"

#endif
