/* Sorting items of arrays of arrays, for generated C: elements of int64_t, double, bool and uint32_t (characters)
   under the suffixes `_int`, `_double`, `_bool` and `_char`.

       int aplc_order_up_T(const T *elements, const int64_t *records, int64_t axes, int64_t n, int64_t *out)
       int aplc_order_down_T(const T *elements, const int64_t *records, int64_t axes, int64_t n, int64_t *out)

   `records` are those of aplc_items.h. `out` has room for the numbers of all items, which count from 1 and put the
   items in order. They are compared element by element, where all have the greatest extents and what an item lacks
   stands before everything, and then by their extents; equal items stay in order, whichever the direction. NaN
   stands above all other numbers and the two zeros are equal. The result is 0 or APLC_OUT_OF_MEMORY.

   As many elements of a vector as fit go into one number, by which the items are graded as elements are; those that
   agree in it are sorted by merging. */

#ifndef APLC_ITEMS_ORDER_H
#define APLC_ITEMS_ORDER_H

#include "aplc_order.h"

/* How many elements cells from an axis on have. */
static inline int64_t aplc_cell_size(const int64_t *extents, int64_t axis, int64_t axes) {
    int64_t size = 1;
    for (; axis < axes; axis++)
        size *= extents[axis];
    return size;
}

static inline int aplc_compare_extents(const int64_t *x, const int64_t *y, int64_t axes) {
    for (int64_t k = 0; k < axes; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

#define APLC_T int64_t
#define APLC_TYPED(name) name##_int
#include "aplc_items_order_typed.h"
#define APLC_T double
#define APLC_TYPED(name) name##_double
#include "aplc_items_order_typed.h"
#define APLC_T bool
#define APLC_TYPED(name) name##_bool
#include "aplc_items_order_typed.h"
#define APLC_T uint32_t
#define APLC_TYPED(name) name##_char
#include "aplc_items_order_typed.h"

#endif
