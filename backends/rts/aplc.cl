/* What kernels use of the arithmetic of APL that OpenCL C does not have. A program gets only the functions
   that it calls: each stands between empty lines, with its comment. They are those of the headers for C. */

/* Whether a flag has been raised: by any bit but the sign. */
static inline bool aplc_raised(long flag) { return (ulong)flag << 1 != 0; }

static inline long aplc_bits(double x) { return as_long(x); }

static inline long aplc_masked(long x, bool holds) { return x & -(long)holds; }

static inline int aplc_quot_unsigned(uint x, uint y) { return (int)(x / y); }

static inline int aplc_residue_unsigned(uint x, uint y) { return (int)(y % x); }

static inline long aplc_max_int(long x, long y) { return x > y ? x : y; }

static inline long aplc_min_int(long x, long y) { return x < y ? x : y; }

static inline long aplc_abs_int(long x) { return x < 0 ? (long)-(ulong)x : x; }

static inline long aplc_sign_int(long x) { return (x > 0) - (x < 0); }

static inline long aplc_sign(double x) { return (x > 0) - (x < 0); }

static inline int aplc_max_int32(int x, int y) { return x > y ? x : y; }

static inline int aplc_min_int32(int x, int y) { return x < y ? x : y; }

static inline int aplc_abs_int32(int x) { return x < 0 ? -x : x; }

static inline int aplc_sign_int32(int x) { return (x > 0) - (x < 0); }

/* `⌊x÷y` of doubles for y = 2^k. */
static inline long aplc_floor_shift64(long x, int k) { return (long)floor((double)x / (double)(1L << k)); }

static inline bool aplc_is_short(long n) { return n < 64; }

static inline double aplc_short_power(double x, long n) {
    const double x2 = x * x, x4 = x2 * x2, x8 = x4 * x4, x16 = x8 * x8, x32 = x16 * x16;
    double result = n & 1 ? x : 1.0;
    result = n & 2 ? result * x2 : result;
    result = n & 4 ? result * x4 : result;
    result = n & 8 ? result * x8 : result;
    result = n & 16 ? result * x16 : result;
    return n & 32 ? result * x32 : result;
}

/* Maximum and minimum in which NaN wins. */
static inline double aplc_max(double x, double y) {
    const double greater = x > y ? x : y;
    return x != x ? x : greater;
}

static inline double aplc_min(double x, double y) {
    const double less = x < y ? x : y;
    return x != x ? x : less;
}

/* The same for a bound that is no NaN. */
static inline double aplc_at_least(double bound, double x) { return bound > x ? bound : x; }

static inline double aplc_at_most(double bound, double x) { return bound < x ? bound : x; }

/* x×y+z with one rounding where that is fast. */
static inline double aplc_multiply_add(double x, double y, double z) {
#ifdef FP_FAST_FMA
    return fma(x, y, z);
#else
    return x * y + z;
#endif
}

/* The bits of all flags, and the sum, of a vector. */
static inline long aplc_any4(long4 x) {
    const long2 half2 = x.lo | x.hi;
    return half2.lo | half2.hi;
}

static inline long aplc_any8(long8 x) { return aplc_any4(x.lo | x.hi); }

static inline double aplc_sum4(double4 x) {
    const double2 half2 = x.lo + x.hi;
    return half2.lo + half2.hi;
}

static inline double aplc_sum8(double8 x) { return aplc_sum4(x.lo + x.hi); }

/* b×x for a condition b. */
static inline int aplc_where_int32(bool b, int x) { return b ? x : 0; }

static inline long aplc_where_int(bool b, long x) { return b ? x : 0; }

static inline int aplc_shift_left_int32(int x, int count) { return (int)((uint)x << count); }

/* The floor of x÷y for a positive y. */
static inline int aplc_floor_quot24(int x, int y) { return (int)floor((double)x / (double)y); }

static inline int aplc_floor_quot32(int x, int y) { return (int)floor((double)x / (double)y); }

static inline long aplc_floor_quot53(long x, long y) { return (long)floor((double)x / (double)y); }

static inline int aplc_floor_quot_by(int x, int y) { return x / y - (x % y < 0); }

/* x|y, of which the result has the sign of x; y itself for x = 0. */
static inline long aplc_residue_int(long x, long y) {
    if (x == 0)
        return y;
    if (x == -1)
        return 0;
    const long rest = y % x;
    return rest != 0 && (rest < 0) != (x < 0) ? rest + x : rest;
}

static inline int aplc_residue24(int x, int y) {
    const double a = x == 0 ? 1 : x, b = y;
    const int rest = (int)(b - floor(b / a) * a);
    return x == 0 ? y : rest;
}

static inline int aplc_residue32(int x, int y) {
    const double a = x == 0 ? 1 : x, b = y;
    const int rest = (int)(b - floor(b / a) * a);
    return x == 0 ? y : rest;
}

static inline long aplc_residue52(long x, long y) {
    const double a = x == 0 ? 1 : x, b = y;
    const long rest = (long)(b - floor(b / a) * a);
    return x == 0 ? y : rest;
}

static inline int aplc_residue_by(int x, int y) {
    const int rest = y % x;
    return rest < 0 ? rest + x : rest;
}

static inline double aplc_residue(double x, double y) {
    if (x == 0)
        return y;
    const double rest = fmod(y, x);
    return rest != 0 && (rest < 0) != (x < 0) ? rest + x : rest;
}

/* The floor of x÷y for y ≠ 0, which wraps for the one quotient that does not fit. */
static inline long aplc_floor_div(long x, long y) {
    if (y == -1)
        return (long)-(ulong)x;
    const long quotient = x / y;
    return quotient - (x % y != 0 && (x < 0) != (y < 0));
}

/* `⌊x÷y` of doubles for a positive constant y, by division of integers where x is a double. */
static inline long aplc_floor_quot64(long x, long y) {
    const long exact = 1L << 53;
    if (x >= -exact && x <= exact)
        return aplc_floor_div(x, y);
    return (long)floor((double)x / (double)y);
}

static inline long aplc_gcd(long x, long y) {
    ulong a = x < 0 ? -(ulong)x : (ulong)x, b = y < 0 ? -(ulong)y : (ulong)y;
    while (b != 0) {
        const ulong rest = a % b;
        a = b;
        b = rest;
    }
    return (long)a;
}

/* x÷x∨y, 0 for 0÷0. */
static inline long aplc_by_gcd(long x, long y) {
    const long divisor = aplc_gcd(x, y);
    if (divisor == 0)
        return 0;
    return divisor == -1 ? (long)-(ulong)x : x / divisor - (x % divisor != 0 && (x < 0) != (divisor < 0));
}

static inline long aplc_lcm(long x, long y) { return (long)((ulong)aplc_by_gcd(x, y) * (ulong)y); }

/* Whether a result does not fit. */
static inline bool aplc_add_wraps(long x, long y) {
    const long sum = (long)((ulong)x + (ulong)y);
    return ((x ^ sum) & (y ^ sum)) < 0;
}

static inline bool aplc_sub_wraps(long x, long y) {
    const long difference = (long)((ulong)x - (ulong)y);
    return ((x ^ y) & (x ^ difference)) < 0;
}

static inline bool aplc_mul_wraps(long x, long y) {
    const long product = (long)((ulong)x * (ulong)y);
    return !(fabs((double)x * (double)y - (double)product) < 0x1p62);
}

static inline bool aplc_lcm_wraps(long x, long y) { return aplc_mul_wraps(aplc_by_gcd(x, y), y); }

/* 0○x, 4○x, ¯4○x */
static inline double aplc_circle_0(double x) { return sqrt((1.0 - x) * (1.0 + x)); }

static inline double aplc_circle_4(double x) { return hypot(1.0, x); }

static inline double aplc_circle_minus_4(double x) {
    const double root = (x + 1.0) * sqrt((x - 1.0) / (x + 1.0));
    return x == -1.0 ? 0.0 : isinf(x) ? x : root;
}

/* k○x for a k that only the run knows. */
static inline double aplc_circle(long k, double x) {
    switch (k) {
    case 0: return aplc_circle_0(x);
    case 1: return sin(x);
    case 2: return cos(x);
    case 3: return tan(x);
    case 4: return aplc_circle_4(x);
    case 5: return sinh(x);
    case 6: return cosh(x);
    case 7: return tanh(x);
    case -1: return asin(x);
    case -2: return acos(x);
    case -3: return atan(x);
    case -4: return aplc_circle_minus_4(x);
    case -5: return asinh(x);
    case -6: return acosh(x);
    case -7: return atanh(x);
    default: return 0.0;
    }
}

/* Whether k○x is real; not-a-number passes. */
static inline bool aplc_circle_is_real(long k, double x) {
    switch (k) {
    case 0:
    case -1:
    case -2: return !(fabs(x) > 1.0);
    case -4: return !(fabs(x) < 1.0);
    case -6: return !(x < 1.0);
    case -7: return !(fabs(x) >= 1.0);
    default: return true;
    }
}

/* Integers of 32 bits: the low bits of the result, in two's complement. */
static inline long aplc_and32(long x, long y) { return (int)(x & y); }

static inline long aplc_or32(long x, long y) { return (int)(x | y); }

static inline long aplc_xor32(long x, long y) { return (int)(x ^ y); }

static inline long aplc_not32(long x) { return (int)~x; }

static inline long aplc_shift_left32(long x, long count) {
    return count >= 32 ? 0 : (int)(uint)((ulong)x << (count & 31));
}

static inline long aplc_shift_right32(long x, long count) {
    return (long)(int)x >> (count >= 32 ? 32 : count & 31);
}

/* The stream of random numbers: SplitMix64 by number. */
static inline ulong aplc_mix(ulong x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9UL;
    x = (x ^ x >> 27) * 0x94D049BB133111EBUL;
    return x ^ x >> 31;
}

static inline ulong aplc_word(ulong key, ulong i) { return aplc_mix(key + (i + 1) * 0x9E3779B97F4A7C15UL); }

/* An integer in 1…n. */
static inline long aplc_rolled(long key, long i, long n) {
    return (long)(mul_hi(aplc_word((ulong)key, (ulong)i), (ulong)n) + 1);
}

/* A double above 0 and below 1. */
static inline double aplc_drawn(long key, long i) {
    return ((double)(long)(aplc_word((ulong)key, (ulong)i) >> 12) + 0.5) * 0x1p-52;
}
