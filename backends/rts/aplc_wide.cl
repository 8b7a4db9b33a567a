/* Functions of eight doubles at a time, for kernels on processors with AVX-512; a program that calls one gets all.
   Exponentials and logarithms are those of `aplc_exp.h` with their tables of 16 entries, which two registers
   hold: errors stay below 1.2 and 1.5 units in the last place. They are always inlined: a driver may compile what
   is called for a processor that has no such vectors. Where a compiler does not know the instructions, numbers
   go one by one. */

#if defined(__has_builtin) && defined(__x86_64__)
#if __has_builtin(__builtin_ia32_scalefpd512_mask) && __has_builtin(__builtin_ia32_vpermi2varpd512) && \
    __has_builtin(__builtin_ia32_getexppd512_mask) && __has_builtin(__builtin_ia32_getmantpd512_mask) && \
    __has_builtin(__builtin_ia32_rndscalepd_mask) && __has_builtin(__builtin_ia32_sqrtpd512)
#define APLC_HAS_WIDE
#endif
#endif

#ifdef APLC_HAS_WIDE

#define APLC_WIDE static inline __attribute__((always_inline, target("avx512f")))
#define APLC_ALL (uchar)0xff, 4 /* all lanes, rounded as usual */

APLC_WIDE double8 aplc_exp8(double8 x) {
    #pragma OPENCL FP_CONTRACT ON
    const double8 roots = {0x1p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
                           0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0};
    const double8 more_roots = {0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0,
                                0x1.9c49182a3f090p+0, 0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0,
                                0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0}; /* 2^(j÷16) */
    const double8 not_above = 710.0 < x ? 710.0 : x; /* beyond, it is infinite or 0 */
    const double8 bounded = -746.0 > not_above ? -746.0 : not_above;
    const double8 in_bits = bounded * 0x1.71547652b82fep+0 + 0x1.8p48, exponent = in_bits - 0x1.8p48;
    const double8 r = exponent * -0x1.abc9e3b39803fp-56 + (exponent * -0x1.62e42fefa39efp-1 + bounded), r2 = r * r;
    const double8 low = r * 0x1.555555548f74fp-3 + 0x1.fffffffffffb9p-2;
    const double8 high = r2 * 0x1.6c14c6c41f145p-10 + (r * 0x1.11123abd8d7b7p-7 + 0x1.55555558fd128p-5);
    const double8 root = __builtin_ia32_vpermi2varpd512(roots, as_long8(in_bits), more_roots);
    const double8 significand = root * ((high * r2 + low) * r2 + r) + root;
    return __builtin_ia32_scalefpd512_mask(significand, exponent, significand, APLC_ALL);
}

APLC_WIDE double8 aplc_log8(double8 x) {
    #pragma OPENCL FP_CONTRACT ON
    const double8 factors = {0x1p+0, 0x1.d4p-1, 0x1.bcp-1, 0x1.a4p-1, 0x1.9p-1, 0x1.7cp-1, 0x1.6cp-1, 0x1.5cp-1};
    const double8 more_factors = {0x1.4ep+0, 0x1.42p+0, 0x1.36p+0, 0x1.2ap+0,
                                  0x1.2p+0,  0x1.16p+0, 0x1.0cp+0, 0x1p+0};
    const double8 logarithms = {0.0, 0x1.700d30aeac0e1p-4, 0x1.23d712a49c202p-3, 0x1.95a5adcf7017fp-3,
                                0x1.f991c6cb3b379p-3, 0x1.314f1e1d35ce4p-2, 0x1.5d5bddf595f30p-2,
                                0x1.8b639a88b2df5p-2};
    const double8 more_logarithms = {-0x1.1058bf9ae4ad5p-2, -0x1.d5c216b4fbb91p-3, -0x1.87fa06520c911p-3,
                                     -0x1.371fc201e8f74p-3, -0x1.e27076e2af2e6p-4, -0x1.51b073f06183fp-4,
                                     -0x1.77458f632dcfcp-5, 0.0};
    const double8 m = __builtin_ia32_getmantpd512_mask(x, 2 << 2 | 3, x, APLC_ALL); /* NaN for x < 0 */
    const double8 k = __builtin_ia32_getexppd512_mask(x, x, APLC_ALL) -
                      __builtin_ia32_getexppd512_mask(m, m, APLC_ALL);
    const long8 first = as_long8(m) >> 48;
    const double8 r = m * __builtin_ia32_vpermi2varpd512(factors, first, more_factors) - 1.0;
    const double8 r2 = r * r, r4 = r2 * r2;
    const double8 a = r * 0x1.5555555555f5ep-2 - 0x1.0000000000003p-1;
    const double8 b = r * 0x1.99999980a7c60p-3 - 0x1.fffffffff1c25p-3;
    const double8 c = r * 0x1.2492d815dc16bp-3 - 0x1.555554b5085e2p-3;
    const double8 d = r * 0x1.c575faea3c336p-4 - 0x1.0009b7a1d85bfp-3;
    const double8 low = b * r2 + a, high = r4 * -0x1.660454e094c94p-4 + (d * r2 + c);
    const double8 entry = __builtin_ia32_vpermi2varpd512(logarithms, first, more_logarithms);
    return (high * r4 + low) * r2 + r + (k * 0x1.62e42fefa39efp-1 + entry);
}

APLC_WIDE double8 aplc_sqrt8(double8 x) { return __builtin_ia32_sqrtpd512(x, 4); }
APLC_WIDE double8 aplc_floor8(double8 x) { return __builtin_ia32_rndscalepd_mask(x, 1, x, APLC_ALL); }
APLC_WIDE double8 aplc_ceil8(double8 x) { return __builtin_ia32_rndscalepd_mask(x, 2, x, APLC_ALL); }

#else

#define APLC_ONE_BY_ONE(name, x) \
    (double8)(name(x.s0), name(x.s1), name(x.s2), name(x.s3), name(x.s4), name(x.s5), name(x.s6), name(x.s7))

#define APLC_WIDE static inline __attribute__((always_inline))

APLC_WIDE double8 aplc_exp8(double8 x) { return APLC_ONE_BY_ONE(exp, x); }
APLC_WIDE double8 aplc_log8(double8 x) { return APLC_ONE_BY_ONE(log, x); }
APLC_WIDE double8 aplc_sqrt8(double8 x) { return APLC_ONE_BY_ONE(sqrt, x); }
APLC_WIDE double8 aplc_floor8(double8 x) { return APLC_ONE_BY_ONE(floor, x); }
APLC_WIDE double8 aplc_ceil8(double8 x) { return APLC_ONE_BY_ONE(ceil, x); }

#endif
