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
       An item has a code of two words. A vector of a few small elements is its own code, so that nothing needs
       to be compared. The code of any other is a hash, and items with the same one are compared. A table has
       slots, of which a mix of the code tells the first to look at; in a slot stands the number of a class, 0
       if it is free. Most items of most arrays are in few classes, whose heads stay in the cache: a head is half a
       line of it, and the record of a class, which is looked at for hashes only, lies elsewhere. */

#ifndef APLC_ITEMS_H
#define APLC_ITEMS_H

#include "aplc_search.h"

enum {
    APLC_ITEMS_AT_ONCE = 32, /* the slots of so many items are fetched at once */
    APLC_SHORT_ITEM = 16,    /* a vector with fewer elements may be its own code */
    APLC_LEAST_SLOTS = 6,    /* a table begins with at least two to this power of slots, */
    APLC_FIRST_SLOTS = 12,   /* and with at most so many */
};

typedef struct {
    uint64_t low, high;
} aplc_item_code;

static const uint64_t aplc_is_hash = (uint64_t)1 << 63, aplc_is_nan = (uint64_t)1 << 62;

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

static inline aplc_item_code aplc_hashed(uint64_t hash) {
    return (aplc_item_code){hash, (aplc_fold(hash, 0xa0761d6478bd642fu) & ~aplc_is_nan) | aplc_is_hash};
}

/* The number whose leading bits tell the first slot of a code. */
static inline uint64_t aplc_mixed(aplc_item_code code) {
    return aplc_fold(code.low ^ 0x9e3779b97f4a7c15u, code.high ^ 0xd6e8feb86659fd93u) * 0xbf58476d1ce4e5b9u;
}

/* --- the heads of classes --- */

static inline aplc_item_head *aplc_head(const aplc_table *table, int64_t class) { return &table->heads[class - 1]; }

/* What may be the head of a class, to be fetched: the class may be 0. */
static inline const void *aplc_any_head(const aplc_table *table, int64_t class) {
    return (const void *)((uintptr_t)table->heads + (uintptr_t)(class - 1) * sizeof(aplc_item_head));
}

static inline int64_t aplc_items_first(const aplc_table *table, int64_t k) { return table->heads[k].first; }
static inline int64_t aplc_items_counted(const aplc_table *table, int64_t k) { return table->heads[k].count; }

/* The record of the first item. */
static inline const int64_t *aplc_head_record(const aplc_table *table, int64_t class) {
    return table->records + (class - 1) * (table->axes + 1);
}

/* Memory for `room` elements in place of that for `used` ones; NULL, and nothing is changed, if there is none. */
static inline void *aplc_more_room(void *memory, int64_t used, int64_t room, int64_t element) {
    void *const more = aplc_alloc(room, element);
    if (more == NULL)
        return NULL;
    if (used > 0)
        memcpy(more, memory, (size_t)(used * element));
    free(memory);
    return more;
}

/* Room for so many classes. The result is 0 or APLC_OUT_OF_MEMORY. */
static APLC_APART int aplc_more_classes(aplc_table *table, int64_t room) {
    const int64_t width = (table->axes + 1) * (int64_t)sizeof *table->records;
    aplc_item_head *const heads = aplc_more_room(table->heads, table->classes, room, sizeof *heads);
    if (heads == NULL)
        return APLC_OUT_OF_MEMORY;
    table->heads = heads;
    int64_t *const records = aplc_more_room(table->records, table->classes, room, width);
    if (records == NULL)
        return APLC_OUT_OF_MEMORY;
    table->records = records;
    table->room = room;
    return 0;
}

/* The number of a new class of an item with `axes` extents. The result is 0 or APLC_OUT_OF_MEMORY. */
static inline int aplc_new_class(aplc_table *table, aplc_item_code code, int64_t position, const int64_t *record,
                                 int64_t axes, int64_t *class) {
    if (table->classes == table->room && aplc_more_classes(table, table->room == 0 ? 32 : 2 * table->room) != 0)
        return APLC_OUT_OF_MEMORY;
    int64_t *const own = table->records + table->classes * (axes + 1);
    for (int64_t k = 0; k <= axes; k++)
        own[k] = record[k];
    table->heads[table->classes] = (aplc_item_head){code.low, code.high, 0, position};
    *class = ++table->classes;
    return 0;
}

/* --- slots --- */

static inline uint64_t aplc_first_slot(const aplc_table *table, uint64_t mixed) { return mixed >> (64 - table->width); }
static inline uint64_t aplc_next_slot(const aplc_table *table, uint64_t slot) {
    return (slot + 1) & (((uint64_t)1 << table->width) - 1);
}

/* A class that is not in the slots gets one; there must be a free one. */
static inline void aplc_put_class(aplc_table *table, uint64_t mixed, int64_t class) {
    uint64_t slot = aplc_first_slot(table, mixed);
    while (table->slots[slot] != 0)
        slot = aplc_next_slot(table, slot);
    table->slots[slot] = (uint32_t)class;
}

/* So many slots, to two to this power, for all classes there are. The result is 0 or APLC_OUT_OF_MEMORY. */
static APLC_APART int aplc_more_slots(aplc_table *table, int width) {
    const int64_t count = (int64_t)1 << width;
    uint32_t *const slots = aplc_alloc(count, sizeof *slots);
    if (slots == NULL)
        return APLC_OUT_OF_MEMORY;
    memset(slots, 0, (size_t)count * sizeof *slots);
    free(table->slots);
    table->slots = slots;
    table->width = width;
    for (int64_t k = 1; k <= table->classes; k++) {
        const aplc_item_head *const head = aplc_head(table, k);
        const aplc_item_code code = {head->low, head->high};
        if ((code.high & aplc_is_nan) == 0)
            aplc_put_class(table, aplc_mixed(code), k);
    }
    return 0;
}

/* A new class in a slot; half of the slots stay free. The result is 0 or APLC_OUT_OF_MEMORY. */
static inline int aplc_enter_class(aplc_table *table, aplc_item_code code, uint64_t mixed, int64_t position,
                                   const int64_t *record, int64_t axes, int64_t *class) {
    if (table->classes >> (table->width - 1) != 0) {
        const int step = table->width < 16 ? 2 : 1;
        if (table->classes >> 31 != 0 || aplc_more_slots(table, table->width + step) != 0)
            return APLC_OUT_OF_MEMORY;
    }
    const int status = aplc_new_class(table, code, position, record, axes, class);
    if (status == 0)
        aplc_put_class(table, mixed, *class);
    return status;
}

/* Before the first `count` items are entered: for a few thousand of them there are slots at once. */
static inline int aplc_items_start(aplc_table *table, const void *elements, int64_t extent, int64_t axes,
                                   int64_t count) {
    if (table->slots != NULL)
        return 0;
    *table = (aplc_table){.kind = APLC_TABLE_HASHED, .keys = elements, .extent = extent, .axes = axes};
    const int wanted = count <= 1 ? 1 : 65 - __builtin_clzll((uint64_t)count - 1);
    const int most = APLC_FIRST_SLOTS, least = APLC_LEAST_SLOTS;
    const int width = wanted < least ? least : wanted < most ? wanted : most;
    return aplc_more_slots(table, width) != 0 ? APLC_OUT_OF_MEMORY : aplc_more_classes(table, (int64_t)1 << (width - 1));
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

/* The first `length` of 16 elements, fewer than 16, as bytes in an order of their own, of which the last one is 0;
   whether all of them are below 256. All 16 are read. */
#define APLC_SMALL_ELEMENTS(T, WIDTH)                                                                                \
    static inline bool aplc_small_elements_##WIDTH(const T *from, int64_t length, aplc_item_code *code) {            \
        typedef T lanes __attribute__((vector_size(16)));                                                            \
        static const T kept[32] = {APLC_SIXTEEN((T) ~(T)0)};                                                         \
        const T *const mask = kept + 16 - length;                                                                    \
        lanes all = {0}, bytes = {0};                                                                                \
        for (int k = 0; k < WIDTH; k++) {                                                                            \
            lanes some, keep;                                                                                        \
            memcpy(&some, from + k * 16 / WIDTH, 16);                                                                \
            memcpy(&keep, mask + k * 16 / WIDTH, 16);                                                                \
            some &= keep;                                                                                            \
            all |= some;                                                                                             \
            bytes |= some << 8 * k;                                                                                  \
        }                                                                                                            \
        uint64_t above[2];                                                                                           \
        all &= (T) ~(T)255;                                                                                          \
        memcpy(above, &all, 16);                                                                                     \
        memcpy(code, &bytes, 16);                                                                                    \
        return (above[0] | above[1]) == 0;                                                                           \
    }
#define APLC_SIXTEEN(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
APLC_SMALL_ELEMENTS(uint8_t, 1)
APLC_SMALL_ELEMENTS(uint16_t, 2)
APLC_SMALL_ELEMENTS(uint32_t, 4)
APLC_SMALL_ELEMENTS(uint64_t, 8)

/* Whether a vector of fewer than APLC_SHORT_ITEM elements is its own code; `rest` is how many elements there are
   from its first one on to the end of all. */
#define APLC_OWN_CODE(T, WIDTH)                                                                                      \
    static inline bool aplc_own_code_##WIDTH(const T *from, int64_t length, int64_t rest, aplc_item_code *code) {    \
        T few[16] = {0};                                                                                             \
        if (rest < 16)                                                                                               \
            from = memcpy(few, from, (size_t)length * WIDTH);                                                        \
        const bool is_small = aplc_small_elements_##WIDTH(from, length, code);                                       \
        code->high |= (uint64_t)length << 56;                                                                        \
        return is_small;                                                                                             \
    }
APLC_OWN_CODE(uint8_t, 1)
APLC_OWN_CODE(uint16_t, 2)
APLC_OWN_CODE(uint32_t, 4)
APLC_OWN_CODE(uint64_t, 8)

#define APLC_BYTES_ITEM(T, WIDTH)                                                                                    \
    static inline aplc_item_code aplc_item_code_##WIDTH(const T *elements, int64_t extent, const int64_t *record,    \
                                                        int64_t axes) {                                              \
        aplc_item_code code;                                                                                         \
        const T *const from = elements + record[0];                                                                  \
        if (axes == 1 && record[1] < APLC_SHORT_ITEM &&                                                              \
            aplc_own_code_##WIDTH(from, record[1], extent - record[0], &code))                                       \
            return code;                                                                                             \
        return aplc_hashed(                                                                                          \
            aplc_hash_span(aplc_hash_extents(record, axes), from, aplc_size_of(record, axes) * WIDTH));              \
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

static inline aplc_item_code aplc_item_code_double(const double *elements, int64_t extent, const int64_t *record,
                                                   int64_t axes) {
    (void)extent;
    uint64_t hash = aplc_hash_extents(record, axes);
    const int64_t size = aplc_size_of(record, axes);
    for (int64_t k = 0; k < size; k++)
        hash = aplc_hash_part(hash, aplc_code_double(elements[record[0] + k]));
    return aplc_hashed(hash);
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
