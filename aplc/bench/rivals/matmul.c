/* The product of two matrices, by hand: a tile of 8 by 24, or 4 by 12, stays in registers while it is summed, what it reads is
   packed so that it lies in a row, and a block of the left matrix stays in the second cache. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The tile and what is read for it fill the registers: 32 of 8 numbers, or 16 of 4. */
#if defined(__AVX512F__)
enum { LANES = 8, HIGH = 8 };
#else
enum { LANES = 4, HIGH = 4 };
#endif
enum { VECTORS = 3, WIDE = LANES * VECTORS, DEEP = 256, BLOCK = 128 };
typedef double Numbers __attribute__((vector_size(LANES * sizeof(double))));

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Add to a tile of the result: `left` has HIGH, `right` WIDE numbers for each of `depth` steps. */
static void tile(const double *restrict left, const Numbers *restrict right, int64_t depth, double *out,
                 int64_t stride, int64_t rows, int64_t columns) {
    Numbers sum[HIGH][VECTORS] = {0};
    for (int64_t p = 0; p < depth; p++)
#pragma GCC unroll 8
        for (int i = 0; i < HIGH; i++)
#pragma GCC unroll 3
            for (int v = 0; v < VECTORS; v++)
                sum[i][v] += left[p * HIGH + i] * right[p * VECTORS + v];
    Numbers done[HIGH * VECTORS]; /* apart, so that the sums stay in registers */
#pragma GCC unroll 8
    for (int i = 0; i < HIGH; i++)
#pragma GCC unroll 3
        for (int v = 0; v < VECTORS; v++)
            done[i * VECTORS + v] = sum[i][v];
    const double *numbers = (const double *)done;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            out[i * stride + j] += numbers[i * WIDE + j];
}

void matmul(const double *a, int64_t rows, int64_t depth, const double *b, int64_t depth_of_b, int64_t columns,
            double *out) {
    const int64_t panels = (columns + WIDE - 1) / WIDE;
    double *right = aligned_alloc(64, (size_t)(panels * DEEP * WIDE + LANES) * sizeof(double) / 64 * 64);
    memset(out, 0, (size_t)(rows * columns) * sizeof(double));
    for (int64_t from = 0; from < depth; from += DEEP) {
        const int64_t deep = least(DEEP, depth - from);
#pragma omp parallel if (rows * depth * columns > 4000000)
        {
            double *left = aligned_alloc(64, (size_t)(BLOCK * DEEP) * sizeof(double));
#pragma omp for
            for (int64_t q = 0; q < panels; q++)
                for (int64_t p = 0; p < deep; p++)
                    for (int64_t j = 0; j < WIDE; j++)
                        right[(q * DEEP + p) * WIDE + j] =
                            q * WIDE + j < columns ? b[(from + p) * columns + q * WIDE + j] : 0.0;
#pragma omp for
            for (int64_t top = 0; top < rows; top += BLOCK) {
                const int64_t high = least(BLOCK, rows - top);
                for (int64_t i = 0; i < high; i += HIGH)
                    for (int64_t p = 0; p < deep; p++)
                        for (int64_t k = 0; k < HIGH; k++)
                            left[i * deep + p * HIGH + k] =
                                i + k < high ? a[(top + i + k) * depth + from + p] : 0.0;
                for (int64_t q = 0; q < panels; q++)
                    for (int64_t i = 0; i < high; i += HIGH)
                        tile(left + i * deep, (const Numbers *)(right + q * DEEP * WIDE), deep,
                             out + (top + i) * columns + q * WIDE, columns, least(HIGH, high - i),
                             least(WIDE, columns - q * WIDE));
            }
            free(left);
        }
    }
    free(right);
}
