/* Easter Sundays after Knuth, summed, by hand: years in lanes of 32 bits, up to 400,000,000. */

#include <stdint.h>

enum { BLOCK = 2048 }; /* the dates of so many years, each below 500, fit 32 bits */

/* Month and day of one year, as 100 times the one and the other. Only the epact's sum can be negative. */
static inline uint32_t easter(uint32_t year) {
    const uint32_t golden = 1 + year % 19, century = 1 + year / 100;
    const int32_t omitted = (int32_t)(century * 3 / 4) - 12, moon = (int32_t)((5 + 8 * century) / 25) - 5;
    const uint32_t sunday = (uint32_t)((int32_t)(5 * year / 4) - (omitted + 10));
    uint32_t epact = (uint32_t)((int32_t)(11 * golden) + 20 + moon - omitted + 30 * 200000) % 30;
    epact += (epact == 24) | ((epact == 25) & (golden > 11));
    uint32_t full = 44 - epact;
    full += full < 21 ? 30 : 0;
    const uint32_t day = full + 7 - (sunday + full) % 7;
    return day > 31 ? 400 + day - 31 : 300 + day;
}

/* The dates of the years after `from` and up to `to`. */
static int64_t dates(int64_t from, int64_t to) {
    int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) if (to - from > 100000)
    for (int64_t start = from + 1; start <= to; start += BLOCK) {
        const uint32_t first = (uint32_t)start, count = (uint32_t)(to - start + 1 < BLOCK ? to - start + 1 : BLOCK);
        uint32_t part = 0;
#pragma omp simd reduction(+ : part)
        for (uint32_t k = 0; k < count; k++)
            part += easter(first + k);
        sum += part;
    }
    return sum;
}

int64_t easter_total(int64_t n) { return dates(0, n); }

/* Round k takes the years k + 1 to k + n. */
int64_t easter_rounds(int64_t rounds, int64_t n) {
    int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) if (rounds * n > 100000)
    for (int64_t k = 0; k < rounds; k++)
        sum += dates(k, k + n);
    return sum;
}
