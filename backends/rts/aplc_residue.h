/* Residues of doubles without a division for each bit of the quotient; included where a program has such.

   Note [Residues by one quotient]
       `x|y` is y - n×x rounded once, where n is the floor of the exact quotient. The floor of the rounded one is n or,
       where it was rounded up to a whole number, n+1: then y less so many times x has the sign that x has not, is
       exact, and x is added. That is so while the quotient is below 2^53 and x is finite; other residues, and those
       of what is no number, are left to `aplc_residue` of aplc.h. A residue of zero has the sign of y, as fmod has it.

   In lanes there are functions of several numbers, under the names by which gcc calls them. By a power of two there
   is no function at all: products with it are exact. By another positive constant the quotient is a product with its
   inverse, rounded to a number beyond that which the sign of y asks for: so it is no less than n for a positive y, nor
   for a negative one, and below n+2 while it is below 2^50. */

#ifndef APLC_RESIDUE_H
#define APLC_RESIDUE_H

#include "aplc.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__AVX2__) && defined(__FMA__) && \
    defined(__has_attribute) && !defined(__clang__)
#if __has_attribute(__simd__)

static inline double aplc_residue_by_quotient(double x, double y, bool *easy) {
    const double whole = floor(y / x), rest = __builtin_fma(-whole, x, y);
    *easy = fabs(whole) < 0x1p53 && fabs(x) <= DBL_MAX;
    return rest == 0 ? copysign(0, y) : (rest < 0) != (x < 0) ? rest + x : rest;
}

static __attribute__((__used__)) double aplc_one_residue(double x, double y) __asm__("aplc_residue_of");
static double aplc_one_residue(double x, double y) {
    bool easy;
    const double rest = aplc_residue_by_quotient(x, y, &easy);
    return easy ? rest : aplc_residue(x, y);
}

/* The residues of COUNT pairs; those that are not so easy are asked for one by one, apart. The masks of
   comparisons are -1 where they hold. */
#define APLC_RESIDUES(COUNT, NAME, FLOOR, MULTIPLY_ADD, ANY)                                                  \
    typedef double aplc_reals_##COUNT __attribute__((__vector_size__(8 * COUNT)));                            \
    typedef long long aplc_masks_##COUNT __attribute__((__vector_size__(8 * COUNT)));                         \
    static __attribute__((__noinline__, __cold__, __unused__)) aplc_reals_##COUNT aplc_hard_residues_##COUNT( \
        aplc_reals_##COUNT x, aplc_reals_##COUNT y) {                                                         \
        aplc_reals_##COUNT result;                                                                            \
        for (int lane = 0; lane < COUNT; lane++)                                                              \
            result[lane] = aplc_one_residue(x[lane], y[lane]);                                                \
        return result;                                                                                        \
    }                                                                                                         \
    static __attribute__((__used__)) aplc_reals_##COUNT aplc_residues_##COUNT(                                \
        aplc_reals_##COUNT x, aplc_reals_##COUNT y) __asm__(NAME);                                            \
    static aplc_reals_##COUNT aplc_residues_##COUNT(aplc_reals_##COUNT x, aplc_reals_##COUNT y) {             \
        const aplc_masks_##COUNT sign = (aplc_masks_##COUNT){0} + INT64_MIN, bits = (aplc_masks_##COUNT)x;    \
        const aplc_reals_##COUNT whole = FLOOR(y / x), size = (aplc_reals_##COUNT)(bits & ~sign);             \
        const aplc_reals_##COUNT rest = MULTIPLY_ADD(-whole, x, y);                                           \
        const aplc_masks_##COUNT off = (rest != 0.0) & ((rest < 0.0) ^ (x < 0.0)), zero = rest == 0.0;        \
        const aplc_masks_##COUNT sum = (aplc_masks_##COUNT)(rest + (aplc_reals_##COUNT)(bits & off));         \
        const aplc_masks_##COUNT easy = (whole < 0x1p53) & (whole > -0x1p53) & (size <= DBL_MAX);             \
        if (__builtin_expect(ANY(~easy), 0))                                                                  \
            return aplc_hard_residues_##COUNT(x, y);                                                          \
        return (aplc_reals_##COUNT)(sum | ((aplc_masks_##COUNT)y & sign & zero));                             \
    }

static __attribute__((__used__)) double aplc_one_residue_by(double x, double below, double above, double y) __asm__(
    "aplc_residue_by_one");
static double aplc_one_residue_by(double x, double below, double above, double y) {
    (void)below, (void)above;
    return aplc_one_residue(x, y);
}

/* The same for one positive x, and numbers just below and above its inverse. */
#define APLC_RESIDUES_BY(COUNT, NAME, FLOOR, MULTIPLY_ADD, ANY)                                               \
    static __attribute__((__used__)) aplc_reals_##COUNT aplc_residues_by_##COUNT(                             \
        double x, double below, double above, aplc_reals_##COUNT y) __asm__(NAME);                            \
    static aplc_reals_##COUNT aplc_residues_by_##COUNT(double x, double below, double above,                  \
                                                       aplc_reals_##COUNT y) {                                \
        const aplc_reals_##COUNT none = {0}, divisor = none + x;                                              \
        const aplc_masks_##COUNT over = (aplc_masks_##COUNT)(none + above), bits = (aplc_masks_##COUNT)divisor; \
        const aplc_masks_##COUNT turn = over ^ (aplc_masks_##COUNT)(none + below);                            \
        const aplc_reals_##COUNT inverse = (aplc_reals_##COUNT)(over ^ (turn & (y < 0.0)));                   \
        const aplc_reals_##COUNT whole = FLOOR(y * inverse), rest = MULTIPLY_ADD(-whole, divisor, y);         \
        const aplc_reals_##COUNT sum = rest + (aplc_reals_##COUNT)(bits & (rest < 0.0));                      \
        const aplc_masks_##COUNT sign = (aplc_masks_##COUNT){0} + INT64_MIN, zero = rest == 0.0;              \
        const aplc_masks_##COUNT size = (aplc_masks_##COUNT)whole & ~sign;                                    \
        if (__builtin_expect(ANY(~((aplc_reals_##COUNT)size < 0x1p50)), 0))                                   \
            return aplc_hard_residues_##COUNT(divisor, y);                                                    \
        return (aplc_reals_##COUNT)((aplc_masks_##COUNT)sum | ((aplc_masks_##COUNT)y & sign & zero));         \
    }

#define APLC_FLOOR2(x) __builtin_ia32_roundpd(x, 1)
#define APLC_FLOOR4(x) __builtin_ia32_roundpd256(x, 1)
#define APLC_ANY2(m) __builtin_ia32_movmskpd((aplc_reals_2)(m))
#define APLC_ANY4(m) __builtin_ia32_movmskpd256((aplc_reals_4)(m))
APLC_RESIDUES(2, "_ZGVbN2vv_aplc_residue_of", APLC_FLOOR2, __builtin_ia32_vfmaddpd, APLC_ANY2)
APLC_RESIDUES_BY(2, "_ZGVbN2uuuv_aplc_residue_by_one", APLC_FLOOR2, __builtin_ia32_vfmaddpd, APLC_ANY2)
APLC_RESIDUES(4, "_ZGVdN4vv_aplc_residue_of", APLC_FLOOR4, __builtin_ia32_vfmaddpd256, APLC_ANY4)
APLC_RESIDUES_BY(4, "_ZGVdN4uuuv_aplc_residue_by_one", APLC_FLOOR4, __builtin_ia32_vfmaddpd256, APLC_ANY4)
#if defined(__AVX512F__)
#define APLC_FLOOR8(x) __builtin_ia32_rndscalepd_mask(x, 1, (aplc_reals_8){0}, (unsigned char)0xff, 4)
#define APLC_FUSED8(x, y, z) __builtin_ia32_vfmaddpd512_mask(x, y, z, (unsigned char)0xff, 4)
#define APLC_ANY8(m) __builtin_ia32_ptestmq512(m, m, (unsigned char)0xff)
APLC_RESIDUES(8, "_ZGVeN8vv_aplc_residue_of", APLC_FLOOR8, APLC_FUSED8, APLC_ANY8)
APLC_RESIDUES_BY(8, "_ZGVeN8uuuv_aplc_residue_by_one", APLC_FLOOR8, APLC_FUSED8, APLC_ANY8)
#endif
#undef APLC_RESIDUES
#undef APLC_RESIDUES_BY

__attribute__((__simd__("notinbranch"), __const__)) double aplc_residue_of(double x, double y);
#pragma omp declare simd notinbranch uniform(x, below, above)
__attribute__((__const__)) double aplc_residue_by_one(double x, double below, double above, double y);

/* Whether x is a power of two from 1 on. */
static inline bool aplc_is_power_of_two(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x >= 1 && x <= 0x1p1000 && (bits & (UINT64_C(1) << 52) - 1) == 0;
}

static inline double aplc_residue_in_lanes(double x, double y) {
    if (__builtin_constant_p(x) && aplc_is_power_of_two(x)) {
        const double rest = y - floor(y / x) * x;
        return rest == 0 ? copysign(0, y) : x != 1 && rest < 0 ? rest + x : rest;
    }
    if (__builtin_constant_p(x) && x > 0x1p-1000 && x < 0x1p1000)
        return aplc_residue_by_one(x, 1 / x * (1 - 0x1p-52), 1 / x * (1 + 0x1p-52), y);
    return aplc_residue_of(x, y);
}
#define aplc_residue aplc_residue_in_lanes

#endif
#endif
#endif
