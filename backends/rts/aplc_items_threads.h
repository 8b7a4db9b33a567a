/* Entering items of arrays of arrays in threads, for generated C: each share of the items has a table of its own, as
   `aplc_items.h` makes it, and the tables are joined in the order of the shares.

       int aplc_items_share(aplc_host *host, aplc_table *table, int64_t count, int64_t extent, int64_t work,
                            int64_t *shares)

   says how many shares are worth it, for that many items or places where they may begin, each of so much work besides
   that of its elements, of which all have `extent`; the table has room for theirs.

       void aplc_items_give(const aplc_table *table, int64_t share, aplc_table *own, int64_t seen)

   makes a table that of a share, numbered from 0. Its items have been numbered behind those of the shares before it, or
   else each share has `seen` so many and numbered them from 1.

       int aplc_items_T_join(aplc_host *host, aplc_table *table, const void *elements, int64_t *classes)
       int aplc_items_T_join_numbers(aplc_host *host, aplc_table *table, const void *elements, int64_t count,
                                     int64_t *numbers, int64_t *classes)

   make the table that of all items, with so many classes. The latter gives the items their numbers in it, where they
   have those in the tables of their shares, into which `count` items are cut evenly. The results are 0 or
   APLC_OUT_OF_MEMORY.

   Most items of most arrays are in few classes, which two shares have found: what is found again when tables are joined
   is little. Where all differ, joining does for all shares but the first what entering them behind it would have done;
   but their codes are known. */

#ifndef APLC_ITEMS_THREADS_H
#define APLC_ITEMS_THREADS_H

#include "aplc_items.h"
#include "aplc_threads.h"

enum { APLC_MOST_SHARES = 64 };

/* What it takes to look at an element of an item. */
#define APLC_READING 60.0

__attribute__((unused, noinline)) static int aplc_items_share(aplc_host *host, aplc_table *table, int64_t count,
                                                              int64_t extent, int64_t work, int64_t *shares) {
    const double most = count > 0 ? (double)work + APLC_READING * (double)extent / (double)count : 0.0;
    const int parts = aplc_parts(host, count, most);
    *shares = parts < APLC_MOST_SHARES ? parts : APLC_MOST_SHARES;
    *table = (aplc_table){.kind = APLC_TABLE_HASHED, .parts = *shares};
    table->shares = aplc_alloc(*shares, sizeof *table->shares);
    if (table->shares == NULL)
        return APLC_OUT_OF_MEMORY;
    memset(table->shares, 0, (size_t)*shares * sizeof *table->shares);
    return 0;
}

static inline void aplc_items_give(const aplc_table *table, int64_t share, aplc_table *own, int64_t seen) {
    own->seen = seen;
    table->shares[share] = *own;
    *own = (aplc_table){0};
}

/* How many classes the shares but the first have, in the order of the shares. */
static inline int64_t aplc_classes_behind(const aplc_table *table) {
    int64_t count = 0;
    for (int64_t k = 1; k < table->parts; k++)
        count += table->shares[k].classes;
    return count;
}

/* The table of the first share, which has become that of all. */
static inline void aplc_items_joined(aplc_table *table, int64_t *classes) {
    const aplc_table whole = table->shares[0];
    table->shares[0] = (aplc_table){0};
    aplc_table_free(table);
    *table = whole;
    *classes = whole.classes;
}

/* Classes of a share have other numbers among all, unless there are none. */
static APLC_APART void aplc_renumber_items(int64_t *numbers, int64_t from, int64_t to, const int64_t *all) {
    for (int64_t i = from; i < to && all != NULL; i++)
        numbers[i] = all[numbers[i] - 1];
}

#define APLC_T uint8_t
#define APLC_TYPED(before, after) before##_1##after
#include "aplc_items_threads_typed.h"
#define APLC_T uint16_t
#define APLC_TYPED(before, after) before##_2##after
#include "aplc_items_threads_typed.h"
#define APLC_T uint32_t
#define APLC_TYPED(before, after) before##_4##after
#include "aplc_items_threads_typed.h"
#define APLC_T uint64_t
#define APLC_TYPED(before, after) before##_8##after
#include "aplc_items_threads_typed.h"
#define APLC_T double
#define APLC_TYPED(before, after) before##_double##after
#include "aplc_items_threads_typed.h"

#endif
