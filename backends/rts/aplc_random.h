/* The stream of random numbers that `?` draws from: SplitMix64 by number, as `aplc.tail.random_numbers` defines it.
   Number i depends on the seed and on i alone, so loops may compute numbers in any order. */

#ifndef APLC_RANDOM_H
#define APLC_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "aplc_host.h"

/* SplitMix64's finalizer. */
static inline uint64_t aplc_mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* The beginning of the stream with a seed; a negative one counts modulo 2^64. */
static inline void aplc_stream_seed(aplc_stream *stream, int64_t seed) {
    stream->key = aplc_mix((uint64_t)seed);
    stream->position = 0;
}

/* Number i, from 0, of the stream with a key. */
static inline uint64_t aplc_word(uint64_t key, uint64_t i) {
    return aplc_mix(key + (i + 1) * UINT64_C(0x9E3779B97F4A7C15));
}

/* An integer in 1…n: one more than the upper half of the 128-bit product. By 64-bit products, which have
   lanes. */
static inline int64_t aplc_roll(uint64_t word, int64_t n) {
    const uint64_t limit = (uint64_t)n, low = UINT64_C(0xFFFFFFFF);
    const uint64_t middle = (word >> 32) * (limit & low) + ((word & low) * (limit & low) >> 32);
    const uint64_t other = (word & low) * (limit >> 32) + (middle & low);
    return (int64_t)((word >> 32) * (limit >> 32) + (middle >> 32) + (other >> 32)) + 1;
}

/* A double above 0 and below 1. */
static inline double aplc_uniform(uint64_t word) { return ((double)(int64_t)(word >> 12) + 0.5) * 0x1p-52; }

static inline int64_t aplc_rolled(int64_t key, int64_t i, int64_t n) {
    return aplc_roll(aplc_word((uint64_t)key, (uint64_t)i), n);
}

static inline double aplc_drawn(int64_t key, int64_t i) {
    return aplc_uniform(aplc_word((uint64_t)key, (uint64_t)i));
}

/* --- dealing --- */

/* Places of the permuted vector 0…limit-1 that hold what was not there at first: a hash table with open
   addressing, at most half full. A place is never taken out: it is not asked for again. */
typedef struct {
    int64_t place, value;
} aplc_moved;

/* The entry of a place, or the empty one (its place is -1) where it belongs. */
static inline aplc_moved *aplc_moved_entry(aplc_moved *table, uint64_t mask, int64_t place) {
    uint64_t k = aplc_mix((uint64_t)place) & mask;
    while (table[k].place != place && table[k].place != -1)
        k = (k + 1) & mask;
    return &table[k];
}

static inline bool aplc_deal_sparse(aplc_stream *stream, int64_t count, int64_t limit, int64_t *out) {
    uint64_t size = 16;
    while (size < 2 * (uint64_t)count)
        size *= 2;
    aplc_moved *table = malloc(size * sizeof *table);
    if (table == NULL)
        return false;
    memset(table, 0xFF, size * sizeof *table);
    for (int64_t j = 0; j < count; j++) {
        const uint64_t word = aplc_word(stream->key, stream->position + (uint64_t)j);
        const int64_t r = j + aplc_roll(word, limit - j) - 1;
        aplc_moved *mine = aplc_moved_entry(table, size - 1, j);
        const int64_t here = mine->place == j ? mine->value : j;
        aplc_moved *drawn = aplc_moved_entry(table, size - 1, r);
        out[j] = (drawn->place == r ? drawn->value : r) + 1;
        drawn->place = r;
        drawn->value = here;
    }
    free(table);
    return true;
}

static inline bool aplc_deal_full(aplc_stream *stream, int64_t count, int64_t limit, int64_t *out) {
    int64_t *places = malloc((uint64_t)limit * sizeof *places);
    if (places == NULL)
        return false;
    for (int64_t j = 0; j < limit; j++)
        places[j] = j;
    for (int64_t j = 0; j < count; j++) {
        const uint64_t word = aplc_word(stream->key, stream->position + (uint64_t)j);
        const int64_t r = j + aplc_roll(word, limit - j) - 1;
        out[j] = places[r] + 1;
        places[r] = places[j];
    }
    free(places);
    return true;
}

/* `count?limit` into `out`, 0 ≤ count ≤ limit: different numbers in 1…limit. 1 if there is no memory. */
static inline int aplc_deal(aplc_stream *stream, int64_t count, int64_t limit, int64_t *out) {
    if (count == 0)
        return 0;
    const bool dealt = limit / 4 > count ? aplc_deal_sparse(stream, count, limit, out)
                                         : aplc_deal_full(stream, count, limit, out);
    stream->position += (uint64_t)count;
    return !dealt;
}

#endif
