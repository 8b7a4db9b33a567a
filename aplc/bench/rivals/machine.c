/* What one core of this machine can do at most: copy memory, and multiply and add doubles. */

#include <stdint.h>
#include <string.h>

void machine_copy(int64_t passes, double *restrict to, const double *restrict from, int64_t n) {
    for (int64_t i = 0; i < passes; i++) {
        memcpy(to, from, (size_t)n * sizeof(double));
        __asm__ volatile("" ::: "memory"); /* each pass is made */
    }
}

#if defined(__AVX512F__)
enum { BYTES = 64 };
#elif defined(__AVX__)
enum { BYTES = 32 };
#else
enum { BYTES = 16 };
#endif
typedef double lanes __attribute__((vector_size(BYTES)));
enum { CHAINS = 12 }; /* that do not wait for each other: more than a core has in flight, and fit its registers */

/* A multiplication and an addition in each lane of each chain, `rounds` times; the result keeps them from being
   left out. */
double machine_multiply_add(int64_t rounds, double by, double plus) {
    const lanes zero = {0};
    lanes chain[CHAINS], factor = zero + by, addend = zero + plus, sum = zero;
    for (int k = 0; k < CHAINS; k++)
        chain[k] = zero + (double)k;
    for (int64_t i = 0; i < rounds; i++)
#pragma GCC unroll 16
        for (int k = 0; k < CHAINS; k++)
            chain[k] = chain[k] * factor + addend;
    for (int k = 0; k < CHAINS; k++)
        sum += chain[k];
    return sum[0] + sum[1];
}

/* The operations of a round. */
int64_t machine_operations(void) { return 2 * CHAINS * BYTES / (int64_t)sizeof(double); }
