/* What kernels use of the arithmetic of APL that OpenCL C does not have is taken from the headers for C; here
   stands what is another thing for a device. A program gets only the functions that it calls. */

#define aplc_next_one(i) (i)++

#define __builtin_constant_p(x) 0

#define __builtin_expect(x, usual) (x)

#define __builtin_popcountll(x) popcount((ulong)(x))

#define __builtin_ctzll(x) (63 - clz((long)((x) & -(x))))

static inline int64_t aplc_bits(double x) { return as_long(x); }

static inline double aplc_of_bits(int64_t x) { return as_double(x); }

/* What runs of elements come to, told to other groups: a word for each half, which is written and read as a whole, with
   a mark. Before, there is 0. Where there are loads that are atomic, neighbours read their words at once; each atomic
   operation on memory is made by itself. */
static inline void aplc_tell(global int64_t *state, int64_t run, int64_t value) {
    const int64_t low = (value & 0xffffffffL) << 1 | 1, high = (value >> 32 & 0xffffffffL) << 1 | 1;
#if __OPENCL_C_VERSION__ >= 300
    volatile global atomic_long *words = (volatile global atomic_long *)&state[2 * run + 1];
    atomic_store_explicit(words, low, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(words + 1, high, memory_order_relaxed, memory_scope_device);
#else
    atom_xchg(&state[2 * run + 1], low);
    atom_xchg(&state[2 * run + 2], high);
#endif
}

/* The same, when it has been told. */
static inline int64_t aplc_told(global int64_t *state, int64_t run) {
    int64_t low, high;
    do {
#if __OPENCL_C_VERSION__ >= 300
        volatile global atomic_long *words = (volatile global atomic_long *)&state[2 * run + 1];
        low = atomic_load_explicit(words, memory_order_relaxed, memory_scope_device);
        high = atomic_load_explicit(words + 1, memory_order_relaxed, memory_scope_device);
#else
        low = atom_add(&state[2 * run + 1], 0L);
        high = atom_add(&state[2 * run + 2], 0L);
#endif
    } while (!(low & high & 1));
    return high >> 1 << 32 | low >> 1;
}

/* An element that is read where the text says, and not later. */
static inline double aplc_held(double x) {
#ifdef __NV_CL_C_VERSION
    asm volatile("" : "+d"(x));
#endif
    return x;
}

/* Integers of 64 bits as doubles, in the lanes of processors that convert 32 bits only: see the
   header for lanes of C. */
static inline double aplc_real_of_small(int64_t x) { return as_double(x + 0x4338000000000000L) - 0x1.8p52; }

static inline double aplc_real_of(int64_t x) {
    const double high = as_double((int64_t)(((uint64_t)x >> 32) ^ UINT64_C(0x4530000080000000)));
    const double low = as_double((int64_t)(((uint64_t)x & UINT64_C(0xffffffff)) | UINT64_C(0x4330000000000000)));
    return high - 0x1.00000801p84 + low;
}

/* One of two numbers, both of which there are. */
static inline double aplc_select(bool b, double x, double y) { return b ? x : y; }
static inline int64_t aplc_select_int(bool b, int64_t x, int64_t y) { return b ? x : y; }
static inline double aplc_blend(bool b, double x, double y) { return b ? x : y; }
static inline int64_t aplc_blend_int(bool b, int64_t x, int64_t y) { return b ? x : y; }

/* The way back, for a whole number in the range of integers. */
static inline int64_t aplc_integer_of(double x) {
    const double high = floor(x * 0x1p-32);
    const int64_t upper = as_long(high + 0x1.8p52), lower = as_long(x - high * 0x1p32 + 0x1p52);
    return (int64_t)((ulong)upper << 32) + (lower & 0xffffffffL);
}

static inline double2 aplc_of_parts(double real, double imaginary) { return (double2)(real, imaginary); }
static inline double aplc_rounded(double x) { return x; }
static inline double aplc_real(double2 z) { return z.x; }
static inline double aplc_imaginary(double2 z) { return z.y; }

static inline int64_t aplc_abs_int(int64_t x) { return x < 0 ? (int64_t)-(uint64_t)x : x; }

/* Exponentials and logarithms without branches: compilers for processors take them in the lanes of a loop, where
   drivers have functions of one number. Errors stay below 1.5 units in the last place. */
static inline double aplc_exp(double x) {
    #pragma OPENCL FP_CONTRACT ON
    const double bounded = x > 710.0 ? 710.0 : x < -746.0 ? -746.0 : x; /* beyond, it is infinite or 0 */
    const double shifted = bounded * 0x1.71547652b82fep+0 + 0x1.8p52;
    const double whole = shifted - 0x1.8p52;
    const double r = bounded - whole * 0x1.62e42fee00000p-1 - whole * 0x1.a39ef35793c76p-33, r2 = r * r;
    const double a = r * 0x1.6124613a86d09p-33 + 0x1.1eed8eff8d898p-29;
    const double b = r * 0x1.ae64567f544e4p-26 + 0x1.27e4fb7789f5cp-22;
    const double c = r * 0x1.71de3a556c734p-19 + 0x1.a01a01a01a01ap-16;
    const double d = r * 0x1.a01a01a01a01ap-13 + 0x1.6c16c16c16c17p-10;
    const double e = r * 0x1.1111111111111p-7 + 0x1.5555555555555p-5;
    const double f = r * 0x1.5555555555555p-3 + 0.5;
    const double power = 1.0 + (r + r2 * (f + r2 * (e + r2 * (d + r2 * (c + r2 * (b + r2 * a))))));
    const long k = as_long(shifted) - as_long(0x1.8p52), half_of_k = k >> 1; /* 2^k may be no double yet */
    return power * as_double((half_of_k + 1023) << 52) * as_double((k - half_of_k + 1023) << 52);
}

static inline double aplc_log(double x) {
    #pragma OPENCL FP_CONTRACT ON
    const bool is_small = x < 0x1p-1022;
    const long bits = as_long(is_small ? x * 0x1p54 : x) - 0x3fe6a09e00000000L; /* of √0.5 */
    const double k = as_double((bits >> 52) + as_long(0x1.8p52)) - 0x1.8p52 - (is_small ? 54.0 : 0.0);
    const double r = as_double((bits & 0xfffffffffffffL) + 0x3fe6a09e00000000L) - 1.0;
    const double s = r / (2.0 + r), s2 = s * s, s4 = s2 * s2, half_square = 0.5 * r * r;
    const double odd = s4 * (0x1.999999997fa04p-2 + s4 * (0x1.c71c51d8e78afp-3 + s4 * 0x1.39a09d078c69fp-3));
    const double even = s2 * (0x1.5555555555593p-1 + s4 * (0x1.2492494229359p-2 +
                              s4 * (0x1.7466496cb03dep-3 + s4 * 0x1.2f112df3e5244p-3)));
    const double near = s * (half_square + (odd + even)) + k * 0x1.a39ef35793c76p-33 - half_square + r;
    const double result = x > 0x1.fffffffffffffp1023 ? x : k * 0x1.62e42fee00000p-1 + near;
    return x > 0.0 ? result : x == 0.0 ? -INFINITY : NAN;
}

/* The last of the numbers that equal c within a tolerance. */
static inline bool aplc_near(double tolerance, double x, double y) {
    const double a = fabs(x), b = fabs(y), larger = a > b ? a : b, most = 0x1.fffffffffffffp1023;
    return (x == y) | (fabs(x - y) <= tolerance * (larger < most ? larger : most));
}
static inline double aplc_beside(double x, long step) { return as_double(as_long(x) + step); }
static inline double aplc_last_near(double tolerance, double c, double way) {
    const double size = fabs(c), most = 0x1.fffffffffffffp1023, part = tolerance * (size < most ? size : most);
    const double above = size + part;
    const bool is_outwards = way * c > 0;
    const double last = is_outwards ? size + tolerance * (above < most ? above : most) : size - part;
    const long step = is_outwards ? 1 : -1;
    const bool is_within = aplc_near(tolerance, last, size), goes_on = aplc_near(tolerance, aplc_beside(last, step), size);
    return copysign(aplc_beside(last, step * ((long)goes_on - !is_within)), c);
}
static inline double aplc_lowest_near(double tolerance, double c) { return aplc_last_near(tolerance, c, -1); }
static inline double aplc_highest_near(double tolerance, double c) { return aplc_last_near(tolerance, c, 1); }

/* `x×y+z` with one rounding where that is fast. */
static inline double aplc_multiply_add(double x, double y, double z) {
#ifdef FP_FAST_FMA
    return fma(x, y, z);
#else
    return x * y + z;
#endif
}

/* `x÷c` for a constant c whose inverse is `high`, rounded toward zero, and `low`: rounded once. */
static inline double aplc_over(double x, double c, double high, double low) {
#ifdef FP_FAST_FMA
    return fma(x, high, x * low);
#else
    return x / c;
#endif
}

/* The quotients of floats are not those that are nearest. */
static inline int32_t aplc_floor_quot24(int32_t x, int32_t y) { return (int32_t)floor((double)x / (double)y); }

static inline int32_t aplc_residue24(int32_t x, int32_t y) {
    const double a = x == 0 ? 1 : x, b = y;
    const int32_t rest = (int32_t)(b - floor(b / a) * a);
    return x == 0 ? y : rest;
}

static inline int64_t aplc_residue_by64(int64_t m, int64_t y) {
    const int64_t rest = y % m;
    return rest < 0 ? rest + m : rest;
}
static inline int64_t aplc_residue_by52(int64_t m, int64_t y) { return aplc_residue_by64(m, y); }

/* `⌊x÷y` of doubles for y = 2^k. */
static inline int64_t aplc_floor_shift64(int64_t x, int k) {
    return (int64_t)floor((double)x / (double)(INT64_C(1) << k));
}

/* `x×y+z` of vectors, with one rounding where that is fast; no functions, which may be compiled for a processor that
   has no such vectors. */
#define aplc_multiply_add4(x, y, z) ({ _Pragma("OPENCL FP_CONTRACT ON") (x) * (y) + (z); })
#define aplc_multiply_add8(x, y, z) ({ _Pragma("OPENCL FP_CONTRACT ON") (x) * (y) + (z); })
#define aplc_over8(x, high, low) ({ \
    const double8 aplc_x = (x), aplc_rest = aplc_x * (low); /* not to be contracted */ \
    aplc_multiply_add8(aplc_x, high, aplc_rest); })

/* The bits of all flags, the sum, the greatest and the least number of a vector; of eight no functions, as above. */
static inline int64_t aplc_any4(long4 x) {
    const long2 half2 = x.lo | x.hi;
    return half2.lo | half2.hi;
}

#define aplc_any8(x) aplc_any4((x).lo | (x).hi)

static inline double aplc_sum4(double4 x) {
    const double2 half2 = x.lo + x.hi;
    return half2.lo + half2.hi;
}

#define aplc_sum8(x) aplc_sum4((x).lo + (x).hi)

static inline double aplc_greatest4(double4 x) {
    const double2 half2 = x.lo > x.hi ? x.lo : x.hi;
    return half2.lo > half2.hi ? half2.lo : half2.hi;
}

#define aplc_greatest8(x) aplc_greatest4((x).lo > (x).hi ? (x).lo : (x).hi)

static inline double aplc_least4(double4 x) {
    const double2 half2 = x.lo < x.hi ? x.lo : x.hi;
    return half2.lo < half2.hi ? half2.lo : half2.hi;
}

#define aplc_least8(x) aplc_least4((x).lo < (x).hi ? (x).lo : (x).hi)
