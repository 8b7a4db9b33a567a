/* What sorting, searching and packing mean, as plainly as C can say it; one type after the other by the macro at the
   end. Positions count as those of aplc_order.h and aplc_search.h do. That this is the interpreter's meaning is tested. */

#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* -1, 0 or 1; NaN stands above all numbers, and the two zeros are equal. */
#define MODEL_COMPARE(x, y) \
    ((x) != (x) ? ((y) != (y) ? 0 : 1) : (y) != (y) ? -1 : ((x) > (y)) - ((x) < (y)))

#define MODEL(T, S)                                                                                                 \
    static int model_compare_##S(const T *x, const T *y, int64_t columns) {                                         \
        for (int64_t k = 0; k < columns; k++) {                                                                     \
            const int order = MODEL_COMPARE(x[k], y[k]);                                                            \
            if (order != 0)                                                                                         \
                return order;                                                                                       \
        }                                                                                                           \
        return 0;                                                                                                   \
    }                                                                                                               \
    /* Whether row i (from 0) stands before row k in the order that is wanted. */                                   \
    static bool model_precedes_##S(const T *a, int64_t columns, int64_t i, int64_t k, bool down) {                  \
        const int order = model_compare_##S(a + i * columns, a + k * columns, columns);                             \
        return order == 0 ? i < k : down ? order > 0 : order < 0;                                                   \
    }                                                                                                               \
    __attribute__((unused)) static void model_grade_##S(const T *a, int64_t rows, int64_t columns, bool down,       \
                                                        int64_t *out) {                                             \
        for (int64_t i = 0; i < rows; i++) {                                                                        \
            int64_t k = i;                                                                                          \
            for (; k > 0 && model_precedes_##S(a, columns, i, out[k - 1] - 1, down); k--)                           \
                out[k] = out[k - 1];                                                                                \
            out[k] = i + 1;                                                                                         \
        }                                                                                                           \
    }                                                                                                               \
    static bool model_equal_##S(const T *x, const T *y, int64_t columns) {                                          \
        for (int64_t k = 0; k < columns; k++)                                                                       \
            if (!(x[k] == y[k]))                                                                                    \
                return false;                                                                                       \
        return true;                                                                                                \
    }                                                                                                               \
    static int64_t model_find_##S(const T *keys, int64_t rows, int64_t columns, const T *row) {                     \
        int64_t i = 0;                                                                                              \
        while (i < rows && !model_equal_##S(keys + i * columns, row, columns))                                      \
            i++;                                                                                                    \
        return i + 1;                                                                                               \
    }                                                                                                               \
    __attribute__((unused)) static int64_t model_unique_##S(const T *a, int64_t rows, int64_t columns,              \
                                                            int64_t *positions) {                                   \
        int64_t count = 0;                                                                                          \
        for (int64_t i = 0; i < rows; i++)                                                                          \
            if (model_find_##S(a, i, columns, a + i * columns) == i + 1)                                            \
                positions[count++] = i;                                                                             \
        return count;                                                                                               \
    }                                                                                                               \
    __attribute__((unused)) static bool model_ascends_##S(const T *a, int64_t n) {                                  \
        for (int64_t i = 1; i < n; i++)                                                                             \
            if (!(a[i - 1] <= a[i]))                                                                                \
                return false;                                                                                       \
        return true;                                                                                                \
    }                                                                                                               \
    __attribute__((unused)) static int64_t model_interval_##S(const T *a, int64_t n, T x) {                         \
        int64_t count = 0;                                                                                          \
        for (int64_t i = 0; i < n; i++)                                                                             \
            count += a[i] <= x;                                                                                     \
        return count;                                                                                               \
    }

MODEL(int64_t, int)
MODEL(double, double)
MODEL(bool, bool)
MODEL(uint32_t, char)

#endif
