/* The programs of records.apl by hand: an array is a pointer and then its extents, a result that is one a pointer behind
   the arguments. Indices and counts are 64 bits. Nothing is checked here. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#undef I

typedef int64_t I;
typedef uint32_t C;
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define EACH _Pragma("omp simd")

/* Lines. */

void levels(const C *v, I n, I *out) { /* each line once, by its 21st character */
    out[0] = out[1] = out[2] = 0;
    static const C error[5] = {'E', 'R', 'R', 'O', 'R'}, warn[5] = {'W', 'A', 'R', 'N', ' '}, info[5] = {'I', 'N', 'F', 'O', ' '};
    for (I at = 0; at < n;) {
        I end = at;
        while (end < n && v[end] != 10) end++;
        if (end - at >= 25) {
            out[0] += !memcmp(v + at + 20, error, sizeof error);
            out[1] += !memcmp(v + at + 20, warn, sizeof warn);
            out[2] += !memcmp(v + at + 20, info, sizeof info);
        }
        at = end + 1;
    }
}

I trimmed(const C *v, I n) { /* blanks in front of each line */
    I sum = 0;
    int inside = 0;
    for (I i = 0; i < n; i++) {
        inside = v[i] != 10 && (inside || v[i] != ' ');
        sum += inside;
    }
    return sum;
}

void addresses(const C *v, I n, I *out) {
    I number = 0, address = 0, parts = 0;
    int inside = 0;
    for (I i = 0; i <= n; i++) {
        const C digit = i < n ? v[i] - '0' : 10;
        if (digit < 10) {
            number = 10 * number + digit, inside = 1;
        } else if (inside) {
            address = address * 256 + number;
            number = inside = 0;
            if (++parts == 4) *out++ = address, address = parts = 0;
        }
    }
}

void snake(const C *v, I n, C *out) {
    for (I i = 0; i < n; i++) {
        const int upper = v[i] - 'A' < 26;
        *out = '_';
        out += upper;
        *out++ = v[i] + 32 * upper;
    }
}

/* Dates. */

void isoDays(const C *v, I n, I ten, I *out) {
    EACH for (I i = 0; i < n; i++) {
        const C *t = v + 10 * i;
        const int32_t y = 1000 * t[0] + 100 * t[1] + 10 * t[2] + t[3] - 1111 * '0', m = 10 * t[5] + t[6] - 11 * '0';
        const int32_t d = 10 * t[8] + t[9] - 11 * '0', a = m < 3, z = y - a;
        out[i] = d + (153 * (m + 12 * a) - 457) / 5 + 365 * z + z / 4 + z / 400 - z / 100;
    }
}

void monthTotals(const I *d, I n, const double *v, I m, double *out) {
    I first = INT64_MAX;
    int32_t *month = malloc(n * sizeof(int32_t));
    for (I i = 0; i < n; i++) {
        const uint32_t x = d[i];
        month[i] = x / 10000 * 12 + x / 100 % 100;
        first = MIN(first, month[i]);
    }
    memset(out, 0, 120 * sizeof(double));
    for (I i = 0; i < n; i++) out[month[i] - first] += v[i];
    free(month);
}

/* Records. */

void lastOf(const I *v, I n, I three, I *out) { /* who is 1 to 1000; in the order of the first record of each by time */
    I first[1001], last[1001], number[1001], value[1001];
    for (I k = 0; k < 1001; k++) last[k] = -1;
    I count = 0;
    for (I i = 0; i < n; i++) {
        const I k = v[3 * i], t = v[3 * i + 1];
        if (last[k] < 0) first[k] = t, number[count++] = k;
        first[k] = MIN(first[k], t);
        if (t >= last[k]) last[k] = t, value[k] = v[3 * i + 2];
    }
    for (I i = 1; i < count; i++) {
        const I k = number[i];
        I at = i;
        for (; at > 0 && first[number[at - 1]] > first[k]; at--) number[at] = number[at - 1];
        number[at] = k;
    }
    for (I i = 0; i < count; i++) out[i] = value[number[i]];
}
