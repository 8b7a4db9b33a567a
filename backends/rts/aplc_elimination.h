/* Gaussian elimination, for generated C: PA = LU, where the largest element of a column is its pivot.

       bool aplc_eliminate(double *m, int64_t line, int64_t rows, int64_t columns, int64_t *pivots,
                           const aplc_panels *panels)
       void aplc_solve_lower(const double *m, int64_t line, int64_t n, double *b, int64_t b_line, int64_t columns,
                             int64_t reach, const aplc_panels *panels)
       void aplc_solve_upper(const double *m, int64_t line, int64_t n, double *b, int64_t b_line, int64_t columns,
                             const aplc_panels *panels)

   All matrices are in row-major order, their rows so many elements apart. Columns are halved until few are left (Toledo,
   Locality of reference in LU decomposition with partial pivoting, 1997): most of the work is in updates by products,
   of whatever size fits. */

#ifndef APLC_ELIMINATION_H
#define APLC_ELIMINATION_H

#include "aplc_update.h"

enum { APLC_FEW_COLUMNS = 8 };

#define APLC_FULL (INT64_MAX / 2)

/* Halves of a number of rows or columns, the first of them whole groups. */
static inline int64_t aplc_half(int64_t n) {
    return (n / 2 + APLC_FEW_COLUMNS - 1) / APLC_FEW_COLUMNS * APLC_FEW_COLUMNS;
}

/* Row k is exchanged with the row whose number is its pivot, for each k in turn. */
static APLC_APART void aplc_exchange(double *m, int64_t line, int64_t columns, const int64_t *pivots, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        double *const x = m + k * line, *const y = m + pivots[k] * line;
        if (x == y)
            continue;
#pragma omp simd
        for (int64_t j = 0; j < columns; j++) {
            const double t = x[j];
            x[j] = y[j];
            y[j] = t;
        }
    }
}

/* The elements of a row are exchanged in the opposite order: by columns, x P for the P of the rows. */
static inline void aplc_unexchange(double *x, const int64_t *pivots, int64_t count) {
    for (int64_t k = count - 1; k >= 0; k--) {
        const double t = x[k];
        x[k] = x[pivots[k]];
        x[pivots[k]] = t;
    }
}

/* The place of the largest of some numbers. */
static inline int64_t aplc_largest_place(const double *x, int64_t n) {
    double most = 0.0;
#pragma omp simd reduction(max : most)
    for (int64_t i = 0; i < n; i++) {
        const double size = fabs(x[i]);
        most = size > most ? size : most;
    }
    for (int64_t i = 0; i < n; i++)
        if (fabs(x[i]) == most)
            return i;
    return 0;
}

/* Few columns, which lie one after the other meanwhile, in memory of panels. */
static APLC_APART bool aplc_eliminate_few(double *m, int64_t line, int64_t rows, int64_t columns, int64_t *pivots,
                                      double *restrict x) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            x[j * rows + i] = m[i * line + j];
    for (int64_t k = 0; k < columns; k++) {
        double *restrict const l = x + k * rows;
        const int64_t pivot = pivots[k] = k + aplc_largest_place(l + k, rows - k);
        const double by = l[pivot];
        if (!(fabs(by) > 0.0 && fabs(by) < INFINITY))
            return false;
        for (int64_t j = 0; j < columns; j++) {
            const double t = x[j * rows + k];
            x[j * rows + k] = x[j * rows + pivot];
            x[j * rows + pivot] = t;
        }
#pragma omp simd
        for (int64_t i = k + 1; i < rows; i++)
            l[i] /= by;
        for (int64_t j = k + 1; j < columns; j++) {
            double *restrict const y = x + j * rows;
            const double u = -y[k];
#pragma omp simd
            for (int64_t i = k + 1; i < rows; i++)
                y[i] = aplc_multiply_add(u, l[i], y[i]);
        }
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            m[i * line + j] = x[j * rows + i];
    return true;
}

/* b := L⁻¹b, for the triangle below the diagonal of `m`, with ones on it. The last row of b has zeros beyond `reach`,
   each row above it beyond one less, as in an identity; without such zeros `reach` is APLC_FULL. */
static APLC_APART void aplc_solve_lower(const double *m, int64_t line, int64_t n, double *b, int64_t b_line,
                                       int64_t columns, int64_t reach, const aplc_panels *panels) {
    const int64_t width = aplc_least(columns, reach);
    if (width <= 0)
        return;
    if (n <= APLC_FEW_COLUMNS) {
        for (int64_t i = 1; i < n; i++)
            for (int64_t k = 0; k < i; k++) {
                const double by = -m[i * line + k];
#pragma omp simd
                for (int64_t j = 0; j < width; j++)
                    b[i * b_line + j] = aplc_multiply_add(by, b[k * b_line + j], b[i * b_line + j]);
            }
        return;
    }
    const int64_t half = aplc_half(n), above = reach - (n - half);
    double *const below = b + half * b_line;
    aplc_solve_lower(m, line, half, b, b_line, columns, above, panels);
    aplc_update(panels, (aplc_operand){m + half * line, line, 1}, (aplc_operand){b, b_line, 1}, below, b_line, n - half,
                aplc_least(columns, above), half);
    aplc_solve_lower(m + half * line + half, line, n - half, below, b_line, columns, reach, panels);
}

/* b := U⁻¹b, for the diagonal of `m` and what lies above it. */
static APLC_APART void aplc_solve_upper(const double *m, int64_t line, int64_t n, double *b, int64_t b_line,
                                    int64_t columns, const aplc_panels *panels) {
    if (n <= APLC_FEW_COLUMNS) {
        for (int64_t i = n - 1; i >= 0; i--) {
            for (int64_t k = i + 1; k < n; k++) {
                const double by = -m[i * line + k];
#pragma omp simd
                for (int64_t j = 0; j < columns; j++)
                    b[i * b_line + j] = aplc_multiply_add(by, b[k * b_line + j], b[i * b_line + j]);
            }
            const double by = m[i * line + i];
#pragma omp simd
            for (int64_t j = 0; j < columns; j++)
                b[i * b_line + j] /= by;
        }
        return;
    }
    const int64_t half = aplc_half(n);
    double *const below = b + half * b_line;
    aplc_solve_upper(m + half * line + half, line, n - half, below, b_line, columns, panels);
    aplc_update(panels, (aplc_operand){m + half, line, 1}, (aplc_operand){below, b_line, 1}, b, b_line, half, columns,
                n - half);
    aplc_solve_upper(m, line, half, b, b_line, columns, panels);
}

/* Whether all pivots are numbers other than 0. */
static APLC_APART bool aplc_eliminate(double *m, int64_t line, int64_t rows, int64_t columns, int64_t *pivots,
                                  const aplc_panels *panels) {
    if (columns <= APLC_FEW_COLUMNS)
        return aplc_eliminate_few(m, line, rows, columns, pivots, panels->memory);
    const int64_t half = aplc_half(columns);
    double *const right = m + half, *const below = m + half * line;
    if (!aplc_eliminate(m, line, rows, half, pivots, panels))
        return false;
    aplc_exchange(right, line, columns - half, pivots, half);
    aplc_solve_lower(m, line, half, right, line, columns - half, APLC_FULL, panels);
    aplc_update(panels, (aplc_operand){below, line, 1}, (aplc_operand){right, line, 1}, below + half, line, rows - half,
                columns - half, half);
    if (!aplc_eliminate(below + half, line, rows - half, columns - half, pivots + half, panels))
        return false;
    aplc_exchange(below, line, half, pivots + half, columns - half);
    for (int64_t k = half; k < columns; k++)
        pivots[k] += half;
    return true;
}

#endif
