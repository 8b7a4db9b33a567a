/* The idioms of idioms.apl by hand: an array is a pointer and then its extents, a result that is one a pointer behind
   the arguments. Indices and counts are 64 bits. What is divided by zero in APL is an error there; it is not looked for
   here. With OpenMP, loops that one writes with threads have them. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t I;
typedef uint8_t B;
typedef uint32_t C;
#define TEXT_(...) #__VA_ARGS__
#define SUM(...) _Pragma(TEXT_(omp parallel for simd reduction(+ : __VA_ARGS__)))
#define EACH _Pragma("omp parallel for simd")
#define ROWS _Pragma("omp parallel for")

/* Statistics. */

double skewness(const double *v, I n) {
    double sum = 0, two = 0, three = 0;
    SUM(sum) for (I i = 0; i < n; i++) sum += v[i];
    const double mean = sum / n;
    SUM(two, three) for (I i = 0; i < n; i++) {
        const double d = v[i] - mean;
        two += d * d, three += d * d * d;
    }
    return three / n / pow(two / n, 1.5);
}

double correlation(const double *x, I n, const double *y, I m) {
    double a = 0, b = 0, xy = 0, xx = 0, yy = 0;
    SUM(a, b) for (I i = 0; i < n; i++) a += x[i], b += y[i];
    a /= n, b /= n;
    SUM(xy, xx, yy) for (I i = 0; i < n; i++) {
        const double p = x[i] - a, q = y[i] - b;
        xy += p * q, xx += p * p, yy += q * q;
    }
    return xy / sqrt(xx * yy);
}

I mode(const I *v, I n) { /* the range is found first, as it is not known */
    I low = v[0], high = v[0], best = 0;
    for (I i = 0; i < n; i++) low = v[i] < low ? v[i] : low, high = v[i] > high ? v[i] : high;
    I *count = calloc(high - low + 1, sizeof(I));
    for (I i = 0; i < n; i++) best = ++count[v[i] - low] > best ? count[v[i] - low] : best;
    I i = 0;
    while (count[v[i] - low] != best) i++;
    free(count);
    return v[i];
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

double quartiles(const double *v, I n) {
    double *w = malloc(n * sizeof(double));
    memcpy(w, v, n * sizeof(double));
    const double upper = nth(w, n, (I)ceil(0.75 * n) - 1), lower = nth(w, n, (I)ceil(0.25 * n) - 1);
    free(w);
    return upper - lower;
}

void groupMeans(const I *key, I n, const double *v, I m, double *out) {
    I low = key[0], high = key[0], groups = 0;
    for (I i = 0; i < n; i++) low = key[i] < low ? key[i] : low, high = key[i] > high ? key[i] : high;
    I *group = calloc(high - low + 1, sizeof(I)), *count = calloc(high - low + 1, sizeof(I));
    for (I i = 0; i < n; i++) {
        I *g = &group[key[i] - low];
        if (!*g) out[groups] = 0, *g = ++groups;
        out[*g - 1] += v[i], count[*g - 1]++;
    }
    for (I g = 0; g < groups; g++) out[g] /= count[g];
    free(group), free(count);
}

/* Finance. */

double sharpe(const double *p, I n) {
    double sum = 0, squares = 0, *r = malloc((n - 1) * sizeof(double));
    SUM(sum) for (I i = 0; i < n - 1; i++) sum += r[i] = log(p[i + 1] / p[i]);
    const double mean = sum / (n - 1);
    SUM(squares) for (I i = 0; i < n - 1; i++) squares += (r[i] - mean) * (r[i] - mean);
    free(r);
    return mean / sqrt(squares / (n - 1));
}

void averagePrice(const I *volume, I n, const double *price, I m, double *out) {
    I volumes = 0;
    double paid = 0;
    for (I i = 0; i < n; i++) out[i] = (paid += volume[i] * price[i]) / (volumes += volume[i]);
}

void onBalance(const I *volume, I n, const double *price, I m, I *out) {
    I sum = out[0] = 0;
    for (I i = 1; i < n; i++)
        out[i] = sum += volume[i] * ((price[i] > price[i - 1]) - (price[i] < price[i - 1]));
}

void bands(const double *p, I n, double *out) {
    const I m = n - 19;
    EACH for (I i = 0; i < m; i++) {
        double sum = 0, squares = 0;
        for (I k = 0; k < 20; k++) sum += p[i + k], squares += p[i + k] * p[i + k];
        const double mean = sum / 20, variance = squares / 20 - mean * mean;
        const double deviation = sqrt(variance > 0 ? variance : 0);
        out[i] = mean - 2 * deviation, out[m + i] = mean + 2 * deviation;
    }
}

void strength(const double *p, I n, double *out) {
    EACH for (I i = 0; i < n - 14; i++) {
        double up = 0, down = 0;
        for (I k = 0; k < 14; k++) {
            const double d = p[i + k + 1] - p[i + k];
            up += d > 0 ? d : 0, down += d < 0 ? -d : 0;
        }
        out[i] = 100 * (up == 0 && up + down == 0 ? 1 : up / (up + down));
    }
}

/* Images. */

void grey(const B *v, I n, I three, I *out) {
    EACH for (I i = 0; i < n; i++) out[i] = (77 * v[3 * i] + 150 * v[3 * i + 1] + 29 * v[3 * i + 2]) >> 8;
}

void halved(const B *v, I n, I m, I *out) {
    ROWS for (I i = 0; i < n / 2; i++) for (I j = 0; j < m / 2; j++) {
        const B *at = v + 2 * i * m + 2 * j;
        out[i * (m / 2) + j] = (at[0] + at[1] + at[m] + at[m + 1]) >> 2;
    }
}

void equalised(const B *v, I n, I m, I *out) {
    I count[4][256] = {{0}}, sum = 0, table[256];
    for (I i = 0; i < n * m; i += 4) /* four counts: the same byte twice in a row waits for memory */
        for (I k = 0; k < 4 && i + k < n * m; k++) count[k][v[i + k]]++;
    for (I k = 0; k < 256; k++) {
        sum += count[0][k] + count[1][k] + count[2][k] + count[3][k];
        table[k] = (I)floor(255.0 * ((double)sum / (n * m)));
    }
    EACH for (I i = 0; i < n * m; i++) out[i] = table[v[i]];
}

void dilated(const B *v, I n, I m, B *out) {
    ROWS for (I i = 0; i < n; i++) {
        B all[m];
        const B *above = v + (i ? i - 1 : n - 1) * m, *at = v + i * m, *below = v + (i < n - 1 ? i + 1 : 0) * m;
        for (I j = 0; j < m; j++) all[j] = above[j] | at[j] | below[j];
        out[i * m] = all[m - 1] | all[0] | all[1];
        for (I j = 1; j < m - 1; j++) out[i * m + j] = all[j - 1] | all[j] | all[j + 1];
        out[i * m + m - 1] = all[m - 2] | all[m - 1] | all[0];
    }
}

void integralImage(const B *v, I n, I m, I *out) {
    for (I i = 0, sum = 0; i < m; i++) out[i] = sum += v[i];
    for (I i = 1; i < n; i++) {
        I sum = 0;
        for (I j = 0; j < m; j++) out[i * m + j] = out[(i - 1) * m + j] + (sum += v[i * m + j]);
    }
}

void blurred(const B *v, I n, I m, I *out) {
    ROWS for (I i = 0; i < n; i++) {
        int all[m];
        const B *above = v + (i ? i - 1 : n - 1) * m, *at = v + i * m, *below = v + (i < n - 1 ? i + 1 : 0) * m;
        for (I j = 0; j < m; j++) all[j] = above[j] + at[j] + below[j];
        out[i * m] = (all[m - 1] + all[0] + all[1]) / 9;
        for (I j = 1; j < m - 1; j++) out[i * m + j] = (all[j - 1] + all[j] + all[j + 1]) / 9;
        out[i * m + m - 1] = (all[m - 2] + all[m - 1] + all[0]) / 9;
    }
}

void sobel(const B *v, I n, I m, I *out) {
    ROWS for (I i = 0; i < n; i++) {
        int sum[m], difference[m];
        const B *above = v + (i ? i - 1 : n - 1) * m, *at = v + i * m, *below = v + (i < n - 1 ? i + 1 : 0) * m;
        for (I j = 0; j < m; j++) sum[j] = above[j] + 2 * at[j] + below[j], difference[j] = below[j] - above[j];
#define SOBEL(left, j, right) \
    abs(sum[right] - sum[left]) + abs(difference[left] + 2 * difference[j] + difference[right])
        out[i * m] = SOBEL(m - 1, 0, 1);
        for (I j = 1; j < m - 1; j++) out[i * m + j] = SOBEL(j - 1, j, j + 1);
        out[i * m + m - 1] = SOBEL(m - 2, m - 1, 0);
    }
}

/* Texts as numbers. What is not a digit counts as a digit behind the last. */

void parsed(const C *v, I n, I m, I *out) {
    EACH for (I i = 0; i < n; i++) {
        I number = 0;
        for (I j = 0; j < m; j++) number = 10 * number + (v[i * m + j] - '0' < 10 ? v[i * m + j] - '0' : 10);
        out[i] = number;
    }
}

I hash(const C *v, I n) {
    I h = v[0];
    for (I i = 1; i < n; i++) h = (v[i] + 31 * h) % 2147483647;
    return h;
}

void upper(const C *v, I n, C *out) {
    EACH for (I i = 0; i < n; i++) out[i] = v[i] - 32 * (v[i] - 'a' < 26);
}

static I digit(C c) { return c - '0' < 10 ? c - '0' : c - 'a' < 6 ? c - 'a' + 10 : 16; }

void hexadecimal(const C *v, I n, I *out) {
    EACH for (I i = 0; i < n / 2; i++) out[i] = 16 * digit(v[2 * i]) + digit(v[2 * i + 1]);
}

void caesar(I by, const C *v, I n, C *out) { /* a letter that is not there counts as the one behind the last */
    C table[256];
    by = (by % 26 + 26) % 26;
    for (I c = 0; c < 256; c++) table[c] = 'a' + ((c >= 'a' && c <= 'z' ? c - 'a' : 26) + by) % 26;
    EACH for (I i = 0; i < n; i++) out[i] = table[v[i] < 256 ? v[i] : 0];
}

I words(const C *v, I n) {
    I count = v[0] != ' ';
    SUM(count) for (I i = 1; i < n; i++) count += (v[i] != ' ') & (v[i - 1] == ' ');
    return count;
}

I longestRun(const C *v, I n) {
    I longest = 0, start = 0;
    for (I i = 1; i < n; i++)
        if (v[i] != v[i - 1]) {
            if (i - start > longest) longest = i - start;
            start = i;
        }
    return n - start > longest ? n - start : longest;
}

/* Graphs by matrices. */

void distances(const double *start, I n, const double *m, I rows, I columns, double *out) {
    double *now = malloc(n * sizeof(double));
    memcpy(out, start, n * sizeof(double));
    for (I round = 0; round < 10; round++) {
        memcpy(now, out, n * sizeof(double));
        for (I k = 0; k < n; k++)
#pragma omp simd
            for (I j = 0; j < n; j++) {
                const double d = now[k] + m[k * n + j];
                out[j] = d < out[j] ? d : out[j];
            }
    }
    free(now);
}

void reached(I from, const B *m, I n, I columns, B *out) {
    I *list = malloc((n + 1) * sizeof(I)), found = 1;
    memset(out, 0, n);
    list[0] = from - 1, out[from - 1] = 1;
    for (I k = 0; k < found; k++)
        for (I j = 0; j < n; j++) {
            list[found] = j;
            const B fresh = m[list[k] * n + j] & !out[j];
            found += fresh, out[j] |= fresh;
        }
    free(list);
}

void laplacian(const B *m, I n, I columns, I *out) {
    ROWS for (I i = 0; i < n; i++) {
        I sum = 0;
        for (I j = 0; j < n; j++) sum += m[i * n + j], out[i * n + j] = -(I)m[i * n + j];
        out[i * n + i] += sum;
    }
}

I symmetric(const I *m, I n, I columns) {
    for (I a = 0; a < n; a += 16) /* by blocks, whose lines stay in the cache */
        for (I b = 0; b <= a; b += 16) {
            I differ = 0;
            for (I i = a; i < a + 16 && i < n; i++)
                for (I j = b; j < b + 16 && j < n; j++) differ |= m[i * n + j] ^ m[j * n + i];
            if (differ) return 0;
        }
    return 1;
}

void adjacency(I n, const I *edges, I count, I two, I *out) {
    memset(out, 0, n * n * sizeof(I));
    for (I i = 0; i < count; i++) out[(edges[2 * i] - 1) * n + edges[2 * i + 1] - 1] = 1;
}

/* Recurrences. */

void smoothed(double a, const double *v, I n, double *out) {
    double s = 0;
    for (I i = 0; i < n; i++) out[i] = s = a * s + (1 - a) * v[i];
}

I fibonacci(I n) {
    I a = 0, b = 1;
    for (I i = 0; i < n; i++) {
        const I next = (a + b) % 1000007;
        b = a, a = next;
    }
    return a;
}

typedef double V __attribute__((vector_size(32)));

void logistic(I times, const double *v, I n, double *out) {
    ROWS for (I at = 0; at < n; at += 32) { /* eight vectors, whose waiting overlaps, stay in registers */
        V x[8] = {{0}};
        const I some = n - at < 32 ? n - at : 32;
        memcpy(x, v + at, some * sizeof(double));
        for (I k = 0; k < times; k++)
#pragma GCC unroll 8
            for (I i = 0; i < 8; i++) x[i] = 3.7 * (x[i] * (1 - x[i]));
        memcpy(out + at, x, some * sizeof(double));
    }
}

I collatz(I n) {
    I longest = 0;
    _Pragma("omp parallel for reduction(max : longest) schedule(dynamic, 1000)") for (I i = 1; i <= n; i++) {
        I steps = 0;
        for (I k = i; k != 1; steps++) k = k & 1 ? 1 + 3 * k : k >> 1;
        longest = steps > longest ? steps : longest;
    }
    return longest;
}

double fraction(const double *v, I n) {
    double x = v[n - 1];
    for (I i = n - 2; i >= 0; i--) x = v[i] + 1 / x;
    return x;
}

/* Dates. */

I leap(const I *v, I n) {
    I count = 0;
    SUM(count) for (I i = 0; i < n; i++) count += ((v[i] & 3) == 0) & ((v[i] % 100 != 0) | (v[i] % 400 == 0));
    return count;
}

static I quotient(I a, I b) { return a / b - (a % b < 0); }

void dayNumber(const I *v, I three, I n, I *out) {
    EACH for (I i = 0; i < n; i++) {
        const I a = quotient(14 - v[n + i], 12), z = v[i] + 4800 - a, m = v[n + i] + 12 * a - 3;
        out[i] = v[2 * n + i] + quotient(2 + 153 * m, 5) + 365 * z + (z >> 2) + quotient(z, 400) - quotient(z, 100) - 32045;
    }
}

void months(const I *v, I n, I *out) {
    EACH for (I i = 0; i < n; i++) {
        const I a = v[i] + 32044, b = quotient(3 + 4 * a, 146097), c = a - ((146097 * b) >> 2);
        const I d = quotient(3 + 4 * c, 1461), e = c - ((1461 * d) >> 2), m = quotient(2 + 5 * e, 153);
        out[i] = 3 + m - 12 * quotient(m, 10);
    }
}

void weekdays(const I *v, I n, I *out) {
    I count[2][7] = {{0}};
    for (I i = 0; i < n; i++) {
        const I r = v[i] % 7;
        count[i & 1][r + (r < 0 ? 7 : 0)]++;
    }
    for (I k = 0; k < 7; k++) out[k] = count[0][k] + count[1][k];
}

I valid(const I *v, I n) {
    static const I days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    I count = 0;
    SUM(count) for (I i = 0; i < n; i++) {
        const I y = quotient(v[i], 10000), rest = v[i] - 10000 * y, m = rest / 100, d = rest - 100 * m;
        const I k = m < 1 ? 1 : m > 12 ? 12 : m;
        count += (m == k) & (1 <= d) & (d <= days[k - 1] + ((m == 2) & ((y & 3) == 0)));
    }
    return count;
}

/* Bits. */

void quoted(const C *v, I n, B *out) {
    B inside = 0;
    for (I i = 0; i < n; i++) {
        const B q = v[i] == '"';
        inside ^= q, out[i] = inside | q;
    }
}

I edges(const B *v, I n) {
    I count = v[0];
    SUM(count) for (I i = 1; i < n; i++) count += v[i - 1] < v[i];
    return count;
}

void packed(const B *v, I n, I *out) { /* bit 7 of each product's top byte comes of the first byte */
    EACH for (I i = 0; i < n / 8; i++) {
        uint64_t eight;
        memcpy(&eight, v + 8 * i, 8);
        out[i] = (I)((eight * 0x8040201008040201ULL >> 56) & 255);
    }
}

double jaccard(const B *a, I n, const B *b, I m) {
    I both = 0, any = 0;
    SUM(both, any) for (I i = 0; i < n; i++) both += a[i] & b[i], any += a[i] | b[i];
    return (double)both / any;
}

void encoded(const I *v, I n, I *out) {
    I count = 0, start = 0;
    for (I i = 1; i <= n; i++)
        if (i == n || v[i] != v[i - 1]) {
            out[count++] = v[i - 1], out[count++] = i - start;
            start = i;
        }
}

void segmentSums(const B *starts, I m, const double *v, I n, double *out) {
    I i = 0, count = 0;
    while (i < n && !starts[i]) i++;
    while (i < n) {
        double sum = v[i++];
        while (i < n && !starts[i]) sum += v[i++];
        out[count++] = sum;
    }
}

void gray(const I *v, I n, I *out) {
    EACH for (I i = 0; i < n; i++) out[i] = (int32_t)v[i] ^ ((int32_t)v[i] >> 1);
}

/* Polynomials. */

void horner(const double *c, I m, const double *v, I n, double *out) {
    ROWS for (I at = 0; at < n; at += 512) {
        const I some = n - at < 512 ? n - at : 512;
        for (I i = 0; i < some; i++) out[at + i] = 0;
        for (I k = 0; k < m; k++)
            for (I i = 0; i < some; i++) out[at + i] = out[at + i] * v[at + i] + c[k];
    }
}

void product(const I *a, I n, const I *b, I m, I *out) {
    memset(out, 0, (n + m - 1) * sizeof(I));
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) out[i + j] += a[i] * b[j];
}

void roots(const double *v, I n, I three, double *out) {
    EACH for (I i = 0; i < n; i++) {
        const double a = v[3 * i], b = v[3 * i + 1], c = v[3 * i + 2], d = b * b - 4 * (a * c);
        out[i] = (sqrt(d > 0 ? d : 0) - b) / (2 * a);
    }
}

void differences(I times, const double *v, I n, double *out) { /* in pieces that stay in the cache */
    double w[1024];
    for (I at = 0; at < n - times; at += 1024 - times) {
        const I some = n - at < 1024 ? n - at : 1024;
        memcpy(w, v + at, some * sizeof(double));
        for (I k = 1; k <= times; k++)
#pragma GCC ivdep
            for (I i = 0; i < some - k; i++) w[i] = w[i + 1] - w[i];
        memcpy(out + at, w, (some - times) * sizeof(double));
    }
}

void vandermonde(const double *v, I n, double *out) {
    EACH for (I i = 0; i < n; i++) {
        double p = 1;
        for (I k = 0; k < 8; k++) out[8 * i + k] = p, p *= v[i];
    }
}

/* Simulations. */

I generator(I n, I seed) {
    for (I i = 0; i < n; i++) seed = (12345 + 1103515245 * seed) & 2147483647;
    return seed;
}

void waiting(const double *v, I n, double *out) {
    double sum = 0, least = 0;
    for (I i = 0; i < n; i++) {
        sum += v[i], least = sum < least ? sum : least;
        out[i] = sum - least;
    }
}

I walk(const B *v, I n) {
    I at = 0, farthest = 0;
    for (I i = 0; i < n; i++) {
        at += 2 * v[i] - 1;
        const I distance = at < 0 ? -at : at;
        farthest = distance > farthest ? distance : farthest;
    }
    return farthest;
}

void sampled(const double *p, I m, const double *v, I n, I *out) {
    double sums[m], sum = 0;
    for (I k = 0; k < m; k++) sums[k] = sum += p[k];
    ROWS for (I i = 0; i < n; i++) {
        I low = 0;
        for (I left = m; left > 0;) { /* without branches that are guessed wrongly */
            const I half = (left + 1) / 2;
            low = sums[low + half - 1] <= v[i] ? low + half : low;
            left -= half;
        }
        out[i] = low;
    }
}

I ising(const int8_t *v, I n, I m) {
    I sum = 0;
    for (I i = 0; i < n; i++) {
        const int8_t *at = v + i * m, *below = v + (i < n - 1 ? i + 1 : 0) * m;
        I row = at[m - 1] * (at[0] + below[m - 1]);
        for (I j = 0; j < m - 1; j++) row += at[j] * (at[j + 1] + below[j]);
        sum += row;
    }
    return -sum;
}

/* Rows of matrices. */

void nearest(const double *m, I k, I d, const double *v, I n, I same, I *out) {
    ROWS for (I i = 0; i < n; i++) {
        double least = INFINITY;
        I at = 0;
        for (I c = 0; c < k; c++) {
            double sum = 0;
            for (I j = 0; j < d; j++) sum += (m[c * d + j] - v[i * d + j]) * (m[c * d + j] - v[i * d + j]);
            if (sum < least) least = sum, at = c;
        }
        out[i] = at + 1;
    }
}

void normed(const double *v, I n, I m, double *out) {
    ROWS for (I i = 0; i < n; i++) {
        double sum = 0;
        for (I j = 0; j < m; j++) sum += v[i * m + j] * v[i * m + j];
        sum = sqrt(sum);
        for (I j = 0; j < m; j++) out[i * m + j] = v[i * m + j] / sum;
    }
}

void softmax(const double *v, I n, I m, double *out) {
    ROWS for (I i = 0; i < n; i++) {
        double greatest = v[i * m], sum = 0;
        for (I j = 1; j < m; j++) greatest = v[i * m + j] > greatest ? v[i * m + j] : greatest;
        for (I j = 0; j < m; j++) sum += out[i * m + j] = exp(v[i * m + j] - greatest);
        for (I j = 0; j < m; j++) out[i * m + j] /= sum;
    }
}

void standardised(const double *v, I n, I m, double *out) {
    ROWS for (I i = 0; i < n; i++) {
        double mean = 0, sum = 0;
        for (I j = 0; j < m; j++) mean += v[i * m + j];
        mean /= m;
        for (I j = 0; j < m; j++) sum += (v[i * m + j] - mean) * (v[i * m + j] - mean);
        sum = sqrt(sum / m);
        for (I j = 0; j < m; j++) out[i * m + j] = (v[i * m + j] - mean) / sum;
    }
}

/* Keys. */

void histogram(const I *v, I n, I *out) {
    I count[4][65] = {{0}}; /* the last for other keys */
    for (I i = 0; i < n; i++) {
        const uint64_t k = v[i] - 1;
        count[i & 3][k < 64 ? k : 64]++;
    }
    for (I k = 0; k < 64; k++) out[k] = count[0][k] + count[1][k] + count[2][k] + count[3][k];
}

void weighted(const double *w, I n, const I *v, I m, double *out) {
    double sum[4][65] = {{0}};
    for (I i = 0; i < n; i++) {
        const uint64_t k = v[i] - 1;
        sum[i & 3][k < 64 ? k : 64] += w[i];
    }
    for (I k = 0; k < 64; k++) out[k] = sum[0][k] + sum[1][k] + sum[2][k] + sum[3][k];
}

void tallies(const I *v, I n, I *out) { histogram(v, n, out); }

void leastPlaces(const double *v, I n, I m, I *out) {
    ROWS for (I i = 0; i < n; i++) {
        const double *row = v + i * m;
        double least = row[0];
        I at = 0;
        for (I j = 1; j < m; j++)
            if (row[j] < least) least = row[j], at = j;
        out[i] = at + 1;
    }
}
