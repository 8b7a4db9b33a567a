/* What one core of this machine can do at most: copy memory, and add and multiply doubles. */

#include <stdint.h>
#include <string.h>

void machine_copy(double *restrict to, const double *restrict from, int64_t n) {
    memcpy(to, from, (size_t)n * sizeof(double));
}

enum { CHAINS = 128 }; /* more than any core has in flight */

/* `rounds` multiplications and additions in each of CHAINS numbers; the result keeps them from being left out. */
double machine_multiply_add(int64_t rounds, double by, double plus) {
    double chain[CHAINS], sum = 0.0;
    for (int k = 0; k < CHAINS; k++)
        chain[k] = k;
    for (int64_t i = 0; i < rounds; i++)
        for (int k = 0; k < CHAINS; k++)
            chain[k] = __builtin_fma(chain[k], by, plus);
    for (int k = 0; k < CHAINS; k++)
        sum += chain[k];
    return sum;
}
