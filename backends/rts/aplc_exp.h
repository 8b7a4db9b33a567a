/* Exponentials and logarithms of eight numbers at a time, for processors with AVX-512; included where a
   program has such. The functions have the names by which gcc calls those of libmvec (see Note [Vector math]),
   and stand in their place: those of glibc fetch their tables from memory element by element.

   The tables have 16 entries, which two registers hold. Errors stay below 1.2 units in the last place for exp and
   1.5 for log (libmvec: 3.1 and 1.6); results that are infinite, subnormal or no number are those of libm. */

#ifndef APLC_EXP_H
#define APLC_EXP_H

#if defined(__x86_64__) && defined(__AVX512F__) && defined(__has_builtin) && !defined(__clang__) && \
    !defined(APLC_STRICT_FP)
#if __has_builtin(__builtin_ia32_scalefpd512_mask) && __has_builtin(__builtin_ia32_vpermt2varpd512_mask) && \
    __has_builtin(__builtin_ia32_getexppd512_mask) && __has_builtin(__builtin_ia32_vfmaddpd512_mask)

typedef double aplc_8 __attribute__((__vector_size__(64)));
typedef long long aplc_8_bits __attribute__((__vector_size__(64)));

#define APLC_8(x) ((aplc_8){x, x, x, x, x, x, x, x})
#define APLC_ALL (unsigned char)0xff, 4 /* all lanes, rounded as usual */

/* `x×y+z` with one rounding. */
static inline aplc_8 aplc_8_fma(aplc_8 x, aplc_8 y, aplc_8 z) {
    return __builtin_ia32_vfmaddpd512_mask(x, y, z, APLC_ALL);
}

/* The entry of a table that the last four bits of each lane number. */
static inline aplc_8 aplc_8_entry(const double *table, aplc_8_bits k) {
    const aplc_8 *halves = (const aplc_8 *)table;
    return __builtin_ia32_vpermt2varpd512_mask(k, halves[0], halves[1], (unsigned char)0xff);
}

/* 2^x is 2^⌊x⌋ × 2^(j÷16) × e^r; the sum with `APLC_SIXTEENTHS` is x in sixteenths, with j in its last bits. */
#define APLC_SIXTEENTHS 0x1.8p48

static __attribute__((__used__)) aplc_8 aplc_8_exp(aplc_8 x) __asm__("_ZGVeN8v_exp");
static aplc_8 aplc_8_exp(aplc_8 x) {
    static const double roots[16] __attribute__((__aligned__(64))) = {
        0x1p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0, 0x1.306fe0a31b715p+0,
        0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0, 0x1.6a09e667f3bcdp+0,
        0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0, 0x1.ae89f995ad3adp+0,
        0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0,
    };
    /* Beyond these bounds results are 0 or infinite; of two operands the second is the result for NaN. */
    x = __builtin_ia32_minpd512_mask(APLC_8(710.0), x, x, APLC_ALL);
    x = __builtin_ia32_maxpd512_mask(APLC_8(-746.0), x, x, APLC_ALL);
    const aplc_8 in_bits = aplc_8_fma(x, APLC_8(0x1.71547652b82fep+0), APLC_8(APLC_SIXTEENTHS));
    const aplc_8 exponent = in_bits - APLC_8(APLC_SIXTEENTHS);
    aplc_8 r = aplc_8_fma(exponent, APLC_8(-0x1.62e42fefa39efp-1), x);
    r = aplc_8_fma(exponent, APLC_8(-0x1.abc9e3b39803fp-56), r);
    const aplc_8 root = aplc_8_entry(roots, (aplc_8_bits)in_bits), r2 = r * r;
    /* e^r - 1, for |r| up to ln 2 ÷ 32 */
    const aplc_8 low = aplc_8_fma(APLC_8(0x1.555555548f74fp-3), r, APLC_8(0x1.fffffffffffb9p-2));
    const aplc_8 high = aplc_8_fma(APLC_8(0x1.6c14c6c41f145p-10), r2,
                                   aplc_8_fma(APLC_8(0x1.11123abd8d7b7p-7), r, APLC_8(0x1.55555558fd128p-5)));
    const aplc_8 more = aplc_8_fma(aplc_8_fma(high, r2, low), r2, r);
    const aplc_8 significand = aplc_8_fma(root, more, root);
    return __builtin_ia32_scalefpd512_mask(significand, exponent, significand, APLC_ALL);
}

/* x is 2^k × m with m from 0.75 up to 1.5, and m is near 1 ÷ c, where c depends on its first bits; for
   those around 1 it is 1, which keeps small logarithms precise. */
static __attribute__((__used__)) aplc_8 aplc_8_log(aplc_8 x) __asm__("_ZGVeN8v_log");
static aplc_8 aplc_8_log(aplc_8 x) {
    static const double factors[16] __attribute__((__aligned__(64))) = {
        0x1p+0, 0x1.d4p-1, 0x1.bcp-1, 0x1.a4p-1, 0x1.9p-1, 0x1.7cp-1, 0x1.6cp-1, 0x1.5cp-1,
        0x1.4ep+0, 0x1.42p+0, 0x1.36p+0, 0x1.2ap+0, 0x1.2p+0, 0x1.16p+0, 0x1.0cp+0, 0x1p+0,
    };
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
    const aplc_8 r = aplc_8_fma(m, aplc_8_entry(factors, first), APLC_8(-1.0)), r2 = r * r, r4 = r2 * r2;
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

#endif
#endif

#endif
