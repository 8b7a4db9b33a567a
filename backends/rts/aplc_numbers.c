/* Numbers in texts, read many at a time.

   Each function reads texts of plain decimal numbers, and gives -1 for any other: what is unusual, or wrong, is left to who
   can say where it is. Between two numbers stand blanks, newlines, or one comma.

   Note [Decimal to double]
       A number is a whole number w of up to 19 digits times a power of ten, 10^q. Where both are small, one operation of
       doubles is exact. Otherwise w is multiplied with the 128 leading bits of 5^q, of which the upper 64 nearly always
       decide all 53 bits of the result and how it is rounded (Lemire, "Number parsing at a gigabyte per second", 2021).
       Where they do not, and for more digits than 19 that matter, strtod decides, in the locale C. */

#define _GNU_SOURCE
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "aplc_host.h"

#if defined(__APPLE__)
#include <xlocale.h>
#endif

enum { LEAST_POWER = -342, MOST_POWER = 308, MOST_DIGITS = 19, LONGEST = 1024 };

typedef struct {
    uint64_t high, low;
} wide;

static wide powers[MOST_POWER - LEAST_POWER + 1];
static locale_t plain_locale;

static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The leading 128 bits of 5^q, for each q from LEAST_POWER to MOST_POWER: two words each, the upper one first. */
APLC_EXPORT int aplc_numbers_begin(const uint64_t *words) {
    memcpy(powers, words, sizeof powers);
    plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return plain_locale != (locale_t)0;
}

static inline wide product(uint64_t a, uint64_t b) {
    const unsigned __int128 whole = (unsigned __int128)a * b;
    return (wide){(uint64_t)(whole >> 64), (uint64_t)whole};
}

/* The bits of the double nearest to w times 10^q, without a sign; -1 where this does not tell. */
static int64_t nearest(uint64_t w, int64_t q) {
    if (w == 0 || q < LEAST_POWER)
        return 0;
    if (q > MOST_POWER)
        return INT64_C(0x7FF) << 52;
    const int shift = __builtin_clzll(w);
    w <<= shift;
    const wide power = powers[q - LEAST_POWER];
    wide found = product(w, power.high);
    if ((found.high & 0x1FF) == 0x1FF) {
        const wide below = product(w, power.low);
        found.low += below.high;
        found.high += found.low < below.high;
        if (found.low == UINT64_MAX && (q < -27 || q > 55))
            return -1;
    }
    const int upper = (int)(found.high >> 63);
    uint64_t bits = found.high >> (upper + 9);
    int64_t exponent = ((217706 * q) >> 16) + 1087 - shift - !upper;
    if (exponent <= 0) {
        if (exponent <= -63)
            return 0;
        bits >>= 1 - exponent;
        bits += bits & 1;
        return (int64_t)(bits >> 1); /* with the bit of the least normal exponent where it is rounded up to it */
    }
    /* exactly between two doubles: to the even one */
    if (found.low <= 1 && q >= -4 && q <= 23 && (bits & 3) == 1 && bits << (upper + 9) == found.high)
        bits &= ~UINT64_C(1);
    bits = (bits + (bits & 1)) >> 1;
    if (bits >> 53) {
        bits >>= 1;
        exponent++;
    }
    return exponent >= 0x7FF ? INT64_C(0x7FF) << 52 : (int64_t)((bits & ~(UINT64_C(1) << 52)) | (uint64_t)exponent << 52);
}

static int by_library(const char *begin, const char *end, double *result) {
    char text[LONGEST];
    size_t length = 0;
    for (const char *at = begin; at < end && length < LONGEST - 1; at++)
        if ((unsigned char)*at == 0xC2 && at + 1 < end) {
            text[length++] = '-';
            at++;
        } else
            text[length++] = *at;
    if (length == LONGEST - 1)
        return 0;
    text[length] = 0;
    *result = strtod_l(text, NULL, plain_locale);
    return 1;
}

static inline int is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static inline int is_space(char c) { return c == ' ' || c == '\t'; }
static inline int is_newline(char c) { return c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

/* Behind a sign, of which there are three: `-`, `+` and `¯` in UTF-8. */
static inline const char *behind_sign(const char *at, const char *end, int *is_negative) {
    *is_negative = 0;
    if (at < end && (*at == '-' || *at == '+'))
        *is_negative = *at++ == '-';
    else if (end - at > 1 && (unsigned char)at[0] == 0xC2 && (unsigned char)at[1] == 0xAF) {
        *is_negative = 1;
        at += 2;
    }
    return at;
}

/* Behind the double that begins here; NULL where none does, or it is none of the plain ones. */
static inline const char *behind_double(const char *begin, const char *end, double *result) {
    int is_negative;
    const char *at = behind_sign(begin, end, &is_negative);
    uint64_t w = 0;
    int64_t q = 0;
    int digits = 0, lost = 0;
    const char *const first = at;
    for (; at < end && is_digit(*at); at++)
        if (digits < MOST_DIGITS) {
            w = 10 * w + (uint64_t)(*at - '0');
            digits += w != 0;
        } else {
            lost |= *at != '0';
            q++;
        }
    ptrdiff_t count = at - first;
    if (at < end && *at == '.') {
        const char *const fraction = ++at;
        for (; at < end && is_digit(*at); at++)
            if (digits < MOST_DIGITS) {
                w = 10 * w + (uint64_t)(*at - '0');
                digits += w != 0;
                q--;
            } else
                lost |= *at != '0';
        count += at - fraction;
    }
    if (count == 0)
        return NULL;
    if (at < end && (*at | 0x20) == 'e') {
        int is_small;
        const char *const power = at = behind_sign(at + 1, end, &is_small);
        int64_t e = 0;
        for (; at < end && is_digit(*at); at++)
            e = e < 100000 ? 10 * e + (*at - '0') : e;
        if (at == power)
            return NULL;
        q += is_small ? -e : e;
    }
    if (!lost && w >> 53 == 0 && q >= -22 && q <= 22) {
        const double whole = (double)w, found = q < 0 ? whole / exact_powers[-q] : whole * exact_powers[q];
        *result = is_negative ? -found : found;
        return at;
    }
    int64_t bits = nearest(w, q);
    if (bits < 0 || (lost && nearest(w + 1, q) != bits))
        return by_library(begin, at, result) ? at : NULL;
    if (is_negative)
        bits |= INT64_MIN;
    memcpy(result, &bits, sizeof bits);
    return at;
}

/* Behind the integer that begins here; NULL where none does that surely fits. */
static inline const char *behind_integer(const char *begin, const char *end, int64_t *result) {
    int is_negative;
    const char *at = behind_sign(begin, end, &is_negative);
    const char *const first = at;
    int64_t found = 0;
    for (; at < end && is_digit(*at) && at - first < MOST_DIGITS - 1; at++)
        found = 10 * found + (*at - '0');
    if (at == first || (at < end && is_digit(*at)))
        return NULL;
    *result = is_negative ? -found : found;
    return at;
}

#define READER(name, type, behind)                                                                                     \
    APLC_EXPORT int64_t name(const char *at, int64_t length, type *results, int64_t room) {                            \
        const char *const end = at + length;                                                                           \
        int64_t count = 0;                                                                                             \
        int after_comma = 0;                                                                                           \
        for (;;) {                                                                                                     \
            while (at < end && (is_space(*at) || is_newline(*at)))                                                     \
                at++;                                                                                                  \
            if (at == end)                                                                                             \
                return after_comma ? -1 : count;                                                                       \
            if (count == room || (at = behind(at, end, results + count)) == NULL)                                      \
                return -1;                                                                                             \
            count++;                                                                                                   \
            const char *const edge = at;                                                                               \
            while (at < end && (is_space(*at) || is_newline(*at)))                                                     \
                at++;                                                                                                  \
            after_comma = at < end && *at == ',';                                                                      \
            if (after_comma)                                                                                           \
                at++;                                                                                                  \
            else if (at == edge && at < end)                                                                           \
                return -1;                                                                                             \
        }                                                                                                              \
    }

/* How many numbers a text has, all stored; -1 where it has anything else, or more than there is room for. */
READER(aplc_numbers_doubles, double, behind_double)
READER(aplc_numbers_integers, int64_t, behind_integer)

enum { IGNORED = 0, LENIENT = 4 };

/* The end of a field that is not read; NULL where it has a quote, which may hide a comma. */
static inline const char *behind_field(const char *at, const char *end) {
    for (; at < end && *at != ',' && !is_newline(*at); at++)
        if (*at == '"')
            return NULL;
    return at;
}

/* How many numbers a table of comma-separated values has, all stored, with the number of its columns; -1 where it has
   anything else, or its rows differ in length. Columns are of given kinds; where there is one, all are of that. Empty lines
   do not count. */
APLC_EXPORT int64_t aplc_numbers_table(const char *at, int64_t length, const unsigned char *kinds, int64_t kind_count,
                                       double *results, int64_t room, int64_t *columns) {
    const char *const end = at + length;
    int64_t count = 0, column = 0;
    *columns = 0;
    for (;;) {
        while (column == 0 && at < end && (*at == '\n' || *at == '\r'))
            at++;
        if (column == 0 && at == end)
            return kind_count > 1 && *columns != 0 && *columns != kind_count ? -1 : count;
        if (count == room || (kind_count > 1 && column == kind_count))
            return -1;
        const unsigned char kind = kinds[kind_count > 1 ? column : 0];
        const char *const field = at;
        if (kind != IGNORED) {
            while (at < end && is_space(*at))
                at++;
            at = behind_double(at, end, results + count);
            while (at != NULL && at < end && is_space(*at))
                at++;
            const int is_number = at != NULL && (at == end || *at == ',' || is_newline(*at));
            if (!is_number && kind != LENIENT)
                return -1;
            if (!is_number)
                results[count] = 0, at = NULL;
            count++;
        } else
            at = NULL;
        if (at == NULL && (at = behind_field(field, end)) == NULL)
            return -1;
        column++;
        if (at < end && *at == ',') {
            at++;
            continue;
        }
        if ((at < end && *at != '\n' && *at != '\r') || (*columns != 0 && *columns != column))
            return -1;
        *columns = column;
        column = 0;
    }
}
