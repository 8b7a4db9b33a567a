/* Functions of real numbers: those of libm, in lanes where the C library has such, and those of APL that
   libm does not have. The reference is `aplc.tail.meaning.numeric`.

   Note [Vector math]
       glibc's libmvec has functions of several numbers at once, which its headers declare under -ffast-math
       only. Declared here, loops call them. Their results may differ from libm's in the last bits; exceptional
       results do not, and sums are not reordered. On x86-64 -lm links them where they are needed. clang finds
       them by the names of another library (`aplc_svml.h`).
       Under APLC_STRICT_FP it is libm itself, under names that the compiler does not know, since it would
       compute what is constant by another method. */

#ifndef APLC_MATH_H
#define APLC_MATH_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define APLC_TEXT(x) #x
#define APLC_SYMBOL(prefix, name) APLC_TEXT(prefix) #name

#if defined(APLC_STRICT_FP)

#if defined(__clang__) /* which knows a function by its symbol, but not behind an address that it does not see */
#define APLC_LIBM1(name) \
    static inline double aplc_libm_##name(double x) { \
        double (*function)(double) = name; \
        __asm__("" : "+r"(function)); \
        return function(x); \
    }
#define APLC_LIBM2(name) \
    static inline double aplc_libm_##name(double x, double y) { \
        double (*function)(double, double) = name; \
        __asm__("" : "+r"(function)); \
        return function(x, y); \
    }
#else
#define APLC_LIBM1(name) double aplc_libm_##name(double) __asm__(APLC_SYMBOL(__USER_LABEL_PREFIX__, name));
#define APLC_LIBM2(name) \
    double aplc_libm_##name(double, double) __asm__(APLC_SYMBOL(__USER_LABEL_PREFIX__, name));
#endif
APLC_LIBM1(exp) APLC_LIBM1(log) APLC_LIBM1(sin) APLC_LIBM1(cos) APLC_LIBM1(tan) APLC_LIBM1(sinh)
APLC_LIBM1(cosh) APLC_LIBM1(tanh) APLC_LIBM1(asin) APLC_LIBM1(acos) APLC_LIBM1(atan) APLC_LIBM1(asinh)
APLC_LIBM1(acosh) APLC_LIBM1(atanh) APLC_LIBM1(tgamma) APLC_LIBM1(lgamma)
APLC_LIBM2(pow) APLC_LIBM2(hypot)
#define exp aplc_libm_exp
#define log aplc_libm_log
#define sin aplc_libm_sin
#define cos aplc_libm_cos
#define tan aplc_libm_tan
#define sinh aplc_libm_sinh
#define cosh aplc_libm_cosh
#define tanh aplc_libm_tanh
#define asin aplc_libm_asin
#define acos aplc_libm_acos
#define atan aplc_libm_atan
#define asinh aplc_libm_asinh
#define acosh aplc_libm_acosh
#define atanh aplc_libm_atanh
#define tgamma aplc_libm_tgamma
#define lgamma aplc_libm_lgamma
#define pow aplc_libm_pow
#define hypot aplc_libm_hypot

#elif defined(APLC_SVML)
#include "aplc_svml.h"

#elif defined(__has_attribute) && defined(__GLIBC_PREREQ)
#if __has_attribute(__simd__) && !defined(__clang__)

#define APLC_LANES __attribute__((__simd__("notinbranch")))
#if (defined(__x86_64__) && __GLIBC_PREREQ(2, 22)) || (defined(__aarch64__) && __GLIBC_PREREQ(2, 38))
APLC_LANES double exp(double);
APLC_LANES double log(double);
/* Under their own names gcc makes one call of both for one number, which has no lanes. */
APLC_LANES __attribute__((__const__)) double aplc_libm_sin(double) __asm__("sin");
APLC_LANES __attribute__((__const__)) double aplc_libm_cos(double) __asm__("cos");
#define sin aplc_libm_sin
#define cos aplc_libm_cos
#endif
#if defined(__x86_64__) && __GLIBC_PREREQ(2, 22)
APLC_LANES double pow(double, double);
#endif
#if defined(__x86_64__) && __GLIBC_PREREQ(2, 35)
APLC_LANES double tan(double);
APLC_LANES double sinh(double);
APLC_LANES double cosh(double);
APLC_LANES double tanh(double);
APLC_LANES double asin(double);
APLC_LANES double acos(double);
APLC_LANES double atan(double);
APLC_LANES double asinh(double);
APLC_LANES double acosh(double);
APLC_LANES double atanh(double);
APLC_LANES double hypot(double, double);
#endif

#endif
#endif

/* --- circular functions --- */

/* `0○x`, for |x| up to 1. */
static inline double aplc_circle_0(double x) { return sqrt((1.0 - x) * (1.0 + x)); }
/* `4○x` */
static inline double aplc_circle_4(double x) { return hypot(1.0, x); }
/* `¯4○x`, for |x| from 1; for ¯1 the quotient has no value. */
static inline double aplc_circle_minus_4(double x) {
    const double root = (x + 1.0) * sqrt((x - 1.0) / (x + 1.0));
    return x == -1.0 ? 0.0 : isinf(x) ? x : root;
}

/* `k○x` for a k that only the run knows. */
static inline double aplc_circle(int64_t k, double x) {
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

/* Whether `k○x` is real; not-a-number passes. */
static inline bool aplc_circle_is_real(int64_t k, double x) {
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

/* --- factorials and binomial coefficients --- */

static const double aplc_factorials[] = {
    1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0, 5040.0, 40320.0, 362880.0, 3628800.0, 39916800.0, 479001600.0,
    6227020800.0, 87178291200.0, 1307674368000.0, 20922789888000.0, 355687428096000.0, 6402373705728000.0,
    1.21645100408832e+17, 2.43290200817664e+18, 5.109094217170944e+19, 1.1240007277776077e+21,
    2.585201673888498e+22, 6.204484017332394e+23, 1.5511210043330986e+25, 4.0329146112660565e+26,
    1.0888869450418352e+28, 3.0488834461171387e+29, 8.841761993739702e+30, 2.6525285981219107e+32,
    8.222838654177922e+33, 2.631308369336935e+35, 8.683317618811886e+36, 2.9523279903960416e+38,
    1.0333147966386145e+40, 3.7199332678990125e+41, 1.3763753091226346e+43, 5.230226174666011e+44,
    2.0397882081197444e+46, 8.159152832478977e+47, 3.345252661316381e+49, 1.40500611775288e+51,
    6.041526306337383e+52, 2.658271574788449e+54, 1.1962222086548019e+56, 5.502622159812089e+57,
    2.5862324151116818e+59, 1.2413915592536073e+61, 6.082818640342675e+62, 3.0414093201713376e+64,
    1.5511187532873822e+66, 8.065817517094388e+67, 4.2748832840600255e+69, 2.308436973392414e+71,
    1.2696403353658276e+73, 7.109985878048635e+74, 4.0526919504877214e+76, 2.3505613312828785e+78,
    1.3868311854568984e+80, 8.32098711274139e+81, 5.075802138772248e+83, 3.146997326038794e+85,
    1.98260831540444e+87, 1.2688693218588417e+89, 8.247650592082472e+90, 5.443449390774431e+92,
    3.647111091818868e+94, 2.4800355424368305e+96, 1.711224524281413e+98, 1.1978571669969892e+100,
    8.504785885678623e+101, 6.1234458376886085e+103, 4.4701154615126844e+105, 3.307885441519386e+107,
    2.48091408113954e+109, 1.8854947016660504e+111, 1.4518309202828587e+113, 1.1324281178206297e+115,
    8.946182130782976e+116, 7.156945704626381e+118, 5.797126020747368e+120, 4.753643337012842e+122,
    3.945523969720659e+124, 3.314240134565353e+126, 2.81710411438055e+128, 2.4227095383672734e+130,
    2.107757298379528e+132, 1.8548264225739844e+134, 1.650795516090846e+136, 1.4857159644817615e+138,
    1.352001527678403e+140, 1.2438414054641308e+142, 1.1567725070816416e+144, 1.087366156656743e+146,
    1.032997848823906e+148, 9.916779348709496e+149, 9.619275968248212e+151, 9.426890448883248e+153,
    9.332621544394415e+155, 9.332621544394415e+157, 9.42594775983836e+159, 9.614466715035127e+161,
    9.90290071648618e+163, 1.0299016745145628e+166, 1.081396758240291e+168, 1.1462805637347084e+170,
    1.226520203196138e+172, 1.324641819451829e+174, 1.4438595832024937e+176, 1.588245541522743e+178,
    1.7629525510902446e+180, 1.974506857221074e+182, 2.2311927486598138e+184, 2.5435597334721877e+186,
    2.925093693493016e+188, 3.393108684451898e+190, 3.969937160808721e+192, 4.684525849754291e+194,
    5.574585761207606e+196, 6.689502913449127e+198, 8.094298525273444e+200, 9.875044200833601e+202,
    1.214630436702533e+205, 1.506141741511141e+207, 1.882677176888926e+209, 2.372173242880047e+211,
    3.0126600184576594e+213, 3.856204823625804e+215, 4.974504222477287e+217, 6.466855489220474e+219,
    8.47158069087882e+221, 1.1182486511960043e+224, 1.4872707060906857e+226, 1.9929427461615188e+228,
    2.6904727073180504e+230, 3.659042881952549e+232, 5.012888748274992e+234, 6.917786472619489e+236,
    9.615723196941089e+238, 1.3462012475717526e+241, 1.898143759076171e+243, 2.695364137888163e+245,
    3.854370717180073e+247, 5.5502938327393044e+249, 8.047926057471992e+251, 1.1749972043909107e+254,
    1.727245890454639e+256, 2.5563239178728654e+258, 3.80892263763057e+260, 5.713383956445855e+262,
    8.62720977423324e+264, 1.3113358856834524e+267, 2.0063439050956823e+269, 3.0897696138473508e+271,
    4.789142901463394e+273, 7.471062926282894e+275, 1.1729568794264145e+278, 1.853271869493735e+280,
    2.9467022724950384e+282, 4.7147236359920616e+284, 7.590705053947219e+286, 1.2296942187394494e+289,
    2.0044015765453026e+291, 3.287218585534296e+293, 5.423910666131589e+295, 9.003691705778438e+297,
    1.503616514864999e+300, 2.5260757449731984e+302, 4.269068009004705e+304, 7.257415615307999e+306,
};

/* Γ(x+1). Where x+1 is no double it is x×Γ(x): Γ would make hundreds of roundings of the one in the sum. */
static inline double aplc_gamma_behind(double x) {
    const double next = x + 1.0;
    return x >= 1.0 && next - 1.0 != x ? x * tgamma(x) : tgamma(next);
}

/* Γ(x+1), infinite where it is too large. Whole numbers have the exact result, correctly rounded. */
static inline double aplc_factorial(double x) {
    if (x > 171.0)
        return INFINITY;
    if (x >= 0.0 && x <= 170.0 && floor(x) == x)
        return aplc_factorials[(int)x];
    return aplc_gamma_behind(x);
}

enum {
    APLC_MANY = 1024, /* with n ≥ 2k and k that large, the number of k-subsets of n things is no double */
    APLC_LIMBS = 68   /* of 32 bits: the product of two numbers below 2^1024, with room for a small factor */
};

/* A natural number: its digits to base 2^32, least first. */
typedef struct {
    int count;
    uint32_t limbs[APLC_LIMBS];
} aplc_natural;

static inline aplc_natural aplc_natural_of(double whole) {
    int exponent;
    const uint64_t bits = (uint64_t)ldexp(frexp(whole, &exponent), 53);
    const int shift = exponent - 53;
    aplc_natural result = {0, {0}};
    if (shift <= 0) {
        const uint64_t value = bits >> -shift;
        result.limbs[0] = (uint32_t)value;
        result.limbs[1] = (uint32_t)(value >> 32);
    } else {
        const unsigned __int128 value = (unsigned __int128)bits << shift % 32;
        for (int k = 0; k < 3; k++)
            result.limbs[shift / 32 + k] = (uint32_t)(value >> 32 * k);
    }
    for (int k = 0; k < APLC_LIMBS; k++)
        if (result.limbs[k] != 0)
            result.count = k + 1;
    return result;
}

/* The number with a small one added, which may be negative; the sum is not. */
static inline void aplc_natural_add(aplc_natural *x, int64_t small) {
    for (int k = 0; small != 0; k++) {
        const int64_t sum = (int64_t)x->limbs[k] + small;
        x->limbs[k] = (uint32_t)sum;
        small = sum >> 32;
        if (k >= x->count)
            x->count = k + 1;
    }
    while (x->count > 0 && x->limbs[x->count - 1] == 0)
        x->count--;
}

static inline void aplc_natural_multiply(aplc_natural *x, const aplc_natural *y) {
    aplc_natural result = {0, {0}};
    for (int i = 0; i < x->count; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < y->count || carry != 0; j++) {
            const uint64_t factor = j < y->count ? y->limbs[j] : 0;
            carry += result.limbs[i + j] + x->limbs[i] * factor;
            result.limbs[i + j] = (uint32_t)carry;
            carry >>= 32;
            if (i + j >= result.count)
                result.count = i + j + 1;
        }
    }
    *x = result;
}

static inline void aplc_natural_divide(aplc_natural *x, uint32_t divisor) {
    uint64_t rest = 0;
    for (int k = x->count - 1; k >= 0; k--) {
        rest = rest << 32 | x->limbs[k];
        x->limbs[k] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (x->count > 0 && x->limbs[x->count - 1] == 0)
        x->count--;
}

/* The nearest double: the first 64 bits and whether any other is set decide. */
static inline double aplc_natural_as_double(const aplc_natural *x) {
    if (x->count <= 2)
        return (double)((uint64_t)x->limbs[1] << 32 | x->limbs[0]);
    const int top = x->count - 1, lead = __builtin_clz(x->limbs[top]);
    const unsigned __int128 limbs = (unsigned __int128)x->limbs[top] << 64 |
                                    (unsigned __int128)x->limbs[top - 1] << 32 | x->limbs[top - 2];
    uint64_t bits = (uint64_t)(limbs >> (32 - lead));
    bool rest = (uint32_t)((uint64_t)x->limbs[top - 2] << lead) != 0;
    for (int k = 0; k < top - 2; k++)
        rest = rest || x->limbs[k] != 0;
    bits |= rest;
    return ldexp((double)bits, 32 * x->count - 64 - lead);
}

/* The number of k-subsets of n = whole + small things, k at most n/2: correctly rounded where operations are done as
   they stand, and below 2^64. */
static inline double aplc_choose(double k, double whole, int64_t small) {
    if (k >= APLC_MANY)
        return INFINITY;
    const int64_t count = (int64_t)k;
    int64_t i = 0;
    uint64_t exact = 1; /* the number of i-subsets */
    if (whole < 0x1p53) {
        const uint64_t n = (uint64_t)((int64_t)whole + small);
        for (; i < count; i++) {
            uint64_t product;
            if (!__builtin_mul_overflow(exact, n - (uint64_t)i, &product)) {
                exact = product / (uint64_t)(i + 1);
                continue;
            }
            const unsigned __int128 next = (unsigned __int128)exact * (n - (uint64_t)i) / (uint64_t)(i + 1);
            if (next > UINT64_MAX)
                break;
            exact = (uint64_t)next;
        }
        if (i == count)
            return (double)exact;
#ifndef APLC_STRICT_FP
        double rounded = (double)exact; /* by at most a unit in each step */
        for (; i < count && rounded <= DBL_MAX; i++)
            rounded *= (double)(n - (uint64_t)i) / (double)(i + 1);
        return rounded;
#endif
    }
    aplc_natural result = {2, {(uint32_t)exact, (uint32_t)(exact >> 32)}};
    aplc_natural factor = aplc_natural_of(whole);
    aplc_natural_add(&factor, small - i);
    for (; i < count; i++) {
        aplc_natural_multiply(&result, &factor);
        aplc_natural_divide(&result, (uint32_t)(i + 1));
        aplc_natural_add(&factor, -1);
        if (result.count > 32)
            return INFINITY;
    }
    return aplc_natural_as_double(&result);
}

static inline bool aplc_is_odd(double whole) { return fmod(whole, 2.0) != 0.0; }

/* The binomial coefficient of whole numbers, by the table of Dyalog's reference for `!`. */
static inline double aplc_whole_binomial(double x, double y) {
    if (y >= 0.0) {
        if (!(x >= 0.0 && x <= y))
            return 0.0;
        return aplc_choose(fmin(x, y - x), y, 0);
    }
    if (x >= 0.0) { /* ± the subsets of x - y - 1 things */
        const double other = -y - 1.0;
        const double chosen = x <= other ? aplc_choose(x, -y, x < APLC_MANY ? (int64_t)x - 1 : 0)
                                         : aplc_choose(other, x, other < APLC_MANY ? (int64_t)other : 0);
        return aplc_is_odd(x) ? -chosen : chosen;
    }
    if (x > y)
        return 0.0;
    const double chosen = aplc_choose(fmin(-y - 1.0, y - x), -x, -1);
    return aplc_is_odd(x) != aplc_is_odd(y) ? -chosen : chosen;
}

/* The sign of Γ(x), which has poles at zero and at negative whole numbers. */
static inline double aplc_gamma_sign(double x) { return x < 0.0 && aplc_is_odd(floor(x)) ? -1.0 : 1.0; }

/* The logarithm of Γ(z+x) ÷ Γ(z) for large z and z+x, by Stirling's series without its cancellation. */
static inline double aplc_log_gamma_ratio(double z, double x) {
    const double w = z + x;
    const double tail = (1.0 / w - 1.0 / z) / 12.0 - (pow(w, -3.0) - pow(z, -3.0)) / 360.0 +
                        (pow(w, -5.0) - pow(z, -5.0)) / 1260.0;
    return (z - 0.5) * log1p(x / z) + x * (log(w) - 1.0) + tail;
}

/* `x!y` where it has a value. */
static inline double aplc_binomial(double x, double y) {
    const double large = 128.0; /* up to here products of two values of Γ neither overflow nor vanish */
    if (!(isfinite(x) && isfinite(y)))
        return NAN;
    if (floor(x) == x && floor(y) == y)
        return aplc_whole_binomial(x, y);
    if (floor(x) == x && x <= APLC_MANY) {
        double product = 1.0;
        for (int k = 1; k <= x; k++)
            product *= (y - x + k) / k;
        return x >= 0.0 ? product : 0.0;
    }
    const double rest = y - x;
    if (floor(rest) == rest && y < x)
        return 0.0;
    if (fabs(x) <= large && fabs(y) <= large && fabs(rest) <= large)
        return aplc_gamma_behind(y) / (aplc_gamma_behind(x) * aplc_gamma_behind(rest));
    const double sign = aplc_gamma_sign(y + 1.0) * aplc_gamma_sign(x + 1.0) * aplc_gamma_sign(rest + 1.0);
    const double less = fmin(x, rest), more = fmax(x, rest);
    const double logarithm = y > large ? aplc_log_gamma_ratio(more + 1.0, less) - lgamma(less + 1.0)
                                       : lgamma(y + 1.0) - lgamma(x + 1.0) - lgamma(rest + 1.0);
    return sign * (logarithm < 709.782712893384 ? exp(logarithm) : INFINITY);
}

/* --- powers with whole exponents --- */

static inline bool aplc_is_short(int64_t n) { return n < 64; }

/* `x*n` for 0 ≤ n < 64: without a loop, so that there are lanes. */
static inline double aplc_short_power(double x, int64_t n) {
    const double x2 = x * x, x4 = x2 * x2, x8 = x4 * x4, x16 = x8 * x8, x32 = x16 * x16;
    double result = n & 1 ? x : 1.0;
    result = n & 2 ? result * x2 : result;
    result = n & 4 ? result * x4 : result;
    result = n & 8 ? result * x8 : result;
    result = n & 16 ? result * x16 : result;
    return n & 32 ? result * x32 : result;
}

/* 2 to a whole power, in two factors: one may be too large, or too small to be normal. */
static inline double aplc_power_of_two(int64_t n) {
    const int64_t within = n < -1100 ? -1100 : n > 1100 ? 1100 : n, less = within >> 1;
    const union {
        uint64_t bits;
        double number;
    } first = {(uint64_t)(less + 1023) << 52}, second = {(uint64_t)(within - less + 1023) << 52};
    return first.number * second.number;
}

/* `x*y`; of whole numbers exactly where the result is at most 2^53, which what has lanes does not promise. All
   that decides is computed, with `&`: of a branch for each condition there would be no lanes. */
static inline double aplc_exact_power(double x, double y) {
    if (__builtin_constant_p(x) && x == 2.0) {
        const bool is_whole = floor(y) == y;
        const double within = y < -1100.0 ? -1100.0 : y > 1100.0 ? 1100.0 : y;
        const double exact = aplc_power_of_two(is_whole ? (int32_t)within : 0);
        return is_whole ? exact : pow(x, y);
    }
    const bool is_count = (y >= 0) & (y < 64) & (floor(y) == y) & (floor(x) == x);
    const double exact = aplc_short_power(x, is_count ? (int32_t)y : 0);
    return is_count & (fabs(exact) <= 0x1p53) ? exact : pow(x, y);
}

/* --- integers of 32 bits: the low bits of the result, in two's complement --- */

static inline int64_t aplc_and32(int64_t x, int64_t y) { return (int32_t)(x & y); }
static inline int64_t aplc_or32(int64_t x, int64_t y) { return (int32_t)(x | y); }
static inline int64_t aplc_xor32(int64_t x, int64_t y) { return (int32_t)(x ^ y); }
static inline int64_t aplc_not32(int64_t x) { return (int32_t)~x; }
/* Counts that are not negative; the count is not cut to 32 bits. */
static inline int64_t aplc_shift_left32(int64_t x, int64_t count) {
    return count >= 32 ? 0 : (int32_t)(uint32_t)((uint64_t)x << (count & 31));
}
static inline int64_t aplc_shift_right32(int64_t x, int64_t count) {
    return (int64_t)(int32_t)x >> (count >= 32 ? 32 : count & 31);
}

/* --- bits of integers, in two's complement --- */

/* Those from a position on, 0 to 63, that the mask chooses. */
static inline int64_t aplc_bit_field(int64_t x, int64_t position, int64_t mask) {
    return (int64_t)((uint64_t)x >> (position & 63) & (uint64_t)mask);
}
/* One at a position, 0 to 63. */
static inline int64_t aplc_bit_at(bool x, int64_t position) { return (int64_t)((uint64_t)x << (position & 63)); }
/* How many are 1. */
static inline int64_t aplc_bit_count(int64_t x) { return __builtin_popcountll((uint64_t)x); }

/* --- pieces of functions of straight lines --- */

/* value + step×(x - first) where x is one of so many numbers from the first one on, and else 0. */
static inline int64_t aplc_piece(int64_t x, int64_t first, int64_t count, int64_t value, int64_t step) {
    const uint64_t place = (uint64_t)x - (uint64_t)first;
    return place < (uint64_t)count ? (int64_t)((uint64_t)value + (uint64_t)step * place) : 0;
}
static inline int32_t aplc_piece32(int32_t x, int32_t first, int32_t count, int32_t value, int32_t step) {
    const uint32_t place = (uint32_t)x - (uint32_t)first;
    return place < (uint32_t)count ? (int32_t)((uint32_t)value + (uint32_t)step * place) : 0;
}

#endif
