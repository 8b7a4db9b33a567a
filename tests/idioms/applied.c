/* The programs of applied.apl by hand: an array is a pointer and then its extents, a result that is one a pointer behind
   the arguments. Indices and counts are 64 bits. Nothing is checked here. With -fopenmp the loops that gain have threads. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma omp declare simd notinbranch
extern double exp(double); /* of libmvec */
#pragma omp declare simd notinbranch
extern double log(double);
#pragma omp declare simd notinbranch
extern double sin(double);
#pragma omp declare simd notinbranch
extern double cos(double);
#pragma omp declare simd notinbranch
extern double asin(double);
#pragma omp declare simd notinbranch
extern double tanh(double);

typedef int64_t I;
typedef uint8_t B;
typedef uint32_t C;
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define TEXT_(...) #__VA_ARGS__
#define SUM(...) _Pragma(TEXT_(omp simd reduction(+ : __VA_ARGS__)))
#define EACH _Pragma("omp simd")
#define SHARED _Pragma("omp parallel for")
#define SHARED_EACH _Pragma("omp parallel for simd")
#define SHARED_SUM(...) _Pragma(TEXT_(omp parallel for reduction(+ : __VA_ARGS__)))

/* Inference. */

void gelu(const double *x, I n, double *out) {
    SHARED_EACH for (I i = 0; i < n; i++) {
        const double v = x[i];
        out[i] = 0.5 * v * (1 + tanh(0.7978845608 * (v + 0.044715 * v * v * v)));
    }
}

void layerNorm(const double *g, I two, I k, const double *x, I n, I m, double *out) {
    SHARED for (I i = 0; i < n; i++) {
        const double *r = x + i * m;
        double s = 0, q = 0;
        SUM(s) for (I j = 0; j < m; j++) s += r[j];
        const double mean = s / m;
        SUM(q) for (I j = 0; j < m; j++) q += (r[j] - mean) * (r[j] - mean);
        const double f = 1 / sqrt(1e-5 + q / m);
        EACH for (I j = 0; j < m; j++) out[i * m + j] = g[m + j] + g[j] * ((r[j] - mean) * f);
    }
}

void topPlaces(const double *x, I n, I m, I *out) {
    SHARED for (I i = 0; i < n; i++) {
        const double *r = x + i * m;
        double a = -INFINITY, b = a, c = a;
        I p = 0, q = 0, s = 0;
        for (I j = 0; j < m; j++)
            if (r[j] > c) {
                if (r[j] > a) c = b, s = q, b = a, q = p, a = r[j], p = j;
                else if (r[j] > b) c = b, s = q, b = r[j], q = j;
                else c = r[j], s = j;
            }
        out[3 * i] = p + 1, out[3 * i + 1] = q + 1, out[3 * i + 2] = s + 1;
    }
}

void confusion(const I *a, I n, const I *b, I k, I *out) {
    I h[4][100] = {0};
    for (I i = 0; i < n; i++) h[i & 3][10 * a[i] + b[i] - 11]++;
    for (I j = 0; j < 100; j++) out[j] = h[0][j] + h[1][j] + h[2][j] + h[3][j];
}

static void sorted(uint64_t *v, uint64_t *w, I n) { /* by eight bits at a time, counted in one walk */
    static I h[8][256];
    memset(h, 0, sizeof h);
    for (I i = 0; i < n; i++)
        for (int d = 0; d < 8; d++) h[d][v[i] >> 8 * d & 255]++;
    for (int d = 0; d < 8; d++) {
        if (h[d][v[0] >> 8 * d & 255] == n) continue;
        I at = 0;
        for (int k = 0; k < 256; k++) {
            const I c = h[d][k];
            h[d][k] = at, at += c;
        }
        for (I i = 0; i < n; i++) w[h[d][v[i] >> 8 * d & 255]++] = v[i];
        uint64_t *t = v;
        v = w, w = t;
    }
    (void)w;
}

double auc(const B *y, I n, const double *x, I k) { /* scores between 0 and 1 as 63 bits, the label below; ranks of equal scores by place */
    uint64_t *v = malloc(2 * n * sizeof *v), *u = v;
    I p = 0;
    for (I i = 0; i < n; i++) {
        memcpy(v + i, x + i, 8);
        v[i] = v[i] << 1 | y[i], p += y[i];
    }
    sorted(v, v + n, n);
    int rounds = 0;
    for (int d = 0; d < 8; d++) { /* which half has the result */
        const B first = v[0] >> 8 * d & 255;
        I i = 0;
        while (i < n && (v[i] >> 8 * d & 255) == first) i++;
        rounds += i < n;
    }
    if (rounds & 1) u = v + n;
    I sum = 0;
    for (I i = 0; i < n; i++) sum += (I)(u[i] & 1) * (i + 1);
    free(v);
    return (sum - 0.5 * p * (p + 1)) / (p * (double)(n - p));
}

void embedded(const double *t, I v, I m, const I *x, I n, I k, double *out) {
    SHARED for (I i = 0; i < n; i++) {
        double *o = out + i * m;
        for (I c = 0; c < m; c += 8) {
            double s[8] = {0};
            for (I j = 0; j < k; j++) {
                const double *r = t + (x[i * k + j] - 1) * m + c;
                for (I l = 0; l < 8; l++) s[l] += r[l];
            }
            for (I l = 0; l < 8; l++) o[c + l] = s[l] / k;
        }
    }
}

/* Dynamic programming. */

void fewestCoins(I n, const I *coins, I k, I *d) {
    d[0] = 0;
    for (I i = 1; i <= n; i++) d[i] = 1000000;
    for (I j = 0; j < k; j++)
        for (I c = coins[j], i = c; i <= n; i++) d[i] = MIN(d[i], 1 + d[i - c]);
}

I chain(const I *p, I k) { /* the columns stand beside the rows, so that both are read in order */
    const I n = k - 1;
    I *m = calloc(2 * n * n, sizeof(I)), *w = m + n * n;
    for (I l = 1; l < n; l++)
        for (I i = 0; i + l < n; i++) {
            const I j = i + l;
            I least = INT64_MAX;
            for (I q = i; q < j; q++) {
                const I c = m[i * n + q] + w[j * n + q + 1] + p[i] * p[q + 1] * p[j + 1];
                least = MIN(least, c);
            }
            m[i * n + j] = w[j * n + i] = least;
        }
    const I r = m[n - 1];
    free(m);
    return r;
}

I increasing(const I *v, I n) {
    I *t = malloc(n * sizeof(I)), r = 0;
    for (I i = 0; i < n; i++) {
        I lo = 0, l = r;
        while (l > 0) {
            const I h = l >> 1;
            const int b = t[lo + h] < v[i];
            lo = b ? lo + h + 1 : lo, l = b ? l - h - 1 : h;
        }
        t[lo] = v[i];
        if (lo == r) r++;
    }
    free(t);
    return r;
}

double seam(const double *e, I n, I m) {
    double *r = malloc(2 * (m + 2) * sizeof(double)), *q = r + m + 2, *t;
    r[0] = r[m + 1] = q[0] = q[m + 1] = 1e9;
    memcpy(r + 1, e, m * sizeof(double));
    double *own = r;
    for (I i = 1; i < n; i++) {
        EACH for (I j = 1; j <= m; j++) {
            const double a = MIN(r[j - 1], r[j + 1]);
            q[j] = e[i * m + j - 1] + MIN(a, r[j]);
        }
        t = r, r = q, q = t;
    }
    double least = r[1];
    for (I j = 2; j <= m; j++) least = MIN(least, r[j]);
    free(own);
    return least;
}

I bestSpan(const I *v, I n) {
    I best = 0, here = 0;
    for (I i = 0; i < n; i++) here = MAX(0, here + v[i]), best = MAX(best, here);
    return best;
}

double warped(const double *a, I n, const double *b, I m) {
    double *r = malloc((m + 1) * sizeof(double));
    for (I j = 1; j <= m; j++) r[j] = 1e30;
    r[0] = 0;
    for (I i = 0; i < n; i++) {
        double d = r[0], left = r[0] = 1e30;
        for (I j = 1; j <= m; j++) {
            const double above = r[j], s = MIN(d, above);
            left = fabs(a[i] - b[j - 1]) + MIN(s, left);
            d = above, r[j] = left;
        }
    }
    const double last = r[m];
    free(r);
    return last;
}

/* Random numbers. */

void xorshift(I k, const I *x, I n, I *out) {
    SHARED for (I from = 0; from < n; from += 256) {
        int32_t s[256];
        const I m = MIN(256, n - from);
        for (I i = 0; i < m; i++) s[i] = x[from + i];
        for (I j = 0; j < k; j++)
            for (I i = 0; i < m; i++) {
                int32_t v = s[i];
                v ^= (int32_t)((C)v << 13), v ^= v >> 17;
                s[i] = v ^ (int32_t)((C)v << 5);
            }
        for (I i = 0; i < m; i++) out[from + i] = s[i];
    }
}

void normals(const double *a, I n, const double *b, I k, double *out) {
    SHARED_EACH for (I i = 0; i < n; i++) {
        const double r = sqrt(-2 * log(a[i])), w = 6.283185307179586 * b[i];
        out[i] = r * cos(w), out[n + i] = r * sin(w);
    }
}

I ruin(const B *x, I n, I m) {
    I sum = 0;
    SHARED_SUM(sum) for (I i = 0; i < n; i++) {
        I s = 10;
        for (I j = 0; j < m; j++) {
            s += 2 * x[i * m + j] - 1;
            if (s <= 0) break;
            sum++;
        }
    }
    return sum;
}

/* Images. */

static void least15(const B *x, B *a, I n, I w, I stride) { /* windows of fifteen of n lines, w bytes each */
    B *b = malloc(2 * n * w), *c = b + n * w;
    for (I i = 0; i < n; i++) memcpy(b + i * w, x + i * stride, w);
    I l = 1;
    for (; l < 8; l *= 2, memcpy(b, c, n * w))
        for (I i = 0; i + l < n; i++)
            for (I j = 0; j < w; j++) c[i * w + j] = MIN(b[i * w + j], b[(i + l) * w + j]);
    for (I i = 0; i + 14 < n; i++)
        for (I j = 0; j < w; j++) a[i * w + j] = MIN(b[i * w + j], b[(i + 7) * w + j]);
    free(b);
}

void eroded(const B *x, I n, I m, B *out) { /* doubled windows: along rows, then down the columns, by bands of rows */
    const I k = m - 14;
    SHARED for (I from = 0; from < n - 14; from += 64) {
        const I h = MIN(64, n - 14 - from), all = h + 14;
        B *a = malloc(3 * all * m), *b = a + all * m, *c = b + all * m;
        for (I i = 0; i < all; i++) {
            const B *r = x + (from + i) * m;
            B *p = b, *q = c, *o = a + i * k;
            for (I j = 0; j < m - 1; j++) p[j] = MIN(r[j], r[j + 1]);
            for (I j = 0; j < m - 3; j++) q[j] = MIN(p[j], p[j + 2]);
            for (I j = 0; j < m - 7; j++) p[j] = MIN(q[j], q[j + 4]);
            for (I j = 0; j < k; j++) o[j] = MIN(p[j], p[j + 7]);
        }
        for (I j = 0; j < (all - 1) * k; j++) b[j] = MIN(a[j], a[j + k]);
        for (I j = 0; j < (all - 3) * k; j++) c[j] = MIN(b[j], b[j + 2 * k]);
        for (I j = 0; j < (all - 7) * k; j++) b[j] = MIN(c[j], c[j + 4 * k]);
        for (I j = 0; j < h * k; j++) out[from * k + j] = MIN(b[j], b[j + 7 * k]);
        free(a);
    }
}

void blended(const B *a, I n, I four, const B *b, I k, I three, I *out) {
    SHARED for (I i = 0; i < n; i++) {
        const double w = a[4 * i + 3] / 255.0, v = 1 - w;
        for (int c = 0; c < 3; c++) out[3 * i + c] = (I)(0.5 + (b[3 * i + c] * v + a[4 * i + c] * w));
    }
}

void pixelated(const B *x, I n, I m, I *out) {
    SHARED for (I i = 0; i < n / 8; i++) {
        I *o = out + 8 * i * m;
        for (I j = 0; j < m / 8; j++) {
            int s = 0;
            for (int y = 0; y < 8; y++)
                for (int z = 0; z < 8; z++) s += x[(8 * i + y) * m + 8 * j + z];
            for (int z = 0; z < 8; z++) o[8 * j + z] = s >> 6;
        }
        for (int y = 1; y < 8; y++) memcpy(o + y * m, o, m * sizeof(I));
    }
}

static inline double channel(double k, double h, double s, double v) {
    k += h;
    k = k >= 6 ? k - 6 : k;
    k = MIN(k, 4 - k);
    k = MIN(1, k);
    return floor(0.5 + 255 * (v - v * s * MAX(0, k)));
}

void toRgb(const double *x, I n, I three, I *out) {
    SHARED_EACH for (I i = 0; i < n; i++) {
        const double h = x[3 * i] / 60, s = x[3 * i + 1], v = x[3 * i + 2];
        out[3 * i] = (I)channel(5, h, s, v), out[3 * i + 1] = (I)channel(3, h, s, v), out[3 * i + 2] = (I)channel(1, h, s, v);
    }
}

/* Signals. */

void decimated(const double *c, I k, const double *x, I n, double *out) {
    const I m = (1 + n - k) / 4;
    SHARED for (I i = 0; i < m; i++) {
        double s = 0;
        SUM(s) for (I j = 0; j < k; j++) s += c[j] * x[4 * i + j];
        out[i] = s;
    }
}

void envelope(double d, const double *x, I n, double *e) {
    double s = e[0] = fabs(x[0]);
    for (I i = 1; i < n; i++) {
        const double a = fabs(x[i]), b = d * s;
        e[i] = s = a > b ? a : b;
    }
}

I crossings(const double *x, I n) {
    I sum = 0;
    _Pragma("omp parallel for simd reduction(+ : sum)") for (I i = 1; i < n; i++) sum += (x[i] >= 0) != (x[i - 1] >= 0);
    return sum;
}

/* Graphs. */

void hops(I s, const B *a, I n, I k, I *d) { /* a queue */
    I *q = malloc(n * sizeof(I)), from = 0, to = 1;
    for (I i = 0; i < n; i++) d[i] = -1;
    q[0] = s - 1, d[s - 1] = 0;
    while (from < to) {
        const I u = q[from++];
        const B *r = a + u * n;
        for (I j = 0; j < n; j++)
            if (r[j] & (d[j] < 0)) d[j] = d[u] + 1, q[to++] = j;
    }
    free(q);
}

void ranked(I n, const I *e, I m, I two, double *out) {
    double *p = malloc(2 * n * sizeof(double)), *w = p + n;
    int32_t *s = malloc((2 * m + n) * sizeof(int32_t)), *t = s + m, *d = t + m;
    memset(d, 0, n * sizeof(int32_t));
    for (I i = 0; i < m; i++) s[i] = e[2 * i] - 1, t[i] = e[2 * i + 1] - 1, d[s[i]]++;
    for (I i = 0; i < n; i++) p[i] = 1.0 / n, d[i] = MAX(1, d[i]);
    for (int k = 0; k < 20; k++) {
        for (I i = 0; i < n; i++) w[i] = 0.85 * p[i] / d[i], p[i] = 0.15 / n;
        for (I i = 0; i < m; i++) p[t[i]] += w[s[i]];
    }
    memcpy(out, p, n * sizeof(double));
    free(p), free(s);
}

I unions(I n, const I *e, I m, I two) {
    I *p = malloc((n + 1) * sizeof(I)), c = n;
    for (I i = 0; i <= n; i++) p[i] = i;
    for (I i = 0; i < m; i++) {
        I a = e[2 * i], b = e[2 * i + 1];
        while (a != p[a]) a = p[a] = p[p[a]];
        while (b != p[b]) b = p[b] = p[p[b]];
        c -= a != b;
        p[MAX(a, b)] = MIN(a, b);
    }
    free(p);
    return c;
}

/* Series. */

void drawdowns(const double *x, I n, I m, double *out) {
    SHARED for (I from = 0; from < m; from += 64) {
        double top[64], worst[64];
        const I w = MIN(64, m - from);
        for (I j = 0; j < w; j++) top[j] = x[from + j], worst[j] = 0;
        for (I i = 0; i < n; i++)
            EACH for (I j = 0; j < w; j++) {
                const double v = x[i * m + from + j];
                top[j] = MAX(top[j], v);
                const double d = 1 - v / top[j];
                worst[j] = MAX(worst[j], d);
            }
        memcpy(out + from, worst, w * sizeof(double));
    }
}

void merged(const I *a, I n, const I *b, I m, I *out) {
    I i = 0, j = 0;
    while (i < n && j < m) {
        const I x = a[i], y = b[j];
        const int first = x <= y;
        *out++ = first ? x : y;
        i += first, j += !first;
    }
    while (i < n) *out++ = a[i++];
    while (j < m) *out++ = b[j++];
}

double crossover(const double *p, I n) { /* running sums, begun again for each 1,000 */
    double r = 0;
    SHARED_SUM(r) for (I from = 49; from < n - 1; from += 1000) {
        double f = 0, s = 0;
        for (I i = from - 49; i <= from; i++) s += p[i], f += i > from - 10 ? p[i] : 0;
        const I to = MIN(from + 1000, n - 1);
        for (I i = from;; i++) {
            r += f / 10 > s / 50 ? p[i + 1] / p[i] - 1 : 0;
            if (i + 1 == to) break;
            f += p[i + 1] - p[i - 9], s += p[i + 1] - p[i - 49];
        }
    }
    return r;
}

void asOf(const double *t, I n, I two, const double *x, I m, double *out) { /* both in order: one walk */
    I k = -1;
    for (I i = 0; i < m; i++) {
        while (k + 1 < n && t[2 * (k + 1)] <= x[i]) k++;
        out[i] = t[2 * k + 1];
    }
}

void filledForward(const double *x, I n, double *out) {
    double v = x[0];
    for (I i = 0; i < n; i++) out[i] = v = x[i] != 0 ? x[i] : v;
}

void bars(const I *t, I n, const double *p, I k, double *out) { /* times in order */
    for (I i = 0; i < n;) {
        const I b = t[i] / 60;
        double low = p[i], high = p[i];
        out[0] = p[i];
        for (; i < n && t[i] / 60 == b; i++) low = MIN(low, p[i]), high = MAX(high, p[i]);
        out[1] = high, out[2] = low, out[3] = p[i - 1];
        out += 4;
    }
}

/* Geometry. */

I inside(const double *g, I k, I two, const double *p, I n, I deux) { /* sixty-four points at a time */
    I sum = 0;
    SHARED_SUM(sum) for (I from = 0; from < n; from += 64) {
        double x[64], y[64];
        I in[64] = {0};
        const I m = MIN(64, n - from);
        for (I j = 0; j < m; j++) x[j] = p[2 * (from + j)], y[j] = p[2 * (from + j) + 1];
        for (I i = 0; i < k; i++) {
            const I l = i + 1 == k ? 0 : i + 1;
            const double a = g[2 * i], b = g[2 * i + 1], v = g[2 * l + 1], s = (g[2 * l] - a) / (v - b);
            EACH for (I j = 0; j < m; j++) in[j] ^= ((y[j] < b) != (y[j] < v)) & (x[j] < a + (y[j] - b) * s);
        }
        for (I j = 0; j < m; j++) sum += in[j];
    }
    return sum;
}

void haversines(const double *a, I n, I two, const double *b, I m, I deux, double *out) {
    const double d = 3.141592653589793 / 180;
    double *v = malloc(3 * m * sizeof(double)), *l = v + m, *c = l + m;
    EACH for (I j = 0; j < m; j++) v[j] = b[2 * j] * d, l[j] = b[2 * j + 1] * d, c[j] = cos(v[j]);
    SHARED for (I i = 0; i < n; i++) {
        const double x = a[2 * i] * d, y = a[2 * i + 1] * d, w = cos(x);
        EACH for (I j = 0; j < m; j++) {
            const double s = sin(0.5 * (x - v[j])), t = sin(0.5 * (y - l[j]));
            out[i * m + j] = 12742 * asin(sqrt(s * s + w * c[j] * t * t));
        }
    }
    free(v);
}

double closest(const double *p, I n, I two) { /* each pair once */
    double *x = malloc(2 * n * sizeof(double)), *y = x + n, best = INFINITY;
    for (I i = 0; i < n; i++) x[i] = p[2 * i], y[i] = p[2 * i + 1];
    _Pragma("omp parallel for reduction(min : best) schedule(dynamic, 64)") for (I i = 0; i < n; i++) {
        double least = INFINITY;
        _Pragma("omp simd reduction(min : least)") for (I j = i + 1; j < n; j++) {
            const double a = x[i] - x[j], b = y[i] - y[j];
            least = MIN(least, a * a + b * b);
        }
        best = MIN(best, least);
    }
    free(x);
    return sqrt(best);
}

/* Numbers and letters. */

I harshad(I n) {
    I c = 0;
    SHARED_SUM(c) for (C i = 1; i <= (C)n; i++) {
        C s = 0;
        for (C v = i; v; v /= 10) s += v % 10;
        c += i % s == 0;
    }
    return c;
}

static inline I gcd(I a, I b) {
    while (b) {
        const I t = a % b;
        a = b, b = t;
    }
    return a;
}

I gcds(const I *x, I n, I m) {
    I c = 0;
    SHARED_SUM(c) for (I i = 0; i < n; i++) {
        I g = x[i * m];
        for (I j = 1; j < m && g != 1; j++) g = gcd(g, x[i * m + j]);
        c += g == 1;
    }
    return c;
}

void complement(const C *x, I n, C *out) {
    SHARED_EACH for (I i = 0; i < n; i++) {
        const C c = x[n - 1 - i];
        out[i] = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
    }
}

I gcWindows(const C *x, I n) {
    I best = 0;
    _Pragma("omp parallel for reduction(max : best)") for (I from = 0; from < n - 99; from += 10000) {
        I s = 0;
        for (I i = from; i < from + 100; i++) s += (x[i] == 'G') | (x[i] == 'C');
        const I to = MIN(from + 10000, n - 99);
        for (I i = from;; i++) {
            best = MAX(best, s);
            if (i + 1 == to) break;
            s += ((x[i + 100] == 'G') | (x[i + 100] == 'C')) - ((x[i] == 'G') | (x[i] == 'C'));
        }
    }
    return best;
}

I isograms(const C *x, I n) { /* letters a to z */
    I count = 0;
    for (I i = 0; i < n;) {
        if (x[i] == ' ') {
            i++;
            continue;
        }
        C seen = 0;
        int once = 1;
        for (; i < n && x[i] != ' '; i++) once &= ~(seen >> (x[i] & 31)), seen |= 1u << (x[i] & 31);
        count += once;
    }
    return count;
}

I scores(const I *v, I k, const C *x, I n) {
    I best = INT64_MIN;
    for (I i = 0; i < n;) {
        if (x[i] == ' ') {
            i++;
            continue;
        }
        I s = 0;
        for (; i < n && x[i] != ' '; i++) s += v[x[i] - 'A'];
        best = MAX(best, s);
    }
    return best;
}
