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
   other is solved in its place by cofactors, if it has few rows, or by elimination: see `aplc_cofactors.h` and
   `aplc_square.h`.

   Note [Reflections]. The columns of `a` and `b` lie one after the other. Column k becomes one with zeros below
   row k by a reflection, I - t v vᵀ, which is kept in place of the zeros, and which the columns behind it take
   part in: those of its panel at once, the others when the panel is done.

   Note [Reflections together]. Reflections with the vectors V, one after the other, take V z from a column x, where
   zᵢ = tᵢ (vᵢᵀx - Σ zₗ vₗᵀvᵢ, l < i). So they are products of matrices, beside a triangular system for each column
   (Schreiber and Van Loan, A storage-efficient WY representation, 1989; with the inverse of its triangle). */

#ifndef APLC_MATRIX_H
#define APLC_MATRIX_H

#include "aplc.h"
#include "aplc_codes.h"
#include "aplc_cofactors.h"
#include "aplc_square.h"

#include <float.h>
#include <math.h>

enum {
    APLC_PANEL = 32,      /* so many reflections are made before other columns take part in them, */
    APLC_ABREAST = 4,     /* of which so many do together; see aplc_reflect_four */
    APLC_ENOUGH = 16,     /* Where more columns take part, */
    APLC_HIGH = 128,      /* of at least so many elements, it is in all reflections together. */
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
static APLC_APART void aplc_reflect_four(const double *restrict v, double t, int64_t n, double *x, int64_t stride) {
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

/* A matrix at work, by columns; the first ones are triangularised. `v`, `w` and `dots` are for reflections together,
   and NULL where there are none. */
typedef struct {
    double *m, *t, *v, *w, *dots;
    int64_t rows, columns, width;
    aplc_panels panels;
} aplc_triangle;

/* The same by products: see Note [Reflections together]. Columns of the matrix are rows of a, b and c. */
static APLC_APART void aplc_reflect_together(const aplc_triangle *of, int64_t first, int64_t last, int64_t start,
                                             int64_t stop) {
    const int64_t count = last - first, high = of->rows - first, wide = stop - start;
    double *const x = of->m + start * of->rows + first, *restrict const v = of->v, *const w = of->w;
    for (int64_t k = 0; k < count; k++) {
        const double *const from = of->m + (first + k) * of->rows + first;
        for (int64_t i = 0; i <= k; i++)
            v[k * high + i] = i == k;
        memcpy(v + k * high + k + 1, from + k + 1, (size_t)(high - k - 1) * sizeof(double));
    }
    const aplc_operand along = {v, high, 1}, across = {v, 1, high};
    memset(of->dots, 0, (size_t)(count * count) * sizeof(double));
    aplc_update(&of->panels, along, across, of->dots, count, count, count, high);
    memset(w, 0, (size_t)(wide * count) * sizeof(double));
    aplc_update(&of->panels, (aplc_operand){x, of->rows, 1}, across, w, count, wide, count, high);
    for (int64_t j = 0; j < wide; j++) {
        double *restrict const z = w + j * count;
        for (int64_t k = 0; k < count; k++) {
            const double *restrict const dots = of->dots + k * count;
            const double by = z[k] = -of->t[first + k] * z[k];
#pragma omp simd
            for (int64_t i = k + 1; i < count; i++)
                z[i] = aplc_multiply_add(-by, dots[i], z[i]);
        }
    }
    aplc_update(&of->panels, (aplc_operand){w, count, 1}, along, x, of->rows, wide, high, count);
}

/* Triangularises the first columns, in which all take part. The result is how many are independent. */
static inline int64_t aplc_triangularise(const aplc_triangle *of) {
    const int64_t rows = of->rows, columns = of->columns, width = of->width;
    double *const m = of->m, *const t = of->t;
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
        if (of->v != NULL && width - last > APLC_ENOUGH && rows - first >= APLC_HIGH)
            aplc_reflect_together(of, first, last, last, width);
        else
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

/* The memory of a triangle. */
static inline bool aplc_triangle_memory(aplc_triangle *to, const aplc_host *host) {
    const int64_t rows = to->rows, columns = to->columns, width = to->width, most = aplc_least(columns, APLC_PANEL);
    const bool is_together = width > most + APLC_ENOUGH && rows >= APLC_HIGH;
    int64_t room = rows * width + columns;
    if (is_together) {
        to->panels = aplc_panels_for(host, width, rows > width ? rows : width, rows);
        room += most * (rows + width + most) + to->panels.threads * (to->panels.left + to->panels.right);
    }
    to->m = aplc_alloc(room, sizeof(double));
    if (to->m == NULL)
        return false;
    to->t = to->m + rows * width;
    to->v = NULL;
    if (!is_together)
        return true;
    to->v = to->t + columns;
    to->w = to->v + most * rows;
    to->dots = to->w + most * width;
    to->panels.memory = to->dots + most * most;
    return true;
}

/* Solves what is left: many systems at once, for which the triangle is laid out by rows where their right sides were. */
static inline void aplc_solve_triangle(const aplc_triangle *of, int64_t across, double *out) {
    const int64_t columns = of->columns, rows = of->rows;
    if (of->v == NULL || across < columns) {
        aplc_substitute_back(of->m, rows, columns, across, out);
        return;
    }
    double *const free_now = of->m + columns * rows;
    for (int64_t i = 0; i < columns; i++)
        for (int64_t j = 0; j < across; j++)
            out[i * across + j] = free_now[j * rows + i];
    for (int64_t i = 0; i < columns; i++)
        for (int64_t j = i; j < columns; j++)
            free_now[i * columns + j] = of->m[j * rows + i];
    aplc_solve_upper(free_now, columns, columns, out, across, across, &of->panels);
}

/* By reflections; without `b` it is the identity. */
APLC_ONCE(aplc_matrix, int, aplc_divide_by_reflections, const aplc_host *host, const double *b, int64_t across,
          const double *a, int64_t rows, int64_t columns, double *out, int64_t *independent) {
    aplc_triangle triangle;
    triangle.rows = rows, triangle.columns = columns, triangle.width = columns + across;
    if (!aplc_triangle_memory(&triangle, host))
        return APLC_OUT_OF_MEMORY;
    double *const m = triangle.m;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++)
            m[j * rows + i] = a[i * columns + j];
        for (int64_t j = 0; j < across; j++)
            m[(columns + j) * rows + i] = b == NULL ? (double)(i == j) : b[i * across + j];
    }
    *independent = aplc_triangularise(&triangle);
    if (*independent == columns)
        aplc_solve_triangle(&triangle, across, out);
    free(m);
    return APLC_OK;
}

/* As above; without `b` it is the identity. */
static inline int aplc_matrix_divide(const aplc_host *host, const double *b, int64_t across, const double *a,
                                     int64_t rows, int64_t columns, double *out, int64_t *independent) {
    bool is_solved = false;
    int status = APLC_OK;
    *independent = columns;
    if (rows >= columns && aplc_cofactors_divide(b, across, a, rows, columns, out))
        return APLC_OK;
    if (rows == columns && rows > APLC_REFLECTED)
        status = aplc_square_divide(host, b, across, a, rows, out, &is_solved);
    if (status != APLC_OK || is_solved)
        return status;
    return aplc_divide_by_reflections(host, b, across, a, rows, columns, out, independent);
}

static inline int aplc_matrix_inverse(const aplc_host *host, const double *a, int64_t rows, int64_t columns,
                                      double *out, int64_t *independent) {
    return aplc_matrix_divide(host, NULL, rows, a, rows, columns, out, independent);
}

#endif
