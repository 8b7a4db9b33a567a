/* Searching, for generated C, among int64_t, double, bool and uint32_t (characters) under the suffixes
   `_int`, `_double`, `_bool` and `_char`. NaN equals nothing and the two zeros are equal.

   In a vector of n elements that ascends (`a⍸x`): how many are at most x; none where x is NaN.

       bool aplc_is_ascending_T(const T *a, int64_t n)
       int64_t aplc_interval_one_T(const T *a, int64_t n, T x)
       void aplc_interval_some_T(const T *a, int64_t n, const T *x, int64_t from, int64_t count, int64_t *out)

   The last one looks up `count` elements, the first of which is x[from].

   Among the rows of a matrix (`a⍳b`): the first that equals the row given, counted from 1, or one more than
   there are rows. The table points to the matrix, which must stay, and may be copied and shared by threads.

       int aplc_table_T_make(aplc_table *table, const T *keys, int64_t rows, int64_t columns)
       int64_t aplc_table_T_find(const aplc_table *table, const T *row)
       int64_t aplc_table_T_find_at(const aplc_table *table, const T *rows, int64_t i)
       int64_t aplc_table_T_find_one(const aplc_table *table, T x)      where columns is 1
       void aplc_table_T_find_some(const aplc_table *table, const T *x, int64_t from, int64_t count, int64_t *out)
       void aplc_table_free(aplc_table *table)                          also after a failure, and again

   Among n elements (`x∊a`): whether one equals x. The set, which is a table too, points to them likewise.

       int aplc_table_T_make_set(aplc_table *set, const T *keys, int64_t n)
       bool aplc_table_T_has_one(const aplc_table *set, T x)
       void aplc_table_T_has_some(const aplc_table *set, const T *x, int64_t from, int64_t count, uint8_t *out)

   The different rows of a matrix (`∪a`): the numbers of their first occurrences, counted from 0, ascending,
   in `positions`, which has room for all rows, and how many there are.

       int aplc_unique_T(const T *a, int64_t rows, int64_t columns, int64_t *positions, int64_t *count)

   How many there are alone, in less memory.

       int aplc_count_unique_T(const T *a, int64_t rows, int64_t columns, int64_t *count)

   Of n elements, which are the first ones of their kind (`≠a`), as each NaN is.

       int aplc_firsts_1_T(const T *a, int64_t n, uint8_t *out)

   The first occurrences again, and which of these each row equals, counted from 1; one with NaN has one more than there are.

       int aplc_number_T(const T *a, int64_t rows, int64_t columns, int64_t *positions, int64_t *numbers,
                         int64_t *count)
       int aplc_number_T_narrow(const T *a, int64_t rows, int64_t columns, int64_t *positions, int32_t *numbers,
                                int64_t *count)     at most 2,147,483,646 different rows

   Or how often each of them occurs, in `counts`, which has room for all rows; rows with NaN are in none.

       int aplc_count_each_T(const T *a, int64_t rows, int64_t columns, int64_t *positions, int64_t *counts,
                             int64_t *count)

   The same for codes below `different`, that stand for such rows; there are less than 2,147,483,647.

       int aplc_codes_2_count(const uint16_t *codes, int64_t rows, int64_t different, int64_t *positions,
                              int64_t *counts, int64_t *count)

   `make`, `make_set`, `unique`, `count_unique`, `firsts`, `number`, `count_each` and `aplc_codes_2_count` return 0 or APLC_OUT_OF_MEMORY. */

#ifndef APLC_SEARCH_H
#define APLC_SEARCH_H

#include "aplc.h"
#include "aplc_codes.h"

enum {
    APLC_WORD_ROWS = 64,    /* so many integers at most are asked for in a set of bits one by one */
    APLC_LINEAR_ROWS = 8,       /* so many rows are compared one by one */
    APLC_SEARCHES = 16,     /* so many binary searches go on at once */
    APLC_FEW_CODES = 1 << 12, /* so many codes at most are counted in several histograms */
    APLC_SEEN = 16,         /* of so many elements it is asked at once whether all have been seen before */
    APLC_BUCKET_SIZE = 4,       /* the entries of a bucket, which is a line of the cache; */
    APLC_TABLE_WIDTH = 14, /* a table begins with at most two to this power of them */
    APLC_TABLE_SPREAD = 2, APLC_SET_SPREAD = 5, /* positions take eight bytes, and marks one */
    APLC_SET_WIDTH = 16,   /* a set of at most half as many codes begins with two to this power of slots, */
    APLC_SET_BEGIN = 14,   /* and a larger one with two to this power */
    APLC_TABLE_AHEAD = 16,       /* so many rows ahead their buckets are fetched, */
    APLC_FETCHED_WIDTH = 12,     /* of tables of two to this power of buckets at least; smaller ones are near */
    APLC_BUCKET_BITS = 2,        /* a bucket takes as much memory as two to this power of slots */
    APLC_MIXED = 32,             /* so many codes are mixed before the first one is looked up */
    APLC_MOST_BITS = 3,          /* slots become at most two to this power as many at once */
};

/* --- tables ---

   An element has a code, the same for equal elements only. A row of several has a hash for a code, so that
   rows of the same code are compared. */

typedef struct {
    uint64_t codes[APLC_BUCKET_SIZE];
    int64_t positions[APLC_BUCKET_SIZE]; /* from 1; 0 is a free entry, behind which all are free */
} aplc_bucket;

typedef struct {
    uint64_t code;
    int64_t position; /* from 1; 0 is a free slot */
} aplc_slot;

typedef enum {
    APLC_TABLE_ALIKE,  /* rows without elements are all equal */
    APLC_TABLE_LINEAR, /* few rows: nothing is stored */
    APLC_TABLE_DIRECT, /* positions by code, from `base` to `base + span`, and a free one behind */
    APLC_TABLE_HASHED, /* buckets by the leading bits of the mixed code */
    APLC_TABLE_HALVED, /* a vector that ascends, in aplc_intervals.h, without anything besides, */
    APLC_TABLE_CELLS,  /* and one with cells */
    APLC_TABLE_SLOTS,  /* a vector: a slot for each code, from where the leading half of the mixed code says */
} aplc_table_kind;

/* A class of equal items: the code of its items, how many there are, and the number of the first one, from 1. */
typedef struct {
    uint64_t low, high;
    int64_t count, first;
} aplc_item_head;

/* Codes that stand alone, each in the first free slot from where its mixed code points. */
typedef struct {
    uint64_t *slots; /* 0 is a free one: whether the code 0 is there is said beside them */
    int width;       /* two to this power is their number, at least half of which are free */
    int64_t used;
    bool has_zero;
} aplc_code_set;

typedef struct aplc_table {
    aplc_table_kind kind;
    int width; /* two to this power is the number of buckets, or slots */
    int64_t rows, columns, used;
    const void *keys;
    uint64_t base, span;
    int64_t *positions;
    aplc_slot *places;
    aplc_bucket *buckets;
    aplc_code_set codes; /* of a set that is hashed */
    double tolerance; /* these are of tables in aplc_search_near.h */
    uint64_t reach;
    int grid;
    uint32_t *slots; /* these of those in aplc_items.h */
    aplc_item_head *heads;
    int64_t *records; /* of the first item of each class */
    int64_t extent, axes, classes, room;
    int64_t *entries, entered, more_room; /* and these in aplc_items_near.h */
    double least, scale; /* of the cells of doubles */
    struct aplc_table *shares; /* those of threads, see aplc_items_threads.h: so many, */
    int64_t parts, seen;       /* each of which has seen so many items */
} aplc_table;

/* How many blocks of memory a table of items has. */
static inline int aplc_blocks_of_items(const aplc_table *table) {
    return (table->slots != NULL) + (table->heads != NULL) + (table->records != NULL);
}

static inline void aplc_table_free(aplc_table *table) {
    free(table->positions);
    free(table->places);
    free(table->buckets);
    free(table->codes.slots);
    free(table->entries);
    free(table->slots);
    free(table->heads);
    free(table->records);
    for (int64_t k = 0; table->shares != NULL && k < table->parts; k++) {
        APLC_TAKEN_OVER(aplc_blocks_of_items(&table->shares[k]));
        aplc_table_free(&table->shares[k]);
    }
    free(table->shares);
    table->shares = NULL;
    table->slots = NULL;
    table->heads = NULL;
    table->records = NULL;
    table->positions = NULL;
    table->places = NULL;
    table->buckets = NULL;
    table->codes.slots = NULL;
    table->entries = NULL;
}

/* Each bit of the result depends on all bits of x, the leading ones most. */
static inline uint64_t aplc_scatter(uint64_t x) {
    x = (x ^ x >> 32) * 0xbf58476d1ce4e5b9u;
    return (x ^ x >> 29) * 0x94d049bb133111ebu;
}

/* Two to the power of `width` free buckets; NULL if there is no memory. */
static inline aplc_bucket *aplc_free_buckets(int width) {
    const int64_t count = (int64_t)1 << width;
    aplc_bucket *const buckets = aplc_alloc(count, sizeof *buckets);
    if (buckets != NULL)
        memset(buckets, 0, (size_t)count * sizeof *buckets);
    return buckets;
}

static inline uint64_t aplc_first_bucket(const aplc_table *table, uint64_t code) {
    return aplc_scatter(code) >> (64 - table->width);
}

/* The bucket that will be needed for a code goes into the cache. To be called by a loop itself: gcc takes a function
   that only calls this one for one that does nothing. */
static inline void aplc_table_fetch(const aplc_table *table, uint64_t code) {
    __builtin_prefetch(&table->buckets[aplc_first_bucket(table, code)], 1);
}

static inline uint64_t aplc_next_bucket(const aplc_table *table, uint64_t bucket) {
    return (bucket + 1) & (((uint64_t)1 << table->width) - 1);
}

/* Enter a code that is not there; there must be a free entry. */
static inline void aplc_table_put(aplc_table *table, uint64_t code, int64_t position) {
    uint64_t number = aplc_first_bucket(table, code);
    while (table->buckets[number].positions[APLC_BUCKET_SIZE - 1] != 0)
        number = aplc_next_bucket(table, number);
    aplc_bucket *const bucket = &table->buckets[number];
    int k = 0;
    while (bucket->positions[k] != 0)
        k++;
    bucket->codes[k] = code;
    bucket->positions[k] = position;
    table->used++;
}

/* Twice as many buckets. The old ones are walked in order, and so are the new ones then. */
static APLC_APART int aplc_table_grow(aplc_table *table) {
    aplc_bucket *const old = table->buckets;
    const int64_t count = (int64_t)1 << table->width;
    aplc_bucket *const buckets = aplc_free_buckets(table->width + 1);
    if (buckets == NULL)
        return APLC_OUT_OF_MEMORY;
    table->buckets = buckets;
    table->width++;
    table->used = 0;
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < APLC_BUCKET_SIZE && old[i].positions[k] != 0; k++)
            aplc_table_put(table, old[i].codes[k], old[i].positions[k]);
    free(old);
    return 0;
}

/* Enter a code that is not there, and keep half of the entries free. */
static inline int aplc_table_enter(aplc_table *table, uint64_t code, int64_t position) {
    if (table->used >> table->width >= APLC_BUCKET_SIZE / 2 && aplc_table_grow(table) != 0)
        return APLC_OUT_OF_MEMORY;
    aplc_table_put(table, code, position);
    return 0;
}

/* The position of a code in a hashed table whose codes are all different, 0 if it is not there. */
static inline int64_t aplc_table_seek(const aplc_table *table, uint64_t code) {
    for (uint64_t number = aplc_first_bucket(table, code);; number = aplc_next_bucket(table, number)) {
        const aplc_bucket *const bucket = &table->buckets[number];
        int64_t found = 0;
        for (int k = 0; k < APLC_BUCKET_SIZE; k++)
            found |= bucket->positions[k] & -(int64_t)(bucket->codes[k] == code);
        const int64_t all_if_missing = (found - 1) >> 63;
        if ((bucket->positions[APLC_BUCKET_SIZE - 1] & all_if_missing) == 0)
            return found;
    }
}

/* --- slots ---

   Of a mixed code the leading half is enough to say where its slot is, or from where on. */

static inline uint32_t aplc_leading_half(uint64_t code) { return (uint32_t)(aplc_scatter(code) >> 32); }

static inline aplc_slot *aplc_slot_from(const aplc_table *table, uint32_t mixed) {
    return &table->places[mixed >> (32 - table->width)];
}

/* The slot of a code, or the free one that it may take. */
static inline aplc_slot *aplc_slot_of(const aplc_table *table, uint64_t code, uint32_t mixed) {
    const aplc_slot *const end = table->places + ((uint64_t)1 << table->width);
    aplc_slot *slot = aplc_slot_from(table, mixed);
    while (slot->position != 0 && slot->code != code)
        slot = slot + 1 == end ? table->places : slot + 1;
    return slot;
}

static inline int aplc_slots_start(aplc_table *table, int width) {
    const int64_t count = (int64_t)1 << width;
    aplc_slot *const places = aplc_alloc(count, sizeof *places);
    if (places == NULL)
        return APLC_OUT_OF_MEMORY;
    memset(places, 0, (size_t)count * sizeof *places);
    table->places = places;
    table->width = width;
    return 0;
}

/* More slots, after so many rows: as many as all rows need where most have been different so far. */
static APLC_APART int aplc_slots_grow(aplc_table *table, int64_t rows) {
    aplc_slot *const old = table->places;
    const int64_t count = (int64_t)1 << table->width;
    int width = table->width + 1;
    while (2 * table->used > rows && width < table->width + APLC_MOST_BITS && table->rows >> (width - 1) != 0)
        width++;
    if (aplc_slots_start(table, width) != 0)
        return APLC_OUT_OF_MEMORY;
    for (int64_t i = 0; i < count; i++)
        if (old[i].position != 0)
            *aplc_slot_of(table, old[i].code, aplc_leading_half(old[i].code)) = old[i];
    free(old);
    return 0;
}

/* The position of a code, which is `position` if it is new; 0 if there is no memory. So many rows have been seen, this
   one included. Half of the slots stay free. */
static inline __attribute__((always_inline)) int64_t aplc_slots_add(aplc_table *table, uint64_t code, uint32_t mixed,
                                                                  int64_t position, int64_t rows) {
    aplc_slot *const slot = aplc_slot_of(table, code, mixed);
    if (slot->position != 0)
        return slot->position;
    *slot = (aplc_slot){code, position};
    return ++table->used >> (table->width - 1) != 0 && aplc_slots_grow(table, rows) != 0 ? 0 : position;
}

/* Where the position of a code stands in a direct table; the free place for one out of range. */
static inline int64_t *aplc_table_place(const aplc_table *table, uint64_t code) {
    const uint64_t distance = code - table->base;
    return &table->positions[distance <= table->span ? distance : table->span + 1];
}

/* What a search gives; with no branch, which nobody could predict. */
static inline int64_t aplc_found_or_missing(const aplc_table *table, int64_t found) {
    return found | ((table->rows + 1) & -(int64_t)(found == 0));
}

/* Whether a table by code is worth its memory, from the least to the greatest code: for each row it may have two to
   the power of `spread` codes. */
static inline bool aplc_is_dense(uint64_t span, int64_t rows, int spread) {
    return span >> spread < (uint64_t)rows + 256;
}

/* --- sets of codes --- */

static inline int aplc_code_set_start(aplc_code_set *set, int width) {
    *set = (aplc_code_set){.slots = calloc((size_t)1 << width, sizeof *set->slots), .width = width};
    return set->slots == NULL ? APLC_OUT_OF_MEMORY : 0;
}

/* How wide a set of so many codes begins: room for all of them where they are not many. */
static inline int aplc_code_set_width(int64_t n) {
    int width = 2;
    while (width < APLC_SET_WIDTH && n >> (width - 1) != 0)
        width++;
    return n >> APLC_SET_WIDTH == 0 ? width : APLC_SET_BEGIN;
}

static inline uint64_t *aplc_code_slot(const aplc_code_set *set, uint64_t mixed) {
    return &set->slots[mixed >> (64 - set->width)];
}

/* The slot of a code other than 0, which is mixed so: where it stands, or the free one that it may take. */
static inline uint64_t *aplc_slot_of_code(const aplc_code_set *set, uint64_t code, uint64_t mixed) {
    uint64_t *const end = set->slots + ((uint64_t)1 << set->width);
    uint64_t *slot = aplc_code_slot(set, mixed);
    while (*slot != 0 && *slot != code)
        slot = slot + 1 == end ? set->slots : slot + 1;
    return slot;
}

/* Four times as many slots: what is copied in all is then a third of what stays. After `seen` of `n` codes, most of
   which were different, as many as all of them need. */
static APLC_APART int aplc_code_set_grow(aplc_code_set *set, int64_t seen, int64_t n) {
    aplc_code_set old = *set;
    int width = old.width + 2;
    while (2 * old.used > seen && n >> (width - 1) != 0)
        width++;
    if (aplc_code_set_start(set, width) != 0) {
        *set = old;
        return APLC_OUT_OF_MEMORY;
    }
    set->used = old.used;
    set->has_zero = old.has_zero;
    for (uint64_t i = 0; i >> old.width == 0; i++)
        if (old.slots[i] != 0)
            *aplc_slot_of_code(set, old.slots[i], aplc_scatter(old.slots[i])) = old.slots[i];
    free(old.slots);
    return 0;
}

/* Enter a code, the one behind `seen` of `n`. */
static inline __attribute__((always_inline)) int aplc_code_set_add(aplc_code_set *set, uint64_t code, uint64_t mixed,
                                                                 int64_t seen, int64_t n) {
    if (code == 0) {
        set->has_zero = true;
        return 0;
    }
    uint64_t *const slot = aplc_slot_of_code(set, code, mixed);
    set->used += *slot == 0;
    *slot = code;
    return set->used >> (set->width - 1) != 0 ? aplc_code_set_grow(set, seen + 1, n) : 0;
}

static inline bool aplc_code_set_has(const aplc_code_set *set, uint64_t code) {
    return code == 0 ? set->has_zero : *aplc_slot_of_code(set, code, aplc_scatter(code)) == code;
}

static inline int64_t aplc_code_set_size(const aplc_code_set *set) { return set->used + set->has_zero; }

/* --- elements and rows --- */

static inline uint64_t aplc_code_int(int64_t x) { return (uint64_t)x; }
static inline uint64_t aplc_code_bool(bool x) { return x; }
static inline uint64_t aplc_code_char(uint32_t x) { return x; }
static inline uint64_t aplc_code_double(double x) { return (uint64_t)aplc_bits(x + 0.0); } /* not -0.0 */

/* The hash of a row whose elements are equal where their bytes are. */
static inline uint64_t aplc_hash_bytes(const void *row, int64_t bytes) {
    const unsigned char *next = row;
    uint64_t hash = (uint64_t)bytes, part;
    for (; bytes >= 8; bytes -= 8, next += 8) {
        memcpy(&part, next, 8);
        hash = aplc_scatter(hash ^ part);
    }
    if (bytes == 0)
        return hash;
    part = 0;
    memcpy(&part, next, (size_t)bytes);
    return aplc_scatter(hash ^ part);
}

static inline uint64_t aplc_hash_int(const int64_t *row, int64_t columns) {
    return aplc_hash_bytes(row, columns * (int64_t)sizeof *row);
}
static inline uint64_t aplc_hash_bool(const bool *row, int64_t columns) {
    return aplc_hash_bytes(row, columns);
}
static inline uint64_t aplc_hash_char(const uint32_t *row, int64_t columns) {
    return aplc_hash_bytes(row, columns * (int64_t)sizeof *row);
}
static inline uint64_t aplc_hash_double(const double *row, int64_t columns) {
    uint64_t hash = (uint64_t)columns;
    for (int64_t k = 0; k < columns; k++)
        hash = aplc_scatter(hash ^ aplc_code_double(row[k]));
    return hash;
}

#define APLC_T int64_t
#define APLC_TYPED(before, after) before##_int##after
#include "aplc_search_typed.h"
#define APLC_T double
#define APLC_TYPED(before, after) before##_double##after
#include "aplc_search_typed.h"
#define APLC_T bool
#define APLC_TYPED(before, after) before##_bool##after
#include "aplc_search_typed.h"
#define APLC_T uint32_t
#define APLC_TYPED(before, after) before##_char##after
#include "aplc_search_typed.h"

static inline uint64_t aplc_code_codes(uint16_t code) {
    return code;
}

#define APLC_T uint16_t
#define APLC_TYPED(before, after) before##_codes##after
#include "aplc_search_histogram.h"
#undef APLC_T
#undef APLC_TYPED

APLC_ONCE(aplc_search, int, aplc_codes_2_count, const uint16_t *codes, int64_t rows, int64_t different,
          int64_t *positions, int64_t *counts, int64_t *count) {
    const aplc_table table = {.base = 0, .span = (uint64_t)different - 1};
    return aplc_count_direct_codes(&table, codes, rows, positions, counts, count);
}

#endif
