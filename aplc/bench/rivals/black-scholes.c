/* The Black-Scholes price of n calls, by hand; the normal distribution is polynomial 26.2.17 of Abramowitz
   and Stegun. The rows of `market` are spot prices, strikes and times.

   `black_scholes_libm` calls the C library for each option; `black_scholes_vector` has exp and log in lanes,
   from glibc's libmvec, which declares its functions only under -ffast-math. */

#include <math.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((simd("notinbranch"), const)) double lanes_exp(double) __asm__("exp");
__attribute__((simd("notinbranch"), const)) double lanes_log(double) __asm__("log");
#else
#define lanes_exp exp
#define lanes_log log
#endif

static const double ROOT_TWO_PI = 2.5066282746310005024;

#define CALL(exp, log)                                                                                          \
    const double r = parameters[0], v = parameters[1];                                                          \
    const double *restrict spot = market, *restrict strike = market + n, *restrict time = market + 2 * n;       \
    _Pragma("omp parallel for simd if (parallel : n > 10000)") for (int64_t i = 0; i < n; i++) {                \
        const double s = spot[i], x = strike[i], t = time[i], spread = v * sqrt(t);                             \
        const double d1 = (log(s / x) + t * (r + v * v / 2)) / spread, d2 = d1 - spread;                        \
        const double k1 = 1 / (1 + 0.2316419 * fabs(d1)), k2 = 1 / (1 + 0.2316419 * fabs(d2));                  \
        const double w1 = 1 - exp(-(d1 * d1) / 2) / ROOT_TWO_PI * polynomial(k1);                               \
        const double w2 = 1 - exp(-(d2 * d2) / 2) / ROOT_TWO_PI * polynomial(k2);                               \
        price[i] = s * (d1 >= 0 ? w1 : 1 - w1) - x * exp(-r * t) * (d2 >= 0 ? w2 : 1 - w2);                     \
    }

static inline double polynomial(double k) {
    return k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
}

void black_scholes_libm(const double *parameters, int64_t two, const double *market, int64_t three, int64_t n,
                        double *restrict price) {
    CALL(exp, log)
}

void black_scholes_vector(const double *parameters, int64_t two, const double *market, int64_t three, int64_t n,
                          double *restrict price) {
    CALL(lanes_exp, lanes_log)
}
