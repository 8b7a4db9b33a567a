/* The run-time system of generated C: memory, errors, and the arithmetic of APL
   that C does not have. Everything is static and inline; a program includes this one file, which
   includes the others. */

#ifndef APLC_H
#define APLC_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#include <unistd.h>
#if defined(APLC_LIMITED) && defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(APLC_LIMITED)
#include <malloc.h>
#endif
#ifdef APLC_DEBUG
#include "aplc_debug.h"
#endif

#include "aplc_apart.h"
#include "aplc_host.h"
#include "aplc_lanes.h"
#include "aplc_math.h"
#include "aplc_memory.h"
#ifdef APLC_LIMITED
#include "aplc_limit.h"
#endif
#include "aplc_random.h"

/* The stack of a thread, which grows downwards, from here on. */
static inline void aplc_begin_stack(aplc_host *host, const char *here, int64_t size) {
    host->stack = here;
    host->stack_size = size;
    host->deepest = (uintptr_t)here - (uintptr_t)size;
}

/* One comparison: gcc unfolds short functions that call themselves, and this with them. */
static inline bool aplc_too_deep(const aplc_host *host) {
    const char here = 0;
    return (uintptr_t)&here < host->deepest;
}

static inline int aplc_fail(aplc_host *host, int64_t site, int64_t a, int64_t b) {
    host->site = site;
    host->values[0] = a;
    host->values[1] = b;
    host->told = 0;
    return APLC_FAILED;
}

/* The status of a call from outside of a function that calls itself: where calls are too deep, which such a function says
   at a site of its own, they began at another one. */
static inline int aplc_called(aplc_host *host, int status, int64_t own, int64_t here) {
    if (status == APLC_FAILED && host->site == own)
        host->site = here;
    return status;
}

/* The same inside of items of arrays of arrays, with the numbers of those. */
static inline int aplc_fail_in(aplc_host *host, int64_t site, int64_t a, int64_t b, int64_t count, const int64_t *items) {
    aplc_fail(host, site, a, b);
    for (int64_t k = 0; k < count; k++)
        host->items[k] = items[k];
    host->told = count;
    return APLC_FAILED;
}

/* --- chance --- */

/* Use up `count` numbers of the stream: its key, and the position of the first of them. */
static inline void aplc_draw(aplc_host *host, int64_t count, int64_t *key, int64_t *position) {
    *key = (int64_t)host->random.key;
    *position = (int64_t)host->random.position;
    host->random.position += (uint64_t)count;
}

static inline void aplc_set_seed(aplc_host *host, int64_t seed) { aplc_stream_seed(&host->random, seed); }

static inline int aplc_deal_out(aplc_host *host, int64_t *out, int64_t count, int64_t limit) {
    return aplc_deal(&host->random, count, limit, out);
}

/* --- memory --- */

/* An array can exist if the product of its extents, of which zeros count as one, has an address for each element, and
   its bytes fit the memory of the machine: the twin of `room.py` of the package `tail`. */

static const int64_t aplc_addressable = INT64_C(1) << 47;

static inline bool aplc_fits_machine(int64_t bytes) {
    static int64_t most; /* the same for all threads that find it out */
    int64_t found = __atomic_load_n(&most, __ATOMIC_RELAXED);
    if (found == 0) {
        found = sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGESIZE);
        found = found > 0 ? found : INT64_MAX;
        __atomic_store_n(&most, found, __ATOMIC_RELAXED);
    }
    return bytes <= found;
}

/* The product of extents; -1 if there can be no such array. */
static inline int64_t aplc_count(int rank, const int64_t *extents) {
    int64_t whole = 1;
    bool is_empty = false;
    for (int k = 0; k < rank; k++) {
        is_empty |= extents[k] == 0;
        if (__builtin_mul_overflow(whole, extents[k] == 0 ? 1 : extents[k], &whole))
            return -1;
    }
    return whole >= aplc_addressable ? -1 : is_empty ? 0 : whole;
}

/* There is no memory for an array: how many elements it has, in two words of which the first has 63 bits. Of an empty
   array the zeros count as one, and the second word is the complement. */
static inline int aplc_no_memory(aplc_host *host, int64_t site, int rank, const int64_t *extents) {
    const unsigned __int128 most = (unsigned __int128)-1 >> 2;
    unsigned __int128 whole = 1;
    bool is_empty = false;
    for (int k = 0; k < rank; k++) {
        const uint64_t extent = extents[k] == 0 ? 1 : (uint64_t)extents[k];
        is_empty |= extents[k] == 0;
        whole = whole > most / extent ? most : whole * extent;
    }
    const int64_t high = (int64_t)(whole >> 63);
    return aplc_fail(host, site, (int64_t)(whole & INT64_MAX), is_empty ? ~high : high);
}

/* Memory for `count` elements and `room` bytes behind them, aligned for vectors unless it is small, in huge pages
   where it is large; NULL if there is none. Aligned memory takes four to six times as long to get.

   Arrays of whole pages that lie one behind the other would begin at nearly the same place of a page, so that what a
   loop writes to one of them looks, by the low bits of its address, like what it is about to read from another: some
   more room at the end moves the next one to another place. */
static inline void *aplc_alloc_with_room(int64_t count, int64_t element, int64_t room) {
    int64_t bytes;
    if (count < 0 || __builtin_mul_overflow(count, element, &bytes) || bytes > INT64_MAX / 2)
        return NULL;
    bytes += room;
    if (bytes > INT64_C(1) << 30 && !aplc_fits_machine(bytes))
        return NULL;
    const int64_t large = APLC_LARGE, some = 1 << 17, few = 256, small_page = 1 << 12, apart = 1536;
    if (bytes >= some && bytes < large)
        bytes += (apart - bytes) & (small_page - 1);
    if (bytes <= few)
        return malloc(bytes > 0 ? (size_t)bytes : 1);
    const int64_t align = bytes >= large ? APLC_HUGE_PAGE : 64;
    void *memory = NULL;
    if (posix_memalign(&memory, (size_t)align, (size_t)bytes) != 0)
        return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= large)
        madvise(memory, (size_t)bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

static inline void *aplc_alloc(int64_t count, int64_t element) { return aplc_alloc_with_room(count, element, 0); }

/* Memory that the host gave, which is ours from now on. */
static inline void *aplc_adopt(void *memory) {
#ifdef APLC_DEBUG
    aplc_hold(memory);
#endif
    memory = aplc_noted(memory);
#ifdef APLC_LIMITED
    aplc_paid(memory, 0);
#endif
    return memory;
}

/* --- flags ---

   A check inside a loop raises a flag, which is tested after the loop. Any bit of it counts but the sign, so a
   number raises it if it is not zero, by being what it is. Checks that are no numbers share one, with a bit each. */

static inline int64_t aplc_bits(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline int64_t aplc_masked(int64_t x, bool holds) { return x & -(int64_t)holds; }

static inline bool aplc_raised(int64_t flag) { return (uint64_t)flag << 1 != 0; }
static inline bool aplc_tested(int64_t flag, int64_t bit) { return (flag & bit) != 0; }

/* Stands before a loop over a few lanes, which raise these flags in each round of a `while`. For one that OpenMP is
   told of, gcc clears memory before the loop, and then what lanes compute from round to round stays in memory, too. It
   need not be told: whether OpenMP is or not, gcc takes what is joined by | for what it is. (Inside a counted loop it
   must be: gcc might exchange the two.) */
#define APLC_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define APLC_LANES_RAISE(...) APLC_PRAGMA(omp simd reduction(|:__VA_ARGS__))
#else
#define APLC_LANES_RAISE(...) _Pragma("omp simd")
#endif

/* Stands before an array in a function. */
#define APLC_ALIGNED __attribute__((__aligned__(64)))

/* Stands before a loop over a few lanes. clang writes such a loop out, lane by lane, before it looks for vectors, and does
   not find them any more: so it is told to do neither more nor less than vectors, two of which are under way. */
#if defined(__clang__)
#define APLC_FEW_LANES(...) \
    _Pragma("clang loop vectorize(assume_safety) interleave_count(2) unroll(disable)")
#else
#define APLC_FEW_LANES(...) APLC_PRAGMA(omp simd __VA_ARGS__)
#endif

/* Stands before a loop that accumulates quotients, roots and the like. These take so long that two vectors under way are as
   fast as four, and clang leaves the less to do one by one. */
#if defined(__clang__)
#define APLC_SLOW_LANES(...) APLC_FEW_LANES(__VA_ARGS__)
#else
#define APLC_SLOW_LANES(...) APLC_PRAGMA(omp simd __VA_ARGS__)
#endif

/* Stands before a loop over more lanes, with which a loop around it goes on from round to round. clang keeps an array in
   registers where all its indices are constants once loops are written out: since version 15 it stops short of that for
   so many vectors unless it takes four at a time; earlier ones are slower if they are told. */
#if defined(__clang__) && __clang_major__ >= 15
#define APLC_LANES_GO_ON _Pragma("clang loop interleave_count(4)")
#else
#define APLC_LANES_GO_ON _Pragma("omp simd")
#endif

/* The step of a loop that is too short for vectors, which compilers do not make of what they cannot read. */
#define aplc_next_one(i) __extension__({ __asm__ volatile(""); (i)++; })

/* The same before a loop over fewer, in a loop of any number of rounds. With 32 registers clang has room for all at once. */
#if defined(__clang__) && defined(__AVX512F__)
#define APLC_FEW_LANES_GO_ON APLC_LANES_GO_ON
#else
#define APLC_FEW_LANES_GO_ON APLC_FEW_LANES()
#endif

/* Stands before a loop that changes the same few lanes in each round. Of several rounds in one clang no longer finds out that
   nothing else is in the memory of their arrays, which then stay there and not in registers. */
#if defined(__clang__)
#define APLC_OVER_LANES _Pragma("clang loop unroll(disable)")
#else
#define APLC_OVER_LANES
#endif

/* Stands before a loop of a few rounds, so few that what clang does to take several at once costs more than it saves. */
#if defined(__clang__)
#define APLC_FEW_ROUNDS _Pragma("clang loop unroll(disable)")
#else
#define APLC_FEW_ROUNDS
#endif

/* Stands before a loop that changes lanes and reads what a pointer points to that others were exchanged with. Where it
   comes from clang has lost, and with that it keeps the lanes in memory, as they may lie there: told nothing at all, it
   knows that nobody else has the address of an array of its own. */
#if defined(__clang__)
#define APLC_ELSEWHERE(pointer) __asm__("" : "+r"(pointer))
#else
#define APLC_ELSEWHERE(pointer)
#endif

/* --- arithmetic --- */

static inline int64_t aplc_max_int(int64_t x, int64_t y) { return x > y ? x : y; }
static inline int64_t aplc_min_int(int64_t x, int64_t y) { return x < y ? x : y; }
static inline int64_t aplc_abs_int(int64_t x) { return x < 0 ? -x : x; }
static inline int64_t aplc_sign_int(int64_t x) { return (x > 0) - (x < 0); }

typedef struct {
    double real, imaginary;
} aplc_complex;

static inline aplc_complex aplc_of_parts(double real, double imaginary) { return (aplc_complex){real, imaginary}; }
static inline double aplc_real(aplc_complex z) { return z.real; }
static inline double aplc_imaginary(aplc_complex z) { return z.imaginary; }

/* A product that is rounded before it is added to: gcc 12 makes one operation of both, whatever -ffp-contract says,
   where a difference and a sum are stored side by side. */
#if defined(__has_builtin) && !defined(__clang__)
#if __has_builtin(__builtin_assoc_barrier)
#define aplc_rounded(x) __builtin_assoc_barrier(x)
#endif
#endif
#ifndef aplc_rounded
#define aplc_rounded(x) (x)
#endif

/* The root of the sum of two squares; parts whose squares would be too large or too small are scaled. */
static inline double aplc_magnitude(double real, double imaginary) {
    const double x = fabs(real), y = fabs(imaginary), larger = x > y ? x : y;
    const bool is_large = larger > 0x1p500, is_small = larger < 0x1p-500;
    const double scale = is_large ? 0x1p-600 : is_small ? 0x1p600 : 1.0;
    const double a = real * scale, b = imaginary * scale, root = sqrt(a * a + b * b);
    return root * (is_large ? 0x1p600 : is_small ? 0x1p-600 : 1.0);
}

static inline int64_t aplc_sign(double x) { return (x > 0) - (x < 0); }

/* Maximum and minimum in which NaN wins: one instruction, and a choice for NaN on the left. gcc 12 makes paths of the
   choices of one extremum inside another, which take three times as long in lanes, so it is not told what is chosen. */
static inline double aplc_max(double x, double y) {
    const double greater = x > y ? x : y;
    return aplc_rounded(x != x ? x : greater);
}

static inline double aplc_min(double x, double y) {
    const double less = x < y ? x : y;
    return aplc_rounded(x != x ? x : less);
}

/* The smaller of two numbers; of a number and NaN the number. */
static inline double aplc_lesser(double x, double y) {
    const double less = x < y ? x : y;
    return y != y ? x : less;
}

/* The largest and the smallest of a loop, in clauses of OpenMP. clang begins with the finite numbers at the ends:
   of infinities alone the largest finite one would be the smallest. */
#if defined(__clang__)
#pragma omp declare reduction(aplc_largest : double : omp_out = omp_in > omp_out ? omp_in : omp_out) \
    initializer(omp_priv = -INFINITY)
#pragma omp declare reduction(aplc_smallest : double : omp_out = omp_in < omp_out ? omp_in : omp_out) \
    initializer(omp_priv = INFINITY)
#define APLC_MAX aplc_largest
#define APLC_MIN aplc_smallest
#else
#define APLC_MAX max
#define APLC_MIN min
#endif

/* `aplc_max` and `aplc_min` for a running value x, for which the next step of a loop waits: without general
   registers between. */
#if defined(__SSE4_1__) && !defined(__clang__) && defined(__GNUC__)
typedef double aplc_2 __attribute__((__vector_size__(16)));
/* A double in a register of vectors, of which the other half is not asked for. */
static inline aplc_2 aplc_in_vector(double x) {
    aplc_2 vector;
    __asm__("" : "=x"(vector) : "0"(x));
    return vector;
}
static inline double aplc_running_max(double x, double y) {
    const aplc_2 a = aplc_in_vector(x), b = aplc_in_vector(y), is_nan = __builtin_ia32_cmpunordsd(a, a);
    return ((aplc_2)__builtin_ia32_blendvpd(__builtin_ia32_maxsd(a, b), a, is_nan))[0];
}
static inline double aplc_running_min(double x, double y) {
    const aplc_2 a = aplc_in_vector(x), b = aplc_in_vector(y), is_nan = __builtin_ia32_cmpunordsd(a, a);
    return ((aplc_2)__builtin_ia32_blendvpd(__builtin_ia32_minsd(a, b), a, is_nan))[0];
}
#else
static inline double aplc_running_max(double x, double y) { return aplc_max(x, y); }
static inline double aplc_running_min(double x, double y) { return aplc_min(x, y); }
#endif

/* The same for a bound that is no NaN: one instruction. */
static inline double aplc_at_least(double bound, double x) { return bound > x ? bound : x; }
static inline double aplc_at_most(double bound, double x) { return bound < x ? bound : x; }

/* A bound as a loop gets it. With constants gcc makes comparisons and choices of these extrema, so it is not told. */
#if defined(__SSE2__) && defined(__GNUC__) && !defined(__clang__)
static inline double aplc_bound(double bound) {
    __asm__("" : "+x"(bound));
    return bound;
}
#else
static inline double aplc_bound(double bound) { return bound; }
#endif

/* `x×y+z` in one operation, with one rounding, where the machine has that. */
static inline double aplc_multiply_add(double x, double y, double z) {
#if (defined(__FMA__) || defined(__ARM_FEATURE_FMA)) && defined(__clang__)
#pragma clang fp contract(on)
    return x * y + z;
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return __builtin_fma(x, y, z);
#else
    return x * y + z;
#endif
}

/* `x÷c`, which is rounded once, for a constant c whose inverse is `high`, rounded toward zero, and `low`. */
static inline double aplc_over(double x, double c, double high, double low) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    (void)c;
    return __builtin_fma(x, high, x * low);
#else
    (void)high, (void)low;
    return x / c;
#endif
}

/* Whether 1 ≤ x ≤ n, for n ≥ 0: one comparison, as a number below 1 is a very large one without its sign. */
static inline bool aplc_in_range(int64_t x, int64_t n) { return (uint64_t)x - 1 < (uint64_t)n; }

/* `⌊x÷y` for y ≠ 0, which wraps for the one quotient that does not fit. */
static inline int64_t aplc_floor_div(int64_t x, int64_t y) {
    if (y == -1)
        return -(uint64_t)x;
    if (y > 0 && (y & (y - 1)) == 0 && __builtin_constant_p(y))
        return x >> __builtin_ctzll((uint64_t)y);
    if (y > 0 && __builtin_constant_p(y)) { /* ⌊x÷y is ¯1-⌊(¯1-x)÷y, and gcc multiplies to divide by y */
        const uint64_t sign = (uint64_t)(x >> 63);
        return (int64_t)((((uint64_t)x ^ sign) / (uint64_t)y) ^ sign);
    }
    const int64_t quotient = x / y;
    return quotient - (x % y != 0 && (x < 0) != (y < 0));
}

/* `x|y`: the sign of x; y itself for x = 0. */
static inline int64_t aplc_residue_int(int64_t x, int64_t y) {
    if (x == 0)
        return y;
    if (x == -1)
        return 0;
    if (x > 0 && (x & (x - 1)) == 0 && __builtin_constant_p(x))
        return y & (x - 1);
    if (x > 0 && __builtin_constant_p(x))
        return y - x * aplc_floor_div(y, x);
    if (!__builtin_constant_p(x) && y >= 0 && y < x)
        return y;
    const int64_t rest = y % x;
    return rest != 0 && (rest < 0) != (x < 0) ? rest + x : rest;
}

/* `⌊x÷y` of doubles for a positive constant y, by division of integers where x is a double. */
static inline int64_t aplc_floor_quot64(int64_t x, int64_t y) {
    const int64_t exact = INT64_C(1) << 53;
    if (__builtin_expect(x >= -exact && x <= exact, 1))
        return aplc_floor_div(x, y);
    return (int64_t)floor((double)x / (double)y);
}

/* The whole number that x is within a tolerance of 1 or its magnitude, whichever is larger; else x itself. */
static inline double aplc_snap(double tolerance, double x) {
    const double whole = rint(x), size = fabs(x), larger = size > 1 ? size : 1;
    return fabs(whole - x) <= tolerance * larger ? whole : x;
}

/* `⌊x÷y` within a tolerance, for any integer and a positive one of at most 2^53.

   A quotient that is not whole is at least `1÷y` from whole numbers, and it is `|x|÷y`: a tolerance of at most
   1e-14 tells them apart where x and y are below 1e14. So a constant y divides integers there. */
static inline int64_t aplc_snap_quot64(double tolerance, int64_t x, int64_t y) {
    const int64_t apart = INT64_C(1) << 46;
    if (__builtin_constant_p(y) && y < apart && __builtin_constant_p(tolerance) && tolerance <= 1e-14 &&
        __builtin_expect(x >= -apart && x <= apart, 1))
        return aplc_floor_div(x, y);
    return (int64_t)floor(aplc_snap(tolerance, (double)x / (double)y));
}

/* The same for y from 2 on with no branch: what it is by definition takes less time in vectors. */
static inline int64_t aplc_snap_quot_in_lanes(double tolerance, int64_t x, int64_t y) {
    return aplc_integer_of(floor(aplc_snap(tolerance, aplc_real_of(x) / (double)y)));
}

static inline double aplc_residue(double x, double y) {
    if (x == 0)
        return y;
    const double rest = fmod(y, x);
    return rest != 0 && (rest < 0) != (x < 0) ? rest + x : rest;
}

/* `x∨y`: differences of odd numbers, of which the twos are left out; numbers of different size are divided first. */
static inline int64_t aplc_gcd(int64_t x, int64_t y) {
    uint64_t a = x < 0 ? -(uint64_t)x : (uint64_t)x, b = y < 0 ? -(uint64_t)y : (uint64_t)y;
    if (a <= 1 || b <= 1)
        return a == 0 || b == 0 ? (int64_t)(a | b) : 1;
    if (a >> 8 > b)
        a %= b;
    else if (b >> 8 > a)
        b %= a;
    if (a == 0 || b == 0)
        return (int64_t)(a | b);
    const int twos = __builtin_ctzll(a | b);
    a >>= __builtin_ctzll(a);
    while (b != 0) {
        b >>= __builtin_ctzll(b);
        const uint64_t less = a < b ? a : b, more = a < b ? b : a;
        b = more - less;
        a = less;
    }
    return (int64_t)(a << twos);
}

/* `x÷x∨y`, by floor division without a trap for the one quotient that does not fit; 0 for 0÷0. */
static inline int64_t aplc_by_gcd(int64_t x, int64_t y) {
    const int64_t divisor = aplc_gcd(x, y);
    if (divisor == 0)
        return 0;
    if (divisor == -1)
        return (int64_t)-(uint64_t)x;
    return x / divisor - (x % divisor != 0 && (x < 0) != (divisor < 0));
}

static inline int64_t aplc_lcm(int64_t x, int64_t y) {
    if (x == 0 || y == 0)
        return 0;
    if (x == 1 || y == 1)
        return x == 1 ? y : x;
    return (int64_t)((uint64_t)aplc_by_gcd(x, y) * (uint64_t)y);
}

static inline bool aplc_near(double tolerance, double x, double y) {
    const double a = fabs(x), b = fabs(y), larger = a > b ? a : b;
    return (x == y) | (fabs(x - y) <= tolerance * (larger < DBL_MAX ? larger : DBL_MAX));
}

/* The number beside a positive one, or 0 or infinity beside the last. */
static inline double aplc_beside(double x, int64_t step) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += step;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The least (-1) or the greatest (1) of the numbers that equal c; they are all those between these two. What may be
   apart of x and c is a part of the larger one: outwards of x, c and that part of both, as the part of that of the
   part counts for nothing. So the last number is the nearest one or beside it, and no branch keeps it from lanes. */
static inline double aplc_last_near(double tolerance, double c, double way) {
    const double size = fabs(c), part = tolerance * (size < DBL_MAX ? size : DBL_MAX), above = size + part;
    const bool is_outwards = way * c > 0;
    const double last = is_outwards ? size + tolerance * (above < DBL_MAX ? above : DBL_MAX) : size - part;
    const int64_t step = is_outwards ? 1 : -1;
    const bool is_within = aplc_near(tolerance, last, size), goes_on = aplc_near(tolerance, aplc_beside(last, step), size);
    return copysign(aplc_beside(last, step * ((int64_t)goes_on - !is_within)), c);
}

static inline double aplc_lowest_near(double tolerance, double c) { return aplc_last_near(tolerance, c, -1); }
static inline double aplc_highest_near(double tolerance, double c) { return aplc_last_near(tolerance, c, 1); }

/* `x∨y` of doubles: what is at most `tolerance` times the larger one is nothing, for whole numbers only zero is. */
static inline double aplc_gcd_near(double tolerance, double x, double y) {
    if (((x == 0) | (x == 1)) & ((y == 0) | (y == 1)))
        return x > y ? x : y;
    double a = fabs(x), b = fabs(y);
    if (!(a <= DBL_MAX && b <= DBL_MAX))
        return NAN;
    if (a < b) {
        const double less = a;
        a = b;
        b = less;
    }
    const double least = floor(x) == x && floor(y) == y ? 0.0 : fmax(0.0, tolerance * a);
    while (b > least) {
        const double rest = fmod(a, b);
        a = b;
        b = b - rest <= least ? 0.0 : rest;
    }
    return a;
}

static inline double aplc_lcm_near(double tolerance, double x, double y) {
    const double divisor = aplc_gcd_near(tolerance, x, y);
    return divisor == 0 ? 0.0 : x / divisor * y;
}

/* Whether a result does not fit. A sum that has wrapped has the sign of neither operand; a product that has
   wrapped is off that of doubles by 2^64. */
static inline bool aplc_add_wraps(int64_t x, int64_t y) {
    const int64_t sum = (int64_t)((uint64_t)x + (uint64_t)y);
    return ((x ^ sum) & (y ^ sum)) < 0;
}

static inline bool aplc_sub_wraps(int64_t x, int64_t y) {
    const int64_t difference = (int64_t)((uint64_t)x - (uint64_t)y);
    return ((x ^ y) & (x ^ difference)) < 0;
}

static inline bool aplc_mul_wraps(int64_t x, int64_t y) {
    const int64_t product = (int64_t)((uint64_t)x * (uint64_t)y);
    return !(fabs((double)x * (double)y - (double)product) < 0x1p62);
}

static inline bool aplc_lcm_wraps(int64_t x, int64_t y) { return aplc_mul_wraps(aplc_by_gcd(x, y), y); }

#endif
