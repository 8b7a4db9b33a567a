/* Searching, for generated C, in a vector of n elements that ascends (`a⍸x`), for many int64_t or double under the
   suffixes `_int` and `_double`: how many are at most x; none where x is NaN.

       int aplc_intervals_T_make(aplc_table *table, const T *a, int64_t n, int64_t searches, int64_t *ascends)
       int64_t aplc_intervals_T_find_one(const aplc_table *table, T x)
       void aplc_intervals_T_find_some(const aplc_table *table, const T *x, int64_t from, int64_t count,
                                       int64_t *out)
       int aplc_intervals_T_make_for(aplc_table *table, const T *a, int64_t n, const T *x, int64_t searches,
                                     int64_t *ascends)

   The table is for about so many searches, and points to the vector, which must stay. Whether that ascends is 0
   or 1; where it does not, nothing that is found means anything. Making never fails: searches are binary where a
   table does not pay, or there is no memory for it. The last one looks up `count` elements, from x[from] on.

   The range from the first element to the last falls into cells of equal length, some for each element. Those before
   the cell of x are at most x, those behind are not, and among those within a few halvings are left, as many as the
   fullest cell wants. Integers that lie so close together that each number has a cell are found without one.

   Elements that ascend themselves are found by a merge, where they lie close enough, and no cells are made for them;
   the last function of the list looks at some of them. */

#ifndef APLC_INTERVALS_H
#define APLC_INTERVALS_H

#include "aplc_search.h"

enum {
    APLC_HALVED = 3,            /* among so many elements, at most, searches are binary */
    APLC_SAVED = 2,             /* so many halvings at least are to be saved by cells */
    APLC_REPAID = 4,            /* a search repays the making of cells for so many elements */
    APLC_MORE_CELLS = 1 << 10,  /* at most so many besides where elements are few, */
    APLC_EXACT_CELLS = 1 << 20, /* and so many where integers have one each */
    APLC_MERGE_REPAID = 4,      /* a merge goes through at most so many elements for each that is looked up */
    APLC_ASKED_PIECES = 32,     /* so many pieces of as many elements are asked whether they ascend */
};

/* How many elements there are up to the end of each cell, which is noted for some; the most in one cell. */
static inline uint32_t aplc_complete_cells(uint32_t *ends, int64_t count) {
    uint32_t before = 0, most = 0;
    for (int64_t k = 1; k <= count; k++) {
        const uint32_t end = ends[k] > before ? ends[k] : before;
        most = end - before > most ? end - before : most;
        ends[k] = before = end;
    }
    return most;
}

/* The cell of a number; the first one of those below, the last one of those above. */
static inline int64_t aplc_cell_of_int(const aplc_table *table, int64_t x) {
    const uint64_t distance = x > (int64_t)table->base ? (uint64_t)x - table->base : 0;
    return (int64_t)((distance < table->span ? distance : table->span) >> table->width);
}
static inline int64_t aplc_cell_of_double(const aplc_table *table, double x) { /* the first one of NaN */
    const double place = (x - table->least) * table->scale, last = (double)(int64_t)table->span;
    const double inside = place > 0.0 ? place : 0.0;
    return (int64_t)(inside < last ? inside : last);
}

/* How many cells numbers fall into, from the first to the last; 0 where that is not possible. What finds the cell of a
   number is set. */
static inline int64_t aplc_plan_cells_int(aplc_table *table, int64_t first, int64_t last, int64_t most) {
    table->base = (uint64_t)first;
    table->span = (uint64_t)last - (uint64_t)first;
    while (table->span >> table->width >= (uint64_t)most)
        table->width++;
    return (int64_t)(table->span >> table->width) + 1;
}
static inline int64_t aplc_plan_cells_double(aplc_table *table, double first, double last, int64_t most) {
    table->least = first;
    table->scale = (double)most / (last - first);
    table->span = (uint64_t)most - 1;
    return table->scale > 0.0 && table->scale <= DBL_MAX ? most : 0;
}

#define APLC_T int64_t
#define APLC_TYPED(before, after) before##_int##after
#include "aplc_intervals_typed.h"
#define APLC_T double
#define APLC_TYPED(before, after) before##_double##after
#include "aplc_intervals_typed.h"

#endif
