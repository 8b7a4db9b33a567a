/* The programs of codes.apl by hand: an array is a pointer and then its extents, a result that is one a pointer behind
   the arguments. Indices and counts are 64 bits. Nothing is checked here. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#undef I

typedef int64_t I;
typedef uint8_t B;
typedef uint32_t C;
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SUM(...) _Pragma(TEXT_(omp simd reduction(+ : __VA_ARGS__)))
#define TEXT_(...) #__VA_ARGS__
#define EACH _Pragma("omp simd")

/* Codes. */

void utf8(const I *v, I n, I *out) {
    for (I i = 0; i < n;) {
        const I b = v[i];
        if (b < 128) {
            *out++ = b, i++;
        } else if (b < 224) {
            *out++ = (b - 192) << 6 | (v[i + 1] - 128), i += 2;
        } else if (b < 240) {
            *out++ = (b - 224) << 12 | (v[i + 1] - 128) << 6 | (v[i + 2] - 128), i += 3;
        } else {
            *out++ = (b - 240) << 18 | (v[i + 1] - 128) << 12 | (v[i + 2] - 128) << 6 | (v[i + 3] - 128), i += 4;
        }
    }
}

I isbns(const C *v, I n, I ten) {
    I count = 0;
    for (I i = 0; i < n; i++) {
        const C *t = v + 10 * i;
        int32_t sum = 0;
        for (int j = 0; j < 10; j++) sum += (10 - j) * (t[j] == 'X' ? 10 : (int32_t)t[j] - '0');
        count += sum % 11 == 0;
    }
    return count;
}

I ibans(const C *v, I n, I m) {
    I count = 0;
    for (I i = 0; i < n; i++) {
        const C *t = v + m * i;
        uint32_t r = 0;
        for (I j = 0; j < m; j++) {
            const C c = t[j + 4 < m ? j + 4 : j + 4 - m];
            r = c < 'A' ? (10 * r + c - '0') % 97 : (100 * r + c - 'A' + 10) % 97;
        }
        count += r == 1;
    }
    return count;
}

void base64Decoded(const C *v, I n, I *out) {
    B table[256];
    for (int k = 0; k < 26; k++) table['A' + k] = k, table['a' + k] = 26 + k;
    for (int k = 0; k < 10; k++) table['0' + k] = 52 + k;
    table['+'] = 62, table['/'] = 63;
    for (I i = 0; i + 3 < n; i += 4) {
        const C x = table[v[i]] << 18 | table[v[i + 1]] << 12 | table[v[i + 2]] << 6 | table[v[i + 3]];
        *out++ = x >> 16, *out++ = x >> 8 & 255, *out++ = x & 255;
    }
}

void expanded(const C *v, I n, C *out) {
    I count = 0;
    for (I i = 0; i < n; i++) {
        if (v[i] - '0' < 10) {
            count = 10 * count + v[i] - '0';
        } else {
            for (I k = 0; k < count; k++) *out++ = v[i];
            count = 0;
        }
    }
}

void romans(const I *v, I n, C *out) {
    static const char *const h[] = {"", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"};
    static const char *const t[] = {"", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"};
    static const char *const u[] = {"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"};
    for (I i = 0; i < n; i++) {
        const uint32_t x = v[i];
        for (const char *s = h[x / 100]; *s; s++) *out++ = *s;
        for (const char *s = t[x / 10 % 10]; *s; s++) *out++ = *s;
        for (const char *s = u[x % 10]; *s; s++) *out++ = *s;
        *out++ = ' ';
    }
}

static inline uint64_t spread(uint64_t x) {
    x = (x | x << 8) & 0x00FF00FF;
    x = (x | x << 4) & 0x0F0F0F0F;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

void morton(const I *a, I n, const I *b, I m, I *out) {
    EACH for (I i = 0; i < n; i++) out[i] = spread(a[i]) << 1 | spread(b[i]);
}

/* Texts. */

void partners(const C *v, I n, I *out) {
    I *stack = malloc(n * sizeof(I)), top = 0;
    for (I i = 0; i < n; i++) {
        if (v[i] == '(') {
            stack[top++] = i;
        } else {
            const I open = stack[--top];
            out[i] = open + 1, out[open] = i + 1;
        }
    }
    free(stack);
}

void borders(const C *s, I n, I *p) {
    p[0] = 0;
    for (I i = 1, k = 0; i < n; i++) {
        while (k > 0 && s[k] != s[i]) k = p[k - 1];
        k += s[k] == s[i];
        p[i] = k;
    }
}

void prefixes(const C *v, I n, I m, I *out) {
    for (I i = 0; i + 1 < n; i++) {
        const C *a = v + m * i, *b = a + m;
        I k = 0;
        while (k < m && a[k] == b[k]) k++;
        out[i] = k;
    }
}

I marker(const C *v, I n) { /* where each letter was last */
    I last[128], since = 0;
    for (int k = 0; k < 128; k++) last[k] = -1;
    for (I i = 0; i < n; i++) {
        since = MAX(since, last[v[i]] + 1);
        last[v[i]] = i;
        if (i - since == 13) return i + 1;
    }
    return 13 + n - 12;
}

static inline I priority(C c) { return c >= 'a' ? c - 'a' + 1 : c - 'A' + 27; }

I rucksacks(const C *v, I n) {
    I sum = 0;
    for (I at = 0; at < n;) {
        I end = at;
        while (end < n && v[end] != 10) end++;
        const I half = at + (end - at) / 2;
        uint64_t first = 0, second = 0;
        for (I i = at; i < half; i++) first |= 1ull << priority(v[i]);
        for (I i = half; i < end; i++) second |= 1ull << priority(v[i]);
        sum += __builtin_ctzll(first & second);
        at = end + 1;
    }
    return sum;
}

I calibration(const C *v, I n) {
    I sum = 0, first = -1, last = 0;
    for (I i = 0; i <= n; i++) {
        const C c = i < n ? v[i] : 10;
        if (c - '0' < 10) {
            last = c - '0';
            if (first < 0) first = last;
        } else if (c == 10) {
            sum += 10 * first + last, first = -1;
        }
    }
    return sum;
}

I pangrams(const C *v, I n) {
    I count = 0;
    uint32_t seen = 0;
    for (I i = 0; i <= n; i++) {
        const C c = i < n ? v[i] : 10;
        if (c == 10) {
            count += seen == (1u << 26) - 1, seen = 0;
        } else if (c - 'a' < 26) {
            seen |= 1u << (c - 'a');
        }
    }
    return count;
}

void squeezed(const C *v, I n, C *out) {
    C before = ' ';
    for (I i = 0; i < n; i++) {
        *out = v[i];
        out += v[i] != ' ' || before != ' ';
        before = v[i];
    }
}

/* Numbers. */

void divisorSums(I n, I *d) {
    memset(d, 0, n * sizeof(I));
    for (I i = 1; i <= n / 2; i++)
        for (I j = 2 * i; j <= n; j += i) d[j - 1] += i;
}

I palindrome(I n) {
    I best = 0;
    for (I a = n / 10 + 1; a <= n; a++)
        for (I b = n / 10 + 1; b <= n; b++) {
            uint32_t x = a * b, y = 0;
            for (int k = 0; k < 6; k++) y = 10 * y + x % 10, x /= 10;
            if (y == a * b) best = MAX(best, y);
        }
    return best;
}

void kaprekar(const I *v, I n, I *out) {
    EACH for (I i = 0; i < n; i++) {
        uint32_t x = v[i];
        for (int k = 0; k < 7; k++) {
            const uint32_t a = x / 1000, b = x / 100 % 10, c = x / 10 % 10, d = x % 10;
            const uint32_t ab = MAX(a, b), ba = MIN(a, b), cd = MAX(c, d), dc = MIN(c, d);
            const uint32_t p = MAX(ab, cd), q = MIN(ab, cd), r = MAX(ba, dc), s = MIN(ba, dc);
            x = 999 * (p - s) + 90 * (MAX(q, r) - MIN(q, r));
        }
        out[i] = x;
    }
}

I triples(I n) {
    I count = 0;
    B *square = calloc(2 * n * n + 1, 1);
    for (I i = 1; i <= n; i++) square[i * i] = 1;
    for (I i = 1; i <= n; i++)
        for (I j = i + 1; j <= n; j++) count += square[i * i + j * j];
    free(square);
    return count;
}

I triangle(const I *t, I n, I m) {
    I *r = malloc(m * sizeof(I));
    memcpy(r, t + (n - 1) * m, m * sizeof(I));
    for (I k = n - 2; k >= 0; k--)
        for (I j = 0; j <= k; j++) r[j] = t[k * m + j] + MAX(r[j], r[j + 1]);
    const I best = r[0];
    free(r);
    return best;
}

/* Boards. */

I sudokus(const I *v, I n, I r, I c) {
    I count = 0;
    for (I i = 0; i < n; i++) {
        const I *b = v + 81 * i;
        uint32_t row[9] = {0}, column[9] = {0}, box[9] = {0};
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 9; x++) {
                const uint32_t bit = 1u << b[9 * y + x];
                row[y] |= bit, column[x] |= bit, box[y / 3 * 3 + x / 3] |= bit;
            }
        uint32_t all = 1022;
        for (int k = 0; k < 9; k++) all &= row[k] & column[k] & box[k];
        count += all == 1022;
    }
    return count;
}

I sudokuUnits(const I *v, I n, I r, I c) { return sudokus(v, n, r, c); }

void brain(I rounds, const I *v, I n, I m, I *out) {
    const I w = m + 2;
    B *state = calloc((n + 2) * w, 1), *next = calloc((n + 2) * w, 1);
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) state[(i + 1) * w + j + 1] = v[i * m + j];
    for (I k = 0; k < rounds; k++) {
        memcpy(state + 1, state + n * w + 1, m);
        memcpy(state + (n + 1) * w + 1, state + w + 1, m);
        for (I i = 0; i < n + 2; i++) state[i * w] = state[i * w + m], state[i * w + m + 1] = state[i * w + 1];
        for (I i = 1; i <= n; i++) {
            const B *at = state + i * w, *up = at - w, *down = at + w;
            B *to = next + i * w;
            EACH for (I j = 1; j <= m; j++) {
                const B s = (up[j - 1] == 1) + (up[j] == 1) + (up[j + 1] == 1) + (at[j - 1] == 1) + (at[j + 1] == 1) +
                            (down[j - 1] == 1) + (down[j] == 1) + (down[j + 1] == 1);
                to[j] = 2 * (at[j] == 1) + ((at[j] == 0) & (s == 2));
            }
        }
        B *swap = state;
        state = next, next = swap;
    }
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) out[i * m + j] = state[(i + 1) * w + j + 1];
    free(state), free(next);
}

/* Tables and keys. */

void regionTotals(const I *customers, I n, I two, const I *orders, I m, I also, I *out) {
    I last = 0;
    for (I i = 0; i < n; i++) last = MAX(last, customers[2 * i]);
    int32_t *region = malloc((last + 1) * sizeof(int32_t));
    for (I i = n - 1; i >= 0; i--) region[customers[2 * i]] = customers[2 * i + 1];
    memset(out, 0, 10 * sizeof(I));
    for (I i = 0; i < m; i++) out[region[orders[2 * i]] - 1] += orders[2 * i + 1];
    free(region);
}

void latest(const I *v, I n, I three, I *out) { /* keys below 20,000 */
    B *seen = calloc(20000, 1);
    I *end = out + 3 * 20000;
    for (I i = n - 1; i >= 0; i--) {
        const I *row = v + 3 * i;
        if (!seen[row[0]]) {
            seen[row[0]] = 1;
            end -= 3;
            end[0] = row[0], end[1] = row[1], end[2] = row[2];
        }
    }
    free(seen);
}

void occurrence(const I *v, I n, I *out) { /* keys below 5,000 */
    int32_t *count = calloc(5000, sizeof(int32_t));
    for (I i = 0; i < n; i++) out[i] = ++count[v[i]];
    free(count);
}

I calories(const I *v, I n) {
    I a = 0, b = 0, c = 0, sum = 0;
    for (I i = 0; i <= n; i++) {
        if (i < n && v[i]) {
            sum += v[i];
        } else {
            if (sum > c) {
                c = sum;
                if (c > b) sum = b, b = c, c = sum;
                if (b > a) sum = a, a = b, b = sum;
            }
            sum = 0;
        }
    }
    return a + b + c;
}

void digrams(const C *v, I n, I *out) {
    memset(out, 0, 676 * sizeof(I));
    for (I i = 0; i + 1 < n; i++) out[26 * (v[i] - 'A') + v[i + 1] - 'A']++;
}

I diagnostic(const B *v, I n, I m) {
    I count[12] = {0}, a = 0, b = 0;
    for (I at = 0; at < n; at += 255) { /* sums of bytes */
        B sum[12] = {0};
        const I end = MIN(n, at + 255);
        for (I i = at; i < end; i++)
            for (int j = 0; j < 12; j++) sum[j] += v[12 * i + j];
        for (int j = 0; j < 12; j++) count[j] += sum[j];
    }
    for (int j = 0; j < 12; j++) {
        const I most = 2 * count[j] > n;
        a = 2 * a + most, b = 2 * b + !most;
    }
    return a * b;
}
