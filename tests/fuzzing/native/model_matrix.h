/* Least squares in long doubles, and what may be asked of a result in doubles.

   Note [What may be asked]. Reflections give the exact result for a matrix whose columns are off by a few roundings of
   their length. With columns of length 1 the result is then off by about u (κ |x| + κ² |r| + κ |b|), where u is a rounding, κ the
   condition and r what is left of b. `SLACK` times the number of elements of a column stands for the constants. Where the
   condition leaves nothing to be asked, or numbers come near the ends of the range of doubles, any result will do. */

#ifndef MODEL_MATRIX_H
#define MODEL_MATRIX_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define SLACK 64.0L
#define NEAR_THE_END 1e280L

typedef long double real;

static double *model_identity(int64_t n) {
    double *const a = calloc((size_t)(n * n) + 1, sizeof(double));
    for (int64_t i = 0; i < n; i++)
        a[i * n + i] = 1.0;
    return a;
}

static real model_length(const real *x, int64_t n) {
    real squares = 0.0L;
    for (int64_t i = 0; i < n; i++)
        squares += x[i] * x[i];
    return sqrtl(squares);
}

static real model_dot(const real *x, const real *y, int64_t n) {
    real sum = 0.0L;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static bool is_usual(real length) { return length == 0.0L || (length > 1.0L / NEAR_THE_END && length < NEAR_THE_END); }

/* Makes columns orthogonal and of length 1, `q`, and the triangle `r`, both by columns; the condition is that of columns
   of length 1, infinite where one is a combination of those before it. */
static real model_triangle(real *q, real *r, real *inverse, int64_t rows, int64_t columns) {
    real squares = 0.0L;
    for (int64_t k = 0; k < columns; k++) {
        real *const x = q + k * rows;
        for (int twice = 0; twice < 2; twice++)
            for (int64_t j = 0; j < k; j++) {
                const real part = model_dot(q + j * rows, x, rows);
                r[k * columns + j] += part;
                for (int64_t i = 0; i < rows; i++)
                    x[i] -= part * q[j * rows + i];
            }
        const real left = r[k * columns + k] = model_length(x, rows);
        if (!(left > 64.0L * (real)rows * LDBL_EPSILON))
            return INFINITY;
        for (int64_t i = 0; i < rows; i++)
            x[i] /= left;
    }
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = j; i >= 0; i--) {
            real sum = i == j;
            for (int64_t k = i + 1; k <= j; k++)
                sum -= r[k * columns + i] * inverse[j * columns + k];
            inverse[j * columns + i] = sum / r[i * columns + i];
            squares += inverse[j * columns + i] * inverse[j * columns + i];
        }
    return sqrtl(squares * (real)columns);
}

/* Whether `out` is near enough to the solution for one column of b, of length 1 or 0. */
static bool model_is_near(const real *q, const real *r, const real *lengths, real condition, int64_t rows, int64_t columns,
                          real *b, const double *out, int64_t across, real length) {
    real *const x = calloc((size_t)columns + 1, sizeof *x);
    for (int64_t k = 0; k < columns; k++) {
        x[k] = model_dot(q + k * rows, b, rows);
        for (int64_t i = 0; i < rows; i++)
            b[i] -= x[k] * q[k * rows + i];
    }
    for (int64_t k = columns - 1; k >= 0; k--) {
        for (int64_t j = k + 1; j < columns; j++)
            x[k] -= r[j * columns + k] * x[j];
        x[k] /= r[k * columns + k];
    }
    const real rounding = SLACK * (real)rows * DBL_EPSILON;
    const real bound = rounding * condition * (model_length(x, columns) + condition * model_length(b, rows) + 1.0L);
    bool is_near = true, fits = true;
    for (int64_t k = 0; k < columns; k++) {
        const real unscaled = lengths[k] / length, difference = fabsl((real)out[k * across] * unscaled - x[k]);
        fits &= is_usual(x[k] / unscaled) && is_usual(bound / unscaled);
        is_near &= difference <= bound;
    }
    is_near |= !fits;
    free(x);
    return is_near;
}

static bool model_accepts(const double *a, int64_t rows, int64_t columns, const double *b, int64_t across,
                          const double *out, int64_t independent) {
    bool is_usual_throughout = true, accepts = true;
    real *const q = calloc((size_t)(rows * columns) + 1, sizeof *q), *const r = calloc((size_t)(columns * columns) + 1, sizeof *q);
    real *const inverse = calloc((size_t)(columns * columns) + 1, sizeof *q);
    real *const lengths = calloc((size_t)columns + 1, sizeof *q), *const y = calloc((size_t)rows + 1, sizeof *q);
    int64_t zeros = columns;
    for (int64_t k = columns - 1; k >= 0; k--) {
        for (int64_t i = 0; i < rows; i++)
            q[k * rows + i] = a[i * columns + k];
        lengths[k] = model_length(q + k * rows, rows);
        is_usual_throughout &= is_usual(lengths[k]);
        zeros = lengths[k] == 0.0L ? k : zeros;
        for (int64_t i = 0; i < rows && lengths[k] > 0.0L; i++)
            q[k * rows + i] /= lengths[k];
    }
    if (is_usual_throughout) {
        const real condition = model_triangle(q, r, inverse, rows, columns);
        const bool is_apart = condition * SLACK * (real)rows * (real)(columns + 1) * DBL_EPSILON < 0.01L;
        accepts = independent <= zeros && (!is_apart || independent == columns);
        for (int64_t j = 0; j < across && accepts && is_apart; j++) {
            for (int64_t i = 0; i < rows; i++)
                y[i] = b[i * across + j];
            const real length = model_length(y, rows);
            if (!is_usual(length) || length == 0.0L)
                continue;
            for (int64_t i = 0; i < rows; i++)
                y[i] /= length;
            accepts = model_is_near(q, r, lengths, condition, rows, columns, y, out + j, across, length);
        }
    }
    free(q);
    free(r);
    free(inverse);
    free(lengths);
    free(y);
    return accepts;
}

#endif
