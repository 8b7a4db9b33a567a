/* Least squares, for generated C:

       int aplc_matrix_divide(const aplc_host *host, const double *b, int64_t across, const double *a, int64_t rows,
                              int64_t columns, double *out, int64_t *independent)
       int aplc_matrix_inverse(const aplc_host *host, const double *a, int64_t rows, int64_t columns, double *out,
                               int64_t *independent)

   `a` is a matrix of at least as many rows as columns, `b` one of as many rows and `across` columns, all in
   row-major order. `out` gets, for each column of `b`, the x for which a+.×x is nearest to it; the inverse is
   that for the identity. `independent` is the number of columns before the first that is a combination of those
   before it, up to rounding; `out` is written if that is all of them. The result is 0 or APLC_OUT_OF_MEMORY.

   What is meant is Householder's triangularisation A = QR. A square matrix far from any whose columns depend on each
   other is solved by elimination in its place: see `aplc_square.h`.

   Note [Reflections]. The columns of `a` and `b` lie one after the other. Column k becomes one with zeros below
   row k by a reflection, I - t v vᵀ, which is kept in place of the zeros, and which the columns behind it take
   part in: those of its panel at once, the others when the panel is done, some together, so that they stay in
   the cache meanwhile. */

#ifndef APLC_MATRIX_H
#define APLC_MATRIX_H

#include "aplc.h"
#include "aplc_codes.h"
#include "aplc_square.h"

#include <float.h>
#include <math.h>

enum {
    APLC_PANEL = 32, /* so many reflections are made before other columns take part in them, */
    APLC_ABREAST = 4, /* of which so many do together; see aplc_reflect_four */
    APLC_REFLECTED = 3 /* so few rows and columns take elimination longer */
};

/* The length of a vector. Where squares are too large or too small, its elements are scaled. */
static inline double aplc_length(const double *x, int64_t n) {
    double squares = 0.0, most = 0.0;
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < n; i++)
        squares += x[i] * x[i];
    if (squares > 1e-280 && squares < 1e280)
        return sqrt(squares);
    for (int64_t i = 0; i < n; i++)
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    if (!(most > 0.0 && most < INFINITY))
        return sqrt(squares);
    squares = 0.0;
    for (int64_t i = 0; i < n; i++)
        squares += x[i] / most * (x[i] / most);
    return most * sqrt(squares);
}

/* Makes the reflection of the vector x to one whose elements are zero but for the first, which comes in its
   place; behind it is v without its first element, which is 1. The result is t. */
static inline double aplc_reflection(double *x, int64_t n) {
    const double below = aplc_length(x + 1, n - 1);
    if (below == 0.0)
        return 0.0;
    const double length = hypot(x[0], below), first = x[0] > 0.0 ? -length : length;
    const double t = (first - x[0]) / first, by = x[0] - first;
#pragma omp simd
    for (int64_t i = 1; i < n; i++)
        x[i] /= by;
    x[0] = first;
    return t;
}

/* x - t v (vᵀx) for a column x, which is x where v has one element, be it infinite. */
static inline void aplc_reflect(const double *restrict v, double t, int64_t n, double *restrict x) {
    if (n == 1)
        return;
    double dot = x[0];
#pragma omp simd reduction(+ : dot)
    for (int64_t i = 1; i < n; i++)
        dot += v[i] * x[i];
    dot *= t;
    x[0] -= dot;
#pragma omp simd
    for (int64_t i = 1; i < n; i++)
        x[i] -= dot * v[i];
}

/* The same for four columns, which are `stride` apart. */
static inline void aplc_reflect_four(const double *restrict v, double t, int64_t n, double *x, int64_t stride) {
    double *restrict const a = x, *restrict const b = x + stride;
    double *restrict const c = x + 2 * stride, *restrict const d = x + 3 * stride;
    double p = a[0], q = b[0], r = c[0], s = d[0];
    if (n == 1)
        return;
#pragma omp simd reduction(+ : p, q, r, s)
    for (int64_t i = 1; i < n; i++) {
        p += v[i] * a[i];
        q += v[i] * b[i];
        r += v[i] * c[i];
        s += v[i] * d[i];
    }
    p *= t, q *= t, r *= t, s *= t;
    a[0] -= p, b[0] -= q, c[0] -= r, d[0] -= s;
#pragma omp simd
    for (int64_t i = 1; i < n; i++) {
        a[i] -= p * v[i];
        b[i] -= q * v[i];
        c[i] -= r * v[i];
        d[i] -= s * v[i];
    }
}

/* The columns from `start` to `stop` take part in the reflections from `first` to `last`. */
static inline void aplc_reflect_all(double *m, int64_t rows, const double *t, int64_t first, int64_t last,
                                    int64_t start, int64_t stop) {
    int64_t j = start;
    for (; j + APLC_ABREAST <= stop; j += APLC_ABREAST)
        for (int64_t k = first; k < last; k++)
            aplc_reflect_four(m + k * rows + k, t[k], rows - k, m + j * rows + k, rows);
    for (; j < stop; j++)
        for (int64_t k = first; k < last; k++)
            aplc_reflect(m + k * rows + k, t[k], rows - k, m + j * rows + k);
}

/* Triangularises the first columns of a matrix of `width` columns, in which all take part. The result is how
   many are independent. */
static inline int64_t aplc_triangularise(double *m, int64_t rows, int64_t columns, int64_t width, double *t) {
    int64_t independent = columns;
    for (int64_t k = 0; k < columns; k++)
        t[k] = aplc_length(m + k * rows, rows);
    for (int64_t first = 0; first < columns; first += APLC_PANEL) {
        const int64_t last = first + APLC_PANEL < columns ? first + APLC_PANEL : columns;
        for (int64_t k = first; k < last; k++) {
            double *const x = m + k * rows;
            const double length = t[k];
            t[k] = aplc_reflection(x + k, rows - k);
            if (fabs(x[k]) <= DBL_EPSILON * (double)rows * length && k < independent)
                independent = k;
            aplc_reflect_all(m, rows, t, k, k + 1, k + 1, last);
        }
        aplc_reflect_all(m, rows, t, first, last, last, width);
    }
    return independent;
}

/* Solves the triangular system that is left, for each further column; `out` has as many columns. */
static inline void aplc_substitute_back(double *m, int64_t rows, int64_t columns, int64_t across, double *out) {
    for (int64_t j = 0; j < across; j++) {
        double *restrict const y = m + (columns + j) * rows;
        for (int64_t k = columns - 1; k >= 0; k--) {
            const double *restrict const r = m + k * rows;
            const double x = y[k] / r[k];
            out[k * across + j] = x;
#pragma omp simd
            for (int64_t i = 0; i < k; i++)
                y[i] -= x * r[i];
        }
    }
}

/* By reflections; without `b` it is the identity. */
static APLC_APART int aplc_divide_by_reflections(const double *b, int64_t across, const double *a, int64_t rows,
                                             int64_t columns, double *out, int64_t *independent) {
    const int64_t width = columns + across;
    double *const m = aplc_alloc(rows * width + columns, sizeof(double));
    if (m == NULL)
        return APLC_OUT_OF_MEMORY;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++)
            m[j * rows + i] = a[i * columns + j];
        for (int64_t j = 0; j < across; j++)
            m[(columns + j) * rows + i] = b == NULL ? (double)(i == j) : b[i * across + j];
    }
    *independent = aplc_triangularise(m, rows, columns, width, m + rows * width);
    if (*independent == columns)
        aplc_substitute_back(m, rows, columns, across, out);
    free(m);
    return APLC_OK;
}

/* As above; without `b` it is the identity. */
static inline int aplc_matrix_divide(const aplc_host *host, const double *b, int64_t across, const double *a,
                                     int64_t rows, int64_t columns, double *out, int64_t *independent) {
    bool is_solved = false;
    const int status = rows == columns && rows > APLC_REFLECTED ? aplc_square_divide(host, b, across, a, rows, out, &is_solved) : APLC_OK;
    *independent = columns;
    if (status != APLC_OK || is_solved)
        return status;
    return aplc_divide_by_reflections(b, across, a, rows, columns, out, independent);
}

static inline int aplc_matrix_inverse(const aplc_host *host, const double *a, int64_t rows, int64_t columns,
                                      double *out, int64_t *independent) {
    return aplc_matrix_divide(host, NULL, rows, a, rows, columns, out, independent);
}

#endif
