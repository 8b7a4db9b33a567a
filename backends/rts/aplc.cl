/* What kernels use of the arithmetic of APL that OpenCL C does not have is taken from the headers for C; here
   stands what is another thing for a device. A program gets only the functions that it calls. */

#define __builtin_constant_p(x) 0

#define __builtin_expect(x, usual) (x)

#define __builtin_ctzll(x) (63 - clz((long)((x) & -(x))))

static inline int64_t aplc_bits(double x) { return as_long(x); }

static inline int64_t aplc_abs_int(int64_t x) { return x < 0 ? (int64_t)-(uint64_t)x : x; }

/* `x×y+z` with one rounding where that is fast. */
static inline double aplc_multiply_add(double x, double y, double z) {
#ifdef FP_FAST_FMA
    return fma(x, y, z);
#else
    return x * y + z;
#endif
}

/* The quotients of floats are not those that are nearest. */
static inline int32_t aplc_floor_quot24(int32_t x, int32_t y) { return (int32_t)floor((double)x / (double)y); }

static inline int32_t aplc_residue24(int32_t x, int32_t y) {
    const double a = x == 0 ? 1 : x, b = y;
    const int32_t rest = (int32_t)(b - floor(b / a) * a);
    return x == 0 ? y : rest;
}

/* `⌊x÷y` of doubles for y = 2^k. */
static inline int64_t aplc_floor_shift64(int64_t x, int k) {
    return (int64_t)floor((double)x / (double)(INT64_C(1) << k));
}

/* The bits of all flags, the sum, the greatest and the least number of a vector. */
static inline int64_t aplc_any4(long4 x) {
    const long2 half2 = x.lo | x.hi;
    return half2.lo | half2.hi;
}

static inline int64_t aplc_any8(long8 x) { return aplc_any4(x.lo | x.hi); }

static inline double aplc_sum4(double4 x) {
    const double2 half2 = x.lo + x.hi;
    return half2.lo + half2.hi;
}

static inline double aplc_sum8(double8 x) { return aplc_sum4(x.lo + x.hi); }

static inline double aplc_greatest4(double4 x) {
    const double2 half2 = x.lo > x.hi ? x.lo : x.hi;
    return half2.lo > half2.hi ? half2.lo : half2.hi;
}

static inline double aplc_greatest8(double8 x) { return aplc_greatest4(x.lo > x.hi ? x.lo : x.hi); }

static inline double aplc_least4(double4 x) {
    const double2 half2 = x.lo < x.hi ? x.lo : x.hi;
    return half2.lo < half2.hi ? half2.lo : half2.hi;
}

static inline double aplc_least8(double8 x) { return aplc_least4(x.lo < x.hi ? x.lo : x.hi); }
