/* Functions of two, four and eight numbers at once, under the names of Intel's SVML: clang calls these if it is told
   of that library (-fveclib=SVML, with which APLC_SVML is defined), while of libmvec it knows the functions of two
   and of four numbers only. That is for processors with AVX-512, where eight numbers are one register. They are those of libmvec, but for eight exponentials, logarithms and powers where
   `aplc_exp.h` has them. Calls of them arise when all else is compiled, so they stand in every program. */

#ifndef APLC_SVML_H
#define APLC_SVML_H

#ifndef __AVX512F__
#error "functions of eight numbers are for processors with AVX-512"
#endif

typedef double aplc_lanes2 __attribute__((__vector_size__(16)));
typedef double aplc_lanes4 __attribute__((__vector_size__(32)));
typedef double aplc_lanes8 __attribute__((__vector_size__(64)));

#define APLC_SVML_MONADIC(name, n, libmvec) \
    aplc_lanes##n aplc_libmvec_##name##n(aplc_lanes##n) __asm__("_ZGV" libmvec "v_" #name); \
    static __attribute__((__used__)) aplc_lanes##n aplc_svml_##name##n(aplc_lanes##n) \
        __asm__("__svml_" #name #n); \
    static aplc_lanes##n aplc_svml_##name##n(aplc_lanes##n x) { return aplc_libmvec_##name##n(x); }

#define APLC_SVML_POW(n, libmvec) \
    aplc_lanes##n aplc_libmvec_pow##n(aplc_lanes##n, aplc_lanes##n) __asm__("_ZGV" libmvec "vv_pow"); \
    static __attribute__((__used__)) aplc_lanes##n aplc_svml_pow##n(aplc_lanes##n, aplc_lanes##n) \
        __asm__("__svml_pow" #n); \
    static aplc_lanes##n aplc_svml_pow##n(aplc_lanes##n x, aplc_lanes##n y) { \
        return aplc_libmvec_pow##n(x, y); \
    }

/* clang makes an exp2 of a power of 2, and libmvec has none. */
#define APLC_SVML_EXP2(n, power, ...) \
    static __attribute__((__used__)) aplc_lanes##n aplc_svml_exp2##n(aplc_lanes##n) \
        __asm__("__svml_exp2" #n); \
    static aplc_lanes##n aplc_svml_exp2##n(aplc_lanes##n x) { return power((aplc_lanes##n){__VA_ARGS__}, x); }

#define APLC_SVML_CIRCULAR(n, libmvec) \
    APLC_SVML_MONADIC(sin, n, libmvec) APLC_SVML_MONADIC(cos, n, libmvec) APLC_SVML_MONADIC(tan, n, libmvec)
#define APLC_SVML_EXPONENTIAL(n, libmvec, ...) \
    APLC_SVML_MONADIC(exp, n, libmvec) APLC_SVML_MONADIC(log, n, libmvec) APLC_SVML_POW(n, libmvec) \
    APLC_SVML_EXP2(n, aplc_svml_pow##n, __VA_ARGS__)

APLC_SVML_CIRCULAR(2, "bN2")
APLC_SVML_CIRCULAR(4, "dN4")
APLC_SVML_CIRCULAR(8, "eN8")
APLC_SVML_EXPONENTIAL(2, "bN2", 2.0, 2.0)
APLC_SVML_EXPONENTIAL(4, "dN4", 2.0, 2.0, 2.0, 2.0)
#ifndef APLC_HAS_EXP8
APLC_SVML_EXPONENTIAL(8, "eN8", 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0)
#endif

#endif
