/* Monte-Carlo prices of three contracts on three underlyings and five dates, by hand: for each path Sobol numbers,
   the inverse normal distribution (algorithm AS 241, whose last branch 30 bits never reach), a Brownian bridge,
   correlated Black-Scholes prices, payoffs. The result is the mean payoff of each contract.

   `option_pricer_paths` makes one path after the other, each from the Sobol number before it, on the stack.
   `option_pricer_lanes` makes sixteen at a time, with exp and log of glibc's libmvec. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((simd("notinbranch"), const)) double lanes_exp(double) __asm__("exp");
__attribute__((simd("notinbranch"), const)) double lanes_log(double) __asm__("log");
#else
#define lanes_exp exp
#define lanes_log log
#endif

enum { DATES = 5, ASSETS = 3, DIMENSIONS = DATES * ASSETS, CONTRACTS = 3, BITS = 30, CHUNK = 1024, LANES = 16 };

static const double START = 3700, STRIKE = 3700, RATE = 0.03;
static const double VOLATILITY[ASSETS] = {0.25, 0.22, 0.18}, DIVIDEND[ASSETS] = {0.02, 0.01, 0.015};

/* What does not depend on the path. */
typedef struct {
    double root[ASSETS][ASSETS], drift[ASSETS], discount[DATES], deviation[DATES];
} Market;

/* Date 0 is today. */
static const int PLACE[DATES] = {5, 2, 1, 3, 4}, LEFT[DATES] = {0, 0, 0, 2, 3}, RIGHT[DATES] = {0, 5, 2, 5, 5};
static const double WEIGHT_LEFT[DATES] = {0, 0.6, 0.5, 2.0 / 3, 0.5}, WEIGHT_RIGHT[DATES] = {0, 0.4, 0.5, 1.0 / 3, 0.5};

static Market market(void) {
    Market m = {.root = {{1, 0, 0}, {0.6, 0.8, 0}, {0.5, 0.125, 0}}};
    m.root[2][2] = sqrt(0.734375);
    const double variance[DATES] = {5, 1.2, 0.5, 2.0 / 3, 0.5};
    for (int a = 0; a < ASSETS; a++) {
        m.drift[a] = RATE - DIVIDEND[a] - VOLATILITY[a] * VOLATILITY[a] / 2;
        for (int b = 0; b <= a; b++)
            m.root[a][b] *= VOLATILITY[a];
    }
    for (int t = 0; t < DATES; t++)
        m.discount[t] = exp(-RATE * (t + 1)), m.deviation[t] = sqrt(variance[t]);
    return m;
}

static inline double central(double q) {
    const double r = 0.180625 - q * q;
    const double over =
        3.387132872796366608 +
        r * (133.14166789178437745 +
             r * (1971.5909503065514427 +
                  r * (13731.693765509461125 +
                       r * (45921.953931549871457 +
                            r * (67265.770927008700853 +
                                 r * (33430.575583588128105 + r * 2509.0809287301226727))))));
    const double under =
        1 + r * (42.313330701600911252 +
                 r * (687.1870074920579083 +
                      r * (5394.1960214247511077 +
                           r * (21213.794301586595867 +
                                r * (39307.89580009271061 +
                                     r * (28729.085735721942674 + r * 5226.495278852854561))))));
    return q * over / under;
}

/* `r` is the root of the negative logarithm of the distance to the nearer end. */
static inline double tail(double r) {
    r -= 1.6;
    const double over =
        1.42343711074968357734 +
        r * (4.6303378461565452959 +
             r * (5.7694972214606914055 +
                  r * (3.64784832476320460504 +
                       r * (1.27045825245236838258 +
                            r * (0.24178072517745061177 + r * (0.0227238449892691845833 + r * 7.7454501427834140764e-4))))));
    const double under =
        1 + r * (2.05319162663775882187 +
                 r * (1.6763848301838038494 +
                      r * (0.68976733498510000455 +
                           r * (0.14810397642748007459 +
                                r * (0.0151986665636164571966 + r * (5.475938084995344946e-4 + r * 1.05075007164441684324e-9))))));
    return over / under;
}

static inline double normal(double u) {
    const double q = u - 0.5;
    if (fabs(q) <= 0.425)
        return central(q);
    const double far = tail(sqrt(-log(q < 0 ? u : 1 - u)));
    return q < 0 ? -far : far;
}

static void first_point(const int64_t *directions, int64_t bits, int64_t k, int64_t x[DIMENSIONS]) {
    const int64_t gray = k ^ k >> 1;
    for (int d = 0; d < DIMENSIONS; d++) {
        x[d] = 0;
        for (int64_t j = 0; j < bits; j++)
            x[d] ^= gray >> j & 1 ? directions[d * bits + j] : 0;
    }
}

/* Add the payoffs of a path, given as prices relative to today's. */
static inline void pay(const Market *m, double prices[DATES][ASSETS], double sum[CONTRACTS]) {
    double worst[DATES], lowest = INFINITY;
    for (int t = 0; t < DATES; t++) {
        worst[t] = prices[t][0];
        for (int a = 1; a < ASSETS; a++)
            worst[t] = prices[t][a] < worst[t] ? prices[t][a] : worst[t];
        lowest = worst[t] < lowest ? worst[t] : lowest;
    }
    const double gain = START * prices[DATES - 1][0] - STRIKE, end = worst[DATES - 1], last = m->discount[DATES - 1];
    double early = last * 1000 * (end >= 0.75 ? 1 : end);
    for (int t = DATES - 1; t >= 0; t--)
        early = worst[t] >= 1 ? m->discount[t] * (1000 + 150 * (t + 1)) : early;
    sum[0] += last * (gain > 0 ? gain : 0);
    sum[1] += early;
    sum[2] += last * 1000 * (0.25 + (lowest >= 0.7 || end > 1 ? 1 : end));
}

void option_pricer_paths(const int64_t *directions, int64_t dimensions, int64_t bits, int64_t paths, double *mean) {
    const Market m = market();
    const double scale = 1.0 / (1 << BITS);
    double call = 0, early = 0, barrier = 0;
#pragma omp parallel for reduction(+ : call, early, barrier)
    for (int64_t from = 1; from <= paths; from += CHUNK) {
        const int64_t end = from + CHUNK <= paths + 1 ? from + CHUNK : paths + 1;
        double sum[CONTRACTS] = {0};
        int64_t x[DIMENSIONS];
        first_point(directions, bits, from, x);
        for (int64_t k = from; k < end; k++) {
            double w[DATES + 1][ASSETS] = {0}, prices[DATES][ASSETS];
            for (int s = 0; s < DATES; s++)
                for (int a = 0; a < ASSETS; a++)
                    w[PLACE[s]][a] = m.deviation[s] * normal((double)x[s * ASSETS + a] * scale) +
                                     WEIGHT_LEFT[s] * w[LEFT[s]][a] + WEIGHT_RIGHT[s] * w[RIGHT[s]][a];
            for (int t = 0; t < DATES; t++)
                for (int a = 0; a < ASSETS; a++) {
                    double power = m.drift[a] * (t + 1);
                    for (int b = 0; b <= a; b++)
                        power += m.root[a][b] * w[t + 1][b];
                    prices[t][a] = exp(power);
                }
            pay(&m, prices, sum);
            const int change = __builtin_ctzll((unsigned long long)k + 1);
            if (change < bits)
                for (int d = 0; d < DIMENSIONS; d++)
                    x[d] ^= directions[d * bits + change];
        }
        call += sum[0], early += sum[1], barrier += sum[2];
    }
    mean[0] = call / (double)paths, mean[1] = early / (double)paths, mean[2] = barrier / (double)paths;
}

void option_pricer_lanes(const int64_t *directions, int64_t dimensions, int64_t bits, int64_t paths, double *mean) {
    const Market m = market();
    const double scale = 1.0 / (1 << BITS);
    double call = 0, early = 0, barrier = 0;
    int64_t table[DIMENSIONS][LANES]; /* the map from number to point is linear */
    for (int64_t l = 0; l < LANES; l++) {
        int64_t x[DIMENSIONS];
        first_point(directions, bits, l, x);
        for (int d = 0; d < DIMENSIONS; d++)
            table[d][l] = x[d];
    }
#pragma omp parallel for reduction(+ : call, early, barrier)
    for (int64_t from = 0; from <= paths; from += LANES) {
        double w[DATES + 1][ASSETS][LANES] = {0}, prices[LANES][DATES][ASSETS], sum[CONTRACTS] = {0};
        int64_t x[DIMENSIONS];
        first_point(directions, bits, from, x);
        for (int s = 0; s < DATES; s++)
            for (int a = 0; a < ASSETS; a++) {
                double *to = w[PLACE[s]][a], *left = w[LEFT[s]][a], *right = w[RIGHT[s]][a];
                const int d = s * ASSETS + a;
                double q[LANES], near[LANES], far[LANES];
                for (int l = 0; l < LANES; l++) {
                    const double u = (double)(x[d] ^ table[d][l]) * scale;
                    q[l] = u - 0.5, far[l] = u > 0.5 ? 1 - u : u > 0 ? u : 0.5; /* point 0 is no path */
                }
#pragma omp simd
                for (int l = 0; l < LANES; l++)
                    near[l] = central(q[l]), far[l] = copysign(tail(sqrt(-lanes_log(far[l]))), q[l]);
#pragma omp simd
                for (int l = 0; l < LANES; l++)
                    to[l] = m.deviation[s] * (fabs(q[l]) <= 0.425 ? near[l] : far[l]) + WEIGHT_LEFT[s] * left[l] +
                            WEIGHT_RIGHT[s] * right[l];
            }
        for (int t = 0; t < DATES; t++)
            for (int a = 0; a < ASSETS; a++)
#pragma omp simd
                for (int l = 0; l < LANES; l++) {
                    double power = m.drift[a] * (t + 1);
                    for (int b = 0; b < ASSETS; b++)
                        power += m.root[a][b] * w[t + 1][b][l];
                    prices[l][t][a] = lanes_exp(power);
                }
        for (int64_t l = from == 0; l < LANES && from + l <= paths; l++)
            pay(&m, prices[l], sum);
        call += sum[0], early += sum[1], barrier += sum[2];
    }
    mean[0] = call / (double)paths, mean[1] = early / (double)paths, mean[2] = barrier / (double)paths;
}
