/* The run-time system of generated C: the interface to the host, memory, and the arithmetic of APL
   that C does not have. Everything is static and inline; a program includes this one file. */

#ifndef APLC_H
#define APLC_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define APLC_EXPORT __attribute__((visibility("default")))

/* An array: its elements in row-major order, and its extents. Of a scalar `shape` is not looked at. */
typedef struct {
    void *data;
    int64_t *shape;
} aplc_array;

/* What a program asks of its host. `print` shows value number `k` and gives 0 to go on. A check that fails
   leaves its number and the values it reports. */
typedef struct {
    int (*print)(int64_t k, const void *data, const int64_t *shape);
    int64_t site;
    int64_t values[2];
} aplc_host;

enum { APLC_OK = 0, APLC_FAILED = 1, APLC_STOPPED = 2 };

static inline int aplc_fail(aplc_host *host, int64_t site, int64_t a, int64_t b) {
    host->site = site;
    host->values[0] = a;
    host->values[1] = b;
    return APLC_FAILED;
}

/* --- memory --- */

/* The product of extents; -1 if it does not fit. */
static inline int64_t aplc_count(int rank, const int64_t *extents) {
    int64_t count = 1;
    for (int k = 0; k < rank; k++)
        if (__builtin_mul_overflow(count, extents[k], &count))
            return -1;
    return count;
}

/* Memory for `count` elements, aligned for vectors, in huge pages where it is large; NULL if there is none. */
static inline void *aplc_alloc(int64_t count, int64_t element) {
    int64_t bytes;
    if (count < 0 || __builtin_mul_overflow(count, element, &bytes) || bytes > INT64_MAX / 2)
        return NULL;
    const int64_t large = 1 << 22, page = 1 << 21;
    const int64_t align = bytes >= large ? page : 64;
    void *memory = NULL;
    if (posix_memalign(&memory, (size_t)align, bytes > 0 ? (size_t)bytes : 1) != 0)
        return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= large)
        madvise(memory, (size_t)bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

/* --- flags ---

   A check inside a loop raises a flag, which is tested after the loop. Any bit of it counts but the sign, so a
   number raises it if it is not zero, by being what it is. */

static inline int64_t aplc_bits(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline bool aplc_raised(int64_t flag) { return flag << 1 != 0; }

/* --- arithmetic --- */

static inline int64_t aplc_max_int(int64_t x, int64_t y) { return x > y ? x : y; }
static inline int64_t aplc_min_int(int64_t x, int64_t y) { return x < y ? x : y; }
static inline int64_t aplc_abs_int(int64_t x) { return x < 0 ? -x : x; }
static inline int64_t aplc_sign_int(int64_t x) { return (x > 0) - (x < 0); }
static inline int64_t aplc_sign(double x) { return (x > 0) - (x < 0); }

/* Maximum and minimum in which NaN wins. */
static inline double aplc_max(double x, double y) { return x > y || x != x ? x : y; }
static inline double aplc_min(double x, double y) { return x < y || x != x ? x : y; }
/* The same for a bound that is no NaN: one instruction. */
static inline double aplc_at_least(double bound, double x) { return bound > x ? bound : x; }
static inline double aplc_at_most(double bound, double x) { return bound < x ? bound : x; }

/* `x|y`: the sign of x; y itself for x = 0. */
static inline int64_t aplc_residue_int(int64_t x, int64_t y) {
    if (x == 0)
        return y;
    if (x == -1)
        return 0;
    const int64_t rest = y % x;
    return rest != 0 && (rest < 0) != (x < 0) ? rest + x : rest;
}

static inline double aplc_residue(double x, double y) {
    if (x == 0)
        return y;
    const double rest = fmod(y, x);
    return rest != 0 && (rest < 0) != (x < 0) ? rest + x : rest;
}

static inline int64_t aplc_gcd(int64_t x, int64_t y) {
    uint64_t a = x < 0 ? -(uint64_t)x : (uint64_t)x, b = y < 0 ? -(uint64_t)y : (uint64_t)y;
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (int64_t)a;
}

/* Floor division without a trap for the one quotient that does not fit. */
static inline int64_t aplc_lcm(int64_t x, int64_t y) {
    const int64_t divisor = aplc_gcd(x, y);
    if (divisor == 0)
        return 0;
    const int64_t quotient = divisor == -1 ? -x : x / divisor - (x % divisor != 0 && (x < 0) != (divisor < 0));
    return (int64_t)((uint64_t)quotient * (uint64_t)y);
}

#endif
