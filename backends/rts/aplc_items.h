/* Searching among items of arrays of arrays, for generated C. The elements of all items of an array lie in one
   vector, where they stay; a record says where those of an item are: the place of the first one, from 0, and the
   extents of the item. Items are equal if their extents and all elements are. T is an unsigned number of 8, 16,
   32 or 64 bits for what is equal where its bits are, under the suffixes `_1`, `_2`, `_4` and `_8`, or double
   under `_double`: NaN equals nothing, and the two zeros are equal.

       int aplc_items_T_add(aplc_table *table, const void *elements, const int64_t *records, int64_t extent,
                            int64_t axes, int64_t count, int64_t before, int64_t *numbers, int64_t *classes)

   enters `count` items with `axes` extents into a table that has entered `before` others, none at first. All
   items that are equal are one class. `numbers[before]` and those behind it become the numbers of the items'
   classes, from 1 in the order of their first items; `classes` is how many there are by now. There are `extent`
   elements in the vector, which must stay. The result is 0 or APLC_OUT_OF_MEMORY.

       int aplc_items_T_count(...)                                  likewise, without the numbers
       int aplc_items_T_enter(...)                                  and without counting
       int64_t aplc_items_first(const aplc_table *table, int64_t k)
       int64_t aplc_items_counted(const aplc_table *table, int64_t k)

   are the number, from 1, of the first item of class k, from 0, and how many items are in it.

       int64_t aplc_items_T_find(const aplc_table *table, const void *elements, int64_t extent, int64_t entered,
                                 int64_t place, int64_t length)
       int64_t aplc_items_T_find_at(const aplc_table *table, const void *elements, const int64_t *records,
                                    int64_t extent, int64_t entered, int64_t i)

   is the number of the first item that equals one of these elements, a vector or that of record i; one more than
   were entered if there is none.

   Note [Codes of items]
       An item has a code, by which it stands in the table. A vector of a few small elements is its own code, so
       that nothing needs to be compared. The code of any other is a hash. All codes in a table are different:
       an item whose code belongs to another one gets the next code that follows from it. */

#ifndef APLC_ITEMS_H
#define APLC_ITEMS_H

#include "aplc_search.h"

enum {
    APLC_ITEMS_AT_ONCE = 32, /* the buckets of so many items are fetched at once */
    APLC_SHORT_ITEM = 8,     /* a vector with fewer elements may be its own code */
};

static const uint64_t aplc_is_hash = (uint64_t)1 << 63;

/* Both halves of a product depend on all bits of both factors. */
static inline uint64_t aplc_fold(uint64_t x, uint64_t y) {
    const unsigned __int128 product = (unsigned __int128)x * y;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t aplc_hash_part(uint64_t hash, uint64_t part) {
    return aplc_fold(hash ^ part ^ 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u);
}

/* The hash of bytes, which are at least 8 or read one by one; the last part overlaps the one before. */
static inline uint64_t aplc_hash_span(uint64_t hash, const void *from, int64_t bytes) {
    const unsigned char *const next = from;
    uint64_t part = 0;
    if (bytes < 8) {
        for (int64_t k = 0; k < bytes; k++)
            part = part << 8 | next[k];
        return aplc_hash_part(hash, part);
    }
    for (int64_t k = 0; k + 8 < bytes; k += 8) {
        memcpy(&part, next + k, 8);
        hash = aplc_hash_part(hash, part);
    }
    memcpy(&part, next + bytes - 8, 8);
    return aplc_hash_part(hash, part);
}

static inline bool aplc_equal_bytes(const void *x, const void *y, int64_t bytes) {
    const unsigned char *const a = x, *const b = y;
    uint64_t left, right;
    if (bytes < 8)
        return memcmp(a, b, (size_t)bytes) == 0;
    for (int64_t k = 0; k + 8 < bytes; k += 8) {
        memcpy(&left, a + k, 8);
        memcpy(&right, b + k, 8);
        if (left != right)
            return false;
    }
    memcpy(&left, a + bytes - 8, 8);
    memcpy(&right, b + bytes - 8, 8);
    return left == right;
}

/* --- the heads of classes: the number of the first item, from 1, how many there are, and the record of the first --- */

static inline const int64_t *aplc_head(const aplc_table *table, int64_t class) {
    return table->positions + (class - 1) * (table->axes + 3);
}

static inline int64_t aplc_items_first(const aplc_table *table, int64_t k) { return aplc_head(table, k + 1)[0]; }
static inline int64_t aplc_items_counted(const aplc_table *table, int64_t k) { return aplc_head(table, k + 1)[1]; }

/* The record of the first item. */
static inline const int64_t *aplc_head_record(const aplc_table *table, int64_t class) {
    return aplc_head(table, class) + 2;
}

/* The number of a new class. The result is 0 or APLC_OUT_OF_MEMORY. */
static inline int aplc_new_class(aplc_table *table, int64_t position, const int64_t *record, int64_t *class) {
    const int64_t width = table->axes + 3;
    if (table->classes == table->room) {
        const int64_t room = table->room == 0 ? 64 : 2 * table->room;
        int64_t *const heads = aplc_alloc(room, width * (int64_t)sizeof *heads);
        if (heads == NULL)
            return APLC_OUT_OF_MEMORY;
        if (table->classes > 0)
            memcpy(heads, table->positions, (size_t)(table->classes * width) * sizeof *heads);
        free(table->positions);
        table->positions = heads;
        table->room = room;
    }
    int64_t *const head = table->positions + table->classes * width;
    head[0] = position;
    head[1] = 0;
    memcpy(head + 2, record, (size_t)(width - 2) * sizeof *head);
    *class = ++table->classes;
    return 0;
}

static inline int aplc_items_start(aplc_table *table, const void *elements, int64_t extent, int64_t axes) {
    if (table->buckets != NULL)
        return 0;
    *table = (aplc_table){.kind = APLC_TABLE_HASHED, .keys = elements, .extent = extent, .axes = axes, .width = 4};
    table->buckets = aplc_free_buckets(table->width);
    return table->buckets == NULL ? APLC_OUT_OF_MEMORY : 0;
}

static inline int64_t aplc_size_of(const int64_t *record, int64_t axes) {
    int64_t size = record[1];
    for (int64_t k = 1; k < axes; k++)
        size *= record[k + 1];
    return size;
}

static inline bool aplc_same_extents(const int64_t *x, const int64_t *y, int64_t axes) {
    for (int64_t k = 1; k <= axes; k++)
        if (x[k] != y[k])
            return false;
    return true;
}

/* What the hash of an item begins with: it depends on the extents. */
static inline uint64_t aplc_hash_extents(const int64_t *record, int64_t axes) {
    uint64_t hash = 0;
    for (int64_t k = 1; k <= axes; k++)
        hash = aplc_hash_part(hash, (uint64_t)record[k]);
    return hash;
}

/* --- elements --- */

/* Whether a vector of fewer than APLC_SHORT_ITEM elements is its own code; `rest` is how many elements there are
   from its first one on to the end of all. */
#define APLC_OWN_CODE(T, WIDTH, SIGNED)                                                                              \
    static inline bool aplc_own_code_##WIDTH(const T *from, int64_t length, int64_t rest, uint64_t *code) {          \
        typedef T elements __attribute__((vector_size(8 * WIDTH)));                                                  \
        typedef SIGNED signs __attribute__((vector_size(8 * WIDTH)));                                                \
        typedef uint8_t bytes __attribute__((vector_size(8)));                                                       \
        const signs place = {0, 1, 2, 3, 4, 5, 6, 7};                                                                \
        elements values = {0};                                                                                       \
        if (rest >= 8)                                                                                               \
            memcpy(&values, from, 8 * WIDTH);                                                                        \
        else                                                                                                         \
            memcpy(&values, from, (size_t)length * WIDTH);                                                           \
        values &= (elements)(place < (SIGNED)length);                                                                \
        const bytes small = __builtin_convertvector(values, bytes);                                                  \
        const bytes large = __builtin_convertvector((elements)(values > (T)255), bytes);                             \
        uint64_t is_large;                                                                                           \
        memcpy(code, &small, 8);                                                                                     \
        memcpy(&is_large, &large, 8);                                                                                \
        *code |= (uint64_t)length << 56;                                                                             \
        return is_large == 0;                                                                                        \
    }
APLC_OWN_CODE(uint8_t, 1, int8_t)
APLC_OWN_CODE(uint16_t, 2, int16_t)
APLC_OWN_CODE(uint32_t, 4, int32_t)
APLC_OWN_CODE(uint64_t, 8, int64_t)

#define APLC_BYTES_ITEM(T, WIDTH)                                                                                    \
    static inline uint64_t aplc_item_code_##WIDTH(const T *elements, int64_t extent, const int64_t *record,          \
                                                  int64_t axes) {                                                    \
        uint64_t code;                                                                                               \
        const T *const from = elements + record[0];                                                                  \
        if (axes == 1 && record[1] < APLC_SHORT_ITEM &&                                                              \
            aplc_own_code_##WIDTH(from, record[1], extent - record[0], &code))                                       \
            return code;                                                                                             \
        return aplc_hash_span(aplc_hash_extents(record, axes), from, aplc_size_of(record, axes) * WIDTH) |           \
               aplc_is_hash;                                                                                         \
    }                                                                                                                \
    static inline bool aplc_equal_items_##WIDTH(const T *x, const T *y, int64_t size) {                              \
        return aplc_equal_bytes(x, y, size * WIDTH);                                                                 \
    }                                                                                                                \
    static inline bool aplc_has_nan_##WIDTH(const T *x, int64_t size) {                                              \
        (void)x, (void)size;                                                                                         \
        return false;                                                                                                \
    }
APLC_BYTES_ITEM(uint8_t, 1)
APLC_BYTES_ITEM(uint16_t, 2)
APLC_BYTES_ITEM(uint32_t, 4)
APLC_BYTES_ITEM(uint64_t, 8)

static inline uint64_t aplc_item_code_double(const double *elements, int64_t extent, const int64_t *record,
                                             int64_t axes) {
    (void)extent;
    uint64_t hash = aplc_hash_extents(record, axes);
    const int64_t size = aplc_size_of(record, axes);
    for (int64_t k = 0; k < size; k++)
        hash = aplc_hash_part(hash, aplc_code_double(elements[record[0] + k]));
    return hash | aplc_is_hash;
}
static inline bool aplc_equal_items_double(const double *x, const double *y, int64_t size) {
    return aplc_equal_rows_double(x, y, size);
}
static inline bool aplc_has_nan_double(const double *x, int64_t size) { return !aplc_equal_rows_double(x, x, size); }

#define APLC_T uint8_t
#define APLC_TYPED(before, after) before##_1##after
#include "aplc_items_typed.h"
#define APLC_T uint16_t
#define APLC_TYPED(before, after) before##_2##after
#include "aplc_items_typed.h"
#define APLC_T uint32_t
#define APLC_TYPED(before, after) before##_4##after
#include "aplc_items_typed.h"
#define APLC_T uint64_t
#define APLC_TYPED(before, after) before##_8##after
#include "aplc_items_typed.h"
#define APLC_T double
#define APLC_TYPED(before, after) before##_double##after
#include "aplc_items_typed.h"

#endif
