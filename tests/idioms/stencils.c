/* The stencils of stencils.apl by hand: an array is a pointer and then its extents, a result that is one a pointer
   behind the arguments. Rounds have two copies with a border, in which the next row is the next in memory. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t I;
typedef uint8_t B;
typedef double D;
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define EACH _Pragma("omp simd")
#define PARALLEL _Pragma("omp parallel for schedule(static)")
#define SWAP(T, a, b)                                                                                                  \
    do {                                                                                                               \
        T *const swapped_ = a;                                                                                         \
        a = b, b = swapped_;                                                                                           \
    } while (0)

/* Two copies of a matrix in the middle of w columns and two more rows; one cell more in front. */
#define COPIES(T, m, r, c)                                                                                             \
    const I w = (c) + 2;                                                                                               \
    T *a = calloc(((r) + 2) * w, sizeof(T)), *b = calloc(((r) + 2) * w, sizeof(T));                                    \
    for (I i = 0; i < (r); i++) memcpy(a + (i + 1) * w + 1, (m) + i * (c), (c) * sizeof(T))
#define FREE(T, r, c, out)                                                                                             \
    for (I i = 0; i < (r); i++) memcpy((out) + i * (c), a + (i + 1) * w + 1, (c) * sizeof(T));                         \
    free(a), free(b)
/* The borders: the other side, or the edge. */
#define WRAP(T, r, c)                                                                                                  \
    for (I i = 1; i <= (r); i++) a[i * w] = a[i * w + (c)], a[i * w + (c) + 1] = a[i * w + 1];                         \
    memcpy(a, a + (r) * w, w * sizeof(T)), memcpy(a + ((r) + 1) * w, a + w, w * sizeof(T))
#define CLAMP(T, r, c)                                                                                                 \
    for (I i = 1; i <= (r); i++) a[i * w] = a[i * w + 1], a[i * w + (c) + 1] = a[i * w + (c)];                         \
    memcpy(a, a + w, w * sizeof(T)), memcpy(a + ((r) + 1) * w, a + (r) * w, w * sizeof(T))
#define ROWS(T, r, c)                                                                                                  \
    PARALLEL for (I i = 1; i <= (r); i++) {                                                                            \
        const T *const restrict x = a + i * w + 1, *const restrict u = x - w, *const restrict d = x + w;               \
        T *const restrict y = b + i * w + 1;                                                                           \
        EACH for (I j = 0; j < (c); j++) {
#define END                                                                                                            \
    }                                                                                                                  \
    }

/* Borders that wrap around. */

void heatWrapped(I n, const D *m, I r, I c, D *out) {
    COPIES(D, m, r, c);
    for (; n; n--) {
        WRAP(D, r, c);
        ROWS(D, r, c) y[j] = x[j] + 0.1 * (x[j + 1] + (x[j - 1] + (d[j] + (u[j] - 4 * x[j])))); END
        SWAP(D, a, b);
    }
    FREE(D, r, c, out);
}

void boxWrapped(const D *m, I r, I c, D *out) {
    const I w = c;
    D *s = malloc(r * c * sizeof(D));
    PARALLEL for (I i = 0; i < r; i++) {
        const D *x = m + i * w;
        D *y = s + i * w;
        y[0] = x[0] + (x[1] + x[c - 1]), y[c - 1] = x[c - 1] + (x[0] + x[c - 2]);
        EACH for (I j = 1; j < c - 1; j++) y[j] = x[j] + (x[j + 1] + x[j - 1]);
    }
    PARALLEL for (I i = 0; i < r; i++) {
        const D *x = s + i * w, *u = s + (i ? i - 1 : r - 1) * w, *d = s + (i < r - 1 ? i + 1 : 0) * w;
        D *y = out + i * w;
        EACH for (I j = 0; j < c; j++) y[j] = (x[j] + (d[j] + u[j])) / 9;
    }
    free(s);
}

void cyclic(I n, const B *m, I r, I c, I *out) {
    COPIES(B, m, r, c);
    for (; n; n--) {
        WRAP(B, r, c);
        ROWS(B, r, c)
            const B next = (x[j] + 1) & 7;
            y[j] = (x[j - 1] == next) | (x[j + 1] == next) | (u[j] == next) | (d[j] == next) ? next : x[j];
        END
        SWAP(B, a, b);
    }
    for (I i = 0; i < r; i++)
        EACH for (I j = 0; j < c; j++) out[i * c + j] = a[(i + 1) * w + 1 + j];
    free(a), free(b);
}

void majority(I n, const B *m, I r, I c, B *out) {
    COPIES(B, m, r, c);
    B *const s = malloc((r + 2) * w);
    for (; n; n--) {
        WRAP(B, r, c);
        PARALLEL for (I i = 0; i < r + 2; i++) {
            const B *x = a + i * w + 1;
            B *y = s + i * w + 1;
            EACH for (I j = 0; j < c; j++) y[j] = x[j - 1] + x[j] + x[j + 1];
        }
        PARALLEL for (I i = 1; i <= r; i++) {
            const B *x = s + i * w + 1;
            B *y = b + i * w + 1;
            EACH for (I j = 0; j < c; j++) y[j] = x[j - w] + x[j] + x[j + w] > 4;
        }
        SWAP(B, a, b);
    }
    free(s);
    FREE(B, r, c, out);
}

void rule110(I n, const B *m, I c, B *out) {
    B *a = malloc(c + 2), *b = malloc(c + 2);
    memcpy(a + 1, m, c);
    for (; n; n--) {
        a[0] = a[c], a[c + 1] = a[1];
        EACH for (I j = 1; j <= c; j++) b[j] = (a[j] | a[j + 1]) & ~(a[j - 1] & a[j] & a[j + 1]);
        SWAP(B, a, b);
    }
    memcpy(out, a + 1, c);
    free(a), free(b);
}

void advect(I n, const D *m, I c, D *out) {
    D *a = malloc((c + 1) * sizeof(D)), *b = malloc((c + 1) * sizeof(D));
    memcpy(a + 1, m, c * sizeof(D));
    for (; n; n--) {
        a[0] = a[c];
        EACH for (I j = 1; j <= c; j++) b[j] = a[j] - 0.4 * (a[j] - a[j - 1]);
        SWAP(D, a, b);
    }
    memcpy(out, a + 1, c * sizeof(D));
    free(a), free(b);
}

void laplace3Wrapped(const D *m, I p, I r, I c, D *out) {
    PARALLEL for (I k = 0; k < p; k++) for (I i = 0; i < r; i++) {
        const D *x = m + (k * r + i) * c, *u = m + (k * r + (i ? i - 1 : r - 1)) * c;
        const D *d = m + (k * r + (i < r - 1 ? i + 1 : 0)) * c, *f = m + ((k ? k - 1 : p - 1) * r + i) * c;
        const D *g = m + ((k < p - 1 ? k + 1 : 0) * r + i) * c;
        D *y = out + (k * r + i) * c;
#define POINT(j, left, right) y[j] = 6 * x[j] - (x[right] + (x[left] + (g[j] + (f[j] + (d[j] + u[j])))))
        POINT(0, c - 1, 1);
        POINT(c - 1, c - 2, 0);
        EACH for (I j = 1; j < c - 1; j++) POINT(j, j - 1, j + 1);
#undef POINT
    }
}

void grayScott(I n, const D *m, I r, I c, D *out) {
    COPIES(D, m, r, c);
    D *e = calloc((r + 2) * w, sizeof(D)), *f = calloc((r + 2) * w, sizeof(D));
    for (I i = 0; i < (r + 2) * w; i++) e[i] = 1 - a[i];
    for (; n; n--) {
        WRAP(D, r, c);
        SWAP(D, a, e);
        WRAP(D, r, c);
        SWAP(D, a, e);
        PARALLEL for (I i = 1; i <= r; i++) {
            const D *v = a + i * w + 1, *u = e + i * w + 1;
            D *restrict nv = b + i * w + 1, *restrict nu = f + i * w + 1;
            EACH for (I j = 0; j < c; j++) {
                const D uvv = u[j] * v[j] * v[j];
                nu[j] = u[j] + 0.16 * (u[j + 1] + (u[j - 1] + (u[j + w] + (u[j - w] - 4 * u[j])))) +
                        (0.035 * (1 - u[j]) - uvv);
                nv[j] = v[j] + 0.08 * (v[j + 1] + (v[j - 1] + (v[j + w] + (v[j - w] - 4 * v[j])))) +
                        (uvv - 0.1 * v[j]);
            }
        }
        SWAP(D, a, b);
        SWAP(D, e, f);
    }
    free(e), free(f);
    FREE(D, r, c, out);
}

/* Borders of zeros. */

void lifeZero(I n, const B *m, I r, I c, B *out) {
    COPIES(B, m, r, c);
    B *const s = calloc(r + 2, w);
    for (; n; n--) {
        PARALLEL for (I i = 1; i <= r; i++) {
            const B *x = a + i * w + 1;
            B *y = s + i * w + 1;
            EACH for (I j = 0; j < c; j++) y[j] = x[j - 1] + x[j] + x[j + 1];
        }
        PARALLEL for (I i = 1; i <= r; i++) {
            const B *x = s + i * w + 1, *at = a + i * w + 1;
            B *y = b + i * w + 1;
            EACH for (I j = 0; j < c; j++) {
                const B t = x[j - w] + x[j] + x[j + w];
                y[j] = (t == 3) | (at[j] & (t == 4));
            }
        }
        SWAP(B, a, b);
    }
    free(s);
    FREE(B, r, c, out);
}

void lifeStencil(I n, const B *m, I r, I c, B *out) { lifeZero(n, m, r, c, out); }

void topple(I n, const B *m, I r, I c, I *out) {
    COPIES(B, m, r, c);
    for (; n; n--) {
        ROWS(B, r, c)
            y[j] = x[j] - (x[j] > 3 ? 4 : 0) + (d[j] > 3) + (u[j] > 3) + (x[j + 1] > 3) + (x[j - 1] > 3);
        END
        SWAP(B, a, b);
    }
    for (I i = 0; i < r; i++)
        EACH for (I j = 0; j < c; j++) out[i * c + j] = a[(i + 1) * w + 1 + j];
    free(a), free(b);
}

void gauss5(const B *m, I r, I c, D *out) {
    const I w = c + 4;
    B *a = calloc((r + 4) * w, 1);
    uint16_t *s = malloc((r + 4) * w * 2);
    for (I i = 0; i < r; i++) memcpy(a + (i + 2) * w + 2, m + i * c, c);
    PARALLEL for (I i = 0; i < r + 4; i++) {
        const B *x = a + i * w + 2;
        EACH for (I j = 0; j < c; j++) s[i * w + j] = x[j - 2] + x[j + 2] + 4 * (x[j - 1] + x[j + 1]) + 6 * x[j];
    }
    PARALLEL for (I i = 0; i < r; i++) {
        const uint16_t *x = s + (i + 2) * w;
        EACH for (I j = 0; j < c; j++) {
            const uint16_t t = x[j - 2 * w] + x[j + 2 * w] + 4 * (x[j - w] + x[j + w]) + 6 * x[j];
            out[i * c + j] = t * (1.0 / 256);
        }
    }
    free(a), free(s);
}

void edges3(const B *m, I r, I c, I *out) {
    const I w = c + 2;
    B *a = calloc((r + 2) * w, 1);
    for (I i = 0; i < r; i++) memcpy(a + (i + 1) * w + 1, m + i * c, c);
    PARALLEL for (I i = 0; i < r; i++) {
        const B *x = a + (i + 1) * w + 1, *u = x - w, *d = x + w;
        EACH for (I j = 0; j < c; j++) {
            const int16_t s = 9 * x[j] - (u[j - 1] + u[j] + u[j + 1] + x[j - 1] + x[j] + x[j + 1] + d[j - 1] + d[j] + d[j + 1]);
            out[i * c + j] = MAX(0, MIN(255, s));
        }
    }
    free(a);
}

/* The edge again. */

void clampAt(const D *m, I r, I c, D *out) {
    PARALLEL for (I i = 0; i < r; i++) {
        const D *x = m + i * c, *u = i ? x - c : x, *d = i < r - 1 ? x + c : x;
        D *y = out + i * c;
        y[0] = (u[0] + (d[0] + (x[0] + x[1]))) / 4;
        y[c - 1] = (u[c - 1] + (d[c - 1] + (x[c - 2] + x[c - 1]))) / 4;
        EACH for (I j = 1; j < c - 1; j++) y[j] = (u[j] + (d[j] + (x[j - 1] + x[j + 1]))) / 4;
    }
}

void clampJoined(I n, const D *m, I r, I c, D *out) {
    COPIES(D, m, r, c);
    for (; n; n--) {
        CLAMP(D, r, c);
        ROWS(D, r, c) y[j] = x[j] + 0.2 * (u[j] + (d[j] + (x[j - 1] + (x[j + 1] - 4 * x[j])))); END
        SWAP(D, a, b);
    }
    FREE(D, r, c, out);
}

/* The border as it was. */

void keptAt(I n, const D *m, I r, I c, D *out) {
    D *a = malloc(r * c * sizeof(D)), *b = malloc(r * c * sizeof(D));
    memcpy(a, m, r * c * sizeof(D)), memcpy(b, m, r * c * sizeof(D));
    for (; n; n--) {
        PARALLEL for (I i = 1; i < r - 1; i++) {
            const D *x = a + i * c;
            D *y = b + i * c;
            EACH for (I j = 1; j < c - 1; j++) y[j] = (x[j - c] + (x[j + c] + (x[j - 1] + x[j + 1]))) / 4;
        }
        SWAP(D, a, b);
    }
    memcpy(out, a, r * c * sizeof(D));
    free(a), free(b);
}

void keptJoined(I n, const D *m, I r, I c, D *out) { keptAt(n, m, r, c, out); }

void waveKept(I n, const D *m, I r, I c, D *out) {
    D *a = malloc(r * c * sizeof(D)), *b = malloc(r * c * sizeof(D));
    memcpy(a, m, r * c * sizeof(D)), memcpy(b, m, r * c * sizeof(D));
    /* The first round also takes the border, which is zero from then on. */
    for (I k = 0; k < n; k++) {
        PARALLEL for (I i = 1; i < r - 1; i++) {
            const D *x = a + i * c;
            D *restrict y = b + i * c;
            EACH for (I j = 1; j < c - 1; j++)
                y[j] = 2 * x[j] - y[j] + 0.2 * (x[j + c] + (x[j - c] + (x[j + 1] + (x[j - 1] - 4 * x[j]))));
            y[0] = y[c - 1] = 0;
        }
        memset(b, 0, c * sizeof(D)), memset(b + (r - 1) * c, 0, c * sizeof(D));
        SWAP(D, a, b);
    }
    memcpy(out, a, r * c * sizeof(D));
    free(a), free(b);
}

void jacobiMask(const B *f, I r0, I c0, const D *m, I r, I c, D *out) {
    COPIES(D, m, r, c);
    for (int n = 20; n; n--) {
        WRAP(D, r, c);
        PARALLEL for (I i = 1; i <= r; i++) {
            const D *x = a + i * w + 1;
            const B *k = f + (i - 1) * c;
            D *y = b + i * w + 1;
            EACH for (I j = 0; j < c; j++)
                y[j] = k[j] * x[j] + (1 - k[j]) * (0.25 * (x[j + 1] + (x[j - 1] + (x[j + w] + x[j - w]))));
        }
        SWAP(D, a, b);
    }
    FREE(D, r, c, out);
}

/* Without a border. */

void steepness(const D *m, I r, I c, D *out) {
    PARALLEL for (I i = 0; i < r - 2; i++) {
        const D *u = m + i * c, *x = u + c, *d = x + c;
        D *y = out + i * (c - 2);
        EACH for (I j = 0; j < c - 2; j++) {
            const D g = (u[j + 2] - u[j]) + ((d[j + 2] - d[j]) + 2 * (x[j + 2] - x[j]));
            const D h = (d[j] - u[j]) + ((d[j + 2] - u[j + 2]) + 2 * (d[j + 1] - u[j + 1]));
            y[j] = sqrt(g * g + h * h);
        }
    }
}

void sobelInts(const B *m, I r, I c, I *out) {
    PARALLEL for (I i = 0; i < r - 2; i++) {
        const B *u = m + i * c, *x = u + c, *d = x + c;
        EACH for (I j = 0; j < c - 2; j++) {
            const int16_t g = u[j + 2] - u[j] + d[j + 2] - d[j] + 2 * (x[j + 2] - x[j]);
            const int16_t h = d[j] - u[j] + d[j + 2] - u[j + 2] + 2 * (d[j + 1] - u[j + 1]);
            const int16_t s = (int16_t)(g < 0 ? -g : g) + (int16_t)(h < 0 ? -h : h);
            out[i * (c - 2) + j] = MIN(255, s);
        }
    }
}

void dilate5(const B *m, I r, I c, B *out) {
    B *s = malloc((r - 4) * c);
    PARALLEL for (I i = 0; i < r - 4; i++) {
        const B *x = m + i * c;
        EACH for (I j = 0; j < c; j++) {
            const B p = MAX(x[j], x[j + c]), q = MAX(x[j + 2 * c], x[j + 3 * c]);
            const B t = MAX(p, q);
            s[i * c + j] = MAX(t, x[j + 4 * c]);
        }
        EACH for (I j = 0; j < c - 4; j++) {
            const B *z = s + i * c + j;
            const B p = MAX(z[0], z[1]), q = MAX(z[2], z[3]);
            const B t = MAX(p, q);
            out[i * (c - 4) + j] = MAX(t, z[4]);
        }
    }
    free(s);
}

void erode3(const B *m, I r, I c, B *out) {
    PARALLEL for (I i = 0; i < r - 2; i++) {
        const B *u = m + i * c, *x = u + c, *d = x + c;
        EACH for (I j = 0; j < c - 2; j++)
            out[i * (c - 2) + j] = u[j] & u[j + 1] & u[j + 2] & x[j] & x[j + 1] & x[j + 2] & d[j] & d[j + 1] & d[j + 2];
    }
}

void box5(const D *m, I r, I c, D *out) {
    PARALLEL for (I i = 0; i < r - 4; i++) {
        const D *x = m + i * c;
        D s[c];
        EACH for (I j = 0; j < c; j++)
            s[j] = x[j] + (x[j + c] + (x[j + 2 * c] + (x[j + 3 * c] + x[j + 4 * c])));
        EACH for (I j = 0; j < c - 4; j++)
            out[i * (c - 4) + j] = (s[j] + (s[j + 1] + (s[j + 2] + (s[j + 3] + s[j + 4])))) / 25;
    }
}

void sharpen(const B *m, I r, I c, I *out) {
    PARALLEL for (I i = 0; i < r - 2; i++) {
        const B *u = m + i * c, *x = u + c, *d = x + c;
        EACH for (I j = 0; j < c - 2; j++) {
            const int16_t s = 5 * x[j + 1] - (x[j + 2] + x[j] + d[j + 1] + u[j + 1]);
            out[i * (c - 2) + j] = MAX(0, MIN(255, s));
        }
    }
}

I peaks(const B *m, I r, I c) {
    I all = 0;
    _Pragma("omp parallel for reduction(+ : all)") for (I i = 0; i < r - 2; i++) {
        const B *u = m + i * c, *x = u + c, *d = x + c;
        B s[c];
        EACH for (I j = 0; j < c; j++) {
            const B t = MAX(u[j], d[j]);
            s[j] = MAX(t, x[j]);
        }
        uint32_t sum = 0;
        _Pragma("omp simd reduction(+ : sum)") for (I j = 0; j < c - 2; j++) {
            const B t = MAX(s[j], s[j + 1]), v = MAX(t, s[j + 2]);
            sum += (x[j + 1] == v) & (x[j + 1] > 200);
        }
        all += sum;
    }
    return all;
}

void laplace3(const D *m, I p, I r, I c, D *out) {
    PARALLEL for (I k = 0; k < p - 2; k++) for (I i = 0; i < r - 2; i++) {
        const D *x = m + ((k + 1) * r + i + 1) * c + 1;
        D *y = out + (k * (r - 2) + i) * (c - 2);
        EACH for (I j = 0; j < c - 2; j++)
            y[j] = 6 * x[j] - (x[j - r * c] + (x[j + r * c] + (x[j - c] + (x[j + c] + (x[j - 1] + x[j + 1])))));
    }
}

void line3(const D *v, I n, D *out) {
    PARALLEL for (I k = 0; k < 16; k++) {
        const I first = (n - 2) * k / 16, last = (n - 2) * (k + 1) / 16;
        EACH for (I i = first; i < last; i++) out[i] = (v[i] + (2 * v[i + 1] + v[i + 2])) / 4;
    }
}

void median3(const D *v, I n, D *out) {
    PARALLEL for (I k = 0; k < 16; k++) {
        const I first = (n - 2) * k / 16, last = (n - 2) * (k + 1) / 16;
        EACH for (I i = first; i < last; i++) {
            const D a = v[i], b = v[i + 1], c = v[i + 2];
            const D low = MIN(a, b), high = MAX(a, b), most = MIN(high, c);
            out[i] = MAX(low, most);
        }
    }
}
