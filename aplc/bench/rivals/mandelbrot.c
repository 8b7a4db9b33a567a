/* Escape counts on an n by n grid, by hand. A sum that is rounded once instead of twice would change counts,
   so that products and sums are not contracted.

   `mandelbrot_points` follows one point after the other; `mandelbrot_lanes` follows 32 or 8 neighbours until the last
   of them is outside: what is outside the circle stays there, or is no number. */

#include <stdint.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

/* What is known of the points of a group stays in the registers: 32 of 8 numbers, or 16 of 4. */
#if defined(__AVX512F__)
enum { LANES = 8, VECTORS = 4, GROUP = LANES * VECTORS };
#else
enum { LANES = 4, VECTORS = 2, GROUP = LANES * VECTORS };
#endif
typedef double Numbers __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t Counts __attribute__((vector_size(LANES * sizeof(int64_t))));

static inline double real(int64_t k, int64_t n) { return -2.0 + 2.5 * (double)k / (double)n; }
static inline double imaginary(int64_t k, int64_t n) { return -1.25 + 2.5 * (double)k / (double)n; }

void mandelbrot_points(int64_t depth, int64_t n, int64_t *out) {
#pragma omp parallel for schedule(dynamic, 8) if (depth * n * n > 600000)
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double re = real(j, n), im = imaginary(i, n);
            double x = 0.0, y = 0.0;
            int64_t k = 0;
            while (k < depth && x * x + y * y <= 4.0) {
                const double next = re + (x * x - y * y);
                y = im + 2.0 * (x * y), x = next, k++;
            }
            out[i * n + j] = k;
        }
}

void mandelbrot_lanes(int64_t depth, int64_t n, int64_t *out) {
#pragma omp parallel for schedule(dynamic, 8) if (depth * n * n > 600000)
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j += GROUP) {
            const double im = imaginary(i, n);
            Numbers re[VECTORS], x[VECTORS] = {0}, y[VECTORS] = {0};
            Counts count[VECTORS] = {0};
            for (int64_t l = 0; l < GROUP; l++)
                re[l / LANES][l % LANES] = real(j + l, n);
            for (int64_t k = 0; k < depth; k++) {
                Counts any = {0};
                for (int v = 0; v < VECTORS; v++) {
                    const Numbers xx = x[v] * x[v], yy = y[v] * y[v], xy = x[v] * y[v];
                    const Counts in = xx + yy <= 4.0;
                    count[v] -= in, any |= in;
                    x[v] = re[v] + (xx - yy), y[v] = im + 2.0 * xy;
                }
                int64_t left = 0;
                for (int l = 0; l < LANES; l++)
                    left |= any[l];
                if (left == 0)
                    break;
            }
            for (int64_t l = 0; l < GROUP && j + l < n; l++)
                out[i * n + j + l] = count[l / LANES][l % LANES];
        }
}
