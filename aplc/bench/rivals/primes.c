/* The primes up to n by the whole table of residues, by hand; the result is how many there are.

   `primes_remainders` takes remainders of 32 bits, a block of numbers against all divisors. `primes_lanes` has
   no remainders at all but products in lanes of doubles: j is a multiple of i where j less the rounded quotient times i is zero, which
   is exact below 2^50. */

#include <math.h>
#include <stdint.h>

enum { BLOCK = 1024 };

/* Gather those of the numbers from `start` that two numbers divide. */
static int64_t gather(const int32_t *divisors, int64_t start, int64_t count, int64_t *out) {
    int64_t found = 0;
    for (int64_t k = 0; k < count; k++)
        if (divisors[k] == 2)
            out[found++] = start + k;
    return found;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

int64_t primes_remainders(int64_t n, int64_t *out) {
    int64_t found = 0;
#pragma omp parallel for ordered schedule(static, 1) if (n > 250)
    for (int64_t start = 1; start <= n; start += BLOCK) {
        const int32_t first = (int32_t)start, count = (int32_t)least(BLOCK, n - start + 1), last = (int32_t)n;
        int32_t divisors[BLOCK] = {0};
        for (int32_t i = 1; i <= last; i++)
            for (int32_t k = 0; k < count; k++)
                divisors[k] += (first + k) % i == 0;
#pragma omp ordered
        found += gather(divisors, start, count, out + found);
    }
    return found;
}

int64_t primes_lanes(int64_t n, int64_t *out) {
    int64_t found = 0;
#pragma omp parallel for ordered schedule(static, 1) if (n > 250)
    for (int64_t start = 1; start <= n; start += BLOCK) {
        const int64_t count = least(BLOCK, n - start + 1);
        int64_t hits[BLOCK] = {0};
        int32_t divisors[BLOCK];
        double number[BLOCK];
        for (int64_t k = 0; k < BLOCK; k++)
            number[k] = (double)(start + k);
        for (int64_t i = 1; i <= n; i++) {
            const double by = (double)i, inverse = 1.0 / by;
#pragma omp simd
            for (int64_t k = 0; k < BLOCK; k++)
                hits[k] += number[k] - rint(number[k] * inverse) * by == 0.0;
        }
        for (int64_t k = 0; k < BLOCK; k++)
            divisors[k] = (int32_t)hits[k];
#pragma omp ordered
        found += gather(divisors, start, count, out + found);
    }
    return found;
}
