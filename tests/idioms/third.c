/* The programs of third.apl by hand: an array is a pointer and then its extents, a result that is one a pointer behind
   the arguments. Indices and counts are 64 bits. Nothing is checked here. */

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#undef I

#pragma omp declare simd notinbranch
extern double exp(double); /* of libmvec */
#pragma omp declare simd notinbranch
extern double log(double);

typedef int64_t I;
typedef uint8_t B;
typedef uint32_t C;
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SUM(...) _Pragma(TEXT_(omp simd reduction(+ : __VA_ARGS__)))
#define TEXT_(...) #__VA_ARGS__
#define EACH _Pragma("omp simd")

typedef double V __attribute__((vector_size(32), aligned(8))); /* four doubles, wherever they stand */
#define AT(p) (*(const V *)(p))
#ifdef __AVX__
#define LESSER(a, b) (V)__builtin_ia32_minpd256(a, b)
#else
static V LESSER(V a, V b) { return (V){MIN(a[0], b[0]), MIN(a[1], b[1]), MIN(a[2], b[2]), MIN(a[3], b[3])}; }
#endif

/* Puzzles. */

I increases(const I *v, I n) {
    I sum = 0;
    SUM(sum) for (I i = 3; i < n; i++) sum += v[i] > v[i - 3];
    return sum;
}

I lowPoints(const B *v, I n, I m) {
    I all = 0;
    B *nine = malloc(m);
    memset(nine, 9, m);
    for (I i = 0; i < n; i++) {
        const B *at = v + i * m, *up = i ? at - m : nine, *down = i + 1 < n ? at + m : nine;
        uint32_t sum = 0;
        if (at[0] < MIN(MIN(up[0], down[0]), at[1])) sum += 1 + at[0];
        SUM(sum) for (I j = 1; j < m - 1; j++) {
            const B least = MIN(MIN(up[j], down[j]), MIN(at[j - 1], at[j + 1]));
            sum += (B)(at[j] < least ? at[j] + 1 : 0);
        }
        if (at[m - 1] < MIN(MIN(up[m - 1], down[m - 1]), at[m - 2])) sum += 1 + at[m - 1];
        all += sum;
    }
    free(nine);
    return all;
}

I visible(const B *v, I n, I m) {
    B *seen = calloc(n, m);
    int8_t *top = malloc(m);
    for (I i = 0; i < n; i++) {
        int8_t left = -1, right = -1;
        for (I j = 0; j < m; j++) {
            seen[i * m + j] = v[i * m + j] > left;
            left = MAX(left, (int8_t)v[i * m + j]);
        }
        for (I j = m - 1; j >= 0; j--) {
            seen[i * m + j] |= v[i * m + j] > right;
            right = MAX(right, (int8_t)v[i * m + j]);
        }
    }
    memset(top, -1, m);
    for (I i = 0; i < n; i++)
        EACH for (I j = 0; j < m; j++) {
            const int8_t x = v[i * m + j];
            seen[i * m + j] |= x > top[j], top[j] = MAX(top[j], x);
        }
    memset(top, -1, m);
    I sum = 0;
    for (I i = n - 1; i >= 0; i--) {
        uint32_t count = 0;
        SUM(count) for (I j = 0; j < m; j++) {
            const int8_t x = v[i * m + j];
            count += (B)(seen[i * m + j] | (x > top[j])), top[j] = MAX(top[j], x);
        }
        sum += count;
    }
    free(seen), free(top);
    return sum;
}

I gardens(I steps, const C *v, I n, I m) {
    B *plot = malloc(3 * n * m), *a = plot + n * m, *b = a + n * m;
    for (I i = 0; i < n * m; i++) plot[i] = v[i] == '.', a[i] = v[i] == 'S';
    for (I k = 0; k < steps; k++) {
        for (I i = 0; i < n; i++) {
            const B *at = a + i * m, *up = a + (i ? i - 1 : n - 1) * m, *down = a + (i + 1 < n ? i + 1 : 0) * m, *p = plot + i * m;
            B *out = b + i * m;
            out[0] = p[0] & (up[0] | down[0] | at[m - 1] | at[1]);
            EACH for (I j = 1; j < m - 1; j++) out[j] = p[j] & (up[j] | down[j] | at[j - 1] | at[j + 1]);
            out[m - 1] = p[m - 1] & (up[m - 1] | down[m - 1] | at[m - 2] | at[0]);
        }
        B *t = a;
        a = b, b = t;
    }
    I sum = 0;
    for (I i = 0; i < n * m; i++) sum += a[i];
    free(plot);
    return sum;
}

I fish(I days, const I *v, I n) {
    uint32_t c[9] = {0};
    for (I i = 0; i < n; i++) c[v[i]]++;
    for (I day = 0; day < days; day++) {
        const uint32_t born = c[0];
        for (int k = 0; k < 8; k++) c[k] = c[k + 1];
        c[8] = born, c[6] += born;
        if (c[6] >= 1000007) c[6] -= 1000007;
    }
    I sum = 0;
    for (int k = 0; k < 9; k++) sum += c[k];
    return sum;
}

I leastPath(const B *c, I n, I m) {
    int32_t r[m];
    r[0] = c[0];
    for (I j = 1; j < m; j++) r[j] = r[j - 1] + c[j];
    for (I i = 1; i < n; i++) {
        int32_t left = r[0] += c[i * m];
        for (I j = 1; j < m; j++) r[j] = left = MIN(left, r[j]) + c[i * m + j];
    }
    return r[m - 1];
}

I lookAndSay(I n) {
    I length = 1, room = 1 << 16;
    B *a = malloc(room), *b = malloc(room);
    a[0] = 1;
    for (I k = 0; k < n; k++) {
        I to = 0;
        if (2 * length > room) room = 4 * length, a = realloc(a, room), b = realloc(b, room);
        for (I i = 0; i < length;) {
            I j = i + 1;
            while (j < length && a[j] == a[i]) j++;
            b[to++] = j - i, b[to++] = a[i], i = j;
        }
        B *t = a;
        a = b, b = t, length = to;
    }
    free(a), free(b);
    return length;
}

I luhn(const B *v, I n, I m) { /* 16 digits */
    I count = 0;
    for (I i = 0; i < n; i++) {
        B sum = 0;
        for (I j = 0; j < 16; j += 2) {
            const B d = 2 * v[i * 16 + j];
            sum += (d > 9 ? d - 9 : d) + v[i * 16 + j + 1];
        }
        count += sum % 10 == 0;
    }
    return count;
}

/* Numbers. */

void sieve(I n, B *b) {
    memset(b, 1, n);
    b[0] = 0;
    for (I p = 2; p * p <= n; p++)
        if (b[p - 1])
            for (I k = p * p; k <= n; k += p) b[k - 1] = 0;
}

I coprimes(I n) { /* by halves and differences */
    I count = 0;
    for (uint32_t i = 1; i <= n; i++)
        for (uint32_t j = 1; j <= n; j++) {
            if (!((i | j) & 1)) continue;
            uint32_t a = i >> __builtin_ctz(i), b = j;
            while (b) {
                b >>= __builtin_ctz(b);
                const uint32_t least = MIN(a, b);
                b = MAX(a, b) - least, a = least;
            }
            count += a == 1;
        }
    return count;
}

void pascal(I n, I *out) {
    int32_t *v = calloc(n + 2, sizeof(int32_t)), *w = calloc(n + 2, sizeof(int32_t));
    v[1] = 1;
    for (I i = 1; i <= n; i++) {
        EACH for (I j = 0; j <= i; j++) {
            const int32_t x = v[j] + v[j + 1], y = x - 1000007;
            w[j + 1] = y < 0 ? x : y;
        }
        int32_t *t = v;
        v = w, w = t;
    }
    for (I j = 0; j <= n; j++) out[j] = v[j + 1];
    free(v), free(w);
}

void change(I n, const I *coins, I m, I *w) {
    memset(w, 0, (n + 1) * sizeof(I));
    w[0] = 1;
    for (I k = 0; k < m; k++)
        for (I i = coins[k]; i <= n; i++) w[i] += w[i - coins[k]];
}

I josephus(I n) {
    I r = 0;
    for (I i = 2; i <= n; i++) {
        r += 3;
        if (r >= i) r %= i;
    }
    return r;
}

void power(const I *b, I n, const I *e, I m, I *out) {
    for (I i = 0; i < n; i++) {
        uint64_t r = 1, p = b[i];
        for (uint64_t k = e[i]; k; k >>= 1) {
            if (k & 1) r = r * p % 1000003;
            p = p * p % 1000003;
        }
        out[i] = r;
    }
}

void mandelbrot(const double complex *c, I n, I m, I *out) {
    const double *v = (const double *)c;
    for (I at = 0; at < n * m; at += 8) { /* eight at a time, until all have left */
        const I many = MIN(8, n * m - at);
        double a[8] = {0}, b[8] = {0}, x[8], y[8], count[8] = {0};
        for (I k = 0; k < many; k++) a[k] = v[2 * (at + k)], b[k] = v[2 * (at + k) + 1];
        memcpy(x, a, 64), memcpy(y, b, 64);
        for (I t = 0; t < 30; t++) {
            double any = 0;
            for (I k = 0; k < 8; k++) {
                const double u = x[k] * x[k], w = y[k] * y[k];
                y[k] = 2 * x[k] * y[k] + b[k], x[k] = u - w + a[k];
                const double within = x[k] * x[k] + y[k] * y[k] < 4 ? 1 : 0;
                count[k] += within, any += within;
            }
            if (any == 0) break;
        }
        for (I k = 0; k < many; k++) out[at + k] = count[k];
    }
}

/* Finance. */

double american(I n, const double *given, I four) {
    const double s = given[0], k = given[1], u = given[2], d = given[3];
    const double p = (1 / d - 1 / u) / (u - 1 / u), q = d * (1 - p), r = d * p, down = 1 / u;
    double *v = malloc(2 * (n + 1) * sizeof(double)), *x = v + n + 1;
    for (I j = 0; j <= n; j++) x[j] = s * pow(u, 2 * j - n), v[j] = MAX(0, k - x[j]);
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n - i; j++) {
            x[j] = x[j + 1] * down;
            const double now = k - x[j], later = r * v[j + 1] + q * v[j];
            v[j] = MAX(now, later);
        }
    const double value = v[0];
    free(v);
    return value;
}

void returns(const double *c, I n, I m, double *out) { /* by Horner's rule, rows in lanes */
    EACH for (I i = 0; i < n; i++) {
        double y = 0.1;
        for (I step = 0; step < 8; step++) {
            const double d = 1 / (1 + y);
            double f = 0, g = 0;
            for (I t = 10; t >= 0; t--) g = g * d + f, f = f * d + c[i * 11 + t];
            y += f / (d * d * g);
        }
        out[i] = y;
    }
}

void resampled(const double *p, I n, double *out) {
    for (I i = 0; i < n / 60; i++) {
        const double *at = p + 60 * i;
        double most[4], least[4];
        for (I k = 0; k < 4; k++) most[k] = least[k] = at[k];
        for (I j = 4; j < 60; j += 4)
            for (I k = 0; k < 4; k++) most[k] = MAX(most[k], at[j + k]), least[k] = MIN(least[k], at[j + k]);
        out[4 * i] = at[0], out[4 * i + 3] = at[59];
        out[4 * i + 1] = MAX(MAX(most[0], most[1]), MAX(most[2], most[3]));
        out[4 * i + 2] = MIN(MIN(least[0], least[1]), MIN(least[2], least[3]));
    }
}

void imbalance(const I *a, I n, I m, const I *b, I n2, I m2, double *out) {
    const double w[5] = {1, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5};
    for (I i = 0; i < n; i++) {
        double s = 0, t = 0;
        for (I j = 0; j < 5; j++) {
            const I x = a[5 * i + j], y = b[5 * i + j];
            s += w[j] * (x - y), t += w[j] * (x + y);
        }
        out[i] = s / t;
    }
}

static inline uint64_t next(uint64_t s) { /* modulo 2*31 minus 1 */
    const uint64_t x = s * 16807, y = (x & 2147483647) + (x >> 31);
    return y >= 2147483647 ? y - 2147483647 : y;
}

I circle(I steps, const I *seeds, I n) {
    I count = 0;
    uint64_t *s = malloc(n * 8);
    memcpy(s, seeds, n * 8);
    for (I i = 0; i < n; i += 16) { /* the states of sixteen streams in registers */
        const I many = MIN(16, n - i);
        uint64_t t[16] = {0};
        I within[16] = {0};
        memcpy(t, s + i, many * 8);
        for (I k = 0; k < steps; k++)
            for (I j = 0; j < 16; j++) {
                const uint64_t a = next(t[j]), b = t[j] = next(a);
                const double x = (int32_t)a * (1 / 2147483647.0), y = (int32_t)b * (1 / 2147483647.0);
                within[j] += x * x + y * y < 1;
            }
        for (I j = 0; j < many; j++) count += within[j];
    }
    free(s);
    return count;
}

static inline double normal(double x, double e) {
    const double a = fabs(x), q = 1 / (1 + 0.2316419 * a);
    const double p = 0.3989423 * e * q * (0.31938153 + q * (-0.356563782 + q * (1.781477937 + q * (-1.821255978 + q * 1.330274429))));
    return x < 0 ? p : 1 - p;
}

void calls(const double *s, I n, const double *v, I m, double *out) {
    const double k = 100, t = 0.5, root = sqrt(t), d = k * exp(-0.02 * t);
    EACH for (I i = 0; i < n; i++) {
        const double w = v[i] * root, a = (log(s[i] / k) + t * (0.02 + 0.5 * v[i] * v[i])) / w, b = a - w;
        out[i] = s[i] * normal(a, exp(-0.5 * a * a)) - d * normal(b, exp(-0.5 * b * b));
    }
}

/* Signals. */

void filtered(const double *k, I m, const double *v, I n, double *out) { /* 16 taps */
    EACH for (I i = 0; i < n - 15; i++) {
        double sum = 0;
        for (I j = 0; j < 16; j++) sum += k[j] * v[i + j];
        out[i] = sum;
    }
}

void biquad(const double *x, I n, double *y) {
    double a = 0, b = 0, c = 0, d = 0;
    for (I i = 0; i < n; i++) {
        const double next = 0.2 * x[i] + 0.4 * a + 0.2 * b - 0.1 * d + 0.3 * c;
        y[i] = next, b = a, a = x[i], d = c, c = next;
    }
}

void fft(const double complex *v, I n, double complex *out) { /* Stockham, in parts */
    double *w = malloc(3 * n * sizeof(double)), *wr = w, *wi = w + n / 2, *x = w + n, *y = (double *)out, *c = malloc(n * sizeof(double));
    for (I k = 0; k < n / 2; k++) wr[k] = cos(2 * M_PI * k / n), wi[k] = -sin(2 * M_PI * k / n);
    I stages = 0;
    for (I l = 1; l < n; l *= 2) stages++;
    double *from = stages & 1 ? x : y, *to = stages & 1 ? y : x;
    memcpy(from, v, 2 * n * sizeof(double));
    for (I l = 1; l < n; l *= 2) {
        const I m = n / (2 * l);
        double *cr = c, *ci = c + l;
        for (I j = 0; j < l; j++) cr[j] = wr[j * m], ci[j] = wi[j * m];
        for (I i = 0; i < m; i++) {
            const double *a = from + 2 * i * l, *b = a + 2 * m * l;
            double *p = to + 4 * i * l, *q = p + 2 * l;
            EACH for (I j = 0; j < l; j++) {
                const double r = b[2 * j] * cr[j] - b[2 * j + 1] * ci[j], s = b[2 * j] * ci[j] + b[2 * j + 1] * cr[j];
                p[2 * j] = a[2 * j] + r, p[2 * j + 1] = a[2 * j + 1] + s;
                q[2 * j] = a[2 * j] - r, q[2 * j + 1] = a[2 * j + 1] - s;
            }
        }
        double *t = from;
        from = to, to = t;
    }
    free(w), free(c);
}

void goertzel(const double *f, I eight, const double *x, I n, double *out) {
    double c[8], a[8] = {0}, b[8] = {0};
    for (I k = 0; k < 8; k++) c[k] = 2 * cos(f[k]);
    for (I i = 0; i < n; i++)
        for (I k = 0; k < 8; k++) {
            const double t = x[i] + (c[k] * a[k] - b[k]);
            b[k] = a[k], a[k] = t;
        }
    for (I k = 0; k < 8; k++) out[k] = a[k] * a[k] + (b[k] * b[k] - a[k] * b[k] * c[k]);
}

void haar(const double *v, I n, double *out) {
    double *x = malloc(n * sizeof(double));
    for (I m = n / 2; m >= 1; m /= 2) {
        const double *from = m == n / 2 ? v : x;
        EACH for (I i = 0; i < m; i++) {
            const double a = from[2 * i], b = from[2 * i + 1];
            out[m + i] = (a - b) / 2, x[i] = (a + b) / 2;
        }
    }
    out[0] = x[0];
    free(x);
}

void dct(const double *v, I n, I e, I e2, double *out) {
    double m[8][8], t[8][8];
    for (I k = 0; k < 8; k++)
        for (I i = 0; i < 8; i++) m[k][i] = (k ? 0.5 : 0.5 * sqrt(0.5)) * cos(M_PI / 16 * k * (2 * i + 1));
    for (I block = 0; block < n; block++) {
        const double *x = v + 64 * block;
        double *y = out + 64 * block;
        for (I i = 0; i < 8; i++) { /* columns, then rows by the transposed matrix */
            double s[8] = {0};
            for (I k = 0; k < 8; k++)
                for (I j = 0; j < 8; j++) s[j] += m[i][k] * x[8 * k + j];
            memcpy(t[i], s, sizeof s);
        }
        for (I i = 0; i < 8; i++) {
            double s[8] = {0};
            for (I k = 0; k < 8; k++)
                for (I j = 0; j < 8; j++) s[j] += t[i][k] * m[j][k];
            memcpy(y + 8 * i, s, sizeof s);
        }
    }
}

void interpolated(const double *v, I n, const double *at, I m, double *out) {
    for (I k = 0; k < m; k++) {
        const I i = (I)at[k];
        const double f = at[k] - i;
        out[k] = v[i - 1] * (1 - f) + v[i] * f;
    }
}

/* Images. */

void resized(I n, const double *v, I r, I c, double *out) {
    double *f = malloc((n + c) * sizeof(double)), *row = f + n;
    I *at = malloc(n * sizeof(I));
    for (I k = 0; k < n; k++) {
        const double p = (r - 1) * ((double)k / n);
        at[k] = (I)p, f[k] = p - at[k];
    }
    for (I i = 0; i < n; i++) {
        const double *a = v + at[i] * c, *b = a + c, g = f[i];
        EACH for (I j = 0; j < c; j++) row[j] = a[j] * (1 - g) + b[j] * g;
        EACH for (I j = 0; j < n; j++) out[i * n + j] = row[at[j]] * (1 - f[j]) + row[at[j] + 1] * f[j];
    }
    free(f), free(at);
}

void dithered(const double *v, I n, I m, I *out) {
    double *rows = calloc(2 * (m + 2), sizeof(double)), *now = rows, *below = rows + m + 2;
    for (I j = 0; j < m; j++) now[j + 1] = v[j];
    for (I i = 0; i < n; i++) {
        for (I j = 0; j < m; j++) below[j + 1] = i + 1 < n ? v[(i + 1) * m + j] : 0;
        double right = 0; /* what the next element is owed */
        for (I j = 1; j <= m; j++) {
            const double x = now[j] + right, white = x >= 128, e = x - 255 * white;
            out[i * m + j - 1] = white;
            right = e * (7.0 / 16);
            below[j - 1] += e * (3.0 / 16), below[j] += e * (5.0 / 16), below[j + 1] += e / 16;
        }
            double *t = now;
        now = below, below = t;
    }
    free(rows);
}

void boxed(const B *v, I n, I m, I *out) { /* sums of columns that slide, and one along the row */
    uint16_t *sums = calloc(m + 1, sizeof(uint16_t));
    uint32_t *along = malloc((m + 1) * sizeof(uint32_t));
    for (I i = 0; i < n; i++) {
        const B *in = v + i * m;
        if (i < 11)
            for (I j = 0; j < m; j++) sums[j] += in[j];
        else
            for (I j = 0; j < m; j++) sums[j] += in[j] - in[j - 11 * m];
        if (i < 10) continue;
        along[0] = 0;
        for (I j = 0; j < m; j++) along[j + 1] = along[j] + sums[j];
        EACH for (I j = 0; j < m - 10; j++) out[(i - 10) * (m - 10) + j] = (along[j + 11] - along[j]) / 121;
    }
    free(sums), free(along);
}

void opened(const B *v, I n, I m, B *out) { /* three rows, then three columns; outside is 0 */
    B *t = calloc(n + 2, m + 2), *row = calloc(1, m + 2);
    for (I i = 1; i < n - 1; i++) {
        const B *a = v + (i - 1) * m, *b = a + m, *c = b + m;
        EACH for (I j = 0; j < m; j++) row[j + 1] = a[j] & b[j] & c[j];
        EACH for (I j = 1; j <= m; j++) t[(i + 1) * (m + 2) + j] = row[j - 1] & row[j] & row[j + 1];
    }
    for (I i = 0; i < n; i++) {
        const B *a = t + i * (m + 2) + 1, *b = a + m + 2, *c = b + m + 2;
        EACH for (I j = 0; j < m; j++) row[j + 1] = a[j] | b[j] | c[j];
        EACH for (I j = 1; j <= m; j++) out[i * m + j - 1] = row[j - 1] | row[j] | row[j + 1];
    }
    free(t), free(row);
}

/* Windows of five or three rows: `along` makes of a row with its border what is kept of it, and `down` of five or three of
   those a row of the result. */
#define ROWS(name, T, S, O, high, edge, along, down)                                                                   \
    static void name(const T *restrict v, I n, I m, O *restrict out) {                                                 \
        enum { H = high / 2 };                                                                                         \
        T *room = malloc((m + 2 * H) * sizeof(T)), *p = room + H;                                                      \
        S *kept = malloc(high * m * sizeof(S));                                                                        \
        for (I i = -H; i < n + H; i++) {                                                                               \
            S *restrict to = kept + (i + high) % high * m;                                                             \
            const I from = MAX(MIN(i, n - 1), 0);                                                                      \
            memcpy(p, v + from * m, m * sizeof(T));                                                                    \
            if (!edge && from != i) memset(p, 0, m * sizeof(T));                                                       \
            for (I k = 1; k <= H; k++) p[-k] = edge ? p[0] : 0, p[m - 1 + k] = edge ? p[m - 1] : 0;                    \
            EACH for (I j = 0; j < m; j++) to[j] = along;                                                              \
            if (i < H) continue;                                                                                       \
            const S *a = kept + (i + 1) % high * m, *b = kept + (i + 2) % high * m, *c = kept + (i + 3) % high * m;    \
            const S *d = kept + (i + 4) % high * m, *e = kept + (i + 5) % high * m;                                    \
            (void)d, (void)e;                                                                                          \
            EACH for (I j = 0; j < m; j++) out[(i - H) * m + j] = down;                                                \
        }                                                                                                              \
        free(room), free(kept);                                                                                        \
    }
ROWS(greatest, B, B, I, 5, 0, MAX(MAX(MAX(p[j - 2], p[j - 1]), MAX(p[j], p[j + 1])), p[j + 2]),
     MAX(MAX(MAX(a[j], b[j]), MAX(c[j], d[j])), e[j]))
ROWS(weighted5, B, uint16_t, I, 5, 0, p[j - 2] + p[j + 2] + 4 * (p[j - 1] + p[j + 1]) + 6 * p[j],
     (uint32_t)(a[j] + e[j] + 4 * (b[j] + d[j]) + 6 * c[j]) >> 8)
ROWS(mean, double, double, double, 3, 1, p[j - 1] + (p[j] + p[j + 1]), (a[j] + (b[j] + c[j])) / 9)

void greatestNear(const B *v, I n, I m, I *out) { greatest(v, n, m, out); }
void binomial(const B *v, I n, I m, I *out) { weighted5(v, n, m, out); }

void softened(I steps, const double *v, I n, I m, double *out) {
    double *spare = malloc(n * m * sizeof(double)), *a = steps % 2 ? out : spare, *b = steps % 2 ? spare : out;
    for (I k = 0; k < steps; k++) {
        mean(k ? b : v, n, m, a);
        double *t = a;
        a = b, b = t;
    }
    free(spare);
}

void labelled(I steps, const B *v, I n, I m, I *out) {
    int32_t *mask = malloc(3 * n * m * sizeof(int32_t)), *a = mask + n * m, *b = a + n * m;
    for (I i = 0; i < n * m; i++) mask[i] = -v[i], a[i] = v[i] ? i + 1 : 0;
    for (I k = 0; k < steps; k++) {
        for (I i = 0; i < n; i++) {
            const int32_t *at = a + i * m, *up = a + (i ? i - 1 : n - 1) * m, *down = a + (i + 1 < n ? i + 1 : 0) * m, *p = mask + i * m;
            int32_t *to = b + i * m;
#define GREATEST(j, l, r) p[j] & MAX(MAX(at[j], MAX(at[l], at[r])), MAX(up[j], down[j]))
            to[0] = GREATEST(0, m - 1, 1);
            EACH for (I j = 1; j < m - 1; j++) to[j] = GREATEST(j, j - 1, j + 1);
            to[m - 1] = GREATEST(m - 1, m - 2, 0);
        }
        int32_t *t = a;
        a = b, b = t;
    }
    for (I i = 0; i < n * m; i++) out[i] = a[i];
    free(mask);
}

void hues(const I *v, I n, I three, double *out) {
    EACH for (I i = 0; i < n; i++) {
        const int32_t r = v[3 * i], g = v[3 * i + 1], b = v[3 * i + 2];
        const int32_t x = MAX(r, MAX(g, b)), d = x - MIN(r, MIN(g, b));
        const int32_t h = x == r ? g - b : x == g ? b - r + 2 * d : r - g + 4 * d;
        const double y = 60.0 * h / MAX(1, d);
        out[i] = y < 0 ? y + 360 : y;
    }
}

/* Learning. */

void kmeans(const double *p, I n, I two, const double *c, I k, I two2, double *out) { /* 8 centres */
    double x[8] = {0}, y[8] = {0}, count[8] = {0};
    I nearest[256];
    for (I at = 0; at < n; at += 256) {
        const I many = MIN(256, n - at);
        EACH for (I i = 0; i < many; i++) {
            const double a = p[2 * (at + i)], b = p[2 * (at + i) + 1];
            double least = INFINITY;
            I best = 0;
            for (I j = 0; j < 8; j++) {
                const double u = a - c[2 * j], w = b - c[2 * j + 1], d = u * u + w * w;
                best = d < least ? j : best, least = MIN(d, least);
            }
            nearest[i] = best;
        }
        for (I i = 0; i < many; i++) x[nearest[i]] += p[2 * (at + i)], y[nearest[i]] += p[2 * (at + i) + 1], count[nearest[i]]++;
    }
    for (I j = 0; j < 8; j++) out[2 * j] = x[j] / MAX(1, count[j]), out[2 * j + 1] = y[j] / MAX(1, count[j]);
}

void gradient(const double *w, I m, const double *v, I n, I m1, double *out) { /* 16 weights, 256 rows at a time */
    double z[256], sum[16] = {0};
    for (I at = 0; at < n; at += 256) {
        const I many = MIN(256, n - at);
        for (I i = 0; i < many; i++) {
            const double *x = v + (at + i) * 17 + 1;
            double s = 0;
            SUM(s) for (I j = 0; j < 16; j++) s += x[j] * w[j];
            z[i] = s;
        }
        EACH for (I i = 0; i < many; i++) z[i] = 1 / (1 + exp(-z[i]));
        for (I i = 0; i < many; i++) {
            const double *x = v + (at + i) * 17, d = z[i] - x[0];
            for (I j = 0; j < 16; j++) sum[j] += x[j + 1] * d;
        }
    }
    for (I j = 0; j < 16; j++) out[j] = sum[j] / n;
}

void attention(const double *q, I n, I d, const double *k, I m, I d2, double *out) { /* 64 columns, four rows at a time */
    double *turned = malloc((64 + 4) * m * sizeof(double)), *s = turned + 64 * m;
    for (I j = 0; j < m; j++)
        for (I t = 0; t < 64; t++) turned[t * m + j] = k[j * 64 + t];
    for (I i = 0; i < n; i += 4) {
        const I rows = MIN(4, n - i);
        for (I j = 0; j < m; j += 8) {
            V sum[4][2] = {{{0}}};
            for (I t = 0; t < 64; t++)
#pragma GCC unroll 4
                for (I r = 0; r < 4; r++) {
                    const double x = q[(i + (r < rows ? r : 0)) * 64 + t];
                    sum[r][0] += x * AT(turned + t * m + j), sum[r][1] += x * AT(turned + t * m + j + 4);
                }
            for (I r = 0; r < 4; r++)
                for (I l = 0; l < 8; l++) s[r * m + j + l] = sum[r][l / 4][l % 4] / 8;
        }
        for (I r = 0; r < rows; r++) {
            double *e = s + r * m, most = -INFINITY, all = 0;
            for (I j = 0; j < m; j++) most = MAX(most, e[j]);
            SUM(all) for (I j = 0; j < m; j++) e[j] = exp(e[j] - most), all += e[j];
            all = 1 / all;
            for (I j = 0; j < m; j++) e[j] *= all;
        }
        for (I c = 0; c < 64; c += 8) {
            V sum[4][2] = {{{0}}};
            for (I j = 0; j < m; j++)
#pragma GCC unroll 4
                for (I r = 0; r < 4; r++) {
                    const double x = s[r * m + j];
                    sum[r][0] += x * AT(k + j * 64 + c), sum[r][1] += x * AT(k + j * 64 + c + 4);
                }
            for (I r = 0; r < rows; r++) memcpy(out + (i + r) * 64 + c, sum[r], 64);
        }
    }
    free(turned);
}

void adam(const double *v, I four, I n, double *out) {
    const double *w = v, *m = v + n, *s = m + n, *g = s + n;
    EACH for (I i = 0; i < n; i++) {
        const double a = 0.9 * m[i] + 0.1 * g[i], b = 0.999 * s[i] + 0.001 * g[i] * g[i];
        out[i] = w[i] - 0.001 * (a / 0.1 / (1e-8 + sqrt(b / 0.001)));
    }
}

void pooled(const double *k, I three, I three2, const double *v, I n, I m, double *out) { /* two rows at a time */
    double *pad = calloc((n + 2) * (m + 2) + 2 * m, sizeof(double)), *row = pad + (n + 2) * (m + 2);
    for (I i = 0; i < n; i++) memcpy(pad + (i + 1) * (m + 2) + 1, v + i * m, m * sizeof(double));
    for (I i = 0; i < n / 2 * 2; i += 2) {
        for (I r = 0; r < 2; r++) {
            const double *at = pad + (i + r) * (m + 2);
            EACH for (I j = 0; j < m; j++) {
                double sum = 0;
                for (I a = 0; a < 3; a++)
                    for (I b = 0; b < 3; b++) sum += k[a * 3 + b] * at[a * (m + 2) + b + j];
                row[r * m + j] = MAX(sum, 0);
            }
        }
        EACH for (I j = 0; j < m / 2; j++) {
            const double a = MAX(row[2 * j], row[2 * j + 1]), b = MAX(row[m + 2 * j], row[m + 2 * j + 1]);
            out[i / 2 * (m / 2) + j] = MAX(a, b);
        }
    }
    free(pad);
}

double entropy(const I *y, I n, const double *v, I n2, I m) { /* 10 classes, 128 rows at a time */
    double all = 0, e[1280], sum[128];
    for (I at = 0; at < n; at += 128) {
        const I many = MIN(128, n - at);
        for (I i = 0; i < many; i++) {
            const double *x = v + (at + i) * 10;
            double most = x[0];
            for (I j = 1; j < 10; j++) most = MAX(most, x[j]);
            for (I j = 0; j < 10; j++) e[10 * i + j] = x[j] - most;
            all -= e[10 * i + y[at + i] - 1];
        }
        EACH for (I i = 0; i < 10 * many; i++) e[i] = exp(e[i]);
        for (I i = 0; i < many; i++) {
            sum[i] = 0;
            for (I j = 0; j < 10; j++) sum[i] += e[10 * i + j];
        }
        SUM(all) for (I i = 0; i < many; i++) all += log(sum[i]);
    }
    return all / n;
}

void neighbours(const double *x, I n, I m, const double *q, I many, I m2, I *out) { /* 8 coordinates */
    double *turned = malloc(9 * n * sizeof(double)), *d = turned + 8 * n;
    for (I i = 0; i < n; i++)
        for (I k = 0; k < 8; k++) turned[k * n + i] = x[8 * i + k];
    for (I j = 0; j < many; j++) {
        EACH for (I i = 0; i < n; i++) {
            double sum = 0;
            for (I k = 0; k < 8; k++) { const double e = turned[k * n + i] - q[8 * j + k]; sum += e * e; }
            d[i] = sum;
        }
        double least[5] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
        I *at = out + 5 * j;
        for (I i = 0; i < n; i++)
            if (d[i] < least[4]) {
                I k = 4;
                for (; k && d[i] < least[k - 1]; k--) least[k] = least[k - 1], at[k] = at[k - 1];
                least[k] = d[i], at[k] = i + 1;
            }
    }
    free(turned);
}

/* Matrices and graphs. */

void closure(const B *v, I n, I m, B *out) { /* rows of 64 bits */
    const I words = (n + 63) / 64;
    uint64_t *bits = calloc(n * words, 8);
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++) bits[i * words + j / 64] |= (uint64_t)v[i * n + j] << (j % 64);
    for (I k = 0; k < n; k++)
        for (I i = 0; i < n; i++)
            if (bits[i * words + k / 64] >> (k % 64) & 1)
                for (I w = 0; w < words; w++) bits[i * words + w] |= bits[k * words + w];
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++) out[i * n + j] = bits[i * words + j / 64] >> (j % 64) & 1;
    free(bits);
}

void shortest(const double *v, I n, I m, double *out) { /* four rows by eight columns in registers */
    double *a = malloc((2 * n * n + 8) * sizeof(double)), *b = a + n * n;
    memcpy(a, v, n * n * sizeof(double));
    for (I step = 0; step < 3; step++) {
        double *to = step == 2 ? out : b;
        const I rows = n / 4 * 4, columns = n / 8 * 8;
        for (I i = 0; i < rows; i += 4)
            for (I j = 0; j < columns; j += 8) {
                V s[4][2];
                for (I r = 0; r < 4; r++) s[r][0] = AT(a + (i + r) * n + j), s[r][1] = AT(a + (i + r) * n + j + 4);
                for (I k = 0; k < n; k++) {
                    const V y = AT(a + k * n + j), z = AT(a + k * n + j + 4);
#pragma GCC unroll 4
                    for (I r = 0; r < 4; r++) {
                        const V p = a[(i + r) * n + k] + y, q = a[(i + r) * n + k] + z;
                        s[r][0] = LESSER(p, s[r][0]), s[r][1] = LESSER(q, s[r][1]);
                    }
                }
                for (I r = 0; r < 4; r++) memcpy(to + (i + r) * n + j, s[r], 64);
            }
        for (I i = 0; i < n; i++)
            for (I j = i < rows ? columns : 0; j < n; j++) {
                double s = a[i * n + j];
                for (I k = 0; k < n; k++) s = MIN(s, a[i * n + k] + a[k * n + j]);
                to[i * n + j] = s;
            }
        double *t = a;
        a = b, b = t;
    }
    free(MIN(a, b));
}

void orthonormal(const double *v, I n, I m, double *out) { /* columns as rows */
    double *q = malloc(n * m * sizeof(double));
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) q[j * n + i] = v[i * m + j];
    for (I k = 0; k < m; k++) {
        double *c = q + k * n, s = 0;
        for (I j = 0; j < k; j++) {
            const double *d = q + j * n;
            double t = 0;
            SUM(t) for (I i = 0; i < n; i++) t += d[i] * c[i];
            for (I i = 0; i < n; i++) c[i] -= d[i] * t;
        }
        SUM(s) for (I i = 0; i < n; i++) s += c[i] * c[i];
        s = 1 / sqrt(s);
        for (I i = 0; i < n; i++) c[i] *= s;
    }
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) out[i * m + j] = q[j * n + i];
    free(q);
}

void lu(const double *v, I n, I m, double *a) {
    memcpy(a, v, n * n * sizeof(double));
    for (I k = 0; k < n - 1; k++) {
        const double *row = a + k * n;
        for (I i = k + 1; i < n; i++) {
            double *to = a + i * n;
            const double f = to[k] / row[k];
            to[k] = f;
            EACH for (I j = k + 1; j < n; j++) to[j] -= f * row[j];
        }
    }
}

static double dot(const double *a, const double *b, I n) {
    double s = 0;
    SUM(s) for (I i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

void seidel(const double *a, I n, I m, const double *b, I n2, double *x) {
    memset(x, 0, n * sizeof(double));
    for (I k = 0; k < 5; k++)
        for (I i = 0; i < n; i++) x[i] += (b[i] - dot(a + i * n, x, n)) / a[i * n + i];
}

void conjugate(const double *a, I n, I m, const double *b, I n2, double *x) {
    double *r = malloc(3 * n * sizeof(double)), *p = r + n, *q = p + n;
    memset(x, 0, n * sizeof(double));
    memcpy(r, b, n * sizeof(double)), memcpy(p, b, n * sizeof(double));
    double s = dot(r, r, n);
    for (I k = 0; k < 20; k++) {
        for (I i = 0; i < n; i++) q[i] = dot(a + i * n, p, n);
        const double t = s / dot(p, q, n), before = s;
        for (I i = 0; i < n; i++) x[i] += t * p[i], r[i] -= t * q[i];
        s = dot(r, r, n);
        const double f = s / before;
        for (I i = 0; i < n; i++) p[i] = r[i] + p[i] * f;
    }
    free(r);
}

void sparse(const double *x, I n, const double *e, I three, I m, double *y) {
    memset(y, 0, n * sizeof(double));
    for (I i = 0; i < m; i++) y[(I)e[i] - 1] += e[2 * m + i] * x[(I)e[m + i] - 1];
}

/* Texts. */

I adler(const B *v, I n) {
    uint64_t a = 1, b = 0;
    for (I at = 0; at < n; at += 4096) { /* sums of a block in 32 bits */
        const uint32_t many = MIN(4096, n - at);
        uint32_t s = 0, t = 0;
        SUM(s, t) for (uint32_t i = 0; i < many; i++) s += v[at + i], t += v[at + i] * (many - i);
        b = (b + many * a + t) % 65521, a = (a + s) % 65521;
    }
    return a + 65536 * b;
}

void fnv(const B *v, I n, I m, I *out) { /* 16 bytes */
    for (I i = 0; i < n; i++) {
        uint32_t h = 2166136261;
        for (I j = 0; j < 16; j++) h = (h ^ v[16 * i + j]) * 16777619;
        out[i] = h;
    }
}

void vigenere(const C *k, I m, const C *v, I n, C *out) { /* 7 letters, written 64 times */
    C key[448];
    for (I i = 0; i < 448; i++) key[i] = k[i % 7] - 'A';
    for (I at = 0; at < n; at += 448)
        EACH for (I i = at; i < MIN(at + 448, n); i++) {
            const C x = v[i] + key[i - at];
            out[i] = x > 'Z' ? x - 26 : x;
        }
}

I depths(const C *v, I n) {
    int32_t d = 0, most = 0, least = 0;
    for (I i = 0; i < n; i++) {
        d += (v[i] == '(') - (v[i] == ')');
        most = MAX(most, d), least = MIN(least, d);
    }
    return d == 0 && least >= 0 ? most : 0;
}

I automaton(const I *t, I n, I m, const I *s, I k) {
    I q = 0, r = 0;
    for (I i = 0; i < k; i++) {
        q = t[q * m + s[i] - 1] - 1;
        r += q == 2;
    }
    return r;
}

void hexed(const B *v, I n, C *out) {
    for (I i = 0; i < n; i++) {
        const C a = v[i] >> 4, b = v[i] & 15;
        out[2 * i] = a + (a > 9 ? 'a' - 10 : '0'), out[2 * i + 1] = b + (b > 9 ? 'a' - 10 : '0');
    }
}

I commonest(const C *v, I n) {
    typedef struct { const C *at; uint32_t length, count; uint64_t hash; } W;
    I size = 1 << 12, used = 0, most = 0;
    W *table = calloc(size, sizeof(W));
    for (I i = 0; i < n;) {
        if (v[i] == ' ') { i++; continue; }
        const C *at = v + i;
        uint64_t hash = 0;
        while (i < n && v[i] != ' ') hash = (hash + v[i++]) * 0x9E3779B97F4A7C15;
        const uint32_t length = v + i - at;
        hash ^= hash >> 32;
        if (2 * used > size) {
            W *larger = calloc(4 * size, sizeof(W));
            for (I k = 0; k < size; k++)
                if (table[k].count) {
                    I to = table[k].hash & (4 * size - 1);
                    while (larger[to].count) to = (to + 1) & (4 * size - 1);
                    larger[to] = table[k];
                }
            free(table), table = larger, size *= 4;
        }
        I k = hash & (size - 1);
        while (table[k].count && (table[k].hash != hash || table[k].length != length || memcmp(table[k].at, at, 4 * length))) k = (k + 1) & (size - 1);
        if (!table[k].count) table[k] = (W){at, length, 0, hash}, used++;
        const I count = ++table[k].count;
        most = MAX(most, count);
    }
    free(table);
    return most;
}

#define ORDER(a, b) { const C s_ = a, t_ = b; a = MIN(s_, t_), b = MAX(s_, t_); }

I anagrams(const C *v, I n, I m) { /* five letters, sorted by a network, as bytes of a key */
    I size = 1 << 14, most = 0;
    typedef struct { uint64_t key; I count; } W;
    W *table = calloc(size, sizeof(W));
    for (I i = 0; i < n; i++) {
        C a = v[5 * i], b = v[5 * i + 1], c = v[5 * i + 2], d = v[5 * i + 3], e = v[5 * i + 4];
        ORDER(a, b) ORDER(d, e) ORDER(c, e) ORDER(c, d) ORDER(b, e) ORDER(a, d) ORDER(a, c) ORDER(b, d) ORDER(b, c)
        const uint64_t key = (uint64_t)a << 32 | b << 24 | c << 16 | d << 8 | e;
        I k = key * 0x9E3779B97F4A7C15 >> 50;
        while (table[k].count && table[k].key != key) k = (k + 1) & (size - 1);
        table[k].key = key;
        const I count = ++table[k].count;
        most = MAX(most, count);
    }
    free(table);
    return most;
}

void listed(const I *v, I n, C *out) {
    for (I i = 0; i < n; i++) {
        if (i) *out++ = ',';
        uint64_t x = v[i];
        if (v[i] < 0) *out++ = 0xAF, x = -x;
        C digits[20];
        I k = 20;
        do digits[--k] = '0' + x % 10; while (x /= 10);
        while (k < 20) *out++ = digits[k++];
    }
}

/* Physics. */

double bodies(I n, const double *given, I seven, I five) {
    double x[3][5], v[3][5], m[5], e = 0;
    memcpy(x, given, sizeof x), memcpy(v, given + 15, sizeof v), memcpy(m, given + 30, sizeof m);
    for (I step = 0; step < n; step++) {
#pragma GCC unroll 5
        for (I i = 0; i < 5; i++)
#pragma GCC unroll 5
            for (I j = i + 1; j < 5; j++) {
                const double a = x[0][i] - x[0][j], b = x[1][i] - x[1][j], c = x[2][i] - x[2][j];
                const double r = a * a + b * b + c * c + 0.01, f = 0.001 / (r * sqrt(r)), g = f * m[j], h = f * m[i];
                v[0][i] -= g * a, v[1][i] -= g * b, v[2][i] -= g * c;
                v[0][j] += h * a, v[1][j] += h * b, v[2][j] += h * c;
            }
        for (I c = 0; c < 3; c++)
            for (I i = 0; i < 5; i++) x[c][i] += 0.001 * v[c][i];
    }
    for (I i = 0; i < 5; i++) e += m[i] * (v[0][i] * v[0][i] + v[1][i] * v[1][i] + v[2][i] * v[2][i]);
    return e;
}

void wave(I steps, const double *given, I n, I m, double *out) {
    double *all = malloc(3 * n * m * sizeof(double)), *u = all, *v = u + n * m, *w = v + n * m;
    memcpy(u, given, n * m * sizeof(double)), memcpy(v, given, n * m * sizeof(double));
    for (I k = 0; k < steps; k++) {
        for (I i = 0; i < n; i++) {
            const double *at = u + i * m, *up = u + (i ? i - 1 : n - 1) * m, *down = u + (i + 1 < n ? i + 1 : 0) * m, *old = v + i * m;
            double *to = w + i * m;
#define WAVE(j, l, r) 2 * at[j] - (old[j] - 0.2 * (at[l] + at[r] + up[j] + down[j] - 4 * at[j]))
            to[0] = WAVE(0, m - 1, 1);
            EACH for (I j = 1; j < m - 1; j++) to[j] = WAVE(j, j - 1, j + 1);
            to[m - 1] = WAVE(m - 1, m - 2, 0);
        }
        double *t = v;
        v = u, u = w, w = t;
    }
    memcpy(out, u, n * m * sizeof(double));
    free(all);
}

void metropolis(const double *r, I n, I m, const I *given, I n2, I m2, I *s) {
    double chance[9];
    for (I k = -4; k <= 4; k++) chance[k + 4] = exp(-0.8 * k);
    memcpy(s, given, n * m * sizeof(I));
    for (I k = 0; k < 2; k++)
        for (I i = 0; i < n; i++) {
            I *at = s + i * m, *up = s + (i ? i - 1 : n - 1) * m, *down = s + (i + 1 < n ? i + 1 : 0) * m;
            for (I j = (i + k) & 1; j < m; j += 2) {
                const I around = up[j] + down[j] + at[j ? j - 1 : m - 1] + at[j + 1 < m ? j + 1 : 0];
                at[j] = r[i * m + j] < chance[at[j] * around + 4] ? -at[j] : at[j];
            }
        }
}

void lattice(const double *f, I nine, I n, I m, double *out) { /* collide, and write where it goes */
    static const I x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    static const double w[9] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
    double *r = malloc(12 * m * sizeof(double)), *u = r + m, *v = u + m, *g = v + m;
    for (I i = 0; i < n; i++) {
        EACH for (I j = 0; j < m; j++) {
            double a = 0, b = 0, c = 0;
#pragma GCC unroll 9
            for (I k = 0; k < 9; k++) {
                const double e = f[(k * n + i) * m + j];
                a += e, b += x[k] * e, c += y[k] * e;
            }
            b /= a, c /= a;
            const double d = 1 - 1.5 * (b * b + c * c);
#pragma GCC unroll 9
            for (I k = 0; k < 9; k++) {
                const double q = x[k] * b + y[k] * c, e = f[(k * n + i) * m + j];
                g[k * m + j] = e + 0.6 * (w[k] * a * (d + 3 * q + 4.5 * q * q) - e);
            }
        }
        for (I k = 0; k < 9; k++) {
            double *to = out + (k * n + (i + y[k] + n) % n) * m;
            const double *from = g + k * m;
            if (x[k] == 0) memcpy(to, from, m * sizeof(double));
            else if (x[k] == 1) memcpy(to + 1, from, (m - 1) * sizeof(double)), to[0] = from[m - 1];
            else memcpy(to, from + 1, (m - 1) * sizeof(double)), to[m - 1] = from[0];
        }
    }
    free(r);
}

#define LORENZ(to, p) const double to##x = 10 * (p##y - p##x), to##y = p##x * (14 - p##z) - p##y, to##z = p##x * p##y - p##z * (8.0 / 3)
#define MOVED(to, h, k) const double to##x = x + h * k##x, to##y = y + h * k##y, to##z = z + h * k##z

void lorenz(I n, const double *s, I three, double *out) {
    double x = s[0], y = s[1], z = s[2];
    for (I i = 0; i < n; i++) {
        LORENZ(a, );
        MOVED(p, 0.005, a);
        LORENZ(b, p);
        MOVED(q, 0.005, b);
        LORENZ(c, q);
        MOVED(r, 0.01, c);
        LORENZ(d, r);
        x += 0.01 / 6 * (ax + 2 * bx + 2 * cx + dx), y += 0.01 / 6 * (ay + 2 * by + 2 * cy + dy), z += 0.01 / 6 * (az + 2 * bz + 2 * cz + dz);
    }
    out[0] = x, out[1] = y, out[2] = z;
}

/* Tables. */

void summaries(const I *k, I n, const double *v, I m, double *out) { /* keys from 1 to 1000, in the order of their firsts */
    int32_t at[1001];
    memset(at, -1, sizeof at);
    I groups = 0;
    for (I i = 0; i < n; i++) {
        const double x = v[i];
        double *r;
        if (at[k[i]] < 0) {
            r = out + 4 * (at[k[i]] = groups++);
            r[0] = 0, r[1] = x, r[2] = x, r[3] = 0;
        } else r = out + 4 * at[k[i]];
        r[0] += x, r[1] = MIN(r[1], x), r[2] = MAX(r[2], x), r[3]++;
    }
}

I sessions(const I *who, I n, const I *when, I m) { /* three passes of 11 bits */
    uint64_t *a = malloc(16 * n), *b = a + n;
    uint64_t *all = a;
    I count[3][2048] = {{0}}, sum = 1;
    for (I i = 0; i < n; i++) {
        a[i] = (uint64_t)who[i] << 17 | when[i];
        for (I p = 0; p < 3; p++) count[p][a[i] >> (11 * p) & 2047]++;
    }
    for (I p = 0; p < 3; p++) {
        I before = 0;
        for (I k = 0; k < 2048; k++) { const I c = count[p][k]; count[p][k] = before, before += c; }
        for (I i = 0; i < n; i++) b[count[p][a[i] >> (11 * p) & 2047]++] = a[i];
        uint64_t *t = a;
        a = b, b = t;
    }
    SUM(sum) for (I i = 1; i < n; i++) sum += a[i] - a[i - 1] > 1800; /* users lie 2*17 apart */
    free(all);
    return sum;
}

void pivot(const double *v, I n, const I *k, I n2, I two, double *out) {
    double t[2][240] = {{0}};
    for (I i = 0; i < n; i++) t[i & 1][24 * k[2 * i] + k[2 * i + 1] - 25] += v[i];
    for (I j = 0; j < 240; j++) out[j] = t[0][j] + t[1][j];
}

void seen(const I *v, I n, I *out) {
    I least = v[0], most = v[0], count = 0;
    for (I i = 1; i < n; i++) least = MIN(least, v[i]), most = MAX(most, v[i]);
    B *before = calloc(most - least + 1, 1);
    for (I i = 0; i < n; i++) count += !before[v[i] - least], before[v[i] - least] = 1, out[i] = count;
    free(before);
}

void highest(const double *v, I n, double *out) { /* maxima to the end and from the start of blocks of 100 */
    double *s = malloc(100 * sizeof(double));
    for (I at = 0; at + 100 <= n; at += 100) {
        s[99] = v[at + 99];
        for (I k = 98; k >= 0; k--) s[k] = MAX(v[at + k], s[k + 1]);
        out[at] = s[0];
        double top = -INFINITY;
        for (I k = 1; k < 100 && at + 99 + k < n; k++) {
            const double x = v[at + 99 + k];
            top = MAX(top, x);
            out[at + k] = MAX(s[k], top);
        }
    }
    free(s);
}

void bests(const I *k, I n, const I *v, I m, I *out) {
    for (I j = 0; j < 1000; j++) out[j] = -1;
    for (I i = 0; i < n; i++) out[k[i] - 1] = MAX(out[k[i] - 1], v[i]);
}

I matched(const I *a, I n, I two, const I *b, I m) {
    I least = b[0], most = b[0], sum = 0;
    for (I i = 1; i < m; i++) least = MIN(least, b[i]), most = MAX(most, b[i]);
    B *there = calloc(most - least + 1, 1);
    for (I i = 0; i < m; i++) there[b[i] - least] = 1;
    for (I i = 0; i < n; i++) {
        const uint64_t at = a[2 * i] - least;
        if (at <= (uint64_t)(most - least)) sum += there[at] ? a[2 * i + 1] : 0;
    }
    free(there);
    return sum;
}
