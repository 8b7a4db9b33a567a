/* Sorting the elements of long vectors where they lie in threads, for generated C, as `aplc_sort.h` does.

       int aplc_sort_up_T_in_threads(aplc_host *host, T *a, int64_t start, int64_t n)
       int aplc_sort_down_T_in_threads(aplc_host *host, T *a, int64_t start, int64_t n)

   The like of `aplc_sort_row_up_T_in_threads` are for rows, one after the other. */

#ifndef APLC_SORT_THREADS_H
#define APLC_SORT_THREADS_H

#include "aplc_order_threads.h"
#include "aplc_sort.h"

#define APLC_T int64_t
#define APLC_TYPED(before, after) before##_int##after
#include "aplc_sort_threads_typed.h"
#define APLC_T double
#define APLC_TYPED(before, after) before##_double##after
#include "aplc_sort_threads_typed.h"
#define APLC_T bool
#define APLC_TYPED(before, after) before##_bool##after
#include "aplc_sort_threads_typed.h"
#define APLC_T uint32_t
#define APLC_TYPED(before, after) before##_char##after
#include "aplc_sort_threads_typed.h"

#endif
