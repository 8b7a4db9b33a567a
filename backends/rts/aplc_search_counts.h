/* How often the different rows of a matrix occur, for one type of element. Included by aplc_search_typed.h for each. */

#include "aplc_search_histogram.h"

/* As below; where the number of columns is known, what others need is left out. */
static inline __attribute__((always_inline)) int APLC_TYPED(aplc_count_each_of, )(const APLC_T *a, int64_t rows,
                                                                                  int64_t columns,
                                                                                  int64_t *positions,
                                                                                  int64_t *restrict counts,
                                                                                  int64_t *count) {
    aplc_table table;
    APLC_TYPED(aplc_table, _plan)(&table, a, rows, columns, APLC_TABLE_SPREAD);
    if (table.kind == APLC_TABLE_DIRECT && rows < INT32_MAX)
        return APLC_TYPED(aplc_count_direct, )(&table, a, rows, positions, counts, count);
    int64_t *const numbers = aplc_alloc(rows, sizeof *numbers);
    int status = numbers == NULL ? APLC_OUT_OF_MEMORY : 0;
    if (status == 0)
        status = APLC_TYPED(aplc_number, )(a, rows, columns, positions, numbers, count);
    for (int64_t i = 0; status == 0 && i < *count; i++)
        counts[i] = 0;
    for (int64_t i = 0; status == 0 && i < rows; i++) /* NaN is in no count */
        if (numbers[i] <= *count)
            counts[numbers[i] - 1]++;
    free(numbers);
    return status;
}

APLC_ONCE(aplc_search, int, APLC_TYPED(aplc_count_each_in_1, ), const APLC_T *a, int64_t n, int64_t *positions,
          int64_t *restrict counts, int64_t *count) {
    return APLC_TYPED(aplc_count_each_of, )(a, n, 1, positions, counts, count);
}

APLC_ONCE(aplc_search, int, APLC_TYPED(aplc_count_each_in_rows, ), const APLC_T *a, int64_t rows, int64_t columns,
          int64_t *positions, int64_t *restrict counts, int64_t *count) {
    int64_t *const codes = APLC_TYPED(aplc_packed, _rows)(a, rows, columns);
    if (codes != NULL) {
        const int ended = aplc_count_each_in_1_int(codes, rows, positions, counts, count);
        free(codes);
        return ended;
    }
    return APLC_TYPED(aplc_count_each_of, )(a, rows, columns, positions, counts, count);
}

static inline int APLC_TYPED(aplc_count_each, )(const APLC_T *a, int64_t rows, int64_t columns, int64_t *positions,
                                                int64_t *restrict counts, int64_t *count) {
    return columns == 1 ? APLC_TYPED(aplc_count_each_in_1, )(a, rows, positions, counts, count)
                        : APLC_TYPED(aplc_count_each_in_rows, )(a, rows, columns, positions, counts, count);
}
