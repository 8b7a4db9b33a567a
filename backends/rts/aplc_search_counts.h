/* How often the different rows of a matrix occur, for one type of element. Included by aplc_search_typed.h for each. */

#include "aplc_search_histogram.h"

static inline int APLC_TYPED(aplc_count_each, )(const APLC_T *a, int64_t rows, int64_t columns, int64_t *positions,
                                                int64_t *restrict counts, int64_t *count) {
    int64_t *const codes = APLC_TYPED(aplc_packed, _rows)(a, rows, columns);
    if (codes != NULL) {
        const int ended = aplc_count_each_int(codes, rows, 1, positions, counts, count);
        free(codes);
        return ended;
    }
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
