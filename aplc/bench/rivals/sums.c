/* Sum, running sums, largest element and compress of a vector, by hand. Running sums and compress in threads
   take two passes: each block is counted first, then every block knows where it begins. */

#include <float.h>
#include <stdint.h>
#include <stdlib.h>

enum { LANES = 32 };
#ifdef _OPENMP
enum { BLOCK = 1 << 16 };
#endif

double sums_total(const double *restrict v, int64_t n) {
    double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum) if (parallel : n > 500000)
    for (int64_t i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

double sums_largest(const double *restrict v, int64_t n) {
    double largest = -DBL_MAX;
    const int64_t whole = n / LANES * LANES;
#pragma omp parallel reduction(max : largest) if (n > 1000000)
    {
        double lane[LANES];
        for (int l = 0; l < LANES; l++)
            lane[l] = -DBL_MAX;
#pragma omp for nowait
        for (int64_t i = 0; i < whole; i += LANES)
            for (int l = 0; l < LANES; l++)
                lane[l] = v[i + l] > lane[l] ? v[i + l] : lane[l];
        for (int l = 0; l < LANES; l++)
            largest = lane[l] > largest ? lane[l] : largest;
    }
    for (int64_t i = whole; i < n; i++)
        largest = v[i] > largest ? v[i] : largest;
    return largest;
}

/* Running sums that begin at `carry`: one addition in four waits for the one before it. */
static void run(const double *restrict v, int64_t n, double carry, double *restrict out) {
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const double two = v[i] + v[i + 1], three = two + v[i + 2], four = two + (v[i + 2] + v[i + 3]);
        out[i] = carry + v[i], out[i + 1] = carry + two, out[i + 2] = carry + three;
        out[i + 3] = carry = carry + four;
    }
    for (; i < n; i++)
        out[i] = carry = carry + v[i];
}

#ifdef _OPENMP

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

void sums_running(const double *v, int64_t n, double *out) {
    const int64_t blocks = (n + BLOCK - 1) / BLOCK;
    double *carry = malloc((size_t)(blocks + 1) * sizeof(double));
    carry[0] = 0.0;
#pragma omp parallel for if (n > 500000)
    for (int64_t b = 0; b < blocks; b++) {
        double sum = 0.0;
        const int64_t end = least(n, (b + 1) * BLOCK);
#pragma omp simd reduction(+ : sum)
        for (int64_t i = b * BLOCK; i < end; i++)
            sum += v[i];
        carry[b + 1] = sum;
    }
    for (int64_t b = 0; b < blocks; b++)
        carry[b + 1] += carry[b];
#pragma omp parallel for if (n > 500000)
    for (int64_t b = 0; b < blocks; b++)
        run(v + b * BLOCK, least(BLOCK, n - b * BLOCK), carry[b], out + b * BLOCK);
    free(carry);
}

/* A block ends with the last element that it keeps, so that none writes into the next one. */
int64_t sums_exceeds(double limit, const double *v, int64_t n, double *out) {
    const int64_t blocks = (n + BLOCK - 1) / BLOCK;
    int64_t *place = malloc((size_t)(blocks + 1) * sizeof(int64_t));
    place[0] = 0;
#pragma omp parallel for if (n > 500000)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t found = 0;
        const int64_t end = least(n, (b + 1) * BLOCK);
#pragma omp simd reduction(+ : found)
        for (int64_t i = b * BLOCK; i < end; i++)
            found += v[i] > limit;
        place[b + 1] = found;
    }
    for (int64_t b = 0; b < blocks; b++)
        place[b + 1] += place[b];
    const int64_t all = place[blocks];
#pragma omp parallel for if (n > 500000)
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t end = least(n, (b + 1) * BLOCK), room = place[b + 1];
        int64_t k = place[b];
        for (int64_t i = b * BLOCK; i < end && k < room; i++) {
            out[k] = v[i];
            k += v[i] > limit;
        }
    }
    free(place);
    return all;
}

#else

void sums_running(const double *v, int64_t n, double *out) { run(v, n, 0.0, out); }

int64_t sums_exceeds(double limit, const double *restrict v, int64_t n, double *restrict out) {
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++) {
        out[found] = v[i];
        found += v[i] > limit;
    }
    return found;
}

#endif
