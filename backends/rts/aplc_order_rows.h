/* Grading the rows of matrices, for one type of element: APLC_T, with names made by APLC_TYPED. Included by
   aplc_order.h once for each type.

   As many columns as fit go into one number, by which the rows are graded as a vector is; rows that agree in
   them are sorted by merging. `flip` is 0 for the ascending and all ones for the descending order. */

/* Rows to be compared from column `from` on. */
typedef struct {
    const APLC_T *a;
    int64_t columns, from;
    uint64_t flip;
} APLC_TYPED(aplc_rows);

/* Whether row y stands before row x, which precedes it in the matrix; both are counted from 1. */
static inline bool APLC_TYPED(aplc_overtakes)(const APLC_TYPED(aplc_rows) * rows, int64_t y, int64_t x) {
    const APLC_T *const later = rows->a + (y - 1) * rows->columns;
    const APLC_T *const earlier = rows->a + (x - 1) * rows->columns;
    for (int64_t k = rows->from; k < rows->columns; k++) {
        const uint64_t right = APLC_TYPED(aplc_key)(later[k]) ^ rows->flip;
        const uint64_t left = APLC_TYPED(aplc_key)(earlier[k]) ^ rows->flip;
        if (left != right)
            return right < left;
    }
    return false;
}

/* Sort n positions; `scratch` has room for half of them. */
static APLC_APART void APLC_TYPED(aplc_merge_rows)(const APLC_TYPED(aplc_rows) * rows, int64_t *out,
                                                   int64_t *scratch, int64_t n) {
    if (n <= APLC_FEW_ROWS) {
        for (int64_t i = 1; i < n; i++) {
            const int64_t row = out[i];
            int64_t k = i;
            for (; k > 0 && APLC_TYPED(aplc_overtakes)(rows, row, out[k - 1]); k--)
                out[k] = out[k - 1];
            out[k] = row;
        }
        return;
    }
    const int64_t half = n / 2;
    APLC_TYPED(aplc_merge_rows)(rows, out, scratch, half);
    APLC_TYPED(aplc_merge_rows)(rows, out + half, scratch, n - half);
    if (!APLC_TYPED(aplc_overtakes)(rows, out[half], out[half - 1]))
        return;
    memcpy(scratch, out, (size_t)half * sizeof *out);
    for (int64_t i = 0, k = 0, j = half; i < half; k++) {
        const bool right = j < n && APLC_TYPED(aplc_overtakes)(rows, out[j], scratch[i]);
        out[k] = right ? out[j++] : scratch[i++];
    }
}

/* Sort those of n rows that agree in their packed columns and stand side by side. */
static inline int APLC_TYPED(aplc_settle_rows)(const APLC_TYPED(aplc_rows) * rows, const uint64_t *packed,
                                               int64_t *out, int64_t n) {
    int64_t *scratch = NULL;
    for (int64_t i = 0, end; i < n; i = end) {
        const uint64_t key = packed[out[i] - 1];
        for (end = i + 1; end < n && packed[out[end] - 1] == key;)
            end++;
        if (end == i + 1)
            continue;
        if (scratch == NULL && (scratch = aplc_alloc(n, sizeof *scratch)) == NULL)
            return APLC_OUT_OF_MEMORY;
        APLC_TYPED(aplc_merge_rows)(rows, out + i, scratch, end - i);
    }
    free(scratch);
    return 0;
}

static inline int APLC_TYPED(aplc_grade_rows)(const APLC_T *a, int64_t rows, int64_t columns, uint64_t flip,
                                              int64_t *out) {
    aplc_survey survey = {0};
    if (rows > 0 && columns > 0)
        survey = APLC_TYPED(aplc_survey)(a, rows * columns, flip);
    const int width = aplc_width(survey.span);
    if (width == 0) {
        for (int64_t i = 0; i < rows; i++)
            out[i] = i + 1;
        return 0;
    }
    const int64_t from = columns < 64 / width ? columns : 64 / width;
    uint64_t *const packed = aplc_alloc(rows, sizeof *packed);
    if (packed == NULL)
        return APLC_OUT_OF_MEMORY;
    for (int64_t i = 0; i < rows; i++) {
        uint64_t key = APLC_TYPED(aplc_distance)(a[i * columns], survey.keying);
        for (int64_t k = 1; k < from; k++)
            key = key << width |
                  APLC_TYPED(aplc_distance)(a[i * columns + k], survey.keying);
        packed[i] = key;
    }
    int status = aplc_grade_vector_packed(packed, rows, 0, out);
    const APLC_TYPED(aplc_rows) all = {a, columns, from, flip};
    if (status == 0 && from < columns)
        status = APLC_TYPED(aplc_settle_rows)(&all, packed, out, rows);
    free(packed);
    return status;
}

APLC_ONCE(aplc_order, int, APLC_TYPED(aplc_grade_column_up), const APLC_T *a, int64_t n, int64_t *out) {
    return APLC_TYPED(aplc_grade_vector)(a, n, 0, out);
}

APLC_ONCE(aplc_order, int, APLC_TYPED(aplc_grade_rows_up), const APLC_T *a, int64_t rows, int64_t columns,
          int64_t *out) {
    return APLC_TYPED(aplc_grade_rows)(a, rows, columns, 0, out);
}

static inline int APLC_TYPED(aplc_grade_up)(const APLC_T *a, int64_t rows, int64_t columns, int64_t *out) {
    return columns == 1 ? APLC_TYPED(aplc_grade_column_up)(a, rows, out)
                        : APLC_TYPED(aplc_grade_rows_up)(a, rows, columns, out);
}

APLC_ONCE(aplc_order, int, APLC_TYPED(aplc_grade_column_down), const APLC_T *a, int64_t n, int64_t *out) {
    return APLC_TYPED(aplc_grade_vector)(a, n, UINT64_MAX, out);
}

APLC_ONCE(aplc_order, int, APLC_TYPED(aplc_grade_rows_down), const APLC_T *a, int64_t rows, int64_t columns,
          int64_t *out) {
    return APLC_TYPED(aplc_grade_rows)(a, rows, columns, UINT64_MAX, out);
}

static inline int APLC_TYPED(aplc_grade_down)(const APLC_T *a, int64_t rows, int64_t columns, int64_t *out) {
    return columns == 1 ? APLC_TYPED(aplc_grade_column_down)(a, rows, out)
                        : APLC_TYPED(aplc_grade_rows_down)(a, rows, columns, out);
}

#include "aplc_order_first.h"

#undef APLC_T
#undef APLC_TYPED
