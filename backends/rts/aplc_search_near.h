/* Searching among doubles, for generated C, where numbers are equal within a tolerance t: if they are equal, or
   finite and no further apart than t times the larger magnitude. The meaning is `aplc.tail.meaning.tolerant`.
   The functions are those of aplc_search.h, with t besides.

       int aplc_table_near_make(aplc_table *table, const double *keys, int64_t rows, int64_t columns, double t)
       int64_t aplc_table_near_find_at(const aplc_table *table, const double *rows, int64_t i)
       int64_t aplc_table_near_find_one(const aplc_table *table, double x)      where columns is 1
       void aplc_table_near_find_some(const aplc_table *table, const double *x, int64_t from, int64_t count, int64_t *out)
       int aplc_unique_near(const double *a, int64_t rows, int64_t columns, double t, int64_t *positions,
                            int64_t *count)

   Note [Grid]
       Numbers of one sign are cut into intervals of equal length in their representations, so that a number and
       all that equal it are in one interval, or in two next to each other. Numbers of few digits lie in the
       middle of an interval. The code of a row is the sum of codes of its numbers' intervals: a row is looked
       for under each combination of the intervals that may hold what equals its numbers, mostly one. What is
       found under a code is compared. A row that another one equals to the last bit is not entered again.
       The code of a number that is a row alone is that of its interval, as it stands.

   Note [Whole numbers]
       Of numbers below 2 to the 31st that are all whole no two are equal within a small tolerance, and what equals one
       of them is nearest to it. Rows of one or two such numbers, as complex ones are, are integers, in a table of these. */

#ifndef APLC_SEARCH_NEAR_H
#define APLC_SEARCH_NEAR_H

#include "aplc_search.h"

enum {
    APLC_GRID_WIDTH = 8, /* two to this power is how often an interval is longer than what equals a number */
    APLC_FETCHED_NUMBERS = 1 << 12, /* of so many different numbers, the buckets are fetched */
    APLC_MOST_SPLIT = 6, /* with more numbers near an end of an interval, all rows are compared */
    APLC_FIRST_ROWS = 32, /* so many rows are looked at before memory is asked for */
};

#define APLC_WHOLE_TOLERANCE 1e-11 /* times 2 to the 31st it is less than a twentieth */

/* The whole number nearest to one below 2 to the 31st; of others it is further away than what equals them. */
static inline double aplc_nearest_whole(double x) {
    const double above = x + 0x1.8p52; /* which has no digits behind the point */
    return above - 0x1.8p52;
}

/* The integer for a row of one or two such numbers. */
static inline __attribute__((always_inline)) int64_t aplc_whole_code(const double *row, int64_t columns) {
    const uint64_t first = (uint64_t)(int64_t)(int32_t)row[0];
    return (int64_t)(columns == 1 ? first : first << 32 | (uint32_t)(int32_t)row[1]);
}

static inline __attribute__((always_inline)) bool aplc_are_whole(const double *x, int64_t n) {
    int64_t others = 0;
    for (int64_t i = 0; i < n; i++)
        others |= !((fabs(x[i]) < 0x1p31) & (aplc_nearest_whole(x[i]) == x[i]));
    return others == 0;
}

/* The integers for rows that Note [Whole numbers] is about; NULL for others, or if there is no memory. */
static inline __attribute__((always_inline)) int64_t *aplc_whole_codes(const double *a, int64_t rows, int64_t columns,
                                                                       double t) {
    if (columns > 2 || rows <= APLC_FIRST_ROWS || rows > INT32_MAX || !(t <= APLC_WHOLE_TOLERANCE) ||
        !aplc_are_whole(a, APLC_FIRST_ROWS) || !aplc_are_whole(a, rows * columns))
        return NULL;
    int64_t *const codes = aplc_alloc(rows, sizeof *codes);
    for (int64_t i = 0; codes != NULL && i < rows; i++)
        codes[i] = aplc_whole_code(a + i * columns, columns);
    return codes;
}

/* Where a row is in a table of integers. */
static inline __attribute__((always_inline)) int64_t aplc_find_whole(const aplc_table *table, const double *row,
                                                                     int64_t columns) {
    double nearest[2] = {0, 0};
    for (int64_t k = 0; k < columns; k++) {
        nearest[k] = aplc_nearest_whole(row[k]);
        const bool is_near = nearest[k] == row[k] || aplc_near(table->tolerance, nearest[k], row[k]);
        if (!is_near || !(fabs(nearest[k]) < 0x1p31))
            return 0;
    }
    const uint64_t code = aplc_code_int(aplc_whole_code(nearest, columns));
    return table->kind == APLC_TABLE_SLOTS ? aplc_slot_of(table, code, aplc_leading_half(code))->position
                                           : *aplc_table_place(table, code);
}

static inline bool aplc_is_of_integers(const aplc_table *table) {
    return table->kind == APLC_TABLE_SLOTS || table->kind == APLC_TABLE_DIRECT;
}

static inline bool aplc_near_rows(double t, const double *x, const double *y, int64_t columns) {
    for (int64_t k = 0; k < columns; k++)
        if (!aplc_near(t, x[k], y[k]))
            return false;
    return true;
}

/* The code of an interval, given a number's magnitude as bits, its sign and its column. */
static inline uint64_t aplc_grid_code(const aplc_table *table, uint64_t magnitude, uint64_t sign, int64_t column) {
    const uint64_t half = (uint64_t)1 << (table->grid - 1);
    return aplc_scatter(((magnitude + half) >> table->grid) * 2 + sign + ((uint64_t)column << 40));
}

/* Where a row may be, by so many of its columns: the sum of the codes of the intervals below, and for columns with two what the other one
   adds. */
typedef struct {
    uint64_t code, others[APLC_MOST_SPLIT];
    int split; /* how many have two; more than APLC_MOST_SPLIT is one more */
} aplc_place_near;

static inline aplc_place_near aplc_places_of(const aplc_table *table, const double *row, int64_t columns,
                                             int64_t asked) {
    aplc_place_near place = {.code = 0};
    for (int64_t k = 0; k < asked; k++) {
        const double x = row[asked == columns ? k : k * columns / asked];
        const uint64_t bits = (uint64_t)aplc_bits(x + 0.0), sign = bits >> 63, magnitude = bits & INT64_MAX;
        const uint64_t below = magnitude < table->reach ? 0 : magnitude - table->reach;
        const uint64_t low = aplc_grid_code(table, below, sign, k);
        const uint64_t high = aplc_grid_code(table, magnitude + table->reach, sign, k);
        place.code += low;
        if (low != high && place.split <= APLC_MOST_SPLIT) {
            if (place.split < APLC_MOST_SPLIT)
                place.others[place.split] = high - low;
            place.split++;
        }
    }
    return place;
}

static inline uint64_t aplc_near_code(const aplc_table *table, const double *row, int64_t columns, int64_t asked) {
    uint64_t code = 0;
    for (int64_t k = 0; k < asked; k++) {
        const double x = row[asked == columns ? k : k * columns / asked];
        const uint64_t bits = (uint64_t)aplc_bits(x + 0.0);
        code += aplc_grid_code(table, bits & INT64_MAX, bits >> 63, k);
    }
    return code;
}

/* The first of `rows` rows that equals the one given, from 1; 0 if there is none. */
static inline int64_t aplc_first_near(const aplc_table *table, int64_t rows, const double *row) {
    const double *const keys = table->keys;
    for (int64_t i = 0; i < rows; i++)
        if (aplc_near_rows(table->tolerance, keys + i * table->columns, row, table->columns))
            return i + 1;
    return 0;
}

/* The same among rows of so many columns under one code, if it is before `found`, where 0 is none; `is_there`: whether
   one of them is this row to the last bit. */
static inline int64_t aplc_seek_near(const aplc_table *table, int64_t columns, uint64_t code, const double *row,
                                     int64_t found, bool *is_there) {
    const double *const keys = table->keys;
    for (uint64_t number = aplc_first_bucket(table, code);; number = aplc_next_bucket(table, number)) {
        const aplc_bucket *const bucket = &table->buckets[number];
        for (int k = 0; k < APLC_BUCKET_SIZE; k++) {
            const int64_t position = bucket->positions[k];
            if (position == 0)
                return found;
            if (bucket->codes[k] != code)
                continue;
            const double *const key = keys + (position - 1) * columns;
            *is_there |= aplc_equal_rows_double(key, row, columns);
            if ((found == 0 || position < found) && aplc_near_rows(table->tolerance, key, row, columns))
                found = position;
        }
    }
}

/* Likewise among those entered, under all codes. */
static inline int64_t aplc_find_near(const aplc_table *table, const double *row) {
    aplc_place_near place = aplc_places_of(table, row, table->columns, table->columns);
    if (place.split > APLC_MOST_SPLIT)
        return aplc_first_near(table, table->rows, row);
    bool is_there = false;
    int64_t found = aplc_seek_near(table, table->columns, place.code, row, 0, &is_there);
    for (unsigned k = 1; k < 1u << place.split; k++) { /* one interval is exchanged at a time */
        const int other = __builtin_ctz(k);
        place.code += place.others[other];
        place.others[other] = -place.others[other];
        found = aplc_seek_near(table, table->columns, place.code, row, found, &is_there);
    }
    return found;
}

static inline void aplc_set_grid(aplc_table *table, double t) {
    table->tolerance = t;
    table->reach = (uint64_t)(t * 0x1p53) + 3; /* in representations, below a power of two, where they are denser */
    table->grid = 64 - __builtin_clzll(table->reach) + APLC_GRID_WIDTH;
}

static inline int aplc_table_near_start(aplc_table *table, const double *keys, int64_t rows, int64_t columns,
                                        double t) {
    *table = (aplc_table){.kind = APLC_TABLE_HASHED, .rows = rows, .columns = columns, .keys = keys};
    table->tolerance = t;
    if (columns == 0 || rows <= APLC_LINEAR_ROWS || !(t >= 0 && t <= 1e-6)) {
        table->kind = columns == 0 ? APLC_TABLE_ALIKE : APLC_TABLE_LINEAR;
        return 0;
    }
    aplc_set_grid(table, t);
    table->width = 1;
    while (table->width < APLC_TABLE_WIDTH && rows >> table->width > APLC_BUCKET_SIZE / 2)
        table->width++;
    table->buckets = aplc_free_buckets(table->width);
    return table->buckets == NULL ? APLC_OUT_OF_MEMORY : 0;
}

/* Enter a row, counted from 1, unless one that was entered is the same to the last bit. */
static inline int aplc_table_near_add(aplc_table *table, int64_t position) {
    const double *const keys = table->keys, *const row = keys + (position - 1) * table->columns;
    if (!aplc_equal_rows_double(row, row, table->columns))
        return 0; /* it has a NaN: nothing finds it */
    const uint64_t code = aplc_near_code(table, row, table->columns, table->columns);
    return aplc_seek_row_double(table, row, code) != 0 ? 0 : aplc_table_enter(table, code, position);
}

/* --- numbers, each a row --- */

/* The intervals of what may equal a number, and of itself: one of these. */
typedef struct {
    uint64_t low, high, own;
} aplc_intervals;

static inline aplc_intervals aplc_intervals_of(const aplc_table *table, double x) {
    const uint64_t bits = (uint64_t)aplc_bits(x + 0.0), sign = bits >> 63, magnitude = bits & INT64_MAX;
    const uint64_t half = (uint64_t)1 << (table->grid - 1), reach = table->reach;
    const uint64_t below = magnitude < reach ? 0 : magnitude - reach;
    return (aplc_intervals){.low = ((below + half) >> table->grid) * 2 + sign,
                            .high = ((magnitude + reach + half) >> table->grid) * 2 + sign,
                            .own = ((magnitude + half) >> table->grid) * 2 + sign};
}

static inline int64_t aplc_find_number(const aplc_table *table, double x) {
    const aplc_intervals at = aplc_intervals_of(table, x);
    bool is_there = false;
    const int64_t found = aplc_seek_near(table, 1, at.low, &x, 0, &is_there);
    return at.low == at.high ? found : aplc_seek_near(table, 1, at.high, &x, found, &is_there);
}

/* Enter number `position`, counted from 1, unless it is there. */
static inline int aplc_table_number_add(aplc_table *table, int64_t position) {
    const double x = ((const double *)table->keys)[position - 1];
    const uint64_t code = aplc_intervals_of(table, x).own;
    bool is_there = x != x; /* nothing finds a NaN */
    if (!is_there)
        aplc_seek_near(table, 1, code, &x, 0, &is_there);
    return is_there ? 0 : aplc_table_enter(table, code, position);
}

static inline int aplc_numbers_unique(aplc_table *table, const double *a, int64_t n, int64_t *positions,
                                      int64_t *count) {
    int64_t kept = 0;
    int status = 0;
    for (int64_t i = 0; i < n && status == 0; i++) {
        if (table->used >= APLC_FETCHED_NUMBERS && i + APLC_TABLE_AHEAD < n)
            aplc_table_fetch(table, aplc_intervals_of(table, a[i + APLC_TABLE_AHEAD]).own);
        const aplc_intervals at = aplc_intervals_of(table, a[i]);
        bool is_there = false;
        int64_t found = a[i] != a[i] ? 0 : aplc_seek_near(table, 1, at.own, &a[i], 0, &is_there);
        if (found == 0 && at.low != at.high)
            found = aplc_seek_near(table, 1, at.low ^ at.high ^ at.own, &a[i], 0, &is_there);
        if (!is_there && a[i] == a[i])
            status = aplc_table_enter(table, at.own, i + 1);
        positions[kept] = i;
        kept += found == 0;
    }
    *count = kept;
    return status;
}

/* As below; where the number of columns is known, what others need is left out. */
static inline __attribute__((always_inline)) int aplc_table_near_make_of(aplc_table *table, const double *keys,
                                                                         int64_t rows, int64_t columns, double t) {
    int64_t *const codes = aplc_whole_codes(keys, rows, columns, t);
    if (codes != NULL) {
        const int ended = aplc_table_in_1_int_make(table, codes, rows);
        free(codes);
        table->keys = keys;
        table->columns = columns;
        table->tolerance = t;
        return ended;
    }
    int status = aplc_table_near_start(table, keys, rows, columns, t);
    const int64_t entered = table->kind == APLC_TABLE_HASHED ? rows : 0;
    for (int64_t i = 1; i <= entered && status == 0; i++)
        status = columns == 1 ? aplc_table_number_add(table, i) : aplc_table_near_add(table, i);
    if (status != 0)
        aplc_table_free(table);
    return status;
}

APLC_ONCE(aplc_search_near, int, aplc_table_near_make_in_1, aplc_table *table, const double *keys, int64_t n,
          double t) {
    return aplc_table_near_make_of(table, keys, n, 1, t);
}

APLC_ONCE(aplc_search_near, int, aplc_table_near_make_in_rows, aplc_table *table, const double *keys, int64_t rows,
          int64_t columns, double t) {
    return aplc_table_near_make_of(table, keys, rows, columns, t);
}

static inline int aplc_table_near_make(aplc_table *table, const double *keys, int64_t rows, int64_t columns,
                                       double t) {
    return columns == 1 ? aplc_table_near_make_in_1(table, keys, rows, t)
                        : aplc_table_near_make_in_rows(table, keys, rows, columns, t);
}

static inline int64_t aplc_table_near_find_at(const aplc_table *table, const double *rows, int64_t i) {
    const double *const row = rows + i * table->columns;
    int64_t found;
    if (aplc_is_of_integers(table))
        found = table->columns == 1 ? aplc_find_whole(table, row, 1) : aplc_find_whole(table, row, 2);
    else if (table->kind != APLC_TABLE_HASHED)
        found = aplc_first_near(table, table->rows, row);
    else
        found = table->columns == 1 ? aplc_find_number(table, row[0]) : aplc_find_near(table, row);
    return aplc_found_or_missing(table, found);
}

static inline int64_t aplc_table_near_find_one(const aplc_table *table, double x) {
    return aplc_table_near_find_at(table, &x, 0);
}

APLC_ONCE(aplc_search_near, void, aplc_table_near_find_some, const aplc_table *table, const double *x, int64_t from,
          int64_t count, int64_t *restrict out) {
    const bool is_far = table->kind == APLC_TABLE_HASHED && table->used >= APLC_FETCHED_NUMBERS;
    x += from;
    if (aplc_is_of_integers(table)) {
        for (int64_t k = 0; k < count; k++)
            out[k] = aplc_found_or_missing(table, aplc_find_whole(table, &x[k], 1));
        return;
    }
    for (int64_t k = 0; k < count; k++) {
        if (is_far && k + APLC_TABLE_AHEAD < count)
            aplc_table_fetch(table, aplc_intervals_of(table, x[k + APLC_TABLE_AHEAD]).own);
        out[k] = aplc_table_near_find_one(table, x[k]);
    }
}

/* As below; where the number of columns is known, what others need is left out. */
static inline __attribute__((always_inline)) int aplc_unique_near_of(const double *a, int64_t rows, int64_t columns,
                                                                     double t, int64_t *positions, int64_t *count) {
    aplc_table table;
    int64_t kept = 0;
    int64_t *const codes = aplc_whole_codes(a, rows, columns, t);
    if (codes != NULL) {
        const int ended = aplc_unique_int(codes, rows, 1, positions, count);
        free(codes);
        return ended;
    }
    int status = aplc_table_near_start(&table, a, rows, columns, t);
    if (status == 0 && columns == 1 && table.kind == APLC_TABLE_HASHED) {
        status = aplc_numbers_unique(&table, a, rows, positions, count);
        aplc_table_free(&table);
        return status;
    }
    for (int64_t i = 0; i < rows && status == 0; i++) {
        const double *const row = a + i * columns;
        int64_t found;
        if (columns != 1 && table.kind == APLC_TABLE_HASHED) {
            table.rows = i; /* those before it */
            found = aplc_find_near(&table, row);
            status = aplc_table_near_add(&table, i + 1);
        } else {
            found = aplc_first_near(&table, i, row);
        }
        positions[kept] = i;
        kept += found == 0;
    }
    aplc_table_free(&table);
    *count = kept;
    return status;
}

APLC_ONCE(aplc_search_near, int, aplc_unique_near_in_1, const double *a, int64_t n, double t, int64_t *positions,
          int64_t *count) {
    return aplc_unique_near_of(a, n, 1, t, positions, count);
}

APLC_ONCE(aplc_search_near, int, aplc_unique_near_in_rows, const double *a, int64_t rows, int64_t columns, double t,
          int64_t *positions, int64_t *count) {
    return aplc_unique_near_of(a, rows, columns, t, positions, count);
}

static inline int aplc_unique_near(const double *a, int64_t rows, int64_t columns, double t, int64_t *positions,
                                   int64_t *count) {
    return columns == 1 ? aplc_unique_near_in_1(a, rows, t, positions, count)
                        : aplc_unique_near_in_rows(a, rows, columns, t, positions, count);
}

#endif
