/* The idioms of more.apl by hand: an array is a pointer and then its extents, a result that is one a pointer behind
   the arguments. Indices and counts are 64 bits. Nothing is checked here. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma omp declare simd notinbranch
extern double exp(double); /* of libmvec */

typedef int64_t I;
typedef uint8_t B;
typedef uint32_t C;
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SUM(...) _Pragma(TEXT_(omp simd reduction(+ : __VA_ARGS__)))
#define TEXT_(...) #__VA_ARGS__
#define EACH _Pragma("omp simd")

/* Statistics. */

void covariance(const double *v, I n, I m, double *out) { /* 16 columns */
    double mean[m], d[m];
    for (I j = 0; j < m; j++) mean[j] = 0;
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) mean[j] += v[i * m + j];
    for (I j = 0; j < m; j++) mean[j] /= n;
    for (I j = 0; j < m * m; j++) out[j] = 0;
    for (I i0 = 0; i0 < n; i0 += 256) { /* rows of the result stay in registers for 256 rows of the argument */
        const I i1 = MIN(n, i0 + 256);
        for (I a = 0; a < m; a += 4) {
            double s[4][16] = {{0}};
            for (I i = i0; i < i1; i++) {
                for (I j = 0; j < 16; j++) d[j] = v[i * 16 + j] - mean[j];
                for (I k = 0; k < 4; k++)
                    for (I j = 0; j < 16; j++) s[k][j] += d[a + k] * d[j];
            }
            for (I k = 0; k < 4; k++)
                for (I j = 0; j < 16; j++) out[(a + k) * 16 + j] += s[k][j];
        }
    }
    for (I j = 0; j < m * m; j++) out[j] /= n - 1;
}

#define ORDER(a, b) { const typeof(a) t_ = MIN(a, b); b = MAX(a, b); a = t_; }

void movingMedian(const double *v, I n, double *out) {
    EACH for (I i = 0; i < n - 4; i++) {
        double a = v[i], b = v[i + 1], c = v[i + 2], d = v[i + 3], e = v[i + 4];
        ORDER(a, b) ORDER(d, e)
        a = MAX(a, d), b = MIN(b, e); /* neither the least nor the greatest of four is the median of five */
        ORDER(a, b)
        out[i] = MAX(a, MIN(b, c));
    }
}

static void radix(uint64_t *v, uint64_t *w, I n) { /* six passes of 11 bits */
    static I count[6][2048];
    memset(count, 0, sizeof count);
    for (I i = 0; i < n; i++)
        for (I p = 0; p < 6; p++) count[p][v[i] >> (11 * p) & 2047]++;
    for (I p = 0; p < 6; p++) {
        I sum = 0;
        for (I k = 0; k < 2048; k++) { const I c = count[p][k]; count[p][k] = sum, sum += c; }
        for (I i = 0; i < n; i++) w[count[p][v[i] >> (11 * p) & 2047]++] = v[i];
        uint64_t *t = v; v = w, w = t;
    }
}

static uint64_t key(double x) {
    uint64_t k;
    memcpy(&k, &x, 8);
    return k >> 63 ? ~k : k | 1ULL << 63;
}

static double unkey(uint64_t k) {
    double x;
    k = k >> 63 ? k & ~(1ULL << 63) : ~k;
    memcpy(&x, &k, 8);
    return x;
}

double gini(const double *v, I n) {
    uint64_t *a = malloc(16 * n), *b = a + n;
    for (I i = 0; i < n; i++) a[i] = key(v[i]);
    radix(a, b, n);
    double sum = 0, weighted = 0;
    for (I i = 0; i < n; i++) {
        const double x = unkey(a[i]);
        sum += x, weighted += x * (2 * (i + 1) - n - 1);
    }
    free(a);
    return weighted / (n * sum);
}

void autocorrelation(I lags, const double *v, I n, double *out) {
    double sum = 0, squares = 0, *d = malloc(n * sizeof(double));
    SUM(sum) for (I i = 0; i < n; i++) sum += v[i];
    sum /= n;
    SUM(squares) for (I i = 0; i < n; i++) d[i] = v[i] - sum, squares += d[i] * d[i];
    for (I k = 1; k <= lags; k++) out[k - 1] = 0;
    for (I at = 0; at < n; at += 2048)
        for (I k = 1; k <= lags; k++) {
            double s = 0;
            SUM(s) for (I i = at; i < MIN(at + 2048, n - k); i++) s += d[i] * d[i + k];
            out[k - 1] += s;
        }
    for (I k = 0; k < lags; k++) out[k] /= squares;
    free(d);
}

double weightedMedian(const I *w, I n, const double *v, I m) { /* quickselect by weight */
    typedef struct { double v; I w; } P;
    P *p = malloc(n * sizeof(P));
    I total = 0, before = 0, low = 0, high = n - 1;
    for (I i = 0; i < n; i++) p[i] = (P){v[i], w[i]}, total += w[i];
    while (low < high) {
        const double pivot = p[(low + high) / 2].v;
        I i = low, j = high;
        while (i <= j) {
            while (p[i].v < pivot) i++;
            while (pivot < p[j].v) j--;
            if (i <= j) {
                const P t = p[i];
                p[i] = p[j], p[j] = t, i++, j--;
            }
        }
        I first = 0, middle = 0; /* the weights of the part below and of what lies between the parts */
        for (I k = low; k <= j; k++) first += p[k].w;
        if (2 * (before + first) >= total && j >= low) high = j;
        else {
            for (I k = j + 1; k < i; k++) middle += p[k].w;
            if (2 * (before + first + middle) >= total && i > j + 1) { low = high = j + 1; break; }
            before += first + middle, low = i;
        }
    }
    const double r = p[low].v;
    free(p);
    return r;
}

/* Finance. */

void macd(const double *p, I n, double *out) {
    double f = p[0], s = p[0];
    for (I i = 0; i < n; i++) f += (p[i] - f) * (2.0 / 13), s += (p[i] - s) * (2.0 / 27), out[i] = f - s;
}

I underWater(const double *p, I n) {
    double top = -INFINITY;
    I at = -1, longest = 0;
    for (I i = 0; i < n; i++)
        if (p[i] >= top) {
            top = p[i];
            if (at >= 0 && i - at > longest) longest = i - at;
            at = i;
        }
    return MAX(longest, n - at);
}

void bondYields(const double *c, I n, const double *p, I m, double *out) {
    EACH for (I i = 0; i < n; i++) {
        double y = c[i] / 100;
        for (I k = 0; k < 6; k++) {
            const double u = 1 + y, u2 = u * u, u4 = u2 * u2, a = 1 / (u4 * u4 * u2);
            const double f = c[i] * ((1 - a) / y) + 100 * a - p[i];
            const double g = c[i] * ((10 * a * y / u - (1 - a)) / (y * y)) - 1000 * a / u;
            y -= f / g;
        }
        out[i] = y;
    }
}

typedef double V __attribute__((vector_size(32)));

void portfolioRisks(const double *w, I n, I m, const double *c, I m1, I m2, double *out) {
    for (I i = 0; i < n; i++) { /* the products with rows of c stay in registers */
        V s[4] = {{0}};
        for (I k = 0; k < 16; k++)
#pragma GCC unroll 4
            for (I j = 0; j < 4; j++) {
                V row;
                memcpy(&row, c + 16 * k + 4 * j, 32), s[j] += w[i * 16 + k] * row;
            }
#pragma GCC unroll 4
        for (I j = 0; j < 4; j++) {
            V row;
            memcpy(&row, w + 16 * i + 4 * j, 32), s[j] *= row;
        }
        s[0] = (s[0] + s[1]) + (s[2] + s[3]);
        out[i] = sqrt(s[0][0] + s[0][1] + s[0][2] + s[0][3]);
    }
}

double asian(const double *v, I n, I m) {
    double all = 0, p[m];
    for (I i = 0; i < n; i++) {
        double s = 0, sum = 0;
        for (I j = 0; j < m; j++) p[j] = s += 0.01 * v[i * m + j];
        for (I j = 0; j < m; j++) p[j] = exp(p[j]);
        SUM(sum) for (I j = 0; j < m; j++) sum += p[j];
        all += MAX(0, 100 * sum / m - 100);
    }
    return all / n;
}

/* Images. */

void medianFilter(const B *v, I n, I m, B *out) {
    B *zero = calloc(3, m + 2), *rows[3] = {zero, zero + m + 2, zero + 2 * (m + 2)};
    memcpy(rows[1] + 1, v, m);
    for (I i = 0; i < n; i++) {
        if (i + 1 < n) memcpy(rows[2] + 1, v + (i + 1) * m, m);
        else memset(rows[2], 0, m + 2);
        const B *r = rows[0], *s = rows[1], *t = rows[2];
        B *o = out + i * m;
        EACH for (I j = 0; j < m; j++) {
            B a = r[j], b = r[j + 1], c = r[j + 2], d = s[j], e = s[j + 1], f = s[j + 2], g = t[j], h = t[j + 1], k = t[j + 2];
            ORDER(b, c) ORDER(e, f) ORDER(h, k) ORDER(a, b) ORDER(d, e) ORDER(g, h) ORDER(b, c) ORDER(e, f) ORDER(h, k)
            /* the greatest of the least, the median of the middle and the least of the greatest */
            g = MAX(MAX(a, d), g), f = MIN(MIN(c, f), k);
            ORDER(b, e)
            e = MAX(b, MIN(e, h));
            ORDER(g, f)
            o[j] = MAX(g, MIN(e, f));
        }
        B *u = rows[0];
        rows[0] = rows[1], rows[1] = rows[2], rows[2] = u;
    }
    free(zero);
}

I otsu(const B *v, I n, I m) {
    I count[4][256] = {{0}}, w = 0, sum = 0, all = 0, best = 0;
    for (I i = 0; i < n * m; i += 4)
        for (I k = 0; k < 4 && i + k < n * m; k++) count[k][v[i + k]]++;
    for (I k = 0; k < 256; k++) all += k * (count[0][k] += count[1][k] + count[2][k] + count[3][k]);
    double greatest = -1, scale = (double)(n * m) / all;
    for (I k = 0; k < 256; k++) {
        w += count[0][k], sum += k * count[0][k];
        const double d = sum * scale - w, between = d * d / MAX(1, w * (n * m - w));
        if (between > greatest) greatest = between, best = k;
    }
    return best + 1;
}

void turned(const B *v, I n, I m, B *out) { /* by blocks */
    for (I a = 0; a < n; a += 32)
        for (I b = 0; b < m; b += 32)
            for (I j = b; j < MIN(b + 32, m); j++)
                for (I i = a; i < MIN(a + 32, n); i++) out[j * n + (n - 1 - i)] = v[i * m + j];
}

void channels(const B *v, I n, I three, I *out) {
    I count[2][768] = {{0}};
    for (I i = 0; i < n; i++)
        for (I k = 0; k < 3; k++) count[i & 1][256 * k + v[3 * i + k]]++;
    for (I k = 0; k < 768; k++) out[k] = count[0][k] + count[1][k];
}

void convolved(const double *k, I five, I five2, const double *v, I n, I m, double *out) {
    double *pad = calloc((n + 4) * (m + 4), sizeof(double));
    for (I i = 0; i < n; i++) memcpy(pad + (i + 2) * (m + 4) + 2, v + i * m, m * sizeof(double));
    for (I i = 0; i < n; i++) {
        const double *at = pad + i * (m + 4);
        EACH for (I j = 0; j < m; j++) {
            double sum = 0;
            for (I a = 0; a < 5; a++)
                for (I b = 0; b < 5; b++) sum += k[a * 5 + b] * at[a * (m + 4) + b + j];
            out[i * m + j] = sum;
        }
    }
    free(pad);
}

void toYuv(const B *v, I n, I three, I *out) {
    for (I i = 0; i < n; i++) {
        const double r = v[3 * i], g = v[3 * i + 1], b = v[3 * i + 2], near = 0.5 + 1e-10; /* as 1-⎕CT is 1 */
        out[3 * i] = (I)(0.299 * r + 0.587 * g + 0.114 * b + near);
        out[3 * i + 1] = (I)(-0.169 * r - 0.331 * g + 0.5 * b + (128 + near));
        out[3 * i + 2] = (I)(0.5 * r - 0.419 * g - 0.081 * b + (128 + near));
    }
}

/* Texts. */

void fields(const C *v, I n, I *out) {
    I lines = 0, i = 0;
    while (i < n) {
        if (v[i] == '\n') { i++; continue; }
        I count = 1;
        while (i < n && v[i] != '\n') count += v[i++] == ',';
        out[lines++] = count;
    }
}

void frequencies(const C *v, I n, I *out) {
    I count[4][256] = {{0}};
    for (I i = 0; i < n; i++) count[i & 3][v[i] < 256 ? v[i] : 0]++;
    for (I k = 0; k < 26; k++) out[k] = count[0]['a' + k] + count[1]['a' + k] + count[2]['a' + k] + count[3]['a' + k];
}

double roman(const C *v, I n) {
    static int t[256];
    t['I'] = 1, t['V'] = 5, t['X'] = 10, t['L'] = 50, t['C'] = 100, t['D'] = 500, t['M'] = 1000;
    I sum = 0, last = 0;
    for (I i = n - 1; i >= 0; i--) {
        const I x = t[v[i] & 255];
        sum += x < last ? -x : x, last = x;
    }
    return sum;
}

void base64(const B *v, I n, C *out) {
    static const char a[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (I i = 0; i < n / 3; i++) {
        const uint32_t x = v[3 * i] << 16 | v[3 * i + 1] << 8 | v[3 * i + 2];
        out[4 * i] = a[x >> 18], out[4 * i + 1] = a[x >> 12 & 63], out[4 * i + 2] = a[x >> 6 & 63], out[4 * i + 3] = a[x & 63];
    }
}

void titled(const C *v, I n, C *out) {
    out[0] = v[0] - 32 * (v[0] - 'a' < 26);
    EACH for (I i = 1; i < n; i++) out[i] = v[i] - 32 * ((v[i - 1] == ' ') & (v[i] - 'a' < 26));
}

void columnSums(const C *v, I n, double *out) {
    I sum[8] = {0}, i = 0;
    while (i < n)
        for (I k = 0; k < 8; k++) {
            I x = 0;
            while (i < n && v[i] - '0' < 10) x = 10 * x + v[i++] - '0';
            sum[k] += x, i++;
        }
    for (I k = 0; k < 8; k++) out[k] = sum[k];
}

I levenshtein(const C *a, I n, const C *b, I m) {
    I r[m + 1];
    for (I j = 0; j <= m; j++) r[j] = j;
    for (I i = 0; i < n; i++) {
        I diagonal = r[0], left = ++r[0];
        for (I j = 1; j <= m; j++) {
            const I other = MIN(r[j] + 1, diagonal + (a[i] != b[j - 1]));
            diagonal = r[j], r[j] = left = MIN(other, left + 1);
        }
    }
    return r[m];
}

/* Graphs. */

void floyd(const double *v, I n, I m, double *out) {
    memcpy(out, v, n * n * sizeof(double));
    double row[n];
    for (I k = 0; k < n; k++) {
        memcpy(row, out + k * n, n * sizeof(double));
        for (I i = 0; i < n; i++) {
            double *to = out + i * n;
            const double d = to[k];
            EACH for (I j = 0; j < n; j++) to[j] = MIN(to[j], d + row[j]);
        }
    }
}

static uint64_t *bits(const B *v, I n, I m) { /* rows of bits */
    const I words = (m + 63) / 64;
    uint64_t *b = calloc(n * words, 8);
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j += 8) {
            uint64_t eight = 0;
            memcpy(&eight, v + i * m + j, MIN(8, m - j));
            b[i * words + j / 64] |= (eight * 0x0102040810204080ULL >> 56) << (j & 63);
        }
    return b;
}

double triangles(const B *v, I n, I m) {
    const I words = (n + 63) / 64;
    uint64_t *b = bits(v, n, n);
    I sum = 0;
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++)
            if (v[i * n + j])
                for (I k = 0; k < words; k++) sum += __builtin_popcountll(b[i * words + k] & b[j * words + k]);
    free(b);
    return sum / 6.0;
}

void components(I n, const I *e, I m, I two, I *out) {
    for (I i = 0; i < n; i++) out[i] = i + 1;
    for (B changed = 1; changed;) {
        changed = 0;
        for (I i = 0; i < m; i++) {
            I *a = &out[e[2 * i] - 1], *b = &out[e[2 * i + 1] - 1];
            const I least = MIN(*a, *b);
            changed |= *a != *b, *a = *b = least;
        }
    }
}

void pageRank(const B *v, I n, I m, double *out) {
    double *p = malloc(n * n * sizeof(double)), *now = calloc(n, sizeof(double));
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++) now[j] += v[i * n + j];
    for (I j = 0; j < n; j++) now[j] = 0.85 / now[j];
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++) p[i * n + j] = v[i * n + j] * now[j];
    for (I j = 0; j < n; j++) out[j] = 1.0 / n;
    for (I k = 0; k < 20; k++) {
        memcpy(now, out, n * sizeof(double));
        for (I i = 0; i < n; i++) {
            double sum = 0;
            SUM(sum) for (I j = 0; j < n; j++) sum += p[i * n + j] * now[j];
            out[i] = 0.15 / n + sum;
        }
    }
    free(p), free(now);
}

void degrees(I n, const I *e, I m, I two, I *out) {
    memset(out, 0, n * sizeof(I));
    for (I i = 0; i < 2 * m; i++) out[e[i] - 1]++;
}

/* Recurrences. */

void cubeRoots(const double *v, I n, double *out) {
    for (I at = 0; at < n; at += 16) { /* four vectors, whose waiting overlaps */
        V a[4] = {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}, x[4];
        const I some = MIN(16, n - at);
        memcpy(a, v + at, some * sizeof(double)), memcpy(x, a, sizeof a);
        for (I k = 0; k < 10; k++)
#pragma GCC unroll 4
            for (I i = 0; i < 4; i++) x[i] = (2 * x[i] + a[i] / (x[i] * x[i])) / 3;
        memcpy(out + at, x, some * sizeof(double));
    }
}

void thomas(const double *f, I n, I three, const double *d, I m, double *x) {
    double *b = malloc(n * sizeof(double));
    b[0] = f[1], x[0] = d[0];
    for (I i = 1; i < n; i++) {
        const double w = f[3 * i] / b[i - 1];
        b[i] = f[3 * i + 1] - w * f[3 * i - 1], x[i] = d[i] - w * x[i - 1];
    }
    x[n - 1] /= b[n - 1];
    for (I i = n - 2; i >= 0; i--) x[i] = (x[i] - f[3 * i + 2] * x[i + 1]) / b[i];
    free(b);
}

I knapsack(const I *w, I n, const I *v, I m) {
    I *d = calloc(10001, sizeof(I)), *next = malloc(10001 * sizeof(I));
    for (I i = 0; i < n; i++) {
        memcpy(next, d, w[i] * sizeof(I));
        const I weight = w[i], value = v[i], *from = d - weight;
        EACH for (I j = weight; j < 10001; j++) {
            const I with = value + from[j];
            next[j] = with > d[j] ? with : d[j];
        }
        I *t = d;
        d = next, next = t;
    }
    const I best = d[10000];
    free(d), free(next);
    return best;
}

I lcs(const C *a, I n, const C *b, I m) {
    I r[m + 1];
    memset(r, 0, sizeof r);
    for (I i = 0; i < n; i++) {
        I diagonal = 0, left = 0;
        for (I j = 1; j <= m; j++) {
            const I other = MAX(r[j], diagonal + (a[i] == b[j - 1]));
            diagonal = r[j], r[j] = left = MAX(other, left);
        }
    }
    return r[m];
}

void viterbi(const double *t, I s1, I s2, const double *e, I n, I s, double *out) { /* 16 states */
    double v[16];
    memcpy(v, e, sizeof v);
    for (I i = 1; i < n; i++) {
        double next[16];
        for (I j = 0; j < 16; j++) next[j] = v[0] + t[j];
        for (I k = 1; k < 16; k++)
            for (I j = 0; j < 16; j++) next[j] = MAX(next[j], v[k] + t[16 * k + j]);
        for (I j = 0; j < 16; j++) v[j] = e[16 * i + j] + next[j];
    }
    memcpy(out, v, sizeof v);
}

void streams(I times, const I *v, I n, I *out) {
    EACH for (I i = 0; i < n; i++) {
        uint64_t x = v[i];
        for (I k = 0; k < times; k++) { /* a Mersenne prime: two foldings */
            x *= 16807;
            x = (x & 2147483647) + (x >> 31);
            x = x >= 2147483647 ? x - 2147483647 : x;
        }
        out[i] = x;
    }
}

/* Dates and times. */

void clock(const I *v, I n, I *out) {
    EACH for (I i = 0; i < n; i++) {
        const I minutes = v[i] / 60, hours = minutes / 60;
        out[i] = hours % 24, out[n + i] = minutes - 60 * hours, out[2 * n + i] = v[i] - 60 * minutes;
    }
}

static I digit(C c) { return c - '0' < 10 ? c - '0' : 10; }

void seconds(const C *v, I n, I eight, I *out) {
    EACH for (I i = 0; i < n; i++) {
        const C *t = v + 8 * i;
        out[i] = 36000 * digit(t[0]) + 3600 * digit(t[1]) + 600 * digit(t[3]) + 60 * digit(t[4]) + 10 * digit(t[6]) + digit(t[7]);
    }
}

void monthEnds(const I *v, I n, I *out) {
    I count = 0;
    I month = v[0] / 100;
    for (I i = 0; i + 1 < n; i++) {
        const I next = v[i + 1] / 100;
        if (next != month) out[count++] = v[i];
        month = next;
    }
    out[count] = v[n - 1];
}

/* Bits. */

void bitCounts(const I *v, I n, I *out) {
    for (I i = 0; i < n; i++) out[i] = __builtin_popcount((uint32_t)v[i]);
}

void grayDecoded(const I *v, I n, I *out) {
    EACH for (I i = 0; i < n; i++) {
        I x = v[i] & 65535;
        x ^= x >> 8, x ^= x >> 4, x ^= x >> 2, x ^= x >> 1;
        out[i] = x;
    }
}

void bitsReversed(const I *v, I n, I *out) {
    EACH for (I i = 0; i < n; i++) {
        I x = v[i] & 65535;
        x = x >> 8 | (x & 255) << 8, x = (x >> 4 & 0x0f0f) | (x & 0x0f0f) << 4;
        x = (x >> 2 & 0x3333) | (x & 0x3333) << 2, x = (x >> 1 & 0x5555) | (x & 0x5555) << 1;
        out[i] = x;
    }
}

void hamming(const B *v, I n, I m, I *out) {
    const I words = (m + 63) / 64;
    uint64_t *b = bits(v, n, m);
    for (I i = 0; i < n; i++)
        for (I j = 0; j <= i; j++) {
            I sum = 0;
            for (I k = 0; k < words; k++) sum += __builtin_popcountll(b[i * words + k] ^ b[j * words + k]);
            out[i * n + j] = out[j * n + i] = sum;
        }
    free(b);
}

I crc(const I *t, I k, const I *v, I n) {
    I c = 0;
    for (I i = 0; i < n; i++) c = c >> 8 ^ t[(c ^ v[i]) & 255];
    return c;
}

/* Linear algebra. */

void jacobi(const double *m, I n, I n2, const double *b, I n3, double *x) {
    double *now = malloc(n * sizeof(double));
    for (I i = 0; i < n; i++) x[i] = b[i] / m[i * n + i];
    for (I k = 0; k < 10; k++) {
        memcpy(now, x, n * sizeof(double));
        for (I i = 0; i < n; i++) {
            double sum = 0;
            SUM(sum) for (I j = 0; j < n; j++) sum += m[i * n + j] * now[j];
            x[i] = now[i] + (b[i] - sum) / m[i * n + i];
        }
    }
    free(now);
}

void cholesky(const double *a, I n, I m, double *l) { /* the lower half only */
    memset(l, 0, n * n * sizeof(double));
    for (I i = 0; i < n; i++) memcpy(l + i * n, a + i * n, (i + 1) * sizeof(double));
    double c[n];
    for (I j = 0; j < n; j++) {
        const double d = l[j * n + j] = sqrt(l[j * n + j]);
        for (I i = j + 1; i < n; i++) c[i] = l[i * n + j] /= d;
        for (I i = j + 1; i < n; i++)
            for (I k = j + 1; k <= i; k++) l[i * n + k] -= c[i] * c[k];
    }
}

void squaredDistances(const double *v, I n, I m, double *out) { /* 8 columns */
    double *t = malloc(n * 8 * sizeof(double)), *d = calloc(n, sizeof(double));
    for (I i = 0; i < n; i++)
        for (I k = 0; k < 8; k++) t[k * n + i] = v[i * 8 + k], d[i] += v[i * 8 + k] * v[i * 8 + k];
    for (I i = 0; i < n; i++) {
        const double *r = v + i * 8;
        EACH for (I j = 0; j < n; j++) {
            double sum = 0;
#pragma GCC unroll 8
            for (I k = 0; k < 8; k++) sum += r[k] * t[k * n + j];
            out[i * n + j] = d[i] + d[j] - 2 * sum;
        }
    }
    free(t), free(d);
}

/* Simulations. */

void rule30(I times, const B *v, I n, B *out) {
    B *a = malloc(n + 2), *b = malloc(n + 2);
    memcpy(a + 1, v, n);
    for (I k = 0; k < times; k++) {
        a[0] = a[n], a[n + 1] = a[1];
        EACH for (I i = 1; i <= n; i++) b[i] = a[i - 1] ^ (a[i] | a[i + 1]);
        B *t = a;
        a = b, b = t;
    }
    memcpy(out, a + 1, n);
    free(a), free(b);
}

void heat(I times, const double *v, I n, I m, double *out) {
    double *a = malloc(n * m * sizeof(double)), *b = malloc(n * m * sizeof(double));
    memcpy(a, v, n * m * sizeof(double));
    for (I k = 0; k < times; k++) {
        for (I i = 0; i < n; i++) {
            const double *at = a + i * m, *up = a + (i ? i - 1 : n - 1) * m, *down = a + (i < n - 1 ? i + 1 : 0) * m;
            double *to = b + i * m;
#define HEAT(l, j, r) to[j] = at[j] + 0.2 * (at[r] + (at[l] + (down[j] + (up[j] - 4 * at[j]))))
            HEAT(m - 1, 0, 1);
            EACH for (I j = 1; j < m - 1; j++) HEAT(j - 1, j, j + 1);
            HEAT(m - 2, m - 1, 0);
        }
        double *t = a;
        a = b, b = t;
    }
    memcpy(out, a, n * m * sizeof(double));
    free(a), free(b);
}

void sandpile(I times, const I *v, I n, I m, I *out) { /* with a border of zeros */
    const I w = m + 2;
    I *t = calloc((n + 2) * w, sizeof(I));
    memcpy(out, v, n * m * sizeof(I));
    for (I k = 0; k < times; k++) {
        for (I i = 0; i < n; i++)
            EACH for (I j = 0; j < m; j++) t[(i + 1) * w + j + 1] = out[i * m + j] >> 2;
        for (I i = 0; i < n; i++) {
            const I *at = t + (i + 1) * w + 1;
            EACH for (I j = 0; j < m; j++) out[i * m + j] = (out[i * m + j] & 3) + at[j - w] + at[j + w] + at[j - 1] + at[j + 1];
        }
    }
    free(t);
}

void gravity(const double *mass, I n, const double *p, I three, I n2, double *out) {
    const double *x = p, *y = p + n, *z = p + 2 * n;
    for (I j = 0; j < n; j++) {
        double a = 0, b = 0, c = 0;
        SUM(a, b, c) for (I i = 0; i < n; i++) {
            const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], s = dx * dx + dy * dy + dz * dz + 0.01;
            const double w = mass[i] / (s * sqrt(s));
            a += w * dx, b += w * dy, c += w * dz;
        }
        out[j] = a, out[n + j] = b, out[2 * n + j] = c;
    }
}

I wander(const I *v, I n) {
    static const I dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    I x = 0, y = 0, best = 0;
    for (I i = 0; i < n; i++) {
        x += dx[v[i]], y += dy[v[i]];
        const I d = x * x + y * y;
        best = MAX(best, d);
    }
    return best;
}

/* Sets and keys. */

typedef struct { uint64_t k; uint64_t i; } P;

void ranks(const double *v, I n, I *out) {
    static I count[6][2048];
    memset(count, 0, sizeof count);
    P *a = malloc(n * sizeof(P)), *b = malloc(n * sizeof(P));
    for (I i = 0; i < n; i++) {
        a[i] = (P){key(v[i]), i};
        for (I p = 0; p < 6; p++) count[p][a[i].k >> (11 * p) & 2047]++;
    }
    for (I p = 0; p < 6; p++) {
        I sum = 0;
        for (I k = 0; k < 2048; k++) { const I c = count[p][k]; count[p][k] = sum, sum += c; }
        for (I i = 0; i < n; i++) b[count[p][a[i].k >> (11 * p) & 2047]++] = a[i];
        P *t = a;
        a = b, b = t;
    }
    for (I i = 0; i < n; i++) out[a[i].i] = i + 1;
    free(a), free(b);
}

static int down(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

void topK(I k, const double *v, I n, double *out) { /* a heap, whose least is on top */
    for (I i = 0; i < k; i++) out[i] = v[i];
    for (I s = k / 2 - 1, i = k - 1; i < n; i++) {
        double x;
        I at = 0;
        if (s >= 0) x = out[at = s--], i--;
        else if (i >= k && v[i] > out[0]) x = v[i];
        else continue;
        for (I c; (c = 2 * at + 1) < k; at = c) {
            c += c + 1 < k && out[c + 1] < out[c];
            if (out[c] >= x) break;
            out[at] = out[c];
        }
        out[at] = x;
    }
    qsort(out, k, sizeof(double), down);
}

static double nth(double *v, I n, I k) { /* quickselect */
    for (I low = 0, high = n - 1; low < high;) {
        const double pivot = v[(low + high) / 2];
        I i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot) i++;
            while (pivot < v[j]) j--;
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

void groupMedians(const I *k, I n, const double *v, I m, double *out) {
    I low = k[0], high = k[0], groups = 0;
    for (I i = 0; i < n; i++) low = MIN(low, k[i]), high = MAX(high, k[i]);
    I *group = calloc(high - low + 1, sizeof(I)), *count = calloc(high - low + 2, sizeof(I));
    double *w = malloc(n * sizeof(double));
    for (I i = 0; i < n; i++) {
        I *g = &group[k[i] - low];
        if (!*g) *g = ++groups;
        count[*g]++;
    }
    for (I g = 1; g <= groups; g++) count[g] += count[g - 1];
    for (I i = 0; i < n; i++) w[count[group[k[i] - low] - 1]++] = v[i];
    for (I g = 0, start = 0; g < groups; start = count[g++]) {
        const I size = count[g] - start;
        out[g] = nth(w + start, size, (size + 1) / 2 - 1);
    }
    free(group), free(count), free(w);
}

void joined(const I *t, I k, I two, const I *v, I n, I *out) { /* a hash table of rows */
    I size = 1;
    while (size < 2 * k) size *= 2;
    const int shift = 64 - __builtin_ctzll(size);
    int32_t *table = calloc(size, sizeof(int32_t));
    for (I i = 0; i < k; i++) {
        I at = (uint64_t)t[2 * i] * 0x9E3779B97F4A7C15ULL >> shift;
        while (table[at] && t[2 * table[at] - 2] != t[2 * i]) at = (at + 1) & (size - 1);
        if (!table[at]) table[at] = i + 1;
    }
    for (I i = 0; i < n; i++) {
        I at = (uint64_t)v[i] * 0x9E3779B97F4A7C15ULL >> shift;
        while (table[at] && t[2 * table[at] - 2] != v[i]) at = (at + 1) & (size - 1);
        out[i] = table[at] ? t[2 * table[at] - 1] : 0;
    }
    free(table);
}

I distinct(const I *v, I n) {
    I size = 1, count = 0, zero = 0;
    while (size < 2 * n) size *= 2;
    const int shift = 64 - __builtin_ctzll(size);
    I *table = calloc(size, sizeof(I));
    for (I i = 0; i < n; i++) {
        if (!v[i]) { zero = 1; continue; }
        I at = (uint64_t)v[i] * 0x9E3779B97F4A7C15ULL >> shift;
        while (table[at] && table[at] != v[i]) at = (at + 1) & (size - 1);
        count += !table[at], table[at] = v[i];
    }
    free(table);
    return count + zero;
}

void bucketMeans(const double *w, I n, const double *v, I m, double *out) {
    double sum[2][64] = {{0}};
    I count[2][64] = {{0}};
    for (I i = 0; i < n; i++) {
        const I b = (I)(64 * v[i]);
        sum[i & 1][b] += w[i], count[i & 1][b]++;
    }
    for (I k = 0; k < 64; k++) out[k] = (sum[0][k] + sum[1][k]) / (count[0][k] + count[1][k]);
}

/* Nested data. */

void wordLengths(const C *v, I n, I *out) {
    memset(out, 0, 32 * sizeof(I));
    for (I i = 0, start = 0; i <= n; i++)
        if (i == n || v[i] == ' ') {
            if (i > start) out[MIN(i - start, 32) - 1]++;
            start = i + 1;
        }
}

void longestWord(const C *v, I n, C *out) {
    I best = 0, at = 0, length = 0;
    for (I i = 0; i < n; i++) {
        length = v[i] == ' ' ? 0 : length + 1;
        if (length > best) best = length, at = i + 1;
    }
    memcpy(out, v + at - best, best * sizeof(C));
}

I palindromes(const C *v, I n) {
    I count = 0;
    for (I i = 0, start = 0; i <= n; i++)
        if (i == n || v[i] == ' ') {
            if (i > start) {
                I a = start, b = i - 1;
                while (a < b && v[a] == v[b]) a++, b--;
                count += a >= b;
            }
            start = i + 1;
        }
    return count;
}

double bestStreak(const double *v, I n) { /* sums of positive numbers only grow */
    double best = 0, sum = 0;
    for (I i = 0; i < n; i++) {
        sum = v[i] > 0 ? sum + v[i] : 0;
        best = MAX(best, sum);
    }
    return best > 0 ? best : -1.7976931348623157e308;
}

I vowelless(const C *v, I n) {
    static B vowel[256];
    vowel['a'] = vowel['e'] = vowel['i'] = vowel['o'] = vowel['u'] = 1;
    I count = 0;
    B any = 0, in = 0;
    for (I i = 0; i < n; i++) {
        if (v[i] == ' ') count += in & !any, in = any = 0;
        else in = 1, any |= v[i] < 256 ? vowel[v[i]] : 0;
    }
    return count + (in & !any);
}
