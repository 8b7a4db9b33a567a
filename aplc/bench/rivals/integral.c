/* The integral of 2/(x+2) from 0 to 10 by the midpoint rule, by hand. */

#include <stdint.h>

double integral(int64_t n) {
    const double d = 10.0 / (double)n;
    double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum) if (parallel : n > 80000)
    for (int64_t i = 0; i < n; i++)
        sum += 2.0 / (2.0 + d * ((double)i + 0.5));
    return d * sum;
}
