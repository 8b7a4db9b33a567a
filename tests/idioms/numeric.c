/* The programs of numeric.apl by hand: an array is a pointer and then its extents, a result that is one a pointer behind
   the arguments. Indices and counts are 64 bits. Nothing is checked here. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma omp declare simd notinbranch
extern double exp(double); /* of libmvec */
#pragma omp declare simd notinbranch
extern double log(double);

typedef int64_t I;
typedef uint8_t B;
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SUM(...) _Pragma(TEXT_(omp simd reduction(+ : __VA_ARGS__)))
#define TEXT_(...) #__VA_ARGS__
#define EACH _Pragma("omp simd")

static double dot(const double *a, const double *b, I n) {
    double sum = 0;
    SUM(sum) for (I i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Finance. */

void rollingBeta(I n, const double *v, I two, I m, double *out) { /* running sums, begun again for each 1,000 */
    const double *x = v, *y = v + m;
    for (I from = 0; from < m - n + 1; from += 1000) {
        double a = 0, b = 0, xx = 0, xy = 0;
        for (I i = from; i < from + n; i++) a += x[i], b += y[i], xx += x[i] * x[i], xy += x[i] * y[i];
        const I to = MIN(from + 1000, m - n + 1);
        for (I i = from;; i++) {
            out[i] = (n * xy - a * b) / (n * xx - a * a);
            if (i + 1 == to) break;
            a += x[i + n] - x[i], b += y[i + n] - y[i];
            xx += x[i + n] * x[i + n] - x[i] * x[i], xy += x[i + n] * y[i + n] - x[i] * y[i];
        }
    }
}

void garch(const double *p, I three, const double *r, I n, double *h) {
    double v = h[0] = dot(r, r, n) / n;
    for (I i = 1; i < n; i++) h[i] = v = p[0] + p[1] * r[i - 1] * r[i - 1] + p[2] * v;
}

static inline double normal(double d, double density) { /* of Abramowitz and Stegun */
    const double x = fabs(d), u = 1 / (1 + 0.2316419 * x);
    const double p = density * u * (0.31938153 + u * (-0.356563782 + u * (1.781477937 + u * (-1.821255978 + u * 1.330274429))));
    return d < 0 ? p : 1 - p;
}

void impliedVol(double s, const double *v, I three, I n, double *out) { /* options in blocks */
    double q[256], l[256];
    for (I from = 0; from < n; from += 256) {
        const I m = MIN(256, n - from);
        const double *k = v + from, *t = k + n, *p = t + n;
        double *y = out + from;
        EACH for (I i = 0; i < m; i++) q[i] = sqrt(t[i]), l[i] = log(s / k[i]), y[i] = 0.3;
        for (int step = 0; step < 5; step++)
            EACH for (I i = 0; i < m; i++) {
                const double w = y[i] * q[i], d = (l[i] + 0.5 * w * w) / w, e = d - w;
                const double f = 0.3989423 * exp(-0.5 * d * d), g = 0.3989423 * exp(-0.5 * e * e);
                y[i] -= (s * normal(d, f) - k[i] * normal(e, g) - p[i]) / (s * q[i] * f);
            }
    }
}

double heston(const double *p, I five, const double *z, I two, I steps, I n) { /* paths in blocks */
    const double k = p[0], m = p[1], s = p[2], r = p[3], d = p[4], o = sqrt(1 - r * r);
    double sum = 0;
    for (I from = 0; from < n; from += 256) {
        const I l = MIN(256, n - from);
        double x[256], y[256];
        for (I j = 0; j < l; j++) x[j] = 0, y[j] = m;
        for (I i = 0; i < steps; i++) {
            const double *a = z + i * n + from, *b = a + steps * n;
            EACH for (I j = 0; j < l; j++) {
                const double v = MAX(y[j], 0), w = sqrt(d * v);
                x[j] += w * a[j] - 0.5 * d * v;
                y[j] += k * d * (m - v) + s * w * (r * a[j] + o * b[j]);
            }
        }
        SUM(sum) for (I j = 0; j < l; j++) sum += MAX(exp(x[j]) - 1, 0);
    }
    return sum / n;
}

double longstaff(const double *p, I five, const double *z, I n, I m) { /* paths in columns, normal equations */
    const double s = p[0], k = p[1], r = p[2], a = p[3], d = p[4], drift = d * (r - 0.5 * a * a), w = a * sqrt(d), df = exp(-r * d);
    double *x = malloc((m + 1) * n * sizeof(double)), *c = x + m * n;
    for (I from = 0; from < n; from += 8)
        for (I i = from; i < MIN(from + 8, n); i++) {
            double sum = 0;
            for (I j = 0; j < m; j++) sum += drift + w * z[i * m + j], x[j * n + i] = sum;
        }
    EACH for (I i = 0; i < n * m; i++) x[i] = s / k * exp(x[i]);
    const double *last = x + (m - 1) * n;
    EACH for (I i = 0; i < n; i++) c[i] = MAX(0, k * (1 - last[i]));
    for (I j = m - 2; j >= 0; j--) {
        const double *u = x + j * n;
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, t0 = 0, t1 = 0, t2 = 0;
        SUM(s0, s1, s2, s3, s4, t0, t1, t2) for (I i = 0; i < n; i++) {
            const double in = u[i] < 1 ? 1 : 0, y = in * (c[i] *= df), v = in * (u[i] - 0.9), q = v * v;
            s0 += in, s1 += v, s2 += q, s3 += q * v, s4 += q * q, t0 += y, t1 += y * v, t2 += y * q;
        }
        const double a1 = s1 / s0, a2 = s2 / s0, b11 = s2 - a1 * s1, b12 = s3 - a1 * s2, b22 = s4 - a2 * s2;
        const double e1 = t1 - a1 * t0, e2 = t2 - a2 * t0, f = b12 / b11, b2 = (e2 - f * e1) / (b22 - f * b12);
        const double b1 = (e1 - b12 * b2) / b11, b0 = t0 / s0 - a1 * b1 - a2 * b2;
        EACH for (I i = 0; i < n; i++) {
            const double v = u[i] - 0.9, e = k * (1 - u[i]);
            c[i] = (u[i] < 1) & (e > b0 + v * (b1 + v * b2)) ? e : c[i];
        }
    }
    double sum = 0;
    SUM(sum) for (I i = 0; i < n; i++) sum += c[i];
    free(x);
    return df * sum / n;
}

void discounts(const double *r, I m, I n, double *d) {
    double a[256];
    for (I from = 0; from < n; from += 256) {
        const I l = MIN(256, n - from);
        memset(a, 0, sizeof a);
        for (I i = 0; i < m; i++) {
            const double *at = r + i * n + from;
            double *to = d + i * n + from;
            EACH for (I j = 0; j < l; j++) to[j] = (1 - at[j] * a[j]) / (1 + at[j]), a[j] += to[j];
        }
    }
}

void riskShares(const double *w, I m, const double *v, I days, I m2, double *out) { /* two rows at a time */
    double *mean = calloc(2 * m, sizeof(double)), *s = mean + m, offset = 0, total = 0;
    for (I i = 0; i < days; i++) EACH for (I j = 0; j < m; j++) mean[j] += v[i * m + j];
    for (I j = 0; j < m; j++) mean[j] /= days, offset += mean[j] * w[j];
    for (I i = 0; i < days; i++) {
        const double *at = v + i * m, p = dot(at, w, m) - offset;
        EACH for (I j = 0; j < m; j++) s[j] += p * (at[j] - mean[j]);
    }
    for (I j = 0; j < m; j++) total += s[j] * w[j];
    for (I j = 0; j < m; j++) out[j] = w[j] * s[j] / total;
    free(mean);
}

static double nth(double *v, I n, I k) { /* quickselect */
    I low = 0, high = n - 1;
    while (low < high) {
        const double pivot = v[(low + high) / 2];
        I i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot) i++;
            while (v[j] > pivot) j--;
            if (i <= j) {
                const double t = v[i];
                v[i++] = v[j], v[j--] = t;
            }
        }
        if (k <= j) high = j;
        else if (k >= i) low = i;
        else break;
    }
    return v[k];
}

void shortfall(const double *w, I m, const double *v, I n, I m2, double *out) {
    double *p = malloc(n * sizeof(double)), sum = 0;
    for (I i = 0; i < n; i++) p[i] = dot(v + i * m, w, m);
    const I k = n / 20;
    out[0] = -nth(p, n, k - 1);
    for (I i = 0; i < k; i++) sum += p[i];
    out[1] = -sum / k;
    free(p);
}

/* Signals. */

void kalman(const double *p, I two, const double *y, I m, I n, double *e) {
    const double q = p[0], r = p[1];
    double x[256];
    for (I from = 0; from < n; from += 256) {
        const I l = MIN(256, n - from);
        double v = r;
        for (I j = 0; j < l; j++) x[j] = y[from + j];
        for (I i = 0; i < m; i++) { /* all series have the same variances */
            v += q;
            const double k = v / (v + r), *at = y + i * n + from;
            double *to = e + i * n + from;
            v *= 1 - k;
            EACH for (I j = 0; j < l; j++) to[j] = x[j] += k * (at[j] - x[j]);
        }
    }
}

void bank(const double *c, I five, I k, const double *x, I n, double *y) { /* eight filters */
    double a[8] = {0}, b[8] = {0}, d[40];
    memcpy(d, c, sizeof d);
    for (I i = 0; i < n; i++) {
        const double in = x[i];
        EACH for (int j = 0; j < 8; j++) {
            const double out = a[j] + d[j] * in;
            y[8 * i + j] = out;
            a[j] = b[j] + (d[8 + j] * in - d[24 + j] * out), b[j] = d[16 + j] * in - d[32 + j] * out;
        }
    }
}

/* Statistics. */

void bootstrapped(const I *at, I m, I k, const double *v, I n, double *out) {
    double *s = malloc(m * sizeof(double));
    for (I i = 0; i < m; i++) {
        double sum = 0;
        SUM(sum) for (I j = 0; j < k; j++) sum += v[at[i * k + j] - 1];
        s[i] = sum / k;
    }
    out[0] = nth(s, m, ceil(0.025 * m) - 1), out[1] = nth(s, m, ceil(0.975 * m) - 1);
    free(s);
}

void density(const double *g, I m, const double *v, I n, double *out) {
    const double h = 0.1, scale = 1 / (h * n * sqrt(2 * M_PI));
    for (I i = 0; i < m; i++) {
        double sum = 0;
        SUM(sum) for (I j = 0; j < n; j++) {
            const double d = (g[i] - v[j]) / h;
            sum += exp(-0.5 * d * d);
        }
        out[i] = sum * scale;
    }
}

void mixture(const double *p, I three, I k, const double *v, I n, double *out) { /* four of them */
    double a[4], m[4], d[4], s[12] = {0};
    for (int j = 0; j < 4; j++) a[j] = p[j] / p[8 + j], m[j] = p[4 + j], d[j] = 1 / p[8 + j];
    SUM(s[:12]) for (I i = 0; i < n; i++) {
        double r[4], sum = 0;
        for (int j = 0; j < 4; j++) {
            const double t = (v[i] - m[j]) * d[j];
            sum += r[j] = a[j] * exp(-0.5 * t * t);
        }
        sum = 1 / sum;
        for (int j = 0; j < 4; j++) r[j] *= sum, s[j] += r[j], s[4 + j] += r[j] * v[i], s[8 + j] += r[j] * v[i] * v[i];
    }
    for (int j = 0; j < 4; j++) {
        const double mean = s[4 + j] / s[j];
        out[j] = s[j] / n, out[4 + j] = mean, out[8 + j] = s[8 + j] / s[j] - mean * mean;
    }
}

static void sorted(const double *v, I n, double *out) { /* by digits of eleven bits */
    uint64_t *a = malloc(2 * n * sizeof(uint64_t)), *b = a + n;
    I(*count)[2048] = calloc(6, sizeof *count);
    for (I i = 0; i < n; i++) {
        uint64_t u;
        memcpy(&u, v + i, 8);
        u ^= -(u >> 63) | (uint64_t)1 << 63, a[i] = u;
        for (int k = 0; k < 6; k++) count[k][u >> 11 * k & 2047]++;
    }
    for (int k = 0; k < 6; k++) {
        I at = 0;
        for (int j = 0; j < 2048; j++) at += count[k][j], count[k][j] = at - count[k][j];
        for (I i = 0; i < n; i++) b[count[k][a[i] >> 11 * k & 2047]++] = a[i];
        uint64_t *t = a;
        a = b, b = t;
    }
    for (I i = 0; i < n; i++) {
        const uint64_t u = a[i] ^ (((a[i] >> 63) - 1) | (uint64_t)1 << 63);
        memcpy(out + i, &u, 8);
    }
    free(a), free(count);
}

double kolmogorov(const double *x, I n, const double *y, I m) { /* sorted and merged */
    double *a = malloc((n + m) * sizeof(double)), *b = a + n, most = 0;
    sorted(x, n, a), sorted(y, m, b);
    for (I i = 0, j = 0; i < n && j < m;) {
        const double at = MIN(a[i], b[j]);
        while (i < n && a[i] == at) i++;
        while (j < m && b[j] == at) j++;
        const double d = fabs((double)i / n - (double)j / m);
        most = MAX(most, d);
    }
    free(a);
    return most;
}

double theilSen(const double *x, I n, const double *y, I m) {
    const I k = n * (n - 1) / 2;
    double *s = malloc(k * sizeof(double)), *to = s;
    for (I i = 0; i < n; to += n - 1 - i, i++)
        EACH for (I j = i + 1; j < n; j++) to[j - i - 1] = (y[i] - y[j]) / (x[i] - x[j]);
    const double middle = nth(s, k, (k + 1) / 2 - 1);
    free(s);
    return middle;
}

/* Physics. */

void prey(I steps, const double *v, I two, I n, double *out) { /* eight at a time, in registers */
    const double h = 0.01;
    for (I from = 0; from < n; from += 8) {
        double x[8] = {0}, y[8] = {0};
        const I l = MIN(8, n - from);
        memcpy(x, v + from, l * 8), memcpy(y, v + n + from, l * 8);
        for (I step = 0; step < steps; step++)
            EACH for (int j = 0; j < 8; j++) {
                const double u = x[j], w = y[j], a = u * (1.1 - 0.4 * w), p = w * (0.1 * u - 0.4);
                const double u1 = u + 0.5 * h * a, w1 = w + 0.5 * h * p, b = u1 * (1.1 - 0.4 * w1), q = w1 * (0.1 * u1 - 0.4);
                const double u2 = u + 0.5 * h * b, w2 = w + 0.5 * h * q, c = u2 * (1.1 - 0.4 * w2), s = w2 * (0.1 * u2 - 0.4);
                const double u3 = u + h * c, w3 = w + h * s, d = u3 * (1.1 - 0.4 * w3), t = w3 * (0.1 * u3 - 0.4);
                x[j] = u + h / 6 * (a + d + 2 * (b + c)), y[j] = w + h / 6 * (p + t + 2 * (q + s));
            }
        memcpy(out + from, x, l * 8), memcpy(out + n + from, y, l * 8);
    }
}

void lennard(double b, const double *v, I three, I n, double *out) {
    const double *x = v, *y = v + n, *z = v + 2 * n, o = 1 / b;
    for (I i = 0; i < n; i++) {
        double fx = 0, fy = 0, fz = 0;
        SUM(fx, fy, fz) for (I j = 0; j < n; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
            dx -= b * floor(0.5 + dx * o), dy -= b * floor(0.5 + dy * o), dz -= b * floor(0.5 + dz * o);
            const double r = dx * dx + dy * dy + dz * dz + (i == j ? 1e30 : 0), u = 1 / r, s = r < 9 ? u * u * u : 0;
            const double w = 48 * s * (s - 0.5) * u;
            fx += w * dx, fy += w * dy, fz += w * dz;
        }
        out[i] = fx, out[n + i] = fy, out[2 * n + i] = fz;
    }
}

void redBlack(I steps, const double *f, I n, I m, double *u) { /* in place, every second element; wraps around */
    memset(u, 0, n * m * sizeof(double));
    for (I step = 0; step < 2 * steps; step++)
        for (I i = 0; i < n; i++) {
            double *at = u + i * m;
            const double *up = u + (i ? i - 1 : n - 1) * m, *down = u + (i + 1 < n ? i + 1 : 0) * m, *g = f + i * m;
            I j = (step + i) & 1;
            if (j == 0) at[0] += 1.5 * (0.25 * (g[0] + down[0] + up[0] + at[1] + at[m - 1]) - at[0]), j = 2;
            EACH for (I k = j; k < m - 1; k += 2) at[k] += 1.5 * (0.25 * (g[k] + down[k] + up[k] + at[k + 1] + at[k - 1]) - at[k]);
            if (((m - 1 - j) & 1) == 0)
                at[m - 1] += 1.5 * (0.25 * (g[m - 1] + down[m - 1] + up[m - 1] + at[0] + at[m - 2]) - at[m - 1]);
        }
}

void alternating(I steps, const double *from, I n, I n2, double *u) { /* wraps around in the explicit halves */
    const double r = 0.5;
    double *g = malloc((n + 5 * n) * sizeof(double)), *top = g + n, *t = top + n;
    g[0] = 1 / (1 + 2 * r);
    for (I i = 1; i < n; i++) g[i] = 1 / (1 + r * (2 - r * g[i - 1]));
    memcpy(u, from, n * n * sizeof(double));
    double *w = malloc(n * n * sizeof(double));
    for (I step = 0; step < steps; step++) {
        for (I i = 0; i < n; i++) {
            const double *at = u + i * n, *up = u + (i ? i - 1 : n - 1) * n, *down = u + (i + 1 < n ? i + 1 : 0) * n;
            EACH for (I j = 0; j < n; j++) w[i * n + j] = at[j] + r * (down[j] + up[j] - 2 * at[j]);
        }
        for (I i = 0; i < n; i += 4) { /* four rows side by side */
            const I l = MIN(4, n - i);
            for (I j = 0; j < n; j++)
                for (I k = 0; k < l; k++) {
                    const double *at = w + (i + k) * n + j;
                    t[4 * j + k] = g[j] * (at[0] + (j ? r * t[4 * j - 4 + k] : 0));
                }
            for (I j = n - 2; j >= 0; j--)
                for (I k = 0; k < 4; k++) t[4 * j + k] += r * g[j] * t[4 * j + 4 + k];
            for (I k = 0; k < l; k++)
                for (I j = 0; j < n; j++) {
                    const double left = t[4 * (j ? j - 1 : n - 1) + k], right = t[4 * (j + 1 < n ? j + 1 : 0) + k];
                    u[(i + k) * n + j] = t[4 * j + k] + r * (left + right - 2 * t[4 * j + k]);
                }
        }
        EACH for (I j = 0; j < n; j++) u[j] *= g[0];
        for (I i = 1; i < n; i++) EACH for (I j = 0; j < n; j++) u[i * n + j] = g[i] * (u[i * n + j] + r * u[i * n - n + j]);
        for (I i = n - 2; i >= 0; i--) EACH for (I j = 0; j < n; j++) u[i * n + j] += r * g[i] * u[i * n + n + j];
    }
    free(g), free(w);
}

/* Matrices. */

void eigenvalues(I sweeps, const double *from, I n, I n2, double *e) { /* rows in order, columns as they are */
    double *a = malloc(n * n * sizeof(double));
    memcpy(a, from, n * n * sizeof(double));
    for (I sweep = 0; sweep < sweeps; sweep++)
        for (I p = 0; p < n - 1; p++)
            for (I q = p + 1; q < n; q++) {
                if (a[p * n + q] == 0) continue;
                const double h = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
                const double t = (h < 0 ? -1 : 1) / (fabs(h) + sqrt(1 + h * h)), c = 1 / sqrt(1 + t * t), s = t * c;
                double *x = a + p * n, *y = a + q * n;
                EACH for (I j = 0; j < n; j++) {
                    const double u = x[j], v = y[j];
                    x[j] = c * u - s * v, y[j] = s * u + c * v;
                }
                for (I j = 0; j < n; j++) {
                    const double u = a[j * n + p], v = a[j * n + q];
                    a[j * n + p] = c * u - s * v, a[j * n + q] = s * u + c * v;
                }
            }
    for (I i = 0; i < n; i++) e[i] = a[i * n + i];
    free(a);
}

/* Images. */

void rotated(double angle, const double *v, I n, I m, double *out) {
    const double a = cos(angle), b = sin(angle);
    for (I i = 0; i < n; i++) {
        const double fi = i + 1 - n / 2.0;
        EACH for (I j = 0; j < m; j++) {
            const double fj = j + 1 - m / 2.0;
            double y = n / 2.0 + (a * fi - b * fj), x = m / 2.0 + (b * fi + a * fj);
            y = MIN(y, n - 0.001), y = MAX(y, 1), x = MIN(x, m - 0.001), x = MAX(x, 1);
            const double p = floor(y), q = floor(x);
            const I k = (I)(int32_t)p * m - m + (int32_t)q - 1;
            y -= p, x -= q;
            out[i * m + j] = (1 - y) * (v[k] * (1 - x) + v[k + 1] * x) + y * (v[k + m] * (1 - x) + v[k + m + 1] * x);
        }
    }
}

void correlated(const double *k, I seven, I seven2, const double *v, I n, I m, double *out) { /* sixteen sums */
    for (I i = 0; i < n - 6; i++)
        for (I j = 0; j < m - 6; j += 16) {
            double sum[16] = {0};
            const I l = MIN(16, m - 6 - j);
            for (int p = 0; p < 7; p++)
                for (int q = 0; q < 7; q++) {
                    const double w = k[7 * p + q], *at = v + (i + p) * m + j + q;
                    if (l == 16) EACH for (int t = 0; t < 16; t++) sum[t] += w * at[t];
                    else for (int t = 0; t < l; t++) sum[t] += w * at[t];
                }
            memcpy(out + i * (m - 6) + j, sum, l * sizeof(double));
        }
}

void reach(const B *b, I n, I m, double *d) {
    for (I i = 0; i < n; i++) {
        double *at = d + i * m, left = 1e9, right = 1e9;
        for (I j = 0; j < m; j++) at[j] = left = b[i * m + j] ? 0 : MIN(left + 1, 1e9);
        for (I j = m - 1; j >= 0; j--) at[j] = right = MIN(right + 1, at[j]);
    }
    for (I i = 1; i < n; i++) EACH for (I j = 0; j < m; j++) d[i * m + j] = MIN(d[i * m + j], d[i * m - m + j] + 1);
    for (I i = n - 2; i >= 0; i--) EACH for (I j = 0; j < m; j++) d[i * m + j] = MIN(d[i * m + j], d[i * m + m + j] + 1);
}

/* Geometry. */

void spun(const double *q, I four, const double *v, I n, I three, double *out) {
    const double w = q[0], a = q[1], b = q[2], c = q[3];
    EACH for (I i = 0; i < n; i++) {
        const double x = v[3 * i], y = v[3 * i + 1], z = v[3 * i + 2];
        const double s = 2 * (b * z - c * y), t = 2 * (c * x - a * z), u = 2 * (a * y - b * x);
        out[3 * i] = x + w * s + (b * u - c * t);
        out[3 * i + 1] = y + w * t + (c * s - a * u);
        out[3 * i + 2] = z + w * u + (a * t - b * s);
    }
}
