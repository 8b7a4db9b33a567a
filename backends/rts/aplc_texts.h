/* Numbers as texts (`⍕`), for generated C: each number by itself, a blank between two of them.

       int64_t aplc_texts_size_int(const int64_t *memory, int64_t count)
       int64_t aplc_texts_size_double(const double *memory, int64_t count, int64_t precision)

   is how many characters there are, and these are written by

       void aplc_texts_int(const int64_t *memory, int64_t count, uint32_t *text)
       void aplc_texts_double(const double *memory, int64_t count, int64_t precision, uint32_t *text)

   A double has so many significant digits, and no zeros behind them; see Note [Numbers] of `tail/display.py`. */

#ifndef APLC_TEXTS_H
#define APLC_TEXTS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "aplc_apart.h"

enum { APLC_HIGH_MINUS = 0xAF, APLC_INFINITY_SIGN = 0x221E, APLC_LONGEST_NUMBER = 40 };

static inline uint64_t aplc_size_of_int(int64_t x) {
    return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

/* How many digits a number has: log10(2) is 1233÷4096, or little less, where numbers have 64 bits. */
static inline int64_t aplc_count_digits(uint64_t x) {
    static const uint64_t powers[] = {
        UINT64_C(0), UINT64_C(10), UINT64_C(100), UINT64_C(1000), UINT64_C(10000), UINT64_C(100000), UINT64_C(1000000),
        UINT64_C(10000000), UINT64_C(100000000), UINT64_C(1000000000), UINT64_C(10000000000), UINT64_C(100000000000),
        UINT64_C(1000000000000), UINT64_C(10000000000000), UINT64_C(100000000000000), UINT64_C(1000000000000000),
        UINT64_C(10000000000000000), UINT64_C(100000000000000000), UINT64_C(1000000000000000000),
        UINT64_C(10000000000000000000)};
    const int about = (64 - __builtin_clzll(x | 1)) * 1233 >> 12;
    return about + (x >= powers[about]);
}

static inline int64_t aplc_texts_size_one_int(int64_t x) {
    return (x < 0) + aplc_count_digits(aplc_size_of_int(x));
}

static inline void aplc_texts_one_int(int64_t x, uint32_t *text) {
    uint64_t rest = aplc_size_of_int(x);
    uint32_t *at = text + aplc_texts_size_one_int(x);
    do {
        *--at = '0' + (uint32_t)(rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (x < 0)
        *--at = APLC_HIGH_MINUS;
}

static inline int64_t aplc_texts_size_int(const int64_t *memory, int64_t count) {
    int64_t size = count > 0 ? count - 1 : 0;
    for (int64_t i = 0; i < count; i++)
        size += aplc_texts_size_one_int(memory[i]);
    return size;
}

static inline void aplc_texts_int(const int64_t *memory, int64_t count, uint32_t *text) {
    for (int64_t i = 0; i < count; i++) {
        if (i > 0)
            *text++ = ' ';
        aplc_texts_one_int(memory[i], text);
        text += aplc_texts_size_one_int(memory[i]);
    }
}

/* Whether a double is a whole number of no more digits than are shown, of which a double has 15 for certain. */
static inline bool aplc_is_short_whole(double x, int64_t precision) {
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    return fabs(x) < powers[precision < 15 ? precision : 15] && x == (double)(int64_t)x;
}

/* A double as characters, and how many. */
APLC_ONCE(aplc_texts, int64_t, aplc_text_of_double, double x, int precision, uint32_t *text) {
    char printed[APLC_LONGEST_NUMBER];
    uint32_t *to = text;
    if (isnan(x)) {
        text[0] = 'N', text[1] = 'a', text[2] = 'N';
        return 3;
    }
    if (x < 0)
        *to++ = APLC_HIGH_MINUS;
    if (isinf(x)) {
        *to++ = APLC_INFINITY_SIGN;
        return to - text;
    }
    snprintf(printed, sizeof printed, "%.*g", precision, fabs(x));
    const char *const mark = strchr(printed, 'e');
    if (mark == NULL) {
        for (const char *from = printed; *from != 0; from++)
            *to++ = *from >= '0' && *from <= '9' ? (uint32_t)*from : '.';
        return to - text;
    }
    const bool is_small = mark[1] == '-';
    int exponent = 0;
    for (const char *from = mark + 2; *from != 0; from++)
        exponent = 10 * exponent + (*from - '0');
    if (is_small && exponent <= 6) {
        *to++ = '0', *to++ = '.';
        for (int k = 1; k < exponent; k++)
            *to++ = '0';
        for (const char *from = printed; from < mark; from++)
            if (*from >= '0' && *from <= '9')
                *to++ = (uint32_t)*from;
        return to - text;
    }
    for (const char *from = printed; from < mark; from++)
        *to++ = *from >= '0' && *from <= '9' ? (uint32_t)*from : '.';
    *to++ = 'E';
    if (is_small)
        *to++ = APLC_HIGH_MINUS;
    aplc_texts_one_int(exponent, to);
    return to - text + aplc_texts_size_one_int(exponent);
}

static inline int64_t aplc_texts_size_one_double(double x, int64_t precision) {
    uint32_t text[APLC_LONGEST_NUMBER];
    return aplc_is_short_whole(x, precision) ? aplc_texts_size_one_int((int64_t)x)
                                             : aplc_text_of_double(x, (int)precision, text);
}

static inline int64_t aplc_put_double(double x, int64_t precision, uint32_t *text) {
    if (!aplc_is_short_whole(x, precision))
        return aplc_text_of_double(x, (int)precision, text);
    aplc_texts_one_int((int64_t)x, text);
    return aplc_texts_size_one_int((int64_t)x);
}

static inline void aplc_texts_one_double(double x, int64_t precision, uint32_t *text) {
    aplc_put_double(x, precision, text);
}

static inline int64_t aplc_texts_size_double(const double *memory, int64_t count, int64_t precision) {
    int64_t size = count > 0 ? count - 1 : 0;
    for (int64_t i = 0; i < count; i++)
        size += aplc_texts_size_one_double(memory[i], precision);
    return size;
}

static inline void aplc_texts_double(const double *memory, int64_t count, int64_t precision, uint32_t *text) {
    for (int64_t i = 0; i < count; i++) {
        if (i > 0)
            *text++ = ' ';
        text += aplc_put_double(memory[i], precision, text);
    }
}

#endif
