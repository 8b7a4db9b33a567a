/* Exponentials, logarithms and powers of eight numbers at a time, for processors with AVX-512; included where a
   program has such, ahead of `aplc.h`. The functions have the names by which compilers call those of libmvec or
   of SVML (see Note [Vector math]), and stand in their place: those of glibc fetch their tables from memory
   element by element.

   The tables have 16 entries, which two registers hold. Errors stay below 1.2 units in the last place for exp,
   1.5 for log (libmvec: 3.1 and 1.6) and 0.7 for pow, where the power is beyond e^100 and the base near 1 below 1.9;
   results that are infinite, subnormal or no number are those of libm. */

#ifndef APLC_EXP_H
#define APLC_EXP_H

#if defined(__x86_64__) && defined(__AVX512F__) && defined(__has_builtin) && !defined(APLC_STRICT_FP)
#if __has_builtin(__builtin_ia32_scalefpd512_mask) && __has_builtin(__builtin_ia32_getmantpd512_mask) && \
    __has_builtin(__builtin_ia32_getexppd512_mask) && __has_builtin(__builtin_ia32_vfmaddpd512_mask) && \
    __has_builtin(__builtin_ia32_cmppd512_mask) && (defined(APLC_SVML) || !defined(__clang__))
#define APLC_HAS_EXP8
#endif
#endif

#include "aplc_math.h"

#ifdef APLC_HAS_EXP8

typedef double aplc_8 __attribute__((__vector_size__(64)));
typedef long long aplc_8_bits __attribute__((__vector_size__(64)));

/* The names of the functions, and the instructions for which both compilers have different ones: the lesser or
   the larger of two numbers, the second of them if one is no number, and elements of two registers. */
#ifdef __clang__
#define APLC_NAMED(svml, libmvec) __asm__("__svml_" svml)
#define APLC_LESSER(x, y) __builtin_ia32_minpd512(x, y, 4)
#define APLC_LARGER(x, y) __builtin_ia32_maxpd512(x, y, 4)
#define APLC_ELEMENTS(low, high, k) __builtin_ia32_vpermi2varpd512(low, k, high)
#else
#define APLC_NAMED(svml, libmvec) __asm__("_ZGVe" libmvec)
#define APLC_LESSER(x, y) __builtin_ia32_minpd512_mask(x, y, y, APLC_ALL)
#define APLC_LARGER(x, y) __builtin_ia32_maxpd512_mask(x, y, y, APLC_ALL)
#define APLC_ELEMENTS(low, high, k) __builtin_ia32_vpermt2varpd512_mask(k, low, high, (unsigned char)0xff)
#endif

#define APLC_8(x) ((aplc_8){x, x, x, x, x, x, x, x})
#define APLC_ALL (unsigned char)0xff, 4 /* all lanes, rounded as usual */

/* `x×y+z` with one rounding. */
static inline aplc_8 aplc_8_fma(aplc_8 x, aplc_8 y, aplc_8 z) {
    return __builtin_ia32_vfmaddpd512_mask(x, y, z, APLC_ALL);
}

/* The entry of a table that the last four bits of each lane number. */
static inline aplc_8 aplc_8_entry(const double *table, aplc_8_bits k) {
    const aplc_8 *halves = (const aplc_8 *)table;
    return APLC_ELEMENTS(halves[0], halves[1], k);
}

/* 2^x is 2^⌊x⌋ × 2^(j÷16) × e^r; the sum with `APLC_SIXTEENTHS` is x in sixteenths, with j in its last bits. */
#define APLC_SIXTEENTHS 0x1.8p48

/* 2^(j÷16) */
static const double aplc_roots[16] __attribute__((__aligned__(64), __unused__)) = {
    0x1p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0, 0x1.306fe0a31b715p+0,
    0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0, 0x1.6a09e667f3bcdp+0,
    0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0, 0x1.ae89f995ad3adp+0,
    0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0,
};
/* Near 1 ÷ m, by the first bits of m from 0.75 up to 1.5; for those around 1 it is 1, which keeps small
   logarithms precise. */
static const double aplc_factors[16] __attribute__((__aligned__(64), __unused__)) = {
    0x1p+0, 0x1.d4p-1, 0x1.bcp-1, 0x1.a4p-1, 0x1.9p-1, 0x1.7cp-1, 0x1.6cp-1, 0x1.5cp-1,
    0x1.4ep+0, 0x1.42p+0, 0x1.36p+0, 0x1.2ap+0, 0x1.2p+0, 0x1.16p+0, 0x1.0cp+0, 0x1p+0,
};

/* e^r - 1, for |r| up to ln 2 ÷ 32 */
static inline aplc_8 aplc_8_expm1(aplc_8 r) {
    const aplc_8 r2 = r * r;
    const aplc_8 low = aplc_8_fma(APLC_8(0x1.555555548f74fp-3), r, APLC_8(0x1.fffffffffffb9p-2));
    const aplc_8 high = aplc_8_fma(APLC_8(0x1.6c14c6c41f145p-10), r2,
                                   aplc_8_fma(APLC_8(0x1.11123abd8d7b7p-7), r, APLC_8(0x1.55555558fd128p-5)));
    return aplc_8_fma(aplc_8_fma(high, r2, low), r2, r);
}

/* The lanes in which the comparison of a number holds: x ≠ y, not x ≤ y, not x ≥ y, not x < y. */
#define APLC_WHERE(x, comparison, y) __builtin_ia32_cmppd512_mask(x, y, comparison, APLC_ALL)
#define APLC_DIFFERS 4
#define APLC_NOT_UP_TO 22
#define APLC_NOT_FROM 25
#define APLC_NOT_BELOW 21

/* `x × 2^exponent` in some lanes, and 0 in those where this would be less than any number: processors take a hundred
   cycles and more for a result that is too small to be normal. */
static inline aplc_8 aplc_8_scaled(aplc_8 x, aplc_8 exponent, unsigned char lanes) {
    return __builtin_ia32_scalefpd512_mask(x, exponent, APLC_8(0.0), lanes, 4);
}

static __attribute__((__used__)) aplc_8 aplc_8_exp(aplc_8 x) APLC_NAMED("exp8", "N8v_exp");
static aplc_8 aplc_8_exp(aplc_8 x) {
    /* Beyond these bounds results are 0 or infinite; of two operands the second is the result for NaN. */
    const unsigned char lanes = APLC_WHERE(x, APLC_NOT_BELOW, APLC_8(-746.0));
    x = APLC_LESSER(APLC_8(710.0), x);
    const aplc_8 in_bits = aplc_8_fma(x, APLC_8(0x1.71547652b82fep+0), APLC_8(APLC_SIXTEENTHS));
    const aplc_8 exponent = in_bits - APLC_8(APLC_SIXTEENTHS);
    aplc_8 r = aplc_8_fma(exponent, APLC_8(-0x1.62e42fefa39efp-1), x);
    r = aplc_8_fma(exponent, APLC_8(-0x1.abc9e3b39803fp-56), r);
    const aplc_8 root = aplc_8_entry(aplc_roots, (aplc_8_bits)in_bits);
    return aplc_8_scaled(aplc_8_fma(root, aplc_8_expm1(r), root), exponent, lanes);
}

/* x is 2^k × m with m from 0.75 up to 1.5, and m × c is 1 + r, where c is the factor of m. */
static __attribute__((__used__)) aplc_8 aplc_8_log(aplc_8 x) APLC_NAMED("log8", "N8v_log");
static aplc_8 aplc_8_log(aplc_8 x) {
    static const double logarithms[16] __attribute__((__aligned__(64))) = {
        0.0, 0x1.700d30aeac0e1p-4, 0x1.23d712a49c202p-3, 0x1.95a5adcf7017fp-3, 0x1.f991c6cb3b379p-3,
        0x1.314f1e1d35ce4p-2, 0x1.5d5bddf595f30p-2, 0x1.8b639a88b2df5p-2, -0x1.1058bf9ae4ad5p-2,
        -0x1.d5c216b4fbb91p-3, -0x1.87fa06520c911p-3, -0x1.371fc201e8f74p-3, -0x1.e27076e2af2e6p-4,
        -0x1.51b073f06183fp-4, -0x1.77458f632dcfcp-5, 0.0,
    };
    const aplc_8 m = __builtin_ia32_getmantpd512_mask(x, 2 << 2 | 3, x, APLC_ALL); /* NaN for x < 0 */
    const aplc_8 k = __builtin_ia32_getexppd512_mask(x, x, APLC_ALL) -
                     __builtin_ia32_getexppd512_mask(m, m, APLC_ALL);
    const aplc_8_bits first = (aplc_8_bits)m >> 48;
    const aplc_8 r = aplc_8_fma(m, aplc_8_entry(aplc_factors, first), APLC_8(-1.0)), r2 = r * r, r4 = r2 * r2;
    /* The logarithm of 1 + r, for r from -1 ÷ 32 to 1 ÷ 16 */
    const aplc_8 a = aplc_8_fma(APLC_8(0x1.5555555555f5ep-2), r, APLC_8(-0x1.0000000000003p-1));
    const aplc_8 b = aplc_8_fma(APLC_8(0x1.99999980a7c60p-3), r, APLC_8(-0x1.fffffffff1c25p-3));
    const aplc_8 c = aplc_8_fma(APLC_8(0x1.2492d815dc16bp-3), r, APLC_8(-0x1.555554b5085e2p-3));
    const aplc_8 d = aplc_8_fma(APLC_8(0x1.c575faea3c336p-4), r, APLC_8(-0x1.0009b7a1d85bfp-3));
    const aplc_8 low = aplc_8_fma(b, r2, a);
    const aplc_8 high = aplc_8_fma(APLC_8(-0x1.660454e094c94p-4), r4, aplc_8_fma(d, r2, c));
    const aplc_8 coarse = aplc_8_fma(k, APLC_8(0x1.62e42fefa39efp-1), aplc_8_entry(logarithms, first));
    return aplc_8_fma(aplc_8_fma(high, r4, low), r2, r) + coarse;
}

/* The logarithm of x as the sum of two numbers, for x that is positive, finite and not subnormal. What rounding
   takes from the first is collected in the second: with the exponent, up to ten bits of it come into sight. */
static inline aplc_8 aplc_8_log_of(aplc_8 x, aplc_8 *rest) {
    /* -ln c in multiples of 2^-42, to which those of ln 2 are added exactly, and what remains */
    static const double tops[16] __attribute__((__aligned__(64))) = {
        0.0, 0x1.700d30aeac000p-4, 0x1.23d712a49c000p-3, 0x1.95a5adcf70000p-3, 0x1.f991c6cb3c000p-3,
        0x1.314f1e1d36000p-2, 0x1.5d5bddf596000p-2, 0x1.8b639a88b3000p-2, -0x1.1058bf9ae5000p-2,
        -0x1.d5c216b4fc000p-3, -0x1.87fa06520c000p-3, -0x1.371fc201e8000p-3, -0x1.e27076e2b0000p-4,
        -0x1.51b073f060000p-4, -0x1.77458f6330000p-5, 0.0,
    };
    static const double tails[16] __attribute__((__aligned__(64))) = {
        0.0, 0x1.c1e8da99ded32p-49, 0x1.00d238fd3df5cp-46, 0x1.7f22858a0ff6fp-47, -0x1.90d04cd7cc834p-44,
        -0x1.8e27ad3213cb8p-45, -0x1.a0b2a08a465dcp-47, -0x1.05ae1e5e70470p-45, 0x1.4ab9d817d52cdp-44,
        0x1.1ba91bbca681bp-45, -0x1.22120401202fcp-44, -0x1.ee8779b2d8abcp-44, 0x1.a342c2af0003cp-45,
        -0x1.83f69278e686ap-44, 0x1.181dce586af09p-44, 0.0,
    };
    const aplc_8 m = __builtin_ia32_getmantpd512_mask(x, 2 << 2 | 3, x, APLC_ALL);
    const aplc_8 k = __builtin_ia32_getexppd512_mask(x, x, APLC_ALL) -
                     __builtin_ia32_getexppd512_mask(m, m, APLC_ALL);
    const aplc_8_bits first = (aplc_8_bits)m >> 48;
    const aplc_8 c = aplc_8_entry(aplc_factors, first), product = m * c;
    const aplc_8 lost = aplc_8_fma(m, c, -product), r = product - APLC_8(1.0), r2 = r * r, r4 = r2 * r2;
    /* (ln(1 + r) - r + r² ÷ 2) ÷ r³, for r from -1 ÷ 32 to 1 ÷ 16 */
    const aplc_8 p0 = aplc_8_fma(APLC_8(-0x1.0000000000006p-2), r, APLC_8(0x1.5555555555555p-2));
    const aplc_8 p1 = aplc_8_fma(APLC_8(-0x1.55555555491c9p-3), r, APLC_8(0x1.999999999b368p-3));
    const aplc_8 p2 = aplc_8_fma(APLC_8(-0x1.fffffe927f9c7p-4), r, APLC_8(0x1.2492490ada3d0p-3));
    const aplc_8 p3 = aplc_8_fma(APLC_8(-0x1.99aba7b1a6f2cp-4), r, APLC_8(0x1.c71d7ab0627b3p-4));
    const aplc_8 p4 = aplc_8_fma(APLC_8(-0x1.2932568141388p-4), r, APLC_8(0x1.72f4a45c6cbdap-4));
    const aplc_8 low = aplc_8_fma(p1, r2, p0), high = aplc_8_fma(p4, r4, aplc_8_fma(p3, r2, p2));
    const aplc_8 cubic = aplc_8_fma(high, r4, low) * (r2 * r);
    const aplc_8 top = aplc_8_fma(k, APLC_8(0x1.62e42fefa3800p-1), aplc_8_entry(tops, first));
    const aplc_8 sum = top + r, half = APLC_8(-0.5) * r, square = half * r, all = sum + square;
    aplc_8 small = aplc_8_fma(k, APLC_8(0x1.ef35793c76730p-45), aplc_8_entry(tails, first));
    small += (top - sum + r) + (sum - all + square) + aplc_8_fma(half, r, -square);
    small += aplc_8_fma(aplc_8_fma(r, r, -r), lost, lost) + cubic;
    const aplc_8 result = all + small;
    *rest = all - result + small;
    return result;
}

/* pow itself, under a name of which gcc knows no lanes. */
double aplc_one_power(double x, double y) __asm__(APLC_SYMBOL(__USER_LABEL_PREFIX__, pow));

/* Powers of which some are left to pow; apart, since it has its operands in memory. */
static __attribute__((__noinline__, __cold__, __unused__)) aplc_8
aplc_8_with(aplc_8 result, aplc_8 x, aplc_8 y, unsigned char others) {
    for (int lane = 0; lane < 8; lane++)
        if (others >> lane & 1)
            result[lane] = aplc_one_power(x[lane], y[lane]);
    return result;
}

/* e^(y × ln x), negative where x is and y is odd. Zeros, numbers that are subnormal or none, and roots of negative
   ones are left to pow. */
static __attribute__((__used__)) aplc_8 aplc_8_pow(aplc_8 x, aplc_8 y) APLC_NAMED("pow8", "N8vv_pow");
static aplc_8 aplc_8_pow(aplc_8 x, aplc_8 y) {
    static const double tails[16] __attribute__((__aligned__(64))) = {
        0x0.0p+0, 0x1.8a62e4adc610bp-54, -0x1.19041b9d78a76p-55, 0x1.9b07eb6c70573p-54, 0x1.6f46ad23182e4p-55,
        0x1.ada0911f09ebcp-55, 0x1.d4397afec42e2p-56, 0x1.6324c054647adp-54, -0x1.bdd3413b26456p-54,
        -0x1.41577ee04992fp-55, 0x1.6e9f156864b27p-54, 0x1.c7c46b071f2bep-56, 0x1.7a1cd345dcc81p-54,
        0x1.11065895048ddp-55, 0x1.2ed02d75b3707p-55, -0x1.e9c23179c2893p-54,
    };
    const aplc_8_bits sign = (aplc_8_bits)APLC_8(-0.0), negative = (aplc_8_bits)x & sign;
    const aplc_8 base = (aplc_8)((aplc_8_bits)x ^ negative);
    const aplc_8 whole = y + APLC_8(0x1.8p52); /* its last bit tells whether y is odd */
    unsigned char others = APLC_WHERE(base, APLC_NOT_FROM, APLC_8(0x1p-1022));
    others |= APLC_WHERE(base, APLC_NOT_UP_TO, APLC_8(0x1.fffffffffffffp1023));
    others |= APLC_WHERE((aplc_8)((aplc_8_bits)y & ~sign), APLC_NOT_UP_TO, APLC_8(0x1p50));
    others |= APLC_WHERE(whole - APLC_8(0x1.8p52), APLC_DIFFERS, y) &
              APLC_WHERE(x, APLC_NOT_FROM, APLC_8(0.0));
    aplc_8 rest;
    const aplc_8 logarithm = aplc_8_log_of(base, &rest), product = y * logarithm;
    aplc_8 more = aplc_8_fma(y, rest, aplc_8_fma(y, logarithm, -product));
    /* Beyond these bounds results are 0 or infinite, whatever the rest. */
    more = APLC_LESSER(APLC_8(1.0), more);
    more = APLC_LARGER(APLC_8(-1.0), more);
    const unsigned char lanes = APLC_WHERE(product, APLC_NOT_BELOW, APLC_8(-747.0));
    aplc_8 r = APLC_LESSER(APLC_8(712.0), product);
    const aplc_8 in_bits = aplc_8_fma(r, APLC_8(0x1.71547652b82fep+0), APLC_8(APLC_SIXTEENTHS));
    const aplc_8 exponent = in_bits - APLC_8(APLC_SIXTEENTHS);
    r = aplc_8_fma(exponent, APLC_8(-0x1.62e42fefa39efp-1), r);
    r = aplc_8_fma(exponent, APLC_8(-0x1.abc9e3b39803fp-56), r) + more;
    const aplc_8 root = aplc_8_entry(aplc_roots, (aplc_8_bits)in_bits);
    const aplc_8 tail = aplc_8_entry(tails, (aplc_8_bits)in_bits);
    const aplc_8 significand = root + aplc_8_fma(root, aplc_8_expm1(r), tail);
    aplc_8 result = aplc_8_scaled(significand, exponent, lanes);
    result = (aplc_8)((aplc_8_bits)result ^ (((aplc_8_bits)whole << 63) & negative));
    return __builtin_expect(others, 0) ? aplc_8_with(result, x, y, others) : result;
}

#ifdef __clang__
APLC_SVML_EXP2(8, aplc_8_pow, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0)
#endif

#endif

#endif
