/* Fields of texts that are numbers (`⎕VFI`, `⍎`), for generated C. Separators are characters too. A text begins at element `begin` of
   its memory; where there are no separators its fields are what stands between blanks, otherwise what stands between two of
   them, blanks around it aside.

       int64_t aplc_fields(const uint32_t *separators, const uint32_t *memory, int64_t count, int64_t begin, int64_t length)

   is how many fields there are;

       void aplc_fields_valid(const uint32_t *separators, const uint32_t *memory, int64_t count, int64_t begin, int64_t length,
                              bool *valid)
       void aplc_fields_numbers(…, double *numbers)

   say of each whether it is a number, and which; 0 where it is none. An empty field is 0, too, and a number.

   The functions for `⍎` follow behind them. */

#ifndef APLC_FIELDS_H
#define APLC_FIELDS_H

#include <math.h>

#include "aplc_apart.h"
#include "aplc_decimal.h"

enum { APLC_NO_CHARACTER = 0xFFFD, APLC_MOST_COUNTED = 1 << 30 };

/* What stands for it in a text, which cannot hold everything. */
static inline uint32_t aplc_in_text(uint32_t c) {
    return (c - 0xD800 < 0x800) | (c > 0x10FFFF) ? (uint32_t)APLC_NO_CHARACTER : c;
}

/* Whether no other character stands for the same in a text. */
static inline bool aplc_is_itself(uint32_t c) { return aplc_in_text(c) == c && c != APLC_NO_CHARACTER; }

static inline bool aplc_is_blank(uint32_t c) {
    if (c <= ' ')
        return c == ' ' || c - '\t' < 5 || c >= 0x1C;
    if (c < 0x1680)
        return c == 0x85 || c == 0xA0;
    return c == 0x1680 || c - 0x2000 < 11 || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

static inline bool aplc_is_between(const uint32_t *separators, int64_t count, uint32_t c) {
    if (count == 0)
        return aplc_is_blank(c);
    if (count == 1)
        return aplc_in_text(c) == aplc_in_text(*separators);
    for (int64_t k = 0; k < count; k++)
        if (aplc_in_text(c) == aplc_in_text(separators[k]))
            return true;
    return false;
}

static inline int64_t aplc_fields(const uint32_t *separators, const uint32_t *memory, int64_t count, int64_t begin,
                                  int64_t length) {
    const uint32_t *const text = memory + begin;
    int64_t found = count != 0;
    if (count == 1 && aplc_is_itself(*separators)) {
        for (int64_t start = 0; start < length; start += APLC_MOST_COUNTED) {
            const int64_t stop = length - start > APLC_MOST_COUNTED ? start + APLC_MOST_COUNTED : length;
            int32_t part = 0; /* as wide as characters are */
#pragma omp simd reduction(+ : part)
            for (int64_t i = start; i < stop; i++)
                part += text[i] == *separators;
            found += part;
        }
        return found;
    }
    bool was_between = count == 0;
    for (int64_t i = 0; i < length; i++) {
        const bool is_between = aplc_is_between(separators, count, text[i]);
        found += count != 0 ? is_between : was_between & !is_between;
        was_between = is_between;
    }
    return found;
}

/* Behind a word in capital or small letters; NULL where another one begins here. */
static inline const uint32_t *aplc_behind_word(const uint32_t *at, const uint32_t *end, const char *word) {
    for (; *word != 0; word++, at++)
        if (at == end || *at > 'z' || (*at | 0x20) != (uint32_t)*word)
            return NULL;
    return at;
}

/* Behind the infinite number, or that which is none, that begins here; NULL where neither does. */
static APLC_APART const uint32_t *aplc_behind_unusual(const uint32_t *at, const uint32_t *end, double *result) {
    bool is_negative;
    at = aplc_behind_sign_char(at, end, &is_negative);
    const uint32_t *behind = aplc_behind_word(at, end, "nan");
    double found = NAN;
    if (behind == NULL) {
        found = INFINITY;
        behind = at < end && *at == 0x221E ? at + 1 : aplc_behind_word(at, end, "inf");
        const uint32_t *const longer = aplc_behind_word(at, end, "infinity");
        behind = longer != NULL ? longer : behind;
    }
    *result = is_negative ? -found : found;
    return behind;
}

/* Whether a separator can be in a number: then it is looked for first. */
static inline bool aplc_has_parts_of_numbers(const uint32_t *separators, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        const uint32_t c = separators[k], letter = c | 0x20;
        if (c - '+' < '9' + 1 - '+' ? c != ',' && c != '/' : c == 0xAF || c == 0x221E || letter - 'a' < 26)
            return true;
    }
    return false;
}

static inline const uint32_t *aplc_field_end(const uint32_t *separators, int64_t count, const uint32_t *at,
                                             const uint32_t *end) {
    while (at < end && !aplc_is_between(separators, count, *at))
        at++;
    return at;
}

static inline __attribute__((always_inline)) void aplc_fields_of(const uint32_t *separators, const uint32_t *at, int64_t count,
                                                                 int64_t length, bool *valid, double *numbers) {
    const uint32_t *const end = at + length;
    const bool looks_first = aplc_has_parts_of_numbers(separators, count);
    const bool is_plain = count == 1 && !looks_first && aplc_is_itself(*separators);
    for (int64_t field = 0;; field++) {
        uint64_t whole = 0;
        const uint32_t *const digits = is_plain ? aplc_behind_digits_char(at, end, APLC_EXACT_DIGITS, &whole) : at;
        if (digits != at && (digits == end || *digits == *separators)) { /* by far the most frequent field */
            if (valid != NULL)
                valid[field] = true;
            if (numbers != NULL)
                numbers[field] = (double)(int64_t)whole;
            if (digits == end)
                return;
            at = digits + 1;
            continue;
        }
        const uint32_t *const stop = looks_first ? aplc_field_end(separators, count, at, end) : end;
        while (at < stop && aplc_is_blank(*at) && (count == 0 || !aplc_is_between(separators, count, *at)))
            at++;
        if (count == 0 && at == end)
            return;
        double number = 0;
        const uint32_t *behind = at;
        if (at < stop && !aplc_is_between(separators, count, *at)) {
            behind = aplc_behind_double_char(at, stop, &number);
            if (behind == NULL)
                behind = aplc_behind_unusual(at, stop, &number);
        }
        bool is_number = behind != NULL;
        if (is_number) {
            for (at = behind; at < stop && !aplc_is_between(separators, count, *at) && aplc_is_blank(*at); at++)
                ;
            is_number = at == stop || aplc_is_between(separators, count, *at);
        }
        if (!is_number)
            at = aplc_field_end(separators, count, at, end);
        if (valid != NULL)
            valid[field] = is_number;
        if (numbers != NULL)
            numbers[field] = is_number ? number : 0;
        if (at < end)
            at++;
        else if (count != 0)
            return;
    }
}

/* None and one separator are by far the most frequent: the others are looked for in code of their own. */
static void aplc_fields_in(const uint32_t *separators, const uint32_t *text, int64_t count, int64_t length, bool *valid,
                           double *numbers) {
    if (count == 1)
        aplc_fields_of(separators, text, 1, length, valid, numbers);
    else
        aplc_fields_of(separators, text, count, length, valid, numbers);
}

static inline void aplc_fields_valid(const uint32_t *separators, const uint32_t *memory, int64_t count, int64_t begin,
                                     int64_t length, bool *valid) {
    aplc_fields_in(separators, memory + begin, count, length, valid, NULL);
}

static inline void aplc_fields_numbers(const uint32_t *separators, const uint32_t *memory, int64_t count, int64_t begin,
                                       int64_t length, double *numbers) {
    aplc_fields_in(separators, memory + begin, count, length, NULL, numbers);
}

/* --- numbers between blanks (`⍎`) --- */

static inline int64_t aplc_number_count(const uint32_t *memory, int64_t begin, int64_t length) {
    return aplc_fields(NULL, memory, 0, begin, length);
}

/* Behind the field that begins here, if it is a number; NULL if it is none. */
static inline const uint32_t *aplc_behind_number(const uint32_t *at, const uint32_t *end, double *number) {
    const uint32_t *behind = aplc_behind_double_char(at, end, number);
    if (behind == NULL)
        behind = aplc_behind_unusual(at, end, number);
    return behind != NULL && (behind == end || aplc_is_blank(*behind)) ? behind : NULL;
}

static inline const uint32_t *aplc_behind_blanks(const uint32_t *at, const uint32_t *end) {
    while (at < end && aplc_is_blank(*at))
        at++;
    return at;
}

/* All numbers of a text, and whether there is nothing else in it; what is behind a field that is none is not read. */
static void aplc_read_numbers(const uint32_t *memory, int64_t begin, int64_t length, double *numbers, bool *are_numbers) {
    const uint32_t *at = memory + begin, *const end = at + length;
    while ((at = aplc_behind_blanks(at, end)) < end && (at = aplc_behind_number(at, end, numbers)) != NULL)
        numbers++;
    *are_numbers = at != NULL;
}

/* A number that is none, as no text has it. */
static const uint64_t APLC_NO_NUMBER = UINT64_C(0x7FF8A91CA91CA91C);

static inline bool aplc_are_numbers(double first) {
    uint64_t bits;
    memcpy(&bits, &first, sizeof bits);
    return bits != APLC_NO_NUMBER;
}

/* The first number of a text, 0 where there is none; APLC_NO_NUMBER if there is anything else in it. */
static double aplc_first_number(const uint32_t *memory, int64_t begin, int64_t length) {
    const uint32_t *at = memory + begin, *const end = at + length;
    double first = 0, other;
    double *number = &first;
    while ((at = aplc_behind_blanks(at, end)) < end && (at = aplc_behind_number(at, end, number)) != NULL)
        number = &other;
    if (at == NULL)
        memcpy(&first, &APLC_NO_NUMBER, sizeof first);
    return first;
}

/* Number `word` of those that report the first field that is no number, with three characters each. */
static int64_t aplc_no_number(const uint32_t *memory, int64_t begin, int64_t length, int64_t word) {
    const uint32_t *at = memory + begin, *const end = at + length, *next = at;
    double number;
    do
        at = aplc_behind_blanks(next, end);
    while (at < end && (next = aplc_behind_number(at, end, &number)) != NULL);
    const uint32_t *const stop = aplc_field_end(NULL, 0, at, end);
    int64_t found = 0;
    for (int64_t k = 0; k < 3; k++)
        if (3 * word + k < APLC_TOLD_CHARACTERS && 3 * word + k < stop - at)
            found |= (int64_t)(aplc_in_text(at[3 * word + k]) + 1) << 21 * k;
    return found;
}

#endif
