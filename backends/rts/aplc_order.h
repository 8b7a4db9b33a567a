/* Sorting, for generated C: the grades of int64_t, double, bool and uint32_t (characters) under the suffixes
   `_int`, `_double`, `_bool` and `_char`.

       int aplc_grade_up_T(const T *a, int64_t rows, int64_t columns, int64_t *out)
       int aplc_grade_down_T(const T *a, int64_t rows, int64_t columns, int64_t *out)
       int aplc_first_up_T(const T *a, int64_t n, int64_t wanted, int64_t *out)
       int aplc_first_down_T(const T *a, int64_t n, int64_t wanted, int64_t *out)

   `a` is a matrix in row-major order and `out` has room for `rows` positions. They count from 1 and put the
   rows in order by the first element that differs; equal rows stay in order, whichever the direction. NaN
   stands above all other numbers and the two zeros are equal. The last two give the first positions for a
   vector, as many as are wanted and there are, in `out` with room for so many. The result is 0 or APLC_OUT_OF_MEMORY.

   Note [Words]. An element has a key, an unsigned number in the same order. What is sorted are words of 64
   bits: in the low bits the number of the row, above it the leading bits of the key less the least key, as
   many as tell the rows apart if keys are spread evenly. Rows that agree there are sorted by their next bits,
   and so on. Distinct numbers of rows make words distinct, so that every way of sorting words is stable. */

#ifndef APLC_ORDER_H
#define APLC_ORDER_H

#include "aplc.h"
#include "aplc_codes.h"

enum {
    APLC_FEW_WORDS = 32,         /* so many words are sorted by comparing each with all, */
    APLC_CACHED_WORDS = 1 << 16, /* and so many stay in a cache while they are sorted by digits */
    APLC_DIGIT_BITS = 9,         /* of this width, */
    APLC_DIGITS_AT_ONCE = 3,     /* so many at most; */
    APLC_SPLIT_BITS = 11,        /* more words are split by one digit of this width first, */
    APLC_TWO_DIGITS_WORDS = 1 << 20, /* unless two digits of this width are all there is, and there are so many words */
    APLC_ALL_DIGITS_WORDS = 1 << 18, /* at most, or those at once, and so many */
    APLC_SPARE_BITS = 9,         /* a word has so many bits more than tell the rows apart if all goes well */
    APLC_FEW_ROWS = 8,           /* so many rows are sorted by insertion in a merge sort */
    APLC_COUNTED_KEYS = 1 << 12, /* so many different keys are counted */
    APLC_NAN_BITS = 48,          /* above so many bits there is a key behind that of any number */
    APLC_FEW_WANTED = 16,        /* the first of so many times as many elements are found without a grade, */
    APLC_CANDIDATES = 4,         /* among so many times as many at once, */
    APLC_FIRST_BLOCK = 256,      /* and so many elements are looked at together */
    APLC_FEW_WANTED_ONES = 8,    /* up to so many of them are kept in order, */
    APLC_KEPT_BLOCK = 32,        /* and so many elements are compared with the last one together */
};

/* --- keys --- */

static inline uint64_t aplc_key_int(int64_t x) { return (uint64_t)x ^ (uint64_t)1 << 63; }
static inline uint64_t aplc_key_bool(bool x) { return x; }
static inline uint64_t aplc_key_char(uint32_t x) { return x; }
static inline uint64_t aplc_key_packed(uint64_t x) { return x; }

/* A negative number's bits are negated, so that trailing zeros stay and both zeros have the same key. */
static inline uint64_t aplc_key_double(double x) {
    const uint64_t middle = (uint64_t)1 << 63, nan = (uint64_t)0xfff8 << 48;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t magnitude = bits & ~middle;
    const uint64_t key = bits >> 63 ? middle - magnitude : middle + magnitude;
    return x != x ? nan : key;
}

/* How many bits a number has. */
static inline int aplc_width(uint64_t x) { return x == 0 ? 0 : 64 - __builtin_clzll(x); }

/* How far a key is from the least one: the key with its gap closed, see Note [Gaps], exclusive or `flip`, less
   `base`, without the `constant` trailing bits that all have in common. That of NaN is `nan` before this. */
typedef struct {
    uint64_t flip, base, gap, nan;
    int constant;
} aplc_keying;

/* What one pass over the keys shows: the least and the greatest one but for NaN, the bits that are one and zero
   somewhere, whether there is NaN, and whether one is less than the one before it, or not. */
typedef struct {
    uint64_t least, greatest, ones, zeros;
    bool has_nan, falls, stays;
} aplc_look;

/* What is made of that: how distances are made, the greatest one, and whether keys ascend, or descend without equals. */
typedef struct {
    aplc_keying keying;
    uint64_t span;
    bool ascends, descends;
} aplc_survey;

/* Note [Gaps]. Half of all keys of doubles lie between ¯1 and 1, and hardly any of them are there: a million
   numbers around zero begin at one millionth. Were they told apart by their leading bits, most of these would
   be the exponents of numbers that are missing. So those below zero come nearer to it, and those above it,
   by `gap` keys: fewer than there are up to the nearest one. For the same reason NaN follows the greatest number.
   Other types have neither. */
static inline uint64_t aplc_nearer(uint64_t key, uint64_t gap) {
    const uint64_t zero = (uint64_t)1 << 63;
    return key + (key < zero ? gap : 0) - (key > zero ? gap : 0);
}

static inline uint64_t aplc_closed_double(double x, aplc_keying keying) {
    return x != x ? keying.nan : aplc_nearer(aplc_key_double(x), keying.gap);
}

/* What a closed key was before, unless of NaN. */
static inline uint64_t aplc_opened_double(uint64_t key, aplc_keying keying) {
    const uint64_t zero = (uint64_t)1 << 63;
    return key - (key < zero ? keying.gap : 0) + (key > zero ? keying.gap : 0);
}

/* How many keys lie between zero and the nearest of n others; UINT64_MAX if there is none, or no gap. */
static inline uint64_t aplc_nearest_double(const double *a, int64_t n) {
    const uint64_t zero = (uint64_t)1 << 63;
    uint64_t nearest = UINT64_MAX;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &a[i], sizeof bits);
        const uint64_t less = (bits & ~zero) - 1; /* that of zero is the greatest */
        nearest = less < nearest ? less : nearest;
    }
    return nearest;
}

#define APLC_WITHOUT_GAPS(type, name)                                                                          \
    static inline uint64_t aplc_closed_##name(type x, aplc_keying keying) { return aplc_key_##name(x); }       \
    static inline uint64_t aplc_opened_##name(uint64_t key, aplc_keying keying) { return key; }                \
    static inline uint64_t aplc_nearest_##name(const type *a, int64_t n) { return UINT64_MAX; }
APLC_WITHOUT_GAPS(int64_t, int)
APLC_WITHOUT_GAPS(bool, bool)
APLC_WITHOUT_GAPS(uint32_t, char)
APLC_WITHOUT_GAPS(uint64_t, packed)

/* Whether zero is among keys that are neither in order nor the other way round. */
static inline bool aplc_is_around(aplc_look look, uint64_t zero) {
    return look.least <= zero && zero <= look.greatest && look.falls && look.stays;
}

/* Keys with a gap of `nearest` around zero, of which a whole number of the bits that vary is closed. */
static inline aplc_survey aplc_surveyed(aplc_look look, uint64_t flip, uint64_t zero, uint64_t nearest) {
    if (look.least > look.greatest) /* there is only NaN */
        return (aplc_survey){{flip, flip, 0, 0, 0}, 0, !look.falls, !look.stays};
    const uint64_t varying = look.ones & look.zeros;
    const int alike = varying == 0 ? 0 : __builtin_ctzll(varying);
    const int constant = look.has_nan && alike > APLC_NAN_BITS ? APLC_NAN_BITS : alike;
    const uint64_t gap = nearest == UINT64_MAX ? 0 : nearest >> constant << constant;
    uint64_t base = look.least < zero ? look.least + gap : look.least;
    uint64_t end = look.greatest > zero ? look.greatest - gap : look.greatest;
    const uint64_t nan = ((flip == 0 ? end : base) ^ flip) + ((uint64_t)1 << constant);
    if (look.has_nan && flip == 0)
        end = nan;
    if (look.has_nan && flip != 0)
        base = nan ^ flip;
    return (aplc_survey){{flip, base, gap, nan, constant}, (end - base) >> constant, !look.falls, !look.stays};
}

/* --- words --- */

/* How words are made of keys: by their distances, above `index` bits. */
typedef struct {
    aplc_keying keying;
    int index;
} aplc_wording;

/* How many of `rest` leading bits of the keys of n rows go into a word. */
static inline int aplc_leading(int64_t n, int rest, int index) {
    int most = 64 - index;
    if (n > APLC_FEW_WORDS) {
        const int useful = aplc_width((uint64_t)n) + APLC_SPARE_BITS;
        most = most < useful ? most : useful;
    }
    return rest < most ? rest : most;
}

/* As many keys as the instructions of the machine compare at once: gcc compares longer vectors one by one. */
#if defined(__AVX512F__)
enum { APLC_KEYS_AT_ONCE = 8 };
#elif defined(__AVX2__)
enum { APLC_KEYS_AT_ONCE = 4 };
#else
enum { APLC_KEYS_AT_ONCE = 2 };
#endif
typedef int64_t aplc_keys __attribute__((vector_size(8 * APLC_KEYS_AT_ONCE)));
#define APLC_LANES_FOR(n) (((n) + APLC_KEYS_AT_ONCE - 1) / APLC_KEYS_AT_ONCE * APLC_KEYS_AT_ONCE)

/* How many of some keys belong before each of them; those that are equal stay in order. There are at most
   APLC_FEW_WORDS, and no branches on them. Both arrays have room for whole lanes. */
static inline void aplc_ranks(const int64_t *keys, int64_t n, int64_t *ranks) {
    const int64_t most = APLC_KEYS_AT_ONCE, numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};
    aplc_keys number;
    memcpy(&number, numbers, sizeof number);
    for (int64_t from = 0; from < n; from += most) {
        const int64_t to = from + most < n ? from + most : n;
        aplc_keys key, rank = {0};
        memcpy(&key, keys + from, sizeof key);
        APLC_FEW_ROUNDS
        for (int64_t i = 0; i < from; i++) /* what stands before the lanes belongs there unless it is greater */
            rank -= (aplc_keys){0} + keys[i] <= key;
        APLC_FEW_ROUNDS
        for (int64_t i = to; i < n; i++)
            rank -= (aplc_keys){0} + keys[i] < key;
        APLC_FEW_ROUNDS
        for (int64_t i = from; i < to; i++) {
            const aplc_keys other = (aplc_keys){0} + keys[i];
            rank -= (other < key) | ((other == key) & (number > i - from));
        }
        memcpy(ranks + from, &rank, sizeof rank);
    }
}

static inline void aplc_sort_few_words(uint64_t *words, int64_t n) {
    if (n < 2)
        return;
    int64_t keys[APLC_LANES_FOR(APLC_FEW_WORDS)], ranks[APLC_LANES_FOR(APLC_FEW_WORDS)];
    for (int64_t i = 0; i < n; i++)
        keys[i] = (int64_t)(words[i] ^ (uint64_t)1 << 63);
    aplc_ranks(keys, n, ranks);
    for (int64_t i = 0; i < n; i++)
        words[ranks[i]] = (uint64_t)keys[i] ^ (uint64_t)1 << 63;
}

/* Sort words by `bits` bits from bit `low` up, in digits of at most `most` bits, the last one first, counting all in
   one pass, in `places`. The result is where they are, `words` or `scratch`. */
static inline __attribute__((always_inline)) uint64_t *aplc_sort_by(uint64_t *words, uint64_t *scratch, int64_t n,
                                                                   int low, int bits, int most, uint32_t *places) {
    const int digits = (bits + most - 1) / most, width = (bits + digits - 1) / digits;
    const uint64_t size = (uint64_t)1 << width, mask = size - 1;
    memset(places, 0, (uint64_t)digits * size * sizeof *places);
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < digits; d++)
            places[((uint64_t)d << width) + (words[i] >> (low + d * width) & mask)]++;
    for (int d = 0; d < digits; d++) {
        uint32_t *const place = places + ((uint64_t)d << width), start = 0;
        const int shift = low + d * width;
        if (place[words[0] >> shift & mask] == n)
            continue;
        for (uint64_t k = 0; k < size; k++) {
            const uint32_t count = place[k];
            place[k] = start;
            start += count;
        }
        for (int64_t i = 0; i < n; i++)
            scratch[place[words[i] >> shift & mask]++] = words[i];
        uint64_t *const sorted = scratch;
        scratch = words;
        words = sorted;
    }
    return words;
}

static inline uint64_t *aplc_sort_by_digits(uint64_t *words, uint64_t *scratch, int64_t n, int low, int bits) {
    uint32_t places[APLC_DIGITS_AT_ONCE << APLC_DIGIT_BITS];
    return aplc_sort_by(words, scratch, n, low, bits, APLC_DIGIT_BITS, places);
}

/* The same in wider digits: apart, as its counts take much of the stack. */
static APLC_APART uint64_t *aplc_sort_by_wide_digits(uint64_t *words, uint64_t *scratch, int64_t n, int low, int bits) {
    uint32_t places[APLC_DIGITS_AT_ONCE << APLC_SPLIT_BITS];
    return aplc_sort_by(words, scratch, n, low, bits, APLC_SPLIT_BITS, places);
}

static uint64_t *aplc_sort_words(uint64_t *words, uint64_t *scratch, int64_t n, int low, int bits);

/* Words that are sorted but for their `bits` bits from bit `low` up: those that agree above are sorted by these. */
static inline void aplc_sort_alike(uint64_t *words, uint64_t *scratch, int64_t n, int low, int bits) {
    const int shift = low + bits;
    for (int64_t i = 1; i < n; i++) {
        if ((words[i - 1] ^ words[i]) >> shift != 0)
            continue;
        const int64_t start = i - 1;
        while (i < n && (words[start] ^ words[i]) >> shift == 0)
            i++;
        const uint64_t *const sorted = aplc_sort_words(words + start, scratch + start, i - start, low, bits);
        if (sorted != words + start)
            memcpy(words + start, sorted, (size_t)(i - start) * sizeof *words);
    }
}

/* Sort words by `bits` bits from bit `low` up, below which the number of the row lies; words that agree there
   must stand in order. The result is where they are, `words` or `scratch`. */
static APLC_APART uint64_t *aplc_sort_words(uint64_t *words, uint64_t *scratch, int64_t n, int low, int bits) {
    if (n <= APLC_FEW_WORDS) {
        aplc_sort_few_words(words, n);
        return words;
    }
    if (bits == 0)
        return words;
    if (n <= APLC_CACHED_WORDS) {
        const int most = APLC_DIGIT_BITS * APLC_DIGITS_AT_ONCE, less = bits < most ? bits : most;
        const int useful = aplc_width((uint64_t)n) + APLC_SPARE_BITS, first = less < useful ? less : useful;
        uint64_t *const sorted = aplc_sort_by_digits(words, scratch, n, low + bits - first, first);
        if (first < bits)
            aplc_sort_alike(sorted, sorted == words ? scratch : words, n, low, bits - first);
        return sorted;
    }
    if ((bits <= 2 * APLC_SPLIT_BITS && n <= APLC_TWO_DIGITS_WORDS) ||
        (bits <= APLC_DIGITS_AT_ONCE * APLC_SPLIT_BITS && n <= APLC_ALL_DIGITS_WORDS))
        return aplc_sort_by_wide_digits(words, scratch, n, low, bits);
    const int width = bits < APLC_SPLIT_BITS ? bits : APLC_SPLIT_BITS;
    const int rest = bits - width, shift = low + rest;
    const uint64_t size = (uint64_t)1 << width, mask = size - 1;
    int64_t places[1 << APLC_SPLIT_BITS];
    memset(places, 0, size * sizeof places[0]);
    for (int64_t i = 0; i < n; i++)
        places[words[i] >> shift & mask]++;
    if (places[words[0] >> shift & mask] == n)
        return aplc_sort_words(words, scratch, n, low, rest);
    int64_t start = 0;
    for (uint64_t k = 0; k < size; k++) {
        const int64_t count = places[k];
        places[k] = start;
        start += count;
    }
    for (int64_t i = 0; i < n; i++)
        scratch[places[words[i] >> shift & mask]++] = words[i];
    if (rest == 0)
        return scratch;
    start = 0;
    for (uint64_t k = 0; k < size; k++) { /* places[k] is where part k ends by now */
        const int64_t count = places[k] - start;
        const uint64_t *const sorted = aplc_sort_words(scratch + start, words + start, count, low, rest);
        if (sorted != words + start)
            memcpy(words + start, sorted, (size_t)count * sizeof *words);
        start = places[k];
    }
    return words;
}

/* --- the types --- */

#define APLC_T int64_t
#define APLC_TYPED(name) name##_int
#include "aplc_order_typed.h"
#define APLC_T double
#define APLC_TYPED(name) name##_double
#include "aplc_order_typed.h"
#define APLC_T bool
#define APLC_TYPED(name) name##_bool
#include "aplc_order_typed.h"
#define APLC_T uint32_t
#define APLC_TYPED(name) name##_char
#include "aplc_order_typed.h"

/* Keys as elements: the columns of a row, or the first of them, in one number. */
#define APLC_T uint64_t
#define APLC_TYPED(name) name##_packed
#include "aplc_order_typed.h"

#define APLC_T int64_t
#define APLC_TYPED(name) name##_int
#include "aplc_order_rows.h"
#define APLC_T double
#define APLC_TYPED(name) name##_double
#include "aplc_order_rows.h"
#define APLC_T bool
#define APLC_TYPED(name) name##_bool
#include "aplc_order_rows.h"
#define APLC_T uint32_t
#define APLC_TYPED(name) name##_char
#include "aplc_order_rows.h"

#endif
