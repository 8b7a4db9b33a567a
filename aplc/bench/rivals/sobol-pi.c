/* Four times the part of the first n points of a two-dimensional Sobol sequence that lie in the quarter of the
   circle, by hand. n is at most 2^30.

   `sobol_pi_bits` makes every point by itself from the bits of its Gray code, four registers of them in lanes.
   `sobol_pi_blocks` does less: it uses that the map from number to point is linear: within a block of a power of two the
   points are the block's first one exclusive or a table. */

#include <stdint.h>

#if defined(__AVX512F__)
enum { LANES = 16 }; /* of 32 bits in a register */
#else
enum { LANES = 8 };
#endif
enum { BITS = 30, BLOCK = 1024, VECTORS = 4, TILE = LANES * VECTORS };
typedef int32_t Numbers __attribute__((vector_size(LANES * sizeof(int32_t))));

static void directions(int32_t first[BITS], int32_t second[BITS]) {
    second[0] = 1 << (BITS - 1);
    for (int j = 0; j < BITS; j++) {
        first[j] = 1 << (BITS - 1 - j);
        if (j > 0)
            second[j] = second[j - 1] ^ second[j - 1] >> 1;
    }
}

static inline int32_t point(const int32_t direction[BITS], int32_t k) {
    const int32_t gray = k ^ k >> 1;
    int32_t x = 0;
    for (int j = 0; j < BITS; j++)
        x ^= direction[j] & -(gray >> j & 1);
    return x;
}

static inline int64_t inside(int32_t a, int32_t b) {
    const double scale = 1.0 / (1 << BITS), x = a * scale, y = b * scale;
    return x * x + y * y <= 1.0;
}

double sobol_pi_bits(int64_t n) {
    int32_t first[BITS], second[BITS];
    directions(first, second);
    int64_t hits = 0;
#pragma omp parallel for reduction(+ : hits) if (n > 40000)
    for (int64_t start = 0; start < n; start += TILE) {
        const int64_t count = n - start < TILE ? n - start : TILE;
        Numbers gray[VECTORS], x[VECTORS] = {0}, y[VECTORS] = {0};
        for (int32_t l = 0; l < TILE; l++)
            ((int32_t *)gray)[l] = ((int32_t)start + l) ^ ((int32_t)start + l) >> 1;
        for (int j = 0; j < BITS; j++)
            for (int v = 0; v < VECTORS; v++) {
                const Numbers set = (gray[v] & 1 << j) != 0;
                x[v] ^= first[j] & set, y[v] ^= second[j] & set;
            }
        int64_t part = 0;
#pragma omp simd reduction(+ : part)
        for (int64_t l = 0; l < count; l++)
            part += inside(((int32_t *)x)[l], ((int32_t *)y)[l]);
        hits += part;
    }
    return 4.0 * ((double)hits / (double)n);
}

double sobol_pi_blocks(int64_t n) {
    int32_t first[BITS], second[BITS], tableX[BLOCK], tableY[BLOCK];
    directions(first, second);
    for (int32_t k = 0; k < BLOCK; k++)
        tableX[k] = point(first, k), tableY[k] = point(second, k);
    int64_t hits = 0;
#pragma omp parallel for reduction(+ : hits) if (n > 40000)
    for (int64_t start = 0; start < n; start += BLOCK) {
        const int32_t x = point(first, (int32_t)start), y = point(second, (int32_t)start);
        const int64_t count = n - start < BLOCK ? n - start : BLOCK;
        int64_t part = 0;
#pragma omp simd reduction(+ : part)
        for (int64_t k = 0; k < count; k++)
            part += inside(x ^ tableX[k], y ^ tableY[k]);
        hits += part;
    }
    return 4.0 * ((double)hits / (double)n);
}
