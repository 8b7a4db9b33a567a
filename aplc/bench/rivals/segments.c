/* A vector that is cut into items, by hand: sums of the items, all items sorted; inner products of items.

   Marks are read eight at a time, since most are 0. Items are sorted by exchanging where they are short, by
   their digits where they are long, and in several threads as parts that are merged. */

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 64, INSERTED = 24, BY_DIGITS = 1024, DIGIT = 11, DIGITS = 6 };

/* The next mark at a place or behind it; n if there is none. */
static inline int64_t next_mark(const uint8_t *marks, int64_t i, int64_t n) {
    for (; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, marks + i, 8);
        if (word)
            return i + __builtin_ctzll(word) / 8;
    }
    while (i < n && !marks[i])
        i++;
    return i;
}

static inline double sum_of(const double *restrict v, int64_t n) {
    double sum = 0.0;
    if (n < LONG) {
        for (int64_t k = 0; k < n; k++)
            sum += v[k];
        return sum;
    }
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < n; k++)
        sum += v[k];
    return sum;
}

static inline double product_of(const double *restrict a, const double *restrict b, int64_t n) {
    double sum = 0.0;
    if (n < LONG) {
        for (int64_t k = 0; k < n; k++)
            sum += a[k] * b[k];
        return sum;
    }
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

void segment_dots(const double *a, const int64_t *offsets, int64_t items, const double *b, const int64_t *same,
                  int64_t also, double *out) {
#pragma omp parallel for
    for (int64_t i = 0; i < items; i++)
        out[i] = product_of(a + offsets[i], b + offsets[i], offsets[i + 1] - offsets[i]);
}

static int64_t marks_in(const uint8_t *marks, int64_t n) {
    int64_t count = 0;
#pragma omp simd reduction(+ : count)
    for (int64_t i = 0; i < n; i++)
        count += marks[i];
    return count;
}

#ifdef _OPENMP

#include <omp.h>

int64_t segment_sums(const uint8_t *marks, int64_t n, const double *v, int64_t also, double *out) {
    int64_t *before = calloc((size_t)omp_get_max_threads() + 1, sizeof(int64_t)), all = 0;
#pragma omp parallel
    {
        const int64_t parts = omp_get_num_threads(), part = omp_get_thread_num();
        const int64_t first = n * part / parts, last = n * (part + 1) / parts;
        before[part + 1] = marks_in(marks + first, last - first);
#pragma omp barrier
#pragma omp single
        {
            for (int64_t k = 0; k < parts; k++)
                before[k + 1] += before[k];
            all = before[parts];
        }
        int64_t k = before[part], i = next_mark(marks, first, n);
        while (i < last) {
            const int64_t end = next_mark(marks, i + 1, n);
            out[k++] = sum_of(v + i, end - i);
            i = end;
        }
    }
    free(before);
    return all;
}

#else

int64_t segment_sums(const uint8_t *marks, int64_t n, const double *v, int64_t also, double *out) {
    int64_t k = 0, i = next_mark(marks, 0, n);
    while (i < n) {
        const int64_t end = next_mark(marks, i + 1, n);
        out[k++] = sum_of(v + i, end - i);
        i = end;
    }
    return k;
}

#endif

/* --- sorting --- */

static void insert(double *v, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        const double x = v[i];
        int64_t k = i;
        for (; k > 0 && v[k - 1] > x; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
}

static inline double median(double a, double b, double c) {
    const double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static void exchange(double *v, int64_t n) {
    while (n > INSERTED) {
        const double pivot = median(v[0], v[n / 2], v[n - 1]);
        int64_t i = -1, k = n;
        for (;;) {
            do
                i++;
            while (v[i] < pivot);
            do
                k--;
            while (v[k] > pivot);
            if (i >= k)
                break;
            const double x = v[i];
            v[i] = v[k], v[k] = x;
        }
        const int64_t low = k + 1;
        if (low < n - low)
            exchange(v, low), v += low, n -= low;
        else
            exchange(v + low, n - low), n = low;
    }
    insert(v, n);
}

/* Doubles as whole numbers in the same order, and back. */
static inline uint64_t key_of(uint64_t bits) { return bits ^ (bits >> 63 ? ~0ull : 1ull << 63); }
static inline uint64_t bits_of(uint64_t key) { return key ^ (key >> 63 ? 1ull << 63 : ~0ull); }

static void by_digits(double *v, int64_t n) {
    uint64_t *from = malloc((size_t)n * sizeof(uint64_t)), *to = malloc((size_t)n * sizeof(uint64_t));
    int64_t(*counts)[1 << DIGIT] = calloc(DIGITS, sizeof(*counts));
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, v + i, 8);
        from[i] = bits = key_of(bits);
        for (int d = 0; d < DIGITS; d++)
            counts[d][bits >> d * DIGIT & ((1 << DIGIT) - 1)]++;
    }
    for (int d = 0; d < DIGITS; d++) {
        int64_t *place = counts[d], sum = 0;
        if (place[from[0] >> d * DIGIT & ((1 << DIGIT) - 1)] == n)
            continue;
        for (int k = 0; k < 1 << DIGIT; k++) {
            const int64_t count = place[k];
            place[k] = sum, sum += count;
        }
        for (int64_t i = 0; i < n; i++)
            to[place[from[i] >> d * DIGIT & ((1 << DIGIT) - 1)]++] = from[i];
        uint64_t *old = from;
        from = to, to = old;
    }
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = bits_of(from[i]);
        memcpy(v + i, &bits, 8);
    }
    free(from), free(to), free(counts);
}

static void sort(double *v, int64_t n) {
    if (n < BY_DIGITS)
        exchange(v, n);
    else
        by_digits(v, n);
}

#ifdef _OPENMP

/* How many of the first k elements of two sorted vectors together are of the first one. */
static int64_t shared(const double *a, int64_t m, const double *b, int64_t n, int64_t k) {
    int64_t low = k > n ? k - n : 0, high = k < m ? k : m;
    while (low < high) {
        const int64_t i = (low + high) / 2;
        if (a[i] <= b[k - i - 1])
            low = i + 1;
        else
            high = i;
    }
    return low;
}

static void merge(const double *a, const double *end_a, const double *b, const double *end_b, double *out) {
    while (a < end_a && b < end_b)
        *out++ = *a <= *b ? *a++ : *b++;
    while (a < end_a)
        *out++ = *a++;
    while (b < end_b)
        *out++ = *b++;
}

/* A long item in all threads: each sorts a part, then neighbours are merged, each thread a stretch of them. */
static void sort_together(double *v, int64_t n, int64_t threads) {
    int64_t parts = 1;
    while (parts < threads)
        parts *= 2;
    double *other = malloc((size_t)n * sizeof(double)), *from = v, *to = other;
#pragma omp parallel for schedule(dynamic)
    for (int64_t k = 0; k < parts; k++)
        by_digits(v + n * k / parts, n * (k + 1) / parts - n * k / parts);
    for (int64_t width = 1; width < parts; width *= 2) {
#pragma omp parallel for schedule(dynamic)
        for (int64_t s = 0; s < parts; s++) {
            const int64_t pair = s / (2 * width) * 2 * width, start = n * pair / parts;
            const int64_t middle = n * (pair + width) / parts, end = n * (pair + 2 * width) / parts;
            const double *a = from + start, *b = from + middle;
            const int64_t m = middle - start, rest = end - middle, step = s - pair;
            const int64_t k0 = (m + rest) * step / (2 * width), k1 = (m + rest) * (step + 1) / (2 * width);
            const int64_t i0 = shared(a, m, b, rest, k0), i1 = shared(a, m, b, rest, k1);
            merge(a + i0, a + i1, b + (k0 - i0), b + (k1 - i1), to + start + k0);
        }
        double *old = from;
        from = to, to = old;
    }
    if (from != v)
        memcpy(v, from, (size_t)n * sizeof(double));
    free(other);
}

void segments_sorted(const uint8_t *marks, int64_t n, const double *v, int64_t also, double *out) {
    const int64_t threads = omp_get_max_threads(), items = marks_in(marks, n);
    int64_t *starts = malloc((size_t)(items + 1) * sizeof(int64_t)), count = 0;
    for (int64_t i = next_mark(marks, 0, n); i < n; i = next_mark(marks, i + 1, n))
        starts[count++] = i;
    starts[count] = n;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        out[i] = v[i];
    for (int64_t k = 0; k < count; k++)
        if (starts[k + 1] - starts[k] > n / threads)
            sort_together(out + starts[k], starts[k + 1] - starts[k], threads);
    const int64_t group = count / (64 * threads) + 1;
#pragma omp parallel for schedule(dynamic, group)
    for (int64_t k = 0; k < count; k++)
        if (starts[k + 1] - starts[k] <= n / threads)
            sort(out + starts[k], starts[k + 1] - starts[k]);
    free(starts);
}

#else

void segments_sorted(const uint8_t *marks, int64_t n, const double *v, int64_t also, double *out) {
    memcpy(out, v, (size_t)n * sizeof(double));
    for (int64_t i = next_mark(marks, 0, n); i < n;) {
        const int64_t end = next_mark(marks, i + 1, n);
        sort(out + i, end - i);
        i = end;
    }
}

#endif
