/* The programs of everyday.apl by hand: an array is a pointer and then its extents, a result that is one a pointer behind
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
extern double pow(double, double);
#pragma omp declare simd notinbranch
extern double sin(double);
#pragma omp declare simd notinbranch
extern double cos(double);

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
#define SHARED_SUM(...) _Pragma(TEXT_(omp parallel for simd reduction(+ : __VA_ARGS__)))

/* Bonds and loans. */

void forwards(const double *y, I n, double *out) {
    SHARED for (I from = 0; from < n; from += 256) {
        double d[257];
        const I m = MIN(256, n - from);
        d[0] = from ? exp(-y[from - 1] * from) : 1;
        EACH for (I i = 0; i < m; i++) d[i + 1] = exp(-y[from + i] * (from + i + 1));
        EACH for (I i = 0; i < m; i++) out[from + i] = d[i] / d[i + 1];
    }
}

void bonds(const double *d, I k, const double *b, I n, I two, double *out) {
    double *a = malloc(k * sizeof *a), s = 0;
    for (I i = 0; i < k; i++) a[i] = s += d[i];
    SHARED for (I i = 0; i < n; i++) {
        const I m = (I)b[2 * i + 1] - 1;
        out[i] = b[2 * i] * a[m] + d[m];
    }
    free(a);
}

void convexities(double y, const double *c, I n, I k, double *out) {
    double d[64], e[64];
    for (I t = 0; t < k; t++) d[t] = pow(y, -(t + 1.0)), e[t] = d[t] * (t + 1) * (t + 2);
    SHARED for (I i = 0; i < n; i++) {
        double p = 0, q = 0;
        SUM(p, q) for (I t = 0; t < k; t++) p += c[i * k + t] * e[t], q += c[i * k + t] * d[t];
        out[i] = p / q;
    }
}

void internalRates(const double *c, I n, I k, double *out) { /* Horner's rule, eight investments at a time */
    SHARED for (I from = 0; from < n; from += 8) {
        const I m = MIN(8, n - from);
        double t[64][8] = {{0}}, r[8];
        for (I i = 0; i < m; i++)
            for (I j = 0; j < k; j++) t[j][i] = c[(from + i) * k + j];
        for (int i = 0; i < 8; i++) r[i] = 0.1;
        for (int round = 0; round < 8; round++) {
            double p[8] = {0}, q[8] = {0}, v[8];
            for (int i = 0; i < 8; i++) v[i] = 1 / (1 + r[i]);
            for (I j = k - 1; j >= 0; j--)
                for (int i = 0; i < 8; i++) p[i] = p[i] * v[i] + t[j][i], q[i] = q[i] * v[i] + j * t[j][i];
            for (int i = 0; i < 8; i++) r[i] += p[i] * (1 + r[i]) / q[i];
        }
        for (I i = 0; i < m; i++) out[from + i] = r[i];
    }
}

void schedule(double p, double r, I n, double *out) {
    const double a = p * (r / (1 - pow(1 + r, -(double)n)));
    SHARED for (I from = 0; from < n; from += 256) {
        double b[257];
        const I m = MIN(256, n - from);
        EACH for (I i = 0; i <= m; i++) {
            const double g = pow(1 + r, from + i);
            b[i] = p * g - a * ((g - 1) / r);
        }
        if (!from) b[0] = p;
        for (I i = 0; i < m; i++) {
            double *o = out + 3 * (from + i);
            o[0] = a - r * b[i], o[1] = r * b[i], o[2] = b[i + 1];
        }
    }
}

/* Markets. */

void riskMetrics(double l, const double *r, I n, I k, double *out) {
    double s[64][64] = {{0}};
    for (I i = 0; i < n; i++)
        for (I a = 0; a < k; a++)
            EACH for (I b = 0; b < k; b++) s[a][b] += r[i * k + a] * r[i * k + b];
    for (I a = 0; a < k; a++)
        for (I b = 0; b < k; b++) s[a][b] /= n;
    for (I i = 0; i < n; i++)
        for (I a = 0; a < k; a++) {
            const double x = (1 - l) * r[i * k + a];
            EACH for (I b = 0; b < k; b++) s[a][b] = l * s[a][b] + x * r[i * k + b];
        }
    for (I a = 0; a < k; a++) memcpy(out + a * k, s[a], k * sizeof(double));
}

void vwap(const I *t, I n, const double *v, I k, I two, double *out) { /* times ascend */
    I at = 0;
    for (I i = 0; i < n;) {
        const I m = t[i] / 60, end = 60 * (m + 1);
        double p = 0, q = 0;
        for (; i < n && t[i] < end; i++) p += v[2 * i] * v[2 * i + 1], q += v[2 * i + 1];
        out[at++] = p / q;
    }
}

void binPrices(const I *t, I n, const double *v, I k, I two, double *out) { /* times in any order */
    I most = 0;
    for (I i = 0; i < n; i++) most = MAX(most, t[i]);
    const I m = most / 60 + 1;
    double *s = calloc(2 * m, sizeof *s);
    for (I i = 0; i < n; i++) {
        const I b = (uint64_t)t[i] / 60;
        s[2 * b] += v[2 * i] * v[2 * i + 1], s[2 * b + 1] += v[2 * i + 1];
    }
    for (I b = 0; b < m; b++) out[b] = s[2 * b] / s[2 * b + 1];
    free(s);
}

void microPrices(const double *q, I n, I four, double *out) {
    SHARED for (I i = 0; i < n; i++) {
        const double *r = q + 4 * i;
        out[i] = (r[0] * r[3] + r[1] * r[2]) / (r[2] + r[3]);
    }
}

void book(I n, const I *e, I m, I three, I *out) {
    I *b = calloc(2 * n, sizeof *b), *a = b + n;
    for (I i = 0; i < m; i++) {
        (e[3 * i] == 1 ? b : a)[e[3 * i + 1] - 1] = e[3 * i + 2];
        I low = 0, high = n;
        while (low < n && a[low] <= 0) low++;
        while (high > 0 && b[high - 1] <= 0) high--;
        out[i] = low + 1 - high;
    }
    free(b);
}

double trueRange(const double *v, I three, I n) {
    const double *h = v, *l = v + n, *c = l + n;
    double s = 0;
    for (I i = 1; i < 15; i++) s += MAX(h[i] - l[i], MAX(fabs(h[i] - c[i - 1]), fabs(l[i] - c[i - 1])));
    return s / 14;
}

void winters(const double *p, I three, const double *x, I n, double *w) {
    double l = x[0], t = 0, s[12] = {0};
    for (I i = 0, j = 0; i < n; i++, j = j == 11 ? 0 : j + 1) {
        w[i] = l + t + s[j];
        const double o = l;
        l = p[0] * (x[i] - s[j]) + (1 - p[0]) * (l + t);
        t = p[1] * (l - o) + (1 - p[1]) * t;
        s[j] = p[2] * (x[i] - l) + (1 - p[2]) * s[j];
    }
}

/* Samples. */

typedef struct {
    uint64_t key;
    I at;
} Pair;

static void ranked(const double *x, I n, I *rank) { /* numbers between 0 and 1, by eleven bits at a time */
    Pair *v = malloc(2 * n * sizeof *v), *w = v + n;
    static I h[6][2048];
    memset(h, 0, sizeof h);
    for (I i = 0; i < n; i++) {
        memcpy(&v[i].key, x + i, 8);
        v[i].at = i;
        for (int d = 0; d < 6; d++) h[d][v[i].key >> 11 * d & 2047]++;
    }
    for (int d = 0; d < 6; d++) {
        I at = 0;
        for (int k = 0; k < 2048; k++) {
            const I c = h[d][k];
            h[d][k] = at, at += c;
        }
        for (I i = 0; i < n; i++) w[h[d][v[i].key >> 11 * d & 2047]++] = v[i];
        Pair *t = v;
        v = w, w = t;
    }
    for (I i = 0; i < n; i++) rank[v[i].at] = i;
    free(v);
}

double spearman(const double *x, I n, const double *y, I m) {
    I *a = malloc(2 * n * sizeof *a), *b = a + n, s = 0;
    ranked(x, n, a), ranked(y, n, b);
    SUM(s) for (I i = 0; i < n; i++) s += (a[i] - b[i]) * (a[i] - b[i]);
    free(a);
    return 1 - 6.0 * s / (n * ((double)n * n - 1));
}

double kendall(const double *x, I n, const double *y, I m) {
    I s = 0;
    SHARED_SUM(s) for (I i = 0; i < n; i++) {
        int t = 0;
        for (I j = 0; j < i; j++) t += ((x[i] > x[j]) - (x[i] < x[j])) * ((y[i] > y[j]) - (y[i] < y[j]));
        s += t;
    }
    return 2.0 * s / (n * (n - 1));
}

double jackknife(const double *x, I n) {
    double a = 0, b = 0, s = 0, q = 0;
    SHARED_SUM(a, b) for (I i = 0; i < n; i++) a += x[i], b += x[i] * x[i];
    double *v = malloc(n * sizeof *v);
    SHARED_SUM(s) for (I i = 0; i < n; i++) {
        const double m = (a - x[i]) / (n - 1);
        s += v[i] = sqrt((b - x[i] * x[i]) / (n - 1) - m * m);
    }
    SHARED_SUM(q) for (I i = 0; i < n; i++) q += (v[i] - s / n) * (v[i] - s / n);
    free(v);
    return sqrt((n - 1.0) / n * q);
}

double signTest(const I *g, I n, I k, const double *x, I m) {
    double t = 0;
    for (I j = 0; j < k; j++) t += x[j];
    I c = 0;
    SHARED_SUM(c) for (I i = 0; i < n; i++) {
        double s = 0;
        SUM(s) for (I j = 0; j < k; j++) s += g[i * k + j] * x[j];
        c += fabs(s) >= fabs(t);
    }
    return c / (double)n;
}

static double chosen(double *v, I n, I k) { /* the k-th of all, by quickselect */
    I low = 0, high = n - 1;
    while (low < high) {
        const double a = v[low], b = v[(low + high) / 2], c = v[high];
        const double p = MAX(MIN(a, b), MIN(MAX(a, b), c));
        I i = low, j = high;
        while (i <= j) {
            while (v[i] < p) i++;
            while (v[j] > p) j--;
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

I outliers(const double *x, I n) {
    double *v = malloc(2 * n * sizeof *v), *d = v + n;
    memcpy(v, x, n * sizeof *v);
    const I k = (n + 1) / 2 - 1;
    const double m = chosen(v, n, k);
    for (I i = 0; i < n; i++) v[i] = d[i] = fabs(x[i] - m);
    const double s = 1.4826 * chosen(v, n, k);
    I c = 0;
    SUM(c) for (I i = 0; i < n; i++) c += d[i] / s > 3;
    free(v);
    return c;
}

void correlations(const double *x, I n, I k, double *out) { /* k is 16 */
    double m[16] = {0}, c[16][16] = {{0}};
    for (I i = 0; i < n; i++)
        for (int a = 0; a < 16; a++) m[a] += x[16 * i + a];
    for (int a = 0; a < 16; a++) m[a] /= n;
    for (int half = 0; half < 16; half += 8) {
        double s[8][16] = {{0}};
        for (I i = 0; i < n; i++) {
            double d[16];
            for (int a = 0; a < 16; a++) d[a] = x[16 * i + a] - m[a];
            for (int a = 0; a < 8; a++)
                for (int b = 0; b < 16; b++) s[a][b] += d[half + a] * d[b];
        }
        memcpy(c[half], s, sizeof s);
    }
    for (int a = 0; a < 16; a++)
        for (int b = 0; b < 16; b++) out[16 * a + b] = c[a][b] / (sqrt(c[a][a]) * sqrt(c[b][b]));
}

double variance(const I *g, I m, const double *x, I n) {
    double s[2][11] = {{0}}, q[2][11] = {{0}};
    I c[2][11] = {{0}};
    for (I i = 0; i < n; i++) c[i & 1][g[i]]++, s[i & 1][g[i]] += x[i], q[i & 1][g[i]] += x[i] * x[i];
    double all = 0, between = 0, within = 0;
    for (int k = 1; k < 11; k++) s[0][k] += s[1][k], q[0][k] += q[1][k], c[0][k] += c[1][k], all += s[0][k];
    for (int k = 1; k < 11; k++) {
        const double mean = s[0][k] / c[0][k];
        between += c[0][k] * (mean - all / n) * (mean - all / n), within += q[0][k] - c[0][k] * mean * mean;
    }
    return between / 9 / (within / (n - 10));
}

/* Models. */

void vote(const double *p, I n, I five, const double *q, I m, I four, I *out) {
    double *x = malloc(4 * n * sizeof *x);
    for (I j = 0; j < n; j++)
        for (int a = 0; a < 4; a++) x[a * n + j] = p[5 * j + a];
    SHARED for (I i = 0; i < m; i++) {
        double d[512], best[10];
        I at[10], h[5] = {0}, v = 1;
        int k = 0;
        EACH for (I j = 0; j < n; j++) {
            const double a = x[j] - q[4 * i], b = x[n + j] - q[4 * i + 1];
            const double c = x[2 * n + j] - q[4 * i + 2], e = x[3 * n + j] - q[4 * i + 3];
            d[j] = a * a + b * b + (c * c + e * e);
        }
        for (I j = 0; j < n; j++)
            if (k < 9 || d[j] < best[8]) {
                int s = k < 9 ? k++ : 8;
                for (; s > 0 && best[s - 1] > d[j]; s--) best[s] = best[s - 1], at[s] = at[s - 1];
                best[s] = d[j], at[s] = j;
            }
        for (int s = 0; s < 9; s++) h[(I)p[5 * at[s] + 4]]++;
        for (int c = 2; c < 5; c++) v = h[c] > h[v] ? c : v;
        out[i] = v;
    }
    free(x);
}

void newtonSteps(const double *x, I n, I k, const B *y, I m, double *w) { /* k is 4 */
    for (int a = 0; a < 4; a++) w[a] = 0;
    for (int round = 0; round < 6; round++) {
        double g[4] = {0}, h[4][5] = {{0}};
        for (I from = 0; from < n; from += 256) {
            const I to = MIN(256, n - from);
            double p[256];
            EACH for (I i = 0; i < to; i++) {
                const double *r = x + 4 * (from + i);
                p[i] = 1 / (1 + exp(-(r[0] * w[0] + r[1] * w[1] + (r[2] * w[2] + r[3] * w[3]))));
            }
            for (I i = 0; i < to; i++) {
                const double *r = x + 4 * (from + i), e = y[from + i] - p[i], v = p[i] * (1 - p[i]);
                for (int a = 0; a < 4; a++) {
                    g[a] += r[a] * e;
                    for (int b = 0; b < 4; b++) h[a][b] += r[a] * v * r[b];
                }
            }
        }
        for (int a = 0; a < 4; a++) h[a][4] = g[a];
        for (int c = 0; c < 4; c++) { /* positive definite */
            for (int b = 4; b >= c; b--) h[c][b] /= h[c][c];
            for (int a = 0; a < 4; a++)
                if (a != c)
                    for (int b = 4; b >= c; b--) h[a][b] -= h[a][c] * h[c][b];
        }
        for (int a = 0; a < 4; a++) w[a] += h[a][4];
    }
}

void tfidf(const I *x, I n, I k, double *out) {
    I c[256] = {0};
    double w[256];
    for (I i = 0; i < n; i++)
        EACH for (I j = 0; j < k; j++) c[j] += x[i * k + j] > 0;
    for (I j = 0; j < k; j++) w[j] = log(n / (double)MAX(1, c[j]));
    SHARED for (I i = 0; i < n; i++)
        EACH for (I j = 0; j < k; j++) out[i * k + j] = x[i * k + j] * w[j];
}

void cosines(const double *x, I n, I k, double *out) { /* k is 32; by columns, in blocks of 4 rows and 16 columns */
    double *u = malloc(2 * n * 32 * sizeof *u), *t = u + n * 32;
    for (I i = 0; i < n; i++) {
        double s = 0;
        SUM(s) for (int j = 0; j < 32; j++) s += x[32 * i + j] * x[32 * i + j];
        s = sqrt(s);
        for (int j = 0; j < 32; j++) u[32 * i + j] = t[j * n + i] = x[32 * i + j] / s;
    }
    SHARED for (I i = 0; i < n; i += 4)
        for (I j = 0; j < n; j += 16) {
            const I rows = MIN(4, n - i), columns = MIN(16, n - j);
            double s[4][16] = {{0}};
            if (rows == 4 && columns == 16) {
                for (int l = 0; l < 32; l++)
                    for (int a = 0; a < 4; a++)
                        for (int b = 0; b < 16; b++) s[a][b] += u[32 * (i + a) + l] * t[l * n + j + b];
            } else
                for (int l = 0; l < 32; l++)
                    for (I a = 0; a < rows; a++)
                        for (I b = 0; b < columns; b++) s[a][b] += u[32 * (i + a) + l] * t[l * n + j + b];
            for (I a = 0; a < rows; a++)
                for (I b = 0; b < columns; b++) out[(i + a) * n + j + b] = s[a][b];
        }
    free(u);
}

void fitted(const double *x, I n, I k, const double *y, I m, double *out) { /* k is 4; Householder's reflections by columns */
    double *a = malloc(5 * n * sizeof *a), w[4];
    for (I i = 0; i < n; i++) {
        for (int j = 0; j < 4; j++) a[j * n + i] = x[4 * i + j];
        a[4 * n + i] = y[i];
    }
    for (int c = 0; c < 4; c++) {
        double *v = a + c * n, s = 0, d[5] = {0};
        SUM(s) for (I i = c; i < n; i++) s += v[i] * v[i];
        s = v[c] < 0 ? sqrt(s) : -sqrt(s);
        const double head = v[c] - s, f = -1 / (s * head);
        v[c] = head;
        for (int j = c + 1; j < 5; j++) {
            double e = 0;
            double *u = a + j * n;
            SUM(e) for (I i = c; i < n; i++) e += v[i] * u[i];
            d[j] = e * f;
            EACH for (I i = c; i < n; i++) u[i] -= d[j] * v[i];
        }
        v[c] = s;
    }
    for (int c = 3; c >= 0; c--) {
        w[c] = a[4 * n + c];
        for (int j = c + 1; j < 4; j++) w[c] -= a[j * n + c] * w[j];
        w[c] /= a[c * n + c];
    }
    SHARED_EACH for (I i = 0; i < n; i++) out[i] = x[4 * i] * w[0] + x[4 * i + 1] * w[1] + (x[4 * i + 2] * w[2] + x[4 * i + 3] * w[3]);
    free(a);
}

double forward(const double *t, I k, I kk, const double *a, I kkk, I s, const I *e, I n) {
    double p[64], q[64], l = 0;
    for (I i = 0; i < k; i++) p[i] = 1.0 / k;
    for (I x = 0; x < n; x++) {
        double sum = 0;
        for (I j = 0; j < k; j++) q[j] = 0;
        for (I i = 0; i < k; i++)
            for (I j = 0; j < k; j++) q[j] += p[i] * t[i * k + j];
        for (I j = 0; j < k; j++) sum += q[j] *= a[j * s + e[x] - 1];
        l += log(sum);
        for (I j = 0; j < k; j++) p[j] = q[j] / sum;
    }
    return l;
}

/* Matrices. */

void householder(const double *a, I m, I n, double *out) { /* rows of a are walked once for each product */
    double *r = malloc((m * n + m + n) * sizeof *r), *v = r + m * n, *w = v + m;
    memcpy(r, a, m * n * sizeof *r);
    for (I k = 0; k < n; k++) {
        double s = 0, q = 0;
        for (I i = k; i < m; i++) v[i] = r[i * n + k], s += v[i] * v[i];
        v[k] += v[k] < 0 ? -sqrt(s) : sqrt(s);
        for (I i = k; i < m; i++) q += v[i] * v[i];
        memset(w, 0, n * sizeof *w);
        for (I i = k; i < m; i++)
            EACH for (I j = k; j < n; j++) w[j] += v[i] * r[i * n + j];
        for (I i = k; i < m; i++) {
            const double f = 2 * v[i] / q;
            EACH for (I j = k; j < n; j++) r[i * n + j] -= f * w[j];
        }
    }
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++) out[i * n + j] = i <= j ? r[i * n + j] : 0;
    free(r);
}

static void times(const double *m, const double *v, I n, double *out) {
    SHARED for (I i = 0; i < n; i++) {
        double s = 0;
        SUM(s) for (I j = 0; j < n; j++) s += m[i * n + j] * v[j];
        out[i] = s;
    }
}

static double dot(const double *a, const double *b, I n) {
    double s = 0;
    SUM(s) for (I i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

double dominant(I k, const double *m, I n, I nn) {
    double *v = malloc(2 * n * sizeof *v), *x = v + n;
    for (I i = 0; i < n; i++) v[i] = 1;
    while (k--) {
        times(m, v, n, x);
        const double s = sqrt(dot(x, x, n));
        for (I i = 0; i < n; i++) v[i] = x[i] / s;
    }
    times(m, v, n, x);
    const double r = dot(v, x, n);
    free(v);
    return r;
}

void steady(I k, const double *p, I n, I nn, double *out) {
    double *w = malloc(n * sizeof *w), *v = out;
    for (I i = 0; i < n; i++) v[i] = 1.0 / n;
    while (k--) {
        memset(w, 0, n * sizeof *w);
        for (I i = 0; i < n; i++)
            EACH for (I j = 0; j < n; j++) w[j] += v[i] * p[i * n + j];
        memcpy(v, w, n * sizeof *v);
    }
    free(w);
}

void barycentric(const double *p, I two, I k, const double *v, I n, double *out) {
    const double *x = p, *y = p + k;
    double w[64];
    for (I i = 0; i < k; i++) {
        double d = 1;
        for (I j = 0; j < k; j++) d *= x[i] - x[j] + (i == j);
        w[i] = 1 / d;
    }
    SHARED_EACH for (I i = 0; i < n; i++) {
        double a = 0, b = 0;
        for (I j = 0; j < k; j++) {
            const double q = w[j] / (v[i] - x[j]);
            a += q * y[j], b += q;
        }
        out[i] = a / b;
    }
}

void divided(const double *p, I two, I n, double *c) {
    const double *x = p;
    memcpy(c, p + n, n * sizeof *c);
    for (I k = 1; k < n; k++) {
        double last = c[k - 1];
        for (I i = k; i < n; i++) {
            const double d = (c[i] - last) / (x[i] - x[i - k]);
            last = c[i], c[i] = d;
        }
    }
}

void rowsTimes(const double *v, I m, const I *c, I mm, const I *p, I n1, const double *x, I n, double *out) {
    SHARED for (I i = 0; i < n1 - 1; i++) {
        double s = 0;
        for (I j = p[i] - 1; j < p[i + 1] - 1; j++) s += v[j] * x[c[j] - 1];
        out[i] = s;
    }
}

I fibonacciPower(I m, I n) {
    I a = 1, b = 0, c = 0, d = 1;
    while (n--) {
        const I e = (uint64_t)(a + b) % m, f = (uint64_t)(c + d) % m;
        b = a, a = e, d = c, c = f;
    }
    return a;
}

/* Graphs. */

void dijkstra(I s, const double *w, I n, I nn, double *d) {
    B *done = calloc(n, 1);
    for (I i = 0; i < n; i++) d[i] = 1e9;
    d[s - 1] = 0;
    for (I k = 0; k < n; k++) {
        I u = 0;
        double least = INFINITY;
        for (I i = 0; i < n; i++)
            if (!done[i] && d[i] < least) least = d[i], u = i;
        done[u] = 1;
        EACH for (I i = 0; i < n; i++) d[i] = MIN(d[i], least + w[u * n + i]);
    }
    free(done);
}

double spanning(const double *w, I n, I nn) {
    double *d = malloc(n * sizeof *d), t = 0;
    B *done = calloc(n, 1);
    memcpy(d, w, n * sizeof *d);
    done[0] = 1;
    for (I k = 1; k < n; k++) {
        I u = 0;
        double least = INFINITY;
        for (I i = 0; i < n; i++)
            if (!done[i] && d[i] < least) least = d[i], u = i;
        t += least, done[u] = 1;
        EACH for (I i = 0; i < n; i++) d[i] = MIN(d[i], w[u * n + i]);
    }
    free(d), free(done);
    return t;
}

void relaxed(I n, const I *e, I m, I three, I *d) {
    d[0] = 0;
    for (I i = 1; i < n; i++) d[i] = 1000000;
    for (int k = 0; k < 20; k++)
        for (I i = 0; i < m; i++) {
            const I v = d[e[3 * i] - 1] + e[3 * i + 2];
            I *at = d + e[3 * i + 1] - 1;
            if (v < *at) *at = v;
        }
}

void labels(const I *e, I m, I two, I *l) {
    I n = 0, changed = 1;
    for (I i = 0; i < 2 * m; i++) n = MAX(n, e[i]);
    for (I i = 0; i < n; i++) l[i] = i + 1;
    while (changed) {
        changed = 0;
        for (I i = 0; i < m; i++) {
            I *a = l + e[2 * i] - 1, *b = l + e[2 * i + 1] - 1;
            if (*a != *b) *a = *b = MIN(*a, *b), changed = 1;
        }
    }
}

void reached(I s, const I *a, I r, I n, I *out) { /* rows that are not reached, from left to right */
    B *x = calloc(n, 1), changed = 1;
    x[s - 1] = 1;
    while (changed) {
        changed = 0;
        for (I i = 0; i < n; i++)
            for (I j = 0; j < n && !x[i]; j++)
                if (x[j] && a[i * n + j]) x[i] = changed = 1;
    }
    for (I i = 0; i < n; i++) out[i] = x[i];
    free(x);
}

void levels(const B *a, I r, I n, I *d) {
    B *f = calloc(2 * n, 1), *g = f + n, any = 1;
    for (I i = 0; i < n; i++) d[i] = -1;
    f[0] = 1;
    for (I k = 0; any; k++) {
        any = 0;
        for (I i = 0; i < n; i++)
            if (f[i]) d[i] = k;
        for (I i = 0; i < n; i++) {
            B is = 0;
            if (d[i] < 0)
                _Pragma("omp simd reduction(| : is)") for (I j = 0; j < n; j++) is |= a[i * n + j] & f[j];
            g[i] = is, any |= is;
        }
        memcpy(f, g, n);
    }
    free(f);
}

/* Tables of dynamic programming. */

I needleman(const C *a, I n, const C *b, I m) {
    I *r = malloc((m + 1) * sizeof *r);
    for (I j = 0; j <= m; j++) r[j] = -2 * j;
    for (I i = 0; i < n; i++) {
        I corner = r[0], left = r[0] = -2 * (i + 1);
        for (I j = 0; j < m; j++) {
            const I d = corner + (a[i] == b[j] ? 1 : -1), up = r[j + 1] - 2;
            corner = r[j + 1];
            r[j + 1] = left = MAX(MAX(d, up), left - 2);
        }
    }
    const I s = r[m];
    free(r);
    return s;
}

I commonSpan(const C *a, I n, const C *b, I m) { /* from the right, in place, in lanes of 16 bits */
    uint16_t *d = calloc(2 * (m + 32), sizeof *d), *o = d + 32, *w = o + m + 32, best = 0;
    for (I i = 0; i < n; i++) {
        uint16_t most = 0;
        const C c = a[i];
        _Pragma("omp simd reduction(max : most)") for (I j = 0; j < m; j++) {
            const uint16_t v = c == b[j] ? o[j - 1] + 1 : 0;
            w[j] = v, most = MAX(most, v);
        }
        best = MAX(best, most);
        uint16_t *t = o;
        o = w, w = t;
        o[-1] = 0;
    }
    free(d);
    return best;
}

I subsetSums(I n, const I *w, I m) { /* from above, in words of bits */
    const I k = n / 64 + 1;
    uint64_t *r = calloc(k, 8);
    r[0] = 1;
    for (I i = 0; i < m; i++) {
        const I q = w[i] / 64, s = w[i] % 64;
        for (I j = k - 1; j >= q; j--) {
            r[j] |= r[j - q] << s;
            if (s && j > q) r[j] |= r[j - q - 1] >> (64 - s);
        }
    }
    I c = 0;
    for (I j = 0; j < k - 1; j++) c += __builtin_popcountll(r[j]);
    c += __builtin_popcountll(r[k - 1] & (n % 64 == 63 ? ~0ull : (1ull << (n % 64 + 1)) - 1));
    free(r);
    return c;
}

/* Texts. */

void base64(const C *t, I n, C *out) {
    static const char a[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    SHARED for (I i = 0; i < n / 3; i++) {
        const C w = t[3 * i] << 16 | t[3 * i + 1] << 8 | t[3 * i + 2];
        for (int j = 0; j < 4; j++) out[4 * i + j] = a[w >> (18 - 6 * j) & 63];
    }
}

void railFence(const C *t, I n, C *out) {
    I at = 0;
    for (I i = 0; i < n; i += 6) out[at++] = t[i];
    for (int row = 1; row < 3; row++)
        for (I i = 0; i < n; i += 6) {
            if (i + row < n) out[at++] = t[i + row];
            if (i + 6 - row < n) out[at++] = t[i + 6 - row];
        }
    for (I i = 3; i < n; i += 6) out[at++] = t[i];
}

double amounts(const C *t, I n) {
    double s = 0;
    for (I i = 0; i < n;) {
        I v = 0;
        for (; i < n && t[i] != '\n'; i++) {
            if (t[i] == ',') v = 0;
            else if (t[i] != '.') v = 10 * v + (I)t[i] - '0';
        }
        i++;
        s += 0.01 * v;
    }
    return s;
}

I trigrams(const C *t, I n) {
    static C c[19683];
    memset(c, 0, sizeof c);
    C a = t[0] == ' ' ? 0 : t[0] - 96, b = t[1] == ' ' ? 0 : t[1] - 96, m = 0;
    for (I i = 2; i < n; i++) {
        const C d = t[i] == ' ' ? 0 : t[i] - 96;
        c[729 * a + 27 * b + d]++;
        a = b, b = d;
    }
    for (I i = 0; i < 19683; i++) m = MAX(m, c[i]);
    return m;
}

I polish(const C *t, I m) {
    I s[100], n = 0;
    for (I i = 0; i < m; i++)
        if (t[i] >= '0' && t[i] <= '9') s[n++] = t[i] - '0';
        else {
            n--;
            if (t[i] == '+') s[n - 1] += s[n];
            else if (t[i] == '-') s[n - 1] -= s[n];
            else s[n - 1] = (s[n - 1] * s[n] % 997 + 997) % 997;
        }
    return s[0];
}

/* Pictures. */

void distanceTransform(const B *m, I r, I c, I *d) {
    for (I i = 0; i < r * c; i++) d[i] = 1000000 * m[i];
    for (I i = 1; i < r; i++) {
        const I *u = d + (i - 1) * c;
        I *o = d + i * c, left = o[0];
        for (I j = 1; j < c - 1; j++) {
            const I v = MIN(MIN(u[j - 1], u[j + 1]) + 4, MIN(u[j], left) + 3);
            o[j] = left = MIN(o[j], v);
        }
    }
    for (I i = r - 2; i >= 0; i--) {
        const I *u = d + (i + 1) * c;
        I *o = d + i * c, right = o[c - 1];
        for (I j = c - 2; j > 0; j--) {
            const I v = MIN(MIN(u[j - 1], u[j + 1]) + 4, MIN(u[j], right) + 3);
            o[j] = right = MIN(o[j], v);
        }
    }
}

I hough(I k, const I *p, I n, I two) {
    I most = 0;
    SHARED for (I a = 0; a < k; a++) {
        const double x = cos(M_PI * a / k), y = sin(M_PI * a / k);
        I h[400] = {0}, best = 0;
        for (I i = 0; i < n; i++) h[199 + (I)floor(0.5 + (x * p[2 * i] + y * p[2 * i + 1]))]++;
        for (I j = 0; j < 400; j++) best = MAX(best, h[j]);
#pragma omp critical
        most = MAX(most, best);
    }
    return most;
}

void filled(const B *m, I r, I c, I *out) { /* sweeps of bytes, around the edges */
    B *o = calloc(2 * r * c, 1), *w = o + r * c;
    o[0] = 1;
    for (B changed = 1; changed;) {
        changed = 0;
        SHARED for (I i = 0; i < r; i++) {
            const B *u = o + (i ? i - 1 : r - 1) * c, *d = o + (i == r - 1 ? 0 : i + 1) * c, *v = o + i * c, *k = m + i * c;
            B *x = w + i * c, any = 0;
            x[0] = k[0] & (v[0] | u[0] | d[0] | v[1] | v[c - 1]);
            x[c - 1] = k[c - 1] & (v[c - 1] | u[c - 1] | d[c - 1] | v[c - 2] | v[0]);
            EACH for (I j = 1; j < c - 1; j++) x[j] = k[j] & (v[j] | u[j] | d[j] | v[j - 1] | v[j + 1]);
            _Pragma("omp simd reduction(| : any)") for (I j = 0; j < c; j++) any |= x[j] ^ v[j];
            if (any) changed = 1;
        }
        B *t = o;
        o = w, w = t;
    }
    for (I i = 0; i < r * c; i++) out[i] = o[i];
    free(MIN(o, w));
}

#define ORDER(a, b)                                   \
    {                                                 \
        const double least = MIN(a, b), most = MAX(a, b); \
        a = least, b = most;                          \
    }

void medianAt(const double *m, I r, I c, double *out) { /* columns in order, then their extrema and medians */
    double *x = calloc((r + 2) * (c + 2), sizeof *x);
    for (I i = 0; i < r; i++) memcpy(x + (i + 1) * (c + 2) + 1, m + i * c, c * sizeof *x);
    SHARED for (I i = 0; i < r; i++) {
        const double *u = x + i * (c + 2), *v = u + c + 2, *w = v + c + 2;
        EACH for (I j = 0; j < c; j++) {
            double p[9] = {u[j], v[j], w[j], u[j + 1], v[j + 1], w[j + 1], u[j + 2], v[j + 2], w[j + 2]};
            ORDER(p[1], p[2]) ORDER(p[4], p[5]) ORDER(p[7], p[8]) ORDER(p[0], p[1]) ORDER(p[3], p[4])
            ORDER(p[6], p[7]) ORDER(p[1], p[2]) ORDER(p[4], p[5]) ORDER(p[7], p[8]) ORDER(p[0], p[3])
            ORDER(p[5], p[8]) ORDER(p[4], p[7]) ORDER(p[3], p[6]) ORDER(p[1], p[4]) ORDER(p[2], p[5])
            ORDER(p[4], p[7]) ORDER(p[4], p[2]) ORDER(p[6], p[4]) ORDER(p[4], p[2])
            out[i * c + j] = p[4];
        }
    }
    free(x);
}

void swirled(const B *m, I n, I nn, B *out) {
    const double h = n / 2.0;
    SHARED for (I i = 0; i < n; i++) {
        double x[4096], y[4096];
        const double a = i + 1 - h;
        EACH for (I j = 0; j < n; j++) {
            const double b = j + 1 - h, r = 0.005 * sqrt(a * a + b * b), c = cos(r), s = sin(r);
            y[j] = floor(h + c * a - s * b), x[j] = floor(h + s * a + c * b);
        }
        for (I j = 0; j < n; j++) {
            const I q = MAX(1, MIN(n, (I)y[j])), p = MAX(1, MIN(n, (I)x[j]));
            out[i * n + j] = m[p - 1 + n * (q - 1)];
        }
    }
}

void gammas(double g, const B *m, I r, I c, I *out) {
    I t[256];
    for (int i = 0; i < 256; i++) t[i] = floor(0.5 + 255 * pow(i / 255.0, g));
    SHARED for (I i = 0; i < r * c; i++) out[i] = t[m[i]];
}

/* Simulations. */

void rule(I k, I rounds, const B *v, I n, I *out) { /* bytes, with a copy of both ends; the rule as a word */
    B *a = malloc(2 * n + 4), *b = a + n + 2;
    memcpy(a + 1, v, n);
    while (rounds--) {
        a[0] = a[n], a[n + 1] = a[1];
        EACH for (I i = 1; i <= n; i++) {
            const B l = a[i - 1], m = a[i], r = a[i + 1], x = 4 * l + 2 * m + r;
            b[i] = (k & 0xff) >> x & 1;
        }
        B *t = a;
        a = b, b = t;
    }
    for (I i = 0; i < n; i++) out[i] = a[i + 1];
    free(MIN(a, b));
}

I ant(I n, I k) {
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    B *g = calloc(n * n, 1);
    I x = (n + 1) / 2 - 1, y = x, d = 0, c = 0;
    while (k--) {
        B *at = g + x * n + y;
        *at = !*at;
        d = (d + (*at ? 1 : -1)) & 3;
        x += dx[d], y += dy[d];
        x = x < 0 ? n - 1 : x == n ? 0 : x, y = y < 0 ? n - 1 : y == n ? 0 : y;
    }
    for (I i = 0; i < n * n; i++) c += g[i];
    free(g);
    return c;
}

void shuffled(const double *r, I n, I *v) {
    for (I i = 0; i < n; i++) v[i] = i + 1;
    for (I i = n - 1; i > 0; i--) {
        const I j = (I)ceil(r[i] * (i + 1)) - 1, t = v[i];
        v[i] = v[j], v[j] = t;
    }
}

double barrier(double s, double k, double b, const double *z, I n, I m) { /* by logarithms, but for the last */
    double sum = 0;
    const double low = log(b / s);
    SHARED_SUM(sum) for (I i = 0; i < n; i++) {
        double x = 0, least = INFINITY;
        for (I j = 0; j < m; j++) x += z[i * m + j], least = MIN(least, x);
        const double v = s * exp(x) - k;
        sum += least > low && v > 0 ? v : 0;
    }
    return sum / n;
}

double areaBelow(const double *p, I n, I two) {
    I c = 0;
    SHARED_SUM(c) for (I i = 0; i < n; i++) c += p[2 * i] * p[2 * i] + p[2 * i + 1] * p[2 * i + 1] <= 1;
    return 4.0 * c / n;
}

/* Numbers and dates. */

void mobius(I n, I *m) {
    B *q = malloc(n + 1);
    memset(q, 1, n + 1);
    for (I i = 0; i < n; i++) m[i] = 1;
    for (I p = 2; p <= n; p++)
        if (q[p]) {
            for (I i = p; i <= n; i += p) q[i] = 0, m[i - 1] = -m[i - 1];
            if (p * p <= n)
                for (I i = p * p; i <= n; i += p * p) m[i - 1] = 0;
        }
    free(q);
}

void varints(const B *b, I n, double *out) {
    I at = 0, v = 0, s = 0;
    for (I i = 0; i < n; i++) {
        v |= (I)(b[i] & 127) << s, s += 7;
        if (b[i] < 128) out[at++] = v, v = s = 0;
    }
}

void easter(const I *year, I n, I *out) {
    SHARED for (I i = 0; i < n; i++) {
        const C y = year[i], a = y % 19, b = y / 100, c = y % 100;
        const C h = (15 + 19 * a + b - b / 4 - (1 + b - (b + 8) / 25) / 3) % 30;
        const C l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
        const C m = (a + 11 * h + 22 * l) / 451, d = 114 + h + l - 7 * m;
        out[i] = 100 * (d / 31) + d % 31 + 1;
    }
}

void workdays(const I *a, I n, const I *b, I m, I *out) {
    SHARED for (I i = 0; i < n; i++) {
        const I d = b[i] - a[i], w = d / 7, f = a[i] % 7;
        out[i] = 5 * w + MAX(0, MIN(5, f + d - 7 * w) - MIN(5, f));
    }
}

void civil(const I *day, I n, I *out) {
    SHARED for (I i = 0; i < n; i++) {
        const C z = day[i] + 719468, e = z / 146097, d = z % 146097;
        const C y = (d - d / 1460 + d / 36524 - d / 146096) / 365, p = d - (365 * y + y / 4 - y / 100);
        const C m = (2 + 5 * p) / 153, k = m < 10 ? m + 3 : m - 9;
        out[3 * i] = y + 400 * e + (k <= 2), out[3 * i + 1] = k, out[3 * i + 2] = 1 + p - (2 + 153 * m) / 5;
    }
}

I twins(I n) {
    B *s = malloc(n + 1);
    memset(s, 1, n + 1);
    for (I p = 2; p * p <= n; p++)
        if (s[p])
            for (I i = 2 * p; i <= n; i += p) s[i] = 0;
    I c = 0;
    SUM(c) for (I i = 2; i <= n - 2; i++) c += s[i] & s[i + 2];
    free(s);
    return c;
}

/* Ledgers, groups and walks. */

I lots(const I *t, I n, I two) {
    I *q = malloc(2 * n * sizeof *q), *p = q + n, h = 0, m = 0, r = 0;
    for (I i = 0; i < n; i++) {
        if (t[2 * i] > 0) {
            q[m] = t[2 * i], p[m++] = t[2 * i + 1];
            continue;
        }
        for (I k = -t[2 * i]; k > 0 && h < m;) {
            const I sold = MIN(k, q[h]);
            r += sold * (t[2 * i + 1] - p[h]), k -= sold;
            if ((q[h] -= sold) == 0) h++;
        }
    }
    free(q);
    return r;
}

void divergence(const double *p, I n, double *out) {
    double f = p[0], s = p[0], g = 0;
    for (I i = 0; i < n; i++) {
        f += 2.0 / 13 * (p[i] - f), s += 2.0 / 27 * (p[i] - s), g += 0.2 * (f - s - g);
        out[i] = f - s - g;
    }
}

void welford(const double *x, I n, double *out) {
    double m = 0, s = 0;
    for (I i = 0; i < n; i++) {
        const double d = x[i] - m;
        m += d / (i + 1), s += d * (x[i] - m);
    }
    out[0] = m, out[1] = s / (n - 1);
}

double mannWhitney(const double *x, I n, const double *y, I m) {
    double *v = malloc((n + m) * sizeof *v), u = 0;
    I *r = malloc((n + m) * sizeof *r);
    memcpy(v, x, n * sizeof *v), memcpy(v + n, y, m * sizeof *v);
    ranked(v, n + m, r);
    SUM(u) for (I i = 0; i < n; i++) u += r[i] + 1;
    free(v), free(r);
    u -= n * (n + 1) / 2.0;
    return (u - n * (m / 2.0)) / sqrt((double)n * m * (n + m + 1) / 12);
}

void stratified(const I *g, I n, const double *w, I m, double *out) { /* of groups below 64 */
    double sums[64] = {0};
    I order[64], k = 0;
    B seen[64] = {0};
    for (I i = 0; i < n; i++) {
        if (!seen[g[i]]) seen[g[i]] = 1, order[k++] = g[i];
        sums[g[i]] += w[i];
    }
    for (I i = 0; i < k; i++) out[2 * i] = order[i], out[2 * i + 1] = sums[order[i]];
}

void binned(double low, double high, I k, const double *x, I n, I *out) {
    memset(out, 0, k * sizeof *out);
    for (I i = 0; i < n; i++) {
        const I b = (I)floor(k * ((x[i] - low) / (high - low)));
        out[MAX(0, MIN(k - 1, b))]++;
    }
}

void chebyshev(const double *c, I k, const double *x, I n, double *out) {
    SHARED_EACH for (I i = 0; i < n; i++) {
        double a = 0, b = 0;
        for (I j = k - 1; j > 0; j--) {
            const double t = c[j] + (2 * (x[i] * a) - b);
            b = a, a = t;
        }
        out[i] = c[0] + (x[i] * a - b);
    }
}

void wandered(const I *step, I n, I *out) {
    static const I d[] = {1, 0, 0, 1, -1, 0, 0, -1};
    I x = 0, y = 0;
    for (I i = 0; i < n; i++) {
        x += d[2 * step[i] - 2], y += d[2 * step[i] - 1];
        out[2 * i] = x, out[2 * i + 1] = y;
    }
}

void steps(const B *g, I r, I c, I *d) {
    I *q = malloc(r * c * sizeof *q), h = 0, t = 1;
    for (I i = 0; i < r * c; i++) d[i] = -1;
    for (d[q[0] = 0] = 0; h < t;) {
        const I p = q[h++], next[] = {p + 1, p - 1, p + c, p - c};
        for (I j = 0; j < 4; j++) {
            const I k = next[j];
            if (k >= 0 && k < r * c && !g[k] && d[k] < 0) d[k] = d[p] + 1, q[t++] = k;
        }
    }
    free(q);
}

double djb2(const C *v, I n) {
    I h = 5381;
    for (I i = 0; i < n; i++) h = (v[i] + 33 * h) & 4294967295;
    return h;
}

double rolling(const C *v, I n) {
    I h = 0;
    for (I i = 0; i < n; i++) h = (v[i] + 31 * h) % 1000000007;
    return h;
}

/* A residue within the comparison tolerance is none. */
static I drawn(I x, I by) {
    const I r = x & (by - 1);
    return r > 99 && by - r > 99 ? r : r <= 1e-14 * x || by - r <= 1e-14 * x ? 0 : r;
}

void uniforms(I n, double *out) {
    I s = 42;
    for (I i = 0; i < n; i++) out[i] = (s = drawn(1013904223 + 1664525 * s, (I)1 << 32)) / 0x1p32;
}

I drunk(I n) {
    I s = 1, p = 0, r = 0;
    for (I i = 0; i < n; i++) {
        s = drawn(12345 + 65539 * s, (I)1 << 31);
        p += s > 1 << 30 ? 1 : -1;
        r = MAX(r, labs(p));
    }
    return r;
}
