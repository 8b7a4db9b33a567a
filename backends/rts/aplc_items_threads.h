/* Entering items of arrays of arrays in threads, for generated C: each share of the items has a table of its own, as
   `aplc_items.h` makes it, and the tables are joined in the order of the shares.

       int aplc_items_share(aplc_host *host, aplc_table *table, int64_t done, int64_t count, int64_t extent,
                            int64_t work, int64_t *shares, int64_t *end)

   says in how many shares to go on, and up to where, with that many items or places where they may begin, as soon as
   some are `done`; each is so much work besides that of its elements, of which all have `extent`.

       void aplc_items_take(const aplc_table *table, int64_t share, aplc_table *own, int64_t *seen)
       void aplc_items_give(const aplc_table *table, int64_t share, aplc_table *own, int64_t seen)

   are around what is done for a share, with its table. Its items are numbered behind those of the shares before it, or
   else each share has `seen` so many and numbers them from 1.

       int aplc_items_T_join(aplc_host *host, aplc_table *table, const void *elements, int64_t *classes)
       int aplc_items_T_join_numbers(aplc_host *host, aplc_table *table, const void *elements, int64_t count,
                                     int64_t *numbers, int64_t *classes)

   make the table that of all items, with so many classes. The latter gives the items their numbers in it, where they
   have those in the tables of their shares, into which `count` items are cut evenly. The results are 0 or
   APLC_OUT_OF_MEMORY.

   What is found again when tables are joined is little where most items are in few classes, which all shares have. One
   thread enters the first items, and all others if most of these differ. */

#ifndef APLC_ITEMS_THREADS_H
#define APLC_ITEMS_THREADS_H

#include "aplc_items.h"
#include "aplc_threads.h"

enum {
    APLC_MOST_SHARES = 64,
    APLC_FIRST_ITEMS = 16, /* one thread enters the first of so many parts of a share, */
    APLC_SEEN_TWICE = 2,   /* which tell that items are repeated if there are so many times as many as classes */
};

/* What it takes to look at an element of an item. */
#define APLC_READING 30.0

static APLC_APART int aplc_items_share(aplc_host *host, aplc_table *table, int64_t done, int64_t count,
                                       int64_t extent, int64_t work, int64_t *shares, int64_t *end) {
    *shares = 1;
    *end = count;
    if (done > 0) {
        const aplc_table *const first = &table->shares[0];
        const int64_t items = first->seen > 0 ? first->seen : done;
        if (APLC_WORTH == 0 || first->classes * APLC_SEEN_TWICE <= items)
            *shares = table->parts < count - done ? table->parts : count - done;
        table->parts = *shares;
        table->rows = done;
        return 0;
    }
    const int parts = aplc_parts(host, count, (double)work + APLC_READING * (double)extent / (double)count);
    *table = (aplc_table){.kind = APLC_TABLE_HASHED, .parts = parts < APLC_MOST_SHARES ? parts : APLC_MOST_SHARES};
    table->shares = aplc_alloc(table->parts, sizeof *table->shares);
    if (table->shares == NULL)
        return APLC_OUT_OF_MEMORY;
    memset(table->shares, 0, (size_t)table->parts * sizeof *table->shares);
    if (table->parts > 1)
        *end = 1 + (count - 1) / (table->parts * APLC_FIRST_ITEMS);
    return 0;
}

static inline void aplc_items_take(const aplc_table *table, int64_t share, aplc_table *own, int64_t *seen) {
    *own = table->shares[share];
    APLC_TAKEN_OVER(aplc_blocks_of_items(own));
    table->shares[share] = (aplc_table){0};
    *seen = own->seen;
}

static inline void aplc_items_give(const aplc_table *table, int64_t share, aplc_table *own, int64_t seen) {
    own->seen = seen;
    APLC_GIVEN_UP(aplc_blocks_of_items(own));
    table->shares[share] = *own;
    *own = (aplc_table){0};
}

/* Classes of a share have other numbers among all, if these are given: those of the first share have the same. */
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
