/* The programs of collected.apl by hand: an array is a pointer and then its extents, a result that is one a pointer
   behind the arguments. Indices and counts are 64 bits. Nothing is checked here. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t I;
typedef uint8_t B;
typedef uint32_t C;
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define EACH _Pragma("omp simd")
#define TEXT_(...) #__VA_ARGS__
#define SUM(...) _Pragma(TEXT_(omp simd reduction(+ : __VA_ARGS__)))

/* Recursions. */

static I placed(I n, C cols, C up, C down) { /* the ways to place queens in the rows that are left */
    const C all = (1u << n) - 1;
    if (cols == all) return 1;
    I r = 0;
    for (C free = all & ~(cols | up | down); free; free &= free - 1) {
        const C q = free & -free;
        r += placed(n, cols | q, (up | q) << 1, (down | q) >> 1);
    }
    return r;
}
I queens(I n) { return placed(n, 0, 0, 0); }

void perms(I n, I *out) {
    if (n == 0) return;
    I rows = 1;
    for (I k = 2; k < n; k++) rows *= k;
    I *before = malloc((rows * (n - 1) + 1) * sizeof(I));
    perms(n - 1, before);
    for (I a = 1; a <= n; a++)
        for (I i = 0; i < rows; i++) {
            I *o = out + ((a - 1) * rows + i) * n;
            const I *p = before + i * (n - 1);
            o[0] = a;
            for (I j = 0; j < n - 1; j++) o[j + 1] = p[j] + (a <= p[j]);
        }
    free(before);
}

void combs(I k, I n, I *out) {
    I c[32];
    for (I i = 0; i < k; i++) c[i] = i + 1;
    for (;;) {
        for (I i = 0; i < k; i++) *out++ = c[i];
        I i = k - 1;
        while (i >= 0 && c[i] == n - k + i + 1) i--;
        if (i < 0) return;
        c[i]++;
        for (I j = i + 1; j < k; j++) c[j] = c[j - 1] + 1;
    }
}

static I parted(I k, I n) { return n == 0 ? 1 : k == 0 || n < 0 ? 0 : parted(k - 1, n) + parted(k, n - k); }
I parts(I n) { return parted(n, n); }

static void quicker(I *v, I n) {
    while (n > 1) {
        const I p = v[(n + 1) / 2 - 1];
        I i = 0, j = n - 1;
        while (i <= j) {
            while (v[i] < p) i++;
            while (v[j] > p) j--;
            if (i <= j) {
                const I t = v[i];
                v[i++] = v[j], v[j--] = t;
            }
        }
        quicker(v, j + 1);
        v += i, n -= i;
    }
}
void quick(const I *v, I n, I *out) {
    memcpy(out, v, n * sizeof(I));
    quicker(out, n);
}

static I *moved(I n, I f, I t, I v, I *out) {
    if (n == 0) return out;
    out = moved(n - 1, f, v, t, out);
    *out++ = f, *out++ = t;
    return moved(n - 1, v, t, f, out);
}
void hanoi(I n, I *out) { moved(n, 1, 2, 3, out); }

void hilbert(I n, I *out) {
    const I w = (I)1 << n;
    out[0] = 0;
    for (I s = 1; s < w; s *= 2) { /* the square of s rows is that of all quarters */
        const I k = s * s;
        for (I i = 0; i < s; i++)
            for (I j = 0; j < s; j++) {
                const I h = out[i * w + j];
                out[(i + s) * w + j] = k + h;
                out[(i + s) * w + j + s] = 2 * k + h;
                out[(s - 1 - j) * w + 2 * s - 1 - i] = 3 * k + h;
            }
        for (I i = 0; i < s; i++)
            for (I j = 0; j < i; j++) {
                const I t = out[i * w + j];
                out[i * w + j] = out[j * w + i], out[j * w + i] = t;
            }
    }
}

I happy(I n) {
    I r = 0;
    for (I i = 1; i <= n; i++) {
        C x = i;
        while (x != 1 && x != 4) {
            C s = 0;
            for (; x; x /= 10) s += x % 10 * (x % 10);
            x = s;
        }
        r += x == 1;
    }
    return r;
}

I fuel(const I *v, I n) {
    I r = 0;
    for (I i = 0; i < n; i++)
        for (I f = v[i] / 3 - 2; f > 0; f = f / 3 - 2) r += f;
    return r;
}

/* Graphs and grids. */

void nearness(I s, const double *w, I n, I m, double *d) {
    B *done = calloc(n, 1);
    for (I i = 0; i < n; i++) d[i] = 1e9;
    d[s - 1] = 0;
    for (I k = 0; k < n; k++) {
        I u = -1;
        for (I i = 0; i < n; i++)
            if (!done[i] && (u < 0 || d[i] < d[u])) u = i;
        done[u] = 1;
        const double *r = w + u * n, at = d[u];
        EACH for (I i = 0; i < n; i++) d[i] = MIN(d[i], at + r[i]);
    }
    free(done);
}

I maze(const C *g, I n, I w) {
    B *open = malloc(n * w);
    C *q = malloc(n * w * sizeof(C));
    I e = 0, h = 0, t = 0, k = -1;
    for (I i = 0; i < n * w; i++) {
        open[i] = g[i] != '#';
        if (g[i] == 'E') e = i;
        if (g[i] == 'S') q[t++] = i;
    }
    open[q[0]] = 0;
    for (; open[e] || k < 0; k++) {
        for (const I end = t; h < end; h++) {
            const I i = q[h], to[4] = {i - 1, i + 1, i - w, i + w};
            for (int d = 0; d < 4; d++)
                if (open[to[d]]) open[to[d]] = 0, q[t++] = to[d];
        }
        if (!open[e]) break;
    }
    free(open), free(q);
    return k + 2;
}

void cucumbers(I k, const C *a, I n, I w, C *out) {
    B *g = malloc(n * w), *f = malloc(n * w);
    for (I i = 0; i < n * w; i++) g[i] = a[i];
    while (k--) {
        for (I i = 0; i < n; i++) {
            const B *r = g + i * w;
            B *o = f + i * w;
            o[0] = r[0] == '.' && r[w - 1] == '>' ? '>' : r[0] == '>' && r[1] == '.' ? '.' : r[0];
            EACH for (I j = 1; j < w - 1; j++) {
                const B in = (r[j] == '.') & (r[j - 1] == '>'), off = (r[j] == '>') & (r[j + 1] == '.');
                o[j] = in ? '>' : off ? '.' : r[j];
            }
            o[w - 1] = r[w - 1] == '.' && r[w - 2] == '>' ? '>' : r[w - 1] == '>' && r[0] == '.' ? '.' : r[w - 1];
        }
        for (I i = 0; i < n; i++) {
            const B *u = f + (i ? i - 1 : n - 1) * w, *r = f + i * w, *d = f + (i < n - 1 ? i + 1 : 0) * w;
            B *o = g + i * w;
            EACH for (I j = 0; j < w; j++) {
                const B in = (r[j] == '.') & (u[j] == 'v'), off = (r[j] == 'v') & (d[j] == '.');
                o[j] = in ? 'v' : off ? '.' : r[j];
            }
        }
    }
    for (I i = 0; i < n * w; i++) out[i] = g[i];
    free(g), free(f);
}

I lights(const I *m, I n, I five) {
    B *g = calloc(1000, 1000);
    I r = 0;
    for (I i = 0; i < n; i++) {
        const I *c = m + 5 * i, w = c[4] - c[2] + 1;
        for (I x = c[1] - 1; x < c[3]; x++) {
            B *o = g + 1000 * x + c[2] - 1;
            if (c[0] == 1) memset(o, 1, w);
            else if (c[0] == 2) memset(o, 0, w);
            else EACH for (I j = 0; j < w; j++) o[j] ^= 1;
        }
    }
    SUM(r) for (I i = 0; i < 1000000; i++) r += g[i];
    free(g);
    return r;
}

I squares(const I *p, I n, I m) {
    I *s = calloc((n + 1) * (n + 1), sizeof(I)), w = n + 1, best = INT64_MIN;
    for (I i = 0; i < n; i++) {
        I row = 0;
        for (I j = 0; j < n; j++) row += p[i * n + j], s[(i + 1) * w + j + 1] = s[i * w + j + 1] + row;
    }
    for (I k = 1; k <= 20; k++)
        for (I i = 0; i + k <= n; i++) {
            const I *a = s + i * w, *b = s + (i + k) * w;
#pragma omp simd reduction(max : best)
            for (I j = 0; j <= n - k; j++) {
                const I v = b[j + k] - b[j] - a[j + k] + a[j];
                best = MAX(best, v);
            }
        }
    free(s);
    return best;
}

/* Puzzles. */

void polymer(const I *rules, I two, I n, I k, I *out) {
    I *f = malloc(n * sizeof(I));
    for (I i = 0; i < n; i++) out[i] = rules[i] == 1;
    while (k--) {
        memset(f, 0, n * sizeof(I));
        for (I i = 0; i < n; i++) f[rules[i] - 1] += out[i], f[rules[n + i] - 1] += out[i];
        for (I i = 0; i < n; i++) out[i] = f[i] % 1000003;
    }
    free(f);
}

I houses(const C *t, I n) {
    const I w = 8192;
    B *g = calloc(w, w / 8);
    I x = w / 2, y = w / 2, r = 1;
    g[(x * w + y) / 8] |= 1 << (y & 7);
    for (I i = 0; i < n; i++) {
        x += (t[i] == '>') - (t[i] == '<'), y += (t[i] == '^') - (t[i] == 'v');
        B *o = g + (x * w + y) / 8, b = 1 << (y & 7);
        r += !(*o & b), *o |= b;
    }
    free(g);
    return r;
}

I nice(const C *t, I n, I m) {
    I r = 0;
    for (I i = 0; i < n; i++) {
        const C *s = t + i * m;
        const C set = 1 << ('a' - 97) | 1 << ('e' - 97) | 1 << ('i' - 97) | 1 << ('o' - 97) | 1 << ('u' - 97);
        const C bad = 1 << ('a' - 97) | 1 << ('c' - 97) | 1 << ('p' - 97) | 1 << ('x' - 97);
        I v = set >> (s[0] - 97) & 1, twice = 0, no = 0;
        for (I j = 1; j < m; j++) {
            v += set >> (s[j] - 97) & 1;
            twice |= s[j] == s[j - 1];
            no |= (bad >> (s[j - 1] - 97) & 1) & (s[j] == s[j - 1] + 1);
        }
        r += v >= 3 && twice && !no;
    }
    return r;
}

I reacted(const C *t, I n) {
    C *s = malloc(n * sizeof(C));
    I r = 0;
    for (I i = 0; i < n; i++)
        if (r && (t[i] ^ s[r - 1]) == 32) r--;
        else s[r++] = t[i];
    free(s);
    return r;
}

I marbles(I p, I n) {
    C *next = malloc((n + 1) * sizeof(C)), *prev = malloc((n + 1) * sizeof(C)), at = 0;
    I *score = calloc(p, sizeof(I)), r = 0;
    next[0] = prev[0] = 0;
    for (I i = 1; i <= n; i++)
        if (i % 23 == 0) {
            for (int k = 0; k < 7; k++) at = prev[at];
            score[i % p] += i + at;
            const C a = prev[at], b = next[at];
            next[a] = b, prev[b] = a, at = b;
        } else {
            const C a = next[at], b = next[a];
            next[a] = i, prev[i] = a, next[i] = b, prev[b] = i, at = i;
        }
    for (I i = 0; i < p; i++) r = MAX(r, score[i]);
    free(next), free(prev), free(score);
    return r;
}

void suffixes(I k, const I *v, I n, I *out) {
    B *d = malloc(n);
    for (I i = 0; i < n; i++) d[i] = v[i] % 10;
    while (k--)
        for (I i = n - 1, s = 0; i >= 0; i--) {
            s += d[i];
            s -= s >= 10 ? 10 : 0;
            d[i] = s;
        }
    for (I i = 0; i < n; i++) out[i] = d[i];
    free(d);
}

/* Texts and codes. */

I palindromic(const C *s, I n) {
    I best = 0;
    for (I i = 0; i < n; i++) {
        I k = 1;
        while (i - k >= 0 && i + k < n && s[i - k] == s[i + k]) k++;
        best = MAX(best, 2 * k - 1);
    }
    return best;
}

void soundex(const C *t, I n, C *out) {
    static const char codes[] = "01230120022455012623010202";
    for (I i = 0; i < n;) {
        if (t[i] == ' ') {
            i++;
            continue;
        }
        out[0] = t[i], out[1] = out[2] = out[3] = '0';
        C last = codes[t[i] - 'A'];
        I k = 1;
        for (i++; i < n && t[i] != ' '; i++) {
            const C c = codes[t[i] - 'A'];
            if (c != last && c != '0' && k < 4) out[k++] = c;
            last = c;
        }
        out += 4;
    }
}

#define ROL(x, k) ((x) << (k) | (x) >> (32 - (k)))
void sha(const I *w, I n, I sixteen, I *out) {
    C h[5] = {1732584193u, -271733879, -1732584194, 271733878u, -1009589776};
    for (I i = 0; i < n; i++) {
        C m[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
        for (I t = 0; t < 16; t++) m[t] = w[16 * i + t];
        for (I t = 16; t < 80; t++) {
            const C x = m[t - 3] ^ m[t - 8] ^ m[t - 14] ^ m[t - 16];
            m[t] = ROL(x, 1);
        }
        for (I t = 0; t < 80; t++) {
            const C f = t < 20   ? (d ^ (b & (c ^ d))) + 1518500249u
                        : t < 40 ? (b ^ c ^ d) + 1859775393u
                        : t < 60 ? ((b & c) | (d & (b | c))) + (C)-1894007588
                                 : (b ^ c ^ d) + (C)-899497514;
            const C x = f + e + m[t] + ROL(a, 5);
            e = d, d = c, c = ROL(b, 30), b = a, a = x;
        }
        h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
    }
    for (I i = 0; i < 5; i++) out[i] = (int32_t)h[i];
}

void rc4(const I *key, I k, I n, I *out) {
    B s[256], i = 0, j = 0;
    for (I i = 0; i < 256; i++) s[i] = i;
    for (I i = 0; i < 256; i++) {
        j += s[i] + key[i % k];
        const B t = s[i];
        s[i] = s[j], s[j] = t;
    }
    j = 0;
    for (I r = 0; r < n; r++) {
        const B a = s[++i];
        j += a;
        const B b = s[j];
        s[i] = b, s[j] = a;
        out[r] = s[(B)(a + b)];
    }
}

void toFront(const I *t, I n, I *out) {
    B a[256];
    for (I i = 0; i < 256; i++) a[i] = i;
    for (I i = 0; i < n; i++) {
        const B c = t[i];
        const I k = (B *)memchr(a, c, 256) - a;
        memmove(a + 1, a, k);
        a[0] = c, out[i] = k + 1;
    }
}

/* Numbers. */

void totients(I n, I *t) {
    for (I i = 0; i < n; i++) t[i] = i + 1;
    for (I p = 2; p <= n; p++)
        if (t[p - 1] == p)
            for (I m = p; m <= n; m += p) t[m - 1] -= t[m - 1] / p;
}

I factorial(I n) {
    C *d = calloc(n + 2, sizeof(C));
    I len = 1, r = 0;
    d[0] = 1;
    for (uint64_t k = 1; k <= (uint64_t)n; k++) {
        uint64_t c = 0;
        for (I i = 0; i < len; i++) {
            c += d[i] * k;
            d[i] = c % 1000000;
            c /= 1000000;
        }
        for (; c; c /= 1000000) d[len++] = c % 1000000;
    }
    for (I i = 0; i < len; i++)
        for (C x = d[i]; x; x /= 10) r += x % 10;
    free(d);
    return r;
}

void recaman(I n, I *a) {
    B *seen = calloc(10 * n, 1);
    I x = 0;
    seen[0] = 1, a[0] = 0;
    for (I i = 1; i < n; i++) {
        x += x > i && !seen[x - i] ? -i : i;
        seen[x] = 1, a[i] = x;
    }
    free(seen);
}

void rods(const I *p, I n, I *r) {
    r[0] = 0;
    for (I i = 1; i <= n; i++) {
        I best = INT64_MIN;
#pragma omp simd reduction(max : best)
        for (I j = 0; j < i; j++) {
            const I v = p[j] + r[i - 1 - j];
            best = MAX(best, v);
        }
        r[i] = best;
    }
}

/* Numeric methods. */

void solved(const double *a, I n, I k, const double *b, I l, double *x) {
    const I w = n + 1;
    double *m = malloc(n * w * sizeof(double));
    for (I i = 0; i < n; i++) memcpy(m + i * w, a + i * n, n * sizeof(double)), m[i * w + n] = b[i];
    for (I k = 0; k < n; k++) {
        I p = k;
        for (I i = k; i < n; i++)
            if (fabs(m[i * w + k]) > fabs(m[p * w + k])) p = i;
        double *r = m + k * w, *q = m + p * w;
        for (I j = k; j < w; j++) {
            const double t = r[j];
            r[j] = q[j], q[j] = t;
        }
        const double f = r[k];
        EACH for (I j = k; j < w; j++) r[j] /= f;
        for (I i = 0; i < n; i++)
            if (i != k) {
                const double g = m[i * w + k];
                double *o = m + i * w;
                EACH for (I j = k; j < w; j++) o[j] -= g * r[j];
            }
    }
    for (I i = 0; i < n; i++) x[i] = m[i * w + n];
    free(m);
}

void spline(const double *k, I two, I n, const double *t, I m, double *v) {
    const double *x = k, *y = k + n;
    double *h = malloc(n * 8), *s = malloc(n * 8), *c = calloc(n, 8), *q = calloc(n, 8);
    for (I i = 0; i < n - 1; i++) h[i] = x[i + 1] - x[i], s[i] = (y[i + 1] - y[i]) / h[i];
    for (I i = 1; i < n - 1; i++) {
        const double p = 2 * (x[i + 1] - x[i - 1]) - h[i - 1] * c[i - 1];
        c[i] = h[i] / p;
        q[i] = (6 * (s[i] - s[i - 1]) - h[i - 1] * q[i - 1]) / p;
    }
    for (I i = n - 2; i > 0; i--) q[i] -= c[i] * q[i + 1];
    for (I i = 0; i < m; i++) {
        const double *b = x;
        for (I l = n; l > 1; l -= l / 2) b += (b[l / 2] <= t[i]) * (l / 2);
        const I j = MIN(b - x, n - 2);
        const double u = t[i] - x[j], d = q[j + 1] - q[j];
        v[i] = y[j] + u * (s[j] - h[j] * (2 * q[j] + q[j + 1]) / 6) + u * u * q[j] / 2 + u * u * u * d / (6 * h[j]);
    }
    free(h), free(s), free(c), free(q);
}

/* Prices and points. */

void oscillator(const double *p, I n, double *out) {
    const I m = n - 13;
    double *k = malloc(m * 8);
    for (I i = 0; i < m; i++) {
        double h = p[i], l = p[i];
        for (I j = 1; j < 14; j++) h = MAX(h, p[i + j]), l = MIN(l, p[i + j]);
        k[i] = 100 * ((p[i + 13] - l) / (h - l));
    }
    for (I i = 0; i < m - 2; i++) out[i] = k[i] + k[i + 1] + k[i + 2];
    free(k);
}

double crossed(const double *s, I n, I four) {
    I r = 0;
    double *a = malloc(n * 8), *b = malloc(n * 8), *c = malloc(n * 8), *d = malloc(n * 8);
    for (I i = 0; i < n; i++) a[i] = s[4 * i], b[i] = s[4 * i + 1], c[i] = s[4 * i + 2], d[i] = s[4 * i + 3];
    for (I i = 0; i < n; i++) {
        const double u = c[i] - a[i], v = d[i] - b[i];
        SUM(r) for (I j = i + 1; j < n; j++) {
            const double w = c[j] - a[j], z = d[j] - b[j];
            const int p = u * (b[j] - b[i]) - v * (a[j] - a[i]) > 0, q = u * (d[j] - b[i]) - v * (c[j] - a[i]) > 0;
            const int f = w * (b[i] - b[j]) - z * (a[i] - a[j]) > 0, g = w * (d[i] - b[j]) - z * (c[i] - a[j]) > 0;
            r += (p ^ q) & (f ^ g);
        }
    }
    free(a), free(b), free(c), free(d);
    return r;
}

