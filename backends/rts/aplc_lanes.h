/* Integer arithmetic of a known range, in forms that compilers turn into vector instructions: 32 bits, and
   division through floating point. The floor of the rounded quotient of two integers is that of the exact
   one where the larger fits the significand (24 or 53 bits), so none of these needs a correction. */

#ifndef APLC_LANES_H
#define APLC_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline int32_t aplc_max_int32(int32_t x, int32_t y) { return x > y ? x : y; }
static inline int32_t aplc_min_int32(int32_t x, int32_t y) { return x < y ? x : y; }
static inline uint8_t aplc_max_uint8(uint8_t x, uint8_t y) { return x > y ? x : y; }
static inline uint8_t aplc_min_uint8(uint8_t x, uint8_t y) { return x < y ? x : y; }
static inline int8_t aplc_max_int8(int8_t x, int8_t y) { return x > y ? x : y; }
static inline int8_t aplc_min_int8(int8_t x, int8_t y) { return x < y ? x : y; }
static inline uint16_t aplc_max_uint16(uint16_t x, uint16_t y) { return x > y ? x : y; }
static inline uint16_t aplc_min_uint16(uint16_t x, uint16_t y) { return x < y ? x : y; }
static inline int16_t aplc_max_int16(int16_t x, int16_t y) { return x > y ? x : y; }
static inline int16_t aplc_min_int16(int16_t x, int16_t y) { return x < y ? x : y; }
static inline uint8_t aplc_abs_uint8(uint8_t x) { return x; }
static inline uint16_t aplc_abs_uint16(uint16_t x) { return x; }
static inline int8_t aplc_abs_int8(int8_t x) { return x < 0 ? -x : x; }
static inline int16_t aplc_abs_int16(int16_t x) { return x < 0 ? -x : x; }
static inline int32_t aplc_abs_int32(int32_t x) { return x < 0 ? -x : x; }
static inline int32_t aplc_sign_int32(int32_t x) { return (x > 0) - (x < 0); }

/* `b×x` for a condition b: by a mask, as products of integers are slow in lanes. */
static inline int16_t aplc_where_int16(bool b, int16_t x) { return -(int16_t)b & x; }
static inline int32_t aplc_where_int32(bool b, int32_t x) { return -(int32_t)b & x; }
static inline int64_t aplc_where_int(bool b, int64_t x) { return -(int64_t)b & x; }

/* `m|x` of a number from 0 to below 4×m, without a product: what is less than zero is large without a sign. */
static inline int32_t aplc_residue_near32(int32_t m, int32_t x) {
    const uint32_t u = (uint32_t)x, v = u - 2 * (uint32_t)m, w = v < u ? v : u, y = w - (uint32_t)m;
    return (int32_t)(y < w ? y : w);
}

/* One of two values, both of which there are. */
static inline int32_t aplc_select_int32(bool b, int32_t x, int32_t y) { return b ? x : y; }
static inline int64_t aplc_select_int(bool b, int64_t x, int64_t y) { return b ? x : y; }
static inline double aplc_select(bool b, double x, double y) { return b ? x : y; }

/* The same by bits. Where several choices have one condition gcc makes branches of them, which stay there in lanes. */
static inline int64_t aplc_blend_int(bool b, int64_t x, int64_t y) { return (x & -(int64_t)b) | (y & ((int64_t)b - 1)); }
static inline double aplc_blend(bool b, double x, double y) {
    int64_t x_bits, y_bits;
    memcpy(&x_bits, &x, sizeof x);
    memcpy(&y_bits, &y, sizeof y);
    x_bits = aplc_blend_int(b, x_bits, y_bits);
    memcpy(&x, &x_bits, sizeof x);
    return x;
}

/* The double nearest to an integer. Processors with AVX2 convert no vectors of 64 bits. An integer of at most 2^51 in
   magnitude is added to the last bits of 3×2^51. Of others the high and the low half stand in two doubles, the first
   of which is exact, and their sum is rounded once. */
#if defined(__x86_64__) && !defined(__AVX512DQ__)
static inline double aplc_real_of_small(int64_t x) {
    const int64_t bits = (int64_t)((uint64_t)x + UINT64_C(0x4338000000000000));
    double result;
    memcpy(&result, &bits, sizeof result);
    return result - 0x1.8p52;
}
static inline double aplc_real_of(int64_t x) {
    const int64_t high_bits = (int64_t)(((uint64_t)x >> 32) ^ UINT64_C(0x4530000080000000));
    const int64_t low_bits = (int64_t)(((uint64_t)x & UINT64_C(0xffffffff)) | UINT64_C(0x4330000000000000));
    double high, low;
    memcpy(&high, &high_bits, sizeof high);
    memcpy(&low, &low_bits, sizeof low);
    return high - 0x1.00000801p84 + low;
}
/* The way back, for a whole number in the range of integers: its high and its low half are added to the last bits of
   doubles. */
static inline int64_t aplc_integer_of(double x) {
    const double high = floor(x * 0x1p-32);
    const double high_bits = high + 0x1.8p52, low_bits = x - high * 0x1p32 + 0x1p52;
    int64_t upper, lower;
    memcpy(&upper, &high_bits, sizeof upper);
    memcpy(&lower, &low_bits, sizeof lower);
    return (int64_t)((uint64_t)upper << 32) + (lower & INT64_C(0xffffffff));
}
#else
static inline double aplc_real_of_small(int64_t x) { return (double)x; }
static inline double aplc_real_of(int64_t x) { return (double)x; }
static inline int64_t aplc_integer_of(double x) { return (int64_t)x; }
#endif

/* A shift to the left by less than 32. */
static inline int32_t aplc_shift_left_int32(int32_t x, int32_t count) { return (int32_t)((uint32_t)x << count); }

/* The floor of `x÷y` for a positive y. */
static inline int32_t aplc_floor_quot24(int32_t x, int32_t y) { return (int32_t)floorf((float)x / (float)y); }
static inline int32_t aplc_floor_quot32(int32_t x, int32_t y) { return (int32_t)floor((double)x / (double)y); }
static inline int64_t aplc_floor_quot53(int64_t x, int64_t y) { return (int64_t)floor((double)x / (double)y); }
/* The same for any x and y = 2^k, k ≤ 52, without a branch. Two doubles, the high and the low half of x less and
   plus 2^52, are x; `rounding` is what is lost in their sum, which is the double nearest to x. */
static inline int64_t aplc_floor_shift64(int64_t x, int k) {
    const int64_t high_bits = (int64_t)(((uint64_t)x >> 32) ^ UINT64_C(0x4530000080000000));
    const int64_t low_bits = (int64_t)(((uint64_t)x & UINT64_C(0xffffffff)) | UINT64_C(0x4330000000000000));
    double high, low;
    memcpy(&high, &high_bits, sizeof high);
    memcpy(&low, &low_bits, sizeof low);
    high -= 0x1.00000801p84;
    const double lost = (high - (high + low)) + low + 0x1.8p52;
    int64_t rounding;
    memcpy(&rounding, &lost, sizeof rounding);
    rounding -= INT64_C(0x4338000000000000);
    return (x >> k) + (((x & ((INT64_C(1) << k) - 1)) - rounding) >> k);
}
/* The same for a constant y: a multiplication. */
static inline int32_t aplc_floor_quot_by(int32_t x, int32_t y) { return x / y - (x % y < 0); }

/* `⌊x÷y` and `x|y` for a constant divisor and a dividend that are positive or zero, where the compiler does not
   see that: without a sign there is nothing to correct. */
static inline int32_t aplc_quot_unsigned(uint32_t x, uint32_t y) { return (int32_t)(x / y); }
static inline int32_t aplc_residue_unsigned(uint32_t x, uint32_t y) { return (int32_t)(y % x); }

/* `x|y`; y itself for x = 0. The product of the floor and x is y at most, or y - x, so it is exact. */
static inline int32_t aplc_residue24(int32_t x, int32_t y) {
    const float a = x == 0 ? 1 : x, b = y;
    const int32_t rest = (int32_t)(b - floorf(b / a) * a);
    return x == 0 ? y : rest;
}

static inline int32_t aplc_residue32(int32_t x, int32_t y) {
    const double a = x == 0 ? 1 : x, b = y;
    const int32_t rest = (int32_t)(b - floor(b / a) * a);
    return x == 0 ? y : rest;
}

/* The same for |x|, |y| ≤ 2^52. */
static inline int64_t aplc_residue52(int64_t x, int64_t y) {
    const double a = x == 0 ? 1 : x, b = y;
    const int64_t rest = (int64_t)(b - floor(b / a) * a);
    return x == 0 ? y : rest;
}

/* `m|y` for a constant m from 2 on and below 2^62, of any y, and of one of at most 2^52 in magnitude. Where m is at
   least 2^12 the rounded product of y and 1/m is less than 1 away from the quotient: y less so many times m lies
   between -m and 2×m, and of numbers without a sign the least one is right. By a smaller m there is the residue by
   a multiple of it below 2^13 first, and of that the quotient by a product of 2^26/m, rounded up. */
#if defined(__AVX512DQ__)
static inline int64_t aplc_residue_large(int64_t m, int64_t y) {
    const double quotient = floor((double)y * (1.0 / (double)m));
    const uint64_t by = (uint64_t)m, rest = (uint64_t)y - (uint64_t)(int64_t)quotient * by;
    const uint64_t up = rest + by, low = up < rest ? up : rest, down = low - by;
    return (int64_t)(down < low ? down : low);
}
static inline int64_t aplc_residue_by64(int64_t m, int64_t y) {
    if (m >= INT64_C(1) << 12)
        return aplc_residue_large(m, y);
    const int more = __builtin_clzll((uint64_t)m) - 51;
    const uint32_t rest = (uint32_t)aplc_residue_large(m << more, y), inverse = (uint32_t)((1 << 26) / m) + 1;
    return (int64_t)(rest - (uint32_t)((uint64_t)rest * inverse >> 26) * (uint32_t)m);
}
static inline int64_t aplc_residue_by52(int64_t m, int64_t y) { return aplc_residue_by64(m, y); }
#else
static inline int64_t aplc_residue_by64(int64_t m, int64_t y) {
    const int64_t rest = y % m;
    return rest < 0 ? rest + m : rest;
}
static inline int64_t aplc_residue_by52(int64_t m, int64_t y) { return aplc_residue52(m, y); }
#endif

/* The same for a positive constant x. */
static inline int32_t aplc_residue_by(int32_t x, int32_t y) {
    const int32_t rest = y % x;
    return rest < 0 ? rest + x : rest;
}

#endif
