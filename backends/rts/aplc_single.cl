/* What kernels use instead where doubles are floats on the device. `double` stands for either here as elsewhere;
   these are the functions that know how large it is, and those by which integers would not be exact. */

/* A float in the upper half, so that its sign is where that of a double is. */
static inline int64_t aplc_bits(double x) { return (int64_t)as_int(x) << 32; }

static inline double aplc_of_bits(int64_t x) { return as_float((int32_t)(x >> 32)); }

static inline double aplc_multiply_add(double x, double y, double z) {
#ifdef FP_FAST_FMAF
    return fma(x, y, z);
#else
    return x * y + z;
#endif
}

static inline double aplc_over(double x, double c, double high, double low) { return x / c; }

static inline double aplc_magnitude(double real, double imaginary) { return hypot(real, imaginary); }

/* A float above 0 and below 1. */
static inline double aplc_uniform(uint64_t word) { return ((double)(int32_t)(word >> 41) + 0.5) * 0x1p-23; }

static inline bool aplc_mul_wraps(int64_t x, int64_t y) {
    const int64_t product = (int64_t)((uint64_t)x * (uint64_t)y);
    return mul_hi(x, y) != (product < 0 ? -1 : 0);
}

/* Quotients by positive integers, and residues: by division of integers. */
static inline int64_t aplc_floor_quot53(int64_t x, int64_t y) { return x / y - (x % y < 0); }
static inline int64_t aplc_floor_quot64(int64_t x, int64_t y) { return x / y - (x % y < 0); }
static inline int64_t aplc_snap_quot64(double tolerance, int64_t x, int64_t y) { return aplc_floor_quot64(x, y); }
static inline int64_t aplc_floor_shift64(int64_t x, int k) { return x >> k; }
static inline int32_t aplc_floor_quot32(int32_t x, int32_t y) { return x / y - (x % y < 0); }
static inline int32_t aplc_floor_quot24(int32_t x, int32_t y) { return x / y - (x % y < 0); }

static inline int64_t aplc_residue52(int64_t x, int64_t y) {
    const int64_t rest = x == 0 ? y : y % x;
    return rest != 0 && x != 0 && (rest < 0) != (x < 0) ? rest + x : rest;
}

static inline int32_t aplc_residue32(int32_t x, int32_t y) { return (int32_t)aplc_residue52(x, y); }
static inline int32_t aplc_residue24(int32_t x, int32_t y) { return (int32_t)aplc_residue52(x, y); }

/* The bits of all flags of a vector, which is as wide as one of floats. */
static inline int64_t aplc_any4(int4 x) {
    const int2 half2 = x.lo | x.hi;
    return (int64_t)(half2.lo | half2.hi) << 32;
}

static inline int64_t aplc_any8(int8 x) { return aplc_any4(x.lo | x.hi); }
