/* The sum of the clipped, scaled differences of a signal, by hand.

   `signal_plain` is the loop as one writes it down; `signal_lanes` is what an expert makes of it: the first
   element peeled off, the sum in lanes. Neither checks for a division by zero, which APL does. */

#include <stdint.h>

static inline double clip(double x) { return x < -50.0 ? -50.0 : x > 50.0 ? 50.0 : x; }

double signal_plain(const double *v, int64_t n) {
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum += clip(50.0 * ((v[i] - (i > 0 ? v[i - 1] : 0.0)) / (0.01 + v[i])));
    return sum;
}

double signal_lanes(const double *restrict v, int64_t n) {
    double sum = n > 0 ? clip(50.0 * (v[0] / (0.01 + v[0]))) : 0.0;
#pragma omp parallel for simd reduction(+ : sum) if (parallel : n > 200000)
    for (int64_t i = 1; i < n; i++)
        sum += clip(50.0 * ((v[i] - v[i - 1]) / (0.01 + v[i])));
    return sum;
}
