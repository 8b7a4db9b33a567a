/* Systems of up to four unknowns, for `⌹` in generated C:

       bool aplc_cofactors_divide(const double *b, int64_t across, const double *a, int64_t rows, int64_t columns,
                                  double *out)

   `a` and `b` are as in `aplc_matrix.h`. `out` gets a⁻¹b, without `b` the inverse, by cofactors (Cramer's rule), and
   where there are more rows than columns (aᵀa)⁻¹aᵀb. No branch depends on an element, so the matrices of a batch, as of
   `(⌹⍤2)`, follow each other without waiting. The result is whether it was done: it is not where there are more columns,
   nor where reflections might find that columns depend on each other, or other digits.

   Note [Far from singular, by the determinant]. Let C be the matrix with its columns scaled to length 1. If it is square,
   its least singular value is at least |det C| times ((n - 1) ÷ n) to the (n - 1) ÷ 2 (Hong and Pan, A lower bound for the
   smallest singular value, 1992), which is more than a half for four rows; its cofactors are at most 1, and are rounded by
   some units of that. So both ways have the same digits but for some 1 ÷ |det C| units. Of more rows it is
   det CᵀC, and products with the transpose lose so many digits more. These come back where the same is done once more for
   what is left, b - a+.×x: the error gets smaller by the same factor again (Wilkinson, Rounding errors in algebraic
   processes, 1963). */

#ifndef APLC_COFACTORS_H
#define APLC_COFACTORS_H

#include "aplc.h"

#include <math.h>

enum { APLC_COFACTORS = 4 };

#define APLC_FAR_VOLUME 1e-5  /* the least |det C| of square matrices, */
#define APLC_FAR_SQUARES 1e-3 /* and the least det CᵀC of others, */
#define APLC_FAR_REFINED 1e-8 /* where what is left is solved, too */

/* The adjugate of a matrix, a⁻¹ times its determinant, which is the result. */
static inline double aplc_adjugate(const double *restrict a, int64_t n, double *restrict out) {
    if (n == 1) {
        out[0] = 1.0;
        return a[0];
    }
    if (n == 2) {
        out[0] = a[3], out[1] = -a[1];
        out[2] = -a[2], out[3] = a[0];
        return a[0] * a[3] - a[1] * a[2];
    }
    if (n == 3) {
        for (int64_t i = 0; i < 3; i++) {
            const int64_t next = i == 2 ? 0 : i + 1, last = i == 0 ? 2 : i - 1;
            const double *const p = a + 3 * next, *const q = a + 3 * last;
            out[i] = p[1] * q[2] - p[2] * q[1];
            out[3 + i] = p[2] * q[0] - p[0] * q[2];
            out[6 + i] = p[0] * q[1] - p[1] * q[0];
        }
        return a[0] * out[0] + a[1] * out[3] + a[2] * out[6];
    }
    const double *const p = a, *const q = a + 4, *const r = a + 8, *const s = a + 12;
    const double p01 = p[0] * q[1] - p[1] * q[0], p02 = p[0] * q[2] - p[2] * q[0], p03 = p[0] * q[3] - p[3] * q[0];
    const double p12 = p[1] * q[2] - p[2] * q[1], p13 = p[1] * q[3] - p[3] * q[1], p23 = p[2] * q[3] - p[3] * q[2];
    const double r01 = r[0] * s[1] - r[1] * s[0], r02 = r[0] * s[2] - r[2] * s[0], r03 = r[0] * s[3] - r[3] * s[0];
    const double r12 = r[1] * s[2] - r[2] * s[1], r13 = r[1] * s[3] - r[3] * s[1], r23 = r[2] * s[3] - r[3] * s[2];
    out[0] = q[1] * r23 - q[2] * r13 + q[3] * r12;
    out[1] = -p[1] * r23 + p[2] * r13 - p[3] * r12;
    out[2] = s[1] * p23 - s[2] * p13 + s[3] * p12;
    out[3] = -r[1] * p23 + r[2] * p13 - r[3] * p12;
    out[4] = -q[0] * r23 + q[2] * r03 - q[3] * r02;
    out[5] = p[0] * r23 - p[2] * r03 + p[3] * r02;
    out[6] = -s[0] * p23 + s[2] * p03 - s[3] * p02;
    out[7] = r[0] * p23 - r[2] * p03 + r[3] * p02;
    out[8] = q[0] * r13 - q[1] * r03 + q[3] * r01;
    out[9] = -p[0] * r13 + p[1] * r03 - p[3] * r01;
    out[10] = s[0] * p13 - s[1] * p03 + s[3] * p01;
    out[11] = -r[0] * p13 + r[1] * p03 - r[3] * p01;
    out[12] = -q[0] * r12 + q[1] * r02 - q[2] * r01;
    out[13] = p[0] * r12 - p[1] * r02 + p[2] * r01;
    out[14] = -s[0] * p12 + s[1] * p02 - s[2] * p01;
    out[15] = r[0] * p12 - r[1] * p02 + r[2] * p01;
    return p01 * r23 - p02 * r13 + p03 * r12 + p12 * r03 - p13 * r02 + p23 * r01;
}

/* A determinant over the product of the squares of the lengths of columns; 0 where such a square is not usual. */
static inline double aplc_volume(const double *squares, int64_t n, double determinant) {
    double product = 1.0;
    bool is_usual = true;
    for (int64_t j = 0; j < n; j++) {
        is_usual &= (squares[j] > 1e-60) & (squares[j] < 1e60);
        product *= squares[j];
    }
    return is_usual ? determinant / product : 0.0;
}

/* Gives the product of a matrix and `b`, which is the identity if it is NULL, divided by a number. */
static inline void aplc_scaled_product(const double *restrict m, int64_t n, const double *restrict b, int64_t across,
                                       double by, double *restrict out) {
    if (b == NULL) {
        for (int64_t i = 0; i < n * n; i++)
            out[i] = m[i] / by;
        return;
    }
    for (int64_t j = 0; j < across; j++)
        for (int64_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (int64_t k = 0; k < n; k++)
                sum += m[i * n + k] * b[k * across + j];
            out[i * across + j] = sum / by;
        }
}

/* A square system, of a number of rows that is known when this is compiled. */
static inline bool aplc_square_by_cofactors(const double *restrict b, int64_t across, const double *restrict a, int64_t n,
                                            double *restrict out) {
    double adjugate[APLC_COFACTORS * APLC_COFACTORS], squares[APLC_COFACTORS];
    const double determinant = aplc_adjugate(a, n, adjugate);
    for (int64_t j = 0; j < n; j++) {
        squares[j] = 0.0;
        for (int64_t i = 0; i < n; i++)
            squares[j] += a[i * n + j] * a[i * n + j];
    }
    if (!(aplc_volume(squares, n, determinant * determinant) >= APLC_FAR_VOLUME * APLC_FAR_VOLUME))
        return false;
    aplc_scaled_product(adjugate, n, b, across, determinant, out);
    return true;
}

/* Sums of products of columns of `a`, with each other and with one of `b`; n is known when this is compiled. */
static inline void aplc_products_of_columns(const double *restrict a, int64_t rows, int64_t n, const double *restrict b,
                                            int64_t across, double *restrict gram, double *restrict with_b) {
    double s00 = 0.0, s10 = 0.0, s11 = 0.0, s20 = 0.0, s21 = 0.0, s22 = 0.0, s30 = 0.0, s31 = 0.0, s32 = 0.0, s33 = 0.0;
    double b0 = 0.0, b1 = 0.0, b2 = 0.0, b3 = 0.0;
#pragma omp simd reduction(+ : s00, s10, s11, s20, s21, s22, s30, s31, s32, s33, b0, b1, b2, b3)
    for (int64_t i = 0; i < rows; i++) {
        const double p = a[i * n], q = n > 1 ? a[i * n + 1] : 0.0, r = n > 2 ? a[i * n + 2] : 0.0;
        const double s = n > 3 ? a[i * n + 3] : 0.0, x = b[i * across];
        s00 += p * p, b0 += p * x;
        if (n > 1)
            s10 += q * p, s11 += q * q, b1 += q * x;
        if (n > 2)
            s20 += r * p, s21 += r * q, s22 += r * r, b2 += r * x;
        if (n > 3)
            s30 += s * p, s31 += s * q, s32 += s * r, s33 += s * s, b3 += s * x;
    }
    const double all[APLC_COFACTORS][APLC_COFACTORS] = {
        {s00, s10, s20, s30}, {s10, s11, s21, s31}, {s20, s21, s22, s32}, {s30, s31, s32, s33}};
    const double all_with_b[APLC_COFACTORS] = {b0, b1, b2, b3};
    for (int64_t j = 0; j < n; j++) {
        for (int64_t k = 0; k < n; k++)
            gram[j * n + k] = all[j][k];
        with_b[j] = all_with_b[j];
    }
}

/* Sums of products of columns of `a` with what is left of one of `b` beside a+.×x. */
static inline void aplc_products_with_rest(const double *restrict a, int64_t rows, int64_t n, const double *restrict b,
                                           int64_t across, const double *x, double *restrict sums) {
    const double x0 = x[0], x1 = n > 1 ? x[1] : 0.0, x2 = n > 2 ? x[2] : 0.0, x3 = n > 3 ? x[3] : 0.0;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
    for (int64_t i = 0; i < rows; i++) {
        const double p = a[i * n], q = n > 1 ? a[i * n + 1] : 0.0, r = n > 2 ? a[i * n + 2] : 0.0;
        const double s = n > 3 ? a[i * n + 3] : 0.0;
        double rest = b[i * across] - p * x0;
        if (n > 1)
            rest -= q * x1;
        if (n > 2)
            rest -= r * x2;
        if (n > 3)
            rest -= s * x3;
        s0 += p * rest;
        if (n > 1)
            s1 += q * rest;
        if (n > 2)
            s2 += r * rest;
        if (n > 3)
            s3 += s * rest;
    }
    const double all[APLC_COFACTORS] = {s0, s1, s2, s3};
    for (int64_t j = 0; j < n; j++)
        sums[j] = all[j];
}

/* Least squares, for a number of columns that is known when this is compiled. */
static inline bool aplc_squares_by_cofactors(const double *restrict b, int64_t across, const double *restrict a,
                                             int64_t rows, int64_t n, double *restrict out) {
    double gram[APLC_COFACTORS * APLC_COFACTORS], with_b[APLC_COFACTORS], x[APLC_COFACTORS], more[APLC_COFACTORS];
    double adjugate[APLC_COFACTORS * APLC_COFACTORS], squares[APLC_COFACTORS];
    const bool has_sides = b != NULL && across > 0;
    aplc_products_of_columns(a, rows, n, has_sides ? b : a, has_sides ? across : n, gram, with_b);
    const double determinant = aplc_adjugate(gram, n, adjugate);
    for (int64_t j = 0; j < n; j++)
        squares[j] = gram[j * n + j];
    const double volume = aplc_volume(squares, n, determinant);
    if (!(volume >= (b == NULL ? APLC_FAR_SQUARES : APLC_FAR_REFINED)))
        return false;
    if (b == NULL) {
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < rows; i++) {
                double sum = 0.0;
                for (int64_t k = 0; k < n; k++)
                    sum += adjugate[j * n + k] * a[i * n + k];
                out[j * rows + i] = sum / determinant;
            }
        return true;
    }
    for (int64_t j = 0; j < across; j++) {
        if (j > 0)
            aplc_products_of_columns(a, rows, n, b + j, across, gram, with_b);
        aplc_scaled_product(adjugate, n, with_b, 1, determinant, x);
        if (volume < APLC_FAR_SQUARES) {
            aplc_products_with_rest(a, rows, n, b + j, across, x, with_b);
            aplc_scaled_product(adjugate, n, with_b, 1, determinant, more);
            for (int64_t i = 0; i < n; i++)
                x[i] += more[i];
        }
        for (int64_t i = 0; i < n; i++)
            out[i * across + j] = x[i];
    }
    return true;
}

static inline bool aplc_of_columns_by_cofactors(const double *restrict b, int64_t across, const double *restrict a,
                                                int64_t rows, int64_t n, double *restrict out) {
    return rows == n ? aplc_square_by_cofactors(b, across, a, n, out)
                     : (b == NULL || across <= APLC_COFACTORS) && aplc_squares_by_cofactors(b, across, a, rows, n, out);
}

static inline bool aplc_cofactors_divide(const double *restrict b, int64_t across, const double *restrict a,
                                         int64_t rows, int64_t columns, double *restrict out) {
    switch (columns) {
    case 1:
        return aplc_of_columns_by_cofactors(b, across, a, rows, 1, out);
    case 2:
        return aplc_of_columns_by_cofactors(b, across, a, rows, 2, out);
    case 3:
        return aplc_of_columns_by_cofactors(b, across, a, rows, 3, out);
    case APLC_COFACTORS:
        return aplc_of_columns_by_cofactors(b, across, a, rows, APLC_COFACTORS, out);
    default:
        return false;
    }
}

#endif
