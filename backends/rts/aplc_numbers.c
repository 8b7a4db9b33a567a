/* Numbers in texts, read many at a time.

   Each function reads texts of plain decimal numbers, and gives -1 for any other: what is unusual, or wrong, is left to who
   can say where it is. Between two numbers stand blanks, newlines, or one comma. */

#include <stddef.h>
#include <stdint.h>

#include "aplc_decimal.h"
#include "aplc_host.h"

static inline int is_space(char c) { return c == ' ' || c == '\t'; }
static inline int is_newline(char c) { return c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

/* Behind the integer that begins here; NULL where none does that surely fits. */
static inline const char *behind_integer(const char *begin, const char *end, int64_t *result) {
    bool is_negative;
    const char *at = aplc_behind_sign_utf8(begin, end, &is_negative);
    const char *const first = at;
    int64_t found = 0;
    for (; at < end && aplc_is_digit_utf8(*at) && at - first < APLC_MOST_DIGITS - 1; at++)
        found = 10 * found + (*at - '0');
    if (at == first || (at < end && aplc_is_digit_utf8(*at)))
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
READER(aplc_numbers_doubles, double, aplc_behind_double_utf8)
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
            at = aplc_behind_double_utf8(at, end, results + count);
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
