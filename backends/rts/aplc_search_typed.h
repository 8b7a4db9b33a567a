/* Searching, for one type of element: APLC_T, with names made by APLC_TYPED. Included by aplc_search.h once
   for each type. */

/* --- in vectors that ascend --- */

static inline bool APLC_TYPED(aplc_is_ascending, )(const APLC_T *a, int64_t n) {
    int64_t wrong = 0; /* as wide as an element, so that compilers have it in lanes */
    for (int64_t i = 1; i < n; i++)
        wrong |= !(a[i - 1] <= a[i]);
    return wrong == 0;
}

static inline int64_t APLC_TYPED(aplc_interval_one, )(const APLC_T *a, int64_t n, APLC_T x) {
    if (n == 0)
        return 0;
    int64_t first = 0; /* all before it are at most x, and none from `first + length` on is */
    for (int64_t length = n, half; length > 1; length -= half) {
        half = length / 2;
        first += half & -(int64_t)(a[first + half - 1] <= x);
    }
    return first + (a[first] <= x);
}

static inline void APLC_TYPED(aplc_interval_some, )(const APLC_T *a, int64_t n, const APLC_T *x, int64_t from,
                                                   int64_t count, int64_t *restrict out) {
    x += from;
    int64_t i = 0;
    for (; n > 0 && i + APLC_SEARCHES <= count; i += APLC_SEARCHES) {
        int64_t first[APLC_SEARCHES] = {0};
        for (int64_t length = n, half; length > 1; length -= half) {
            half = length / 2;
            for (int k = 0; k < APLC_SEARCHES; k++)
                first[k] += half & -(int64_t)(a[first[k] + half - 1] <= x[i + k]);
        }
        for (int k = 0; k < APLC_SEARCHES; k++)
            out[i + k] = first[k] + (a[first[k]] <= x[i + k]);
    }
    for (; i < count; i++)
        out[i] = APLC_TYPED(aplc_interval_one, )(a, n, x[i]);
}

/* --- in tables --- */

static inline bool APLC_TYPED(aplc_equal_rows, )(const APLC_T *x, const APLC_T *y, int64_t columns) {
    for (int64_t k = 0; k < columns; k++)
        if (x[k] != y[k])
            return false;
    return true;
}

/* The first of `rows` rows that equals the one given, counted from 1; 0 if there is none. */
static inline int64_t APLC_TYPED(aplc_first_equal, )(const APLC_T *keys, int64_t rows, int64_t columns,
                                                 const APLC_T *row) {
    for (int64_t i = 0; i < rows; i++)
        if (APLC_TYPED(aplc_equal_rows, )(keys + i * columns, row, columns))
            return i + 1;
    return 0;
}

/* Likewise for a few keys of one column, with no branch. */
static inline int64_t APLC_TYPED(aplc_find_few, )(const APLC_T *keys, int64_t rows, APLC_T x) {
    int64_t found = 0;
    for (int64_t i = rows; i > 0; i--) {
        const int64_t equal = -(int64_t)(keys[i - 1] == x);
        found = (found & ~equal) | (i & equal);
    }
    return found;
}

static inline __attribute__((always_inline)) void APLC_TYPED(aplc_pack, _rows)(const APLC_T *a, int64_t rows,
                                                                                int64_t columns, uint64_t base, int bits,
                                                                                int64_t *restrict codes) {
    for (int64_t i = 0; i < rows; i++) {
        uint64_t code = 0;
        for (int64_t k = 0; k < columns; k++)
            code = code << bits | (APLC_TYPED(aplc_code, )(a[i * columns + k]) - base);
        codes[i] = (int64_t)code;
    }
}

/* A code for each of several rows, the same for equal rows only, if what their elements differ by has so few bits, and
   there is memory; otherwise NULL. */
static APLC_APART int64_t *APLC_TYPED(aplc_packed, _rows)(const APLC_T *a, int64_t rows, int64_t columns) {
    const bool is_exact = (APLC_T)0.5 == (APLC_T)0.25;
    if (!is_exact || columns < 2 || columns > 64 || rows <= APLC_LINEAR_ROWS)
        return NULL;
    APLC_T least = a[0], greatest = a[0];
    for (int64_t i = 1; i < rows * columns; i++) {
        least = a[i] < least ? a[i] : least;
        greatest = a[i] > greatest ? a[i] : greatest;
    }
    const uint64_t base = APLC_TYPED(aplc_code, )(least), span = APLC_TYPED(aplc_code, )(greatest) - base;
    const int bits = span == 0 ? 0 : 64 - __builtin_clzll(span);
    int64_t *const codes = bits * columns <= 64 ? aplc_alloc(rows, sizeof *codes) : NULL;
    if (codes == NULL)
        return NULL;
    switch (columns) { /* short ones are written out, and in vectors of rows */
    case 2: APLC_TYPED(aplc_pack, _rows)(a, rows, 2, base, bits, codes); break;
    case 3: APLC_TYPED(aplc_pack, _rows)(a, rows, 3, base, bits, codes); break;
    case 4: APLC_TYPED(aplc_pack, _rows)(a, rows, 4, base, bits, codes); break;
    case 5: APLC_TYPED(aplc_pack, _rows)(a, rows, 5, base, bits, codes); break;
    case 6: APLC_TYPED(aplc_pack, _rows)(a, rows, 6, base, bits, codes); break;
    case 8: APLC_TYPED(aplc_pack, _rows)(a, rows, 8, base, bits, codes); break;
    default: APLC_TYPED(aplc_pack, _rows)(a, rows, columns, base, bits, codes);
    }
    return codes;
}

/* The position of a row in a hashed table of rows with several columns; 0 if it is not there. */
static inline int64_t APLC_TYPED(aplc_seek_row, )(const aplc_table *table, const APLC_T *row, uint64_t hash) {
    const APLC_T *const keys = table->keys;
    for (uint64_t number = aplc_first_bucket(table, hash);; number = aplc_next_bucket(table, number)) {
        const aplc_bucket *const bucket = &table->buckets[number];
        for (int k = 0; k < APLC_BUCKET_SIZE; k++) {
            const int64_t position = bucket->positions[k];
            if (position == 0)
                return 0;
            if (bucket->codes[k] == hash &&
                APLC_TYPED(aplc_equal_rows, )(keys + (position - 1) * table->columns, row, table->columns))
                return position;
        }
    }
}

/* The mixed codes of some elements, whose slots go into the cache where there are many. */
static inline void APLC_TYPED(aplc_codes, _mixed)(const aplc_table *table, const APLC_T *x, int64_t count,
                                                  uint32_t *restrict mixed) {
    for (int64_t k = 0; k < count; k++)
        mixed[k] = aplc_leading_half(APLC_TYPED(aplc_code, )(x[k]));
    for (int64_t k = 0; k < count && table->width >= APLC_FETCHED_WIDTH + APLC_BUCKET_BITS; k++)
        __builtin_prefetch(aplc_slot_from(table, mixed[k]), 1);
}

/* Enter all elements: the numbers of the first occurrences, from 0, unless `positions` is NULL, and how many they are.
   NaN equals nothing, and nothing finds it. */
static inline int APLC_TYPED(aplc_slots, _add_all)(aplc_table *table, int64_t *restrict positions, int64_t *count) {
    const APLC_T *const keys = table->keys;
    int64_t found = 0;
    for (int64_t start = 0; start < table->rows; start += APLC_MIXED) {
        const int64_t some = table->rows - start < APLC_MIXED ? table->rows - start : APLC_MIXED;
        uint32_t mixed[APLC_MIXED];
        APLC_TYPED(aplc_codes, _mixed)(table, keys + start, some, mixed);
        for (int64_t i = start; i < start + some; i++) {
            const uint64_t code = APLC_TYPED(aplc_code, )(keys[i]);
            const bool is_nan = keys[i] != keys[i];
            const int64_t first = is_nan ? i + 1 : aplc_slots_add(table, code, mixed[i - start], i + 1, i + 1);
            if (first == 0)
                return APLC_OUT_OF_MEMORY;
            if (positions != NULL)
                positions[found] = i;
            found += first == i + 1;
        }
    }
    *count = found;
    return 0;
}

/* A table for these rows, of the kind that they want, without memory yet. */
static inline void APLC_TYPED(aplc_table, _plan)(aplc_table *table, const APLC_T *keys, int64_t rows,
                                                 int64_t columns, int spread) {
    *table = (aplc_table){.kind = APLC_TABLE_HASHED, .rows = rows, .columns = columns, .keys = keys};
    if (columns == 0 || rows <= APLC_LINEAR_ROWS) {
        table->kind = columns == 0 ? APLC_TABLE_ALIKE : APLC_TABLE_LINEAR;
        return;
    }
    if (columns == 1 && (APLC_T)0.5 == 0) {
        APLC_T least = keys[0], greatest = keys[0];
        for (int64_t i = 1; i < rows; i++) {
            least = keys[i] < least ? keys[i] : least;
            greatest = keys[i] > greatest ? keys[i] : greatest;
        }
        table->base = APLC_TYPED(aplc_code, )(least);
        table->span = APLC_TYPED(aplc_code, )(greatest) - table->base;
        if (aplc_is_dense(table->span, rows, spread))
            table->kind = APLC_TABLE_DIRECT;
    }
}

/* A table for these rows that has none of them yet. */
static inline int APLC_TYPED(aplc_table, _start)(aplc_table *table, const APLC_T *keys, int64_t rows,
                                                 int64_t columns) {
    APLC_TYPED(aplc_table, _plan)(table, keys, rows, columns, APLC_TABLE_SPREAD);
    if (table->kind == APLC_TABLE_DIRECT) {
        table->positions = calloc((size_t)table->span + 2, sizeof *table->positions);
        return table->positions == NULL ? APLC_OUT_OF_MEMORY : 0;
    }
    if (table->kind != APLC_TABLE_HASHED)
        return 0;
    if (columns == 1 && rows <= INT32_MAX) {
        table->kind = APLC_TABLE_SLOTS;
        int width = 2;
        while (width < APLC_TABLE_WIDTH + APLC_BUCKET_BITS - 1 && rows >> (width - 1) != 0)
            width++;
        return aplc_slots_start(table, width);
    }
    table->width = 1;
    while (table->width < APLC_TABLE_WIDTH && rows >> table->width > APLC_BUCKET_SIZE / 2)
        table->width++;
    table->buckets = aplc_free_buckets(table->width);
    return table->buckets == NULL ? APLC_OUT_OF_MEMORY : 0;
}

/* Enter row number `position`, counted from 1, after those before it. `first` becomes its own position, or
   that of the row before it that it equals. */
static inline __attribute__((always_inline)) int APLC_TYPED(aplc_table, _add)(aplc_table *table, int64_t position,
                                                                            int64_t *first) {
    const int64_t columns = table->columns;
    const APLC_T *const keys = table->keys, *const row = keys + (position - 1) * columns;
    *first = position;
    if (table->kind == APLC_TABLE_ALIKE) {
        *first = 1;
        return 0;
    }
    if (!APLC_TYPED(aplc_equal_rows, )(row, row, columns))
        return 0; /* it has a NaN: nothing finds it */
    if (table->kind == APLC_TABLE_DIRECT) {
        int64_t *const place = aplc_table_place(table, APLC_TYPED(aplc_code, )(row[0]));
        *place = *place == 0 ? position : *place;
        *first = *place;
        return 0;
    }
    if (table->kind == APLC_TABLE_LINEAR) {
        *first = APLC_TYPED(aplc_first_equal, )(keys, position, columns, row);
        return 0;
    }
    if (table->kind == APLC_TABLE_SLOTS) {
        const uint64_t own = APLC_TYPED(aplc_code, )(row[0]);
        *first = aplc_slots_add(table, own, aplc_leading_half(own), position, position);
        return *first == 0 ? APLC_OUT_OF_MEMORY : 0;
    }
    if (columns == 1 && position + APLC_TABLE_AHEAD <= table->rows)
        aplc_table_fetch(table, APLC_TYPED(aplc_code, )(row[APLC_TABLE_AHEAD]));
    const uint64_t code =
        columns == 1 ? APLC_TYPED(aplc_code, )(row[0]) : APLC_TYPED(aplc_hash, )(row, columns);
    const int64_t found =
        columns == 1 ? aplc_table_seek(table, code) : APLC_TYPED(aplc_seek_row, )(table, row, code);
    if (found == 0)
        return aplc_table_enter(table, code, position);
    *first = found;
    return 0;
}

/* As below; where the number of columns is known, what others need is left out. */
static inline __attribute__((always_inline)) int APLC_TYPED(aplc_table_of, _make)(aplc_table *table,
                                                                                  const APLC_T *keys, int64_t rows,
                                                                                  int64_t columns) {
    int64_t first;
    int status = APLC_TYPED(aplc_table, _start)(table, keys, rows, columns);
    if (status == 0 && table->kind == APLC_TABLE_SLOTS)
        status = APLC_TYPED(aplc_slots, _add_all)(table, NULL, &first);
    const int64_t count = table->kind == APLC_TABLE_DIRECT || table->kind == APLC_TABLE_HASHED ? rows : 0;
    for (int64_t i = 1; i <= count && status == 0; i++)
        status = APLC_TYPED(aplc_table, _add)(table, i, &first);
    if (status != 0)
        aplc_table_free(table);
    return status;
}

APLC_ONCE(aplc_search, int, APLC_TYPED(aplc_table_in_1, _make), aplc_table *table, const APLC_T *keys, int64_t n) {
    return APLC_TYPED(aplc_table_of, _make)(table, keys, n, 1);
}

APLC_ONCE(aplc_search, int, APLC_TYPED(aplc_table_in_rows, _make), aplc_table *table, const APLC_T *keys,
          int64_t rows, int64_t columns) {
    return APLC_TYPED(aplc_table_of, _make)(table, keys, rows, columns);
}

static inline int APLC_TYPED(aplc_table, _make)(aplc_table *table, const APLC_T *keys, int64_t rows,
                                                int64_t columns) {
    return columns == 1 ? APLC_TYPED(aplc_table_in_1, _make)(table, keys, rows)
                        : APLC_TYPED(aplc_table_in_rows, _make)(table, keys, rows, columns);
}

static inline int64_t APLC_TYPED(aplc_table, _find_one)(const aplc_table *table, APLC_T x) {
    const uint64_t code = APLC_TYPED(aplc_code, )(x);
    int64_t found;
    if (table->kind == APLC_TABLE_SLOTS)
        found = aplc_slot_of(table, code, aplc_leading_half(code))->position;
    else if (table->kind == APLC_TABLE_HASHED)
        found = aplc_table_seek(table, code);
    else if (table->kind == APLC_TABLE_DIRECT)
        found = *aplc_table_place(table, code);
    else
        found = APLC_TYPED(aplc_find_few, )(table->keys, table->rows, x);
    return aplc_found_or_missing(table, found);
}

/* For several elements, in loops that ask nothing about the table. */
APLC_ONCE(aplc_search, void, APLC_TYPED(aplc_table, _find_some), const aplc_table *table, const APLC_T *x,
          int64_t from, int64_t count, int64_t *restrict out) {
    const int64_t missing = table->rows + 1;
    x += from;
    if (table->kind == APLC_TABLE_DIRECT) {
        const uint64_t base = table->base, span = table->span;
        const int64_t *const positions = table->positions;
        for (int64_t k = 0; k < count; k++) {
            const uint64_t distance = APLC_TYPED(aplc_code, )(x[k]) - base;
            const int64_t found = positions[distance <= span ? distance : span + 1];
            out[k] = found | (missing & -(int64_t)(found == 0));
        }
    } else if (table->kind == APLC_TABLE_SLOTS) {
        for (int64_t start = 0; start < count; start += APLC_MIXED) {
            const int64_t some = count - start < APLC_MIXED ? count - start : APLC_MIXED;
            uint32_t mixed[APLC_MIXED];
            APLC_TYPED(aplc_codes, _mixed)(table, x + start, some, mixed);
            for (int64_t k = start; k < start + some; k++) {
                const uint64_t code = APLC_TYPED(aplc_code, )(x[k]);
                out[k] = aplc_found_or_missing(table, aplc_slot_of(table, code, mixed[k - start])->position);
            }
        }
    } else if (table->kind == APLC_TABLE_HASHED) {
        const int64_t fetched = table->width < APLC_FETCHED_WIDTH ? 0 : count - APLC_TABLE_AHEAD;
        int64_t k = 0;
        for (; k < fetched; k++) {
            aplc_table_fetch(table, APLC_TYPED(aplc_code, )(x[k + APLC_TABLE_AHEAD]));
            out[k] = aplc_found_or_missing(table, aplc_table_seek(table, APLC_TYPED(aplc_code, )(x[k])));
        }
        for (; k < count; k++)
            out[k] = aplc_found_or_missing(table, aplc_table_seek(table, APLC_TYPED(aplc_code, )(x[k])));
    } else {
        const APLC_T *const keys = table->keys;
        for (int64_t k = 0; k < count; k++)
            out[k] = missing;
        for (int64_t i = table->rows; i > 0; i--)
            for (int64_t k = 0; k < count; k++)
                out[k] = x[k] == keys[i - 1] ? i : out[k];
    }
}

static inline int64_t APLC_TYPED(aplc_table, _find)(const aplc_table *table, const APLC_T *row) {
    int64_t found;
    if (table->kind == APLC_TABLE_ALIKE)
        return 1;
    if (table->columns == 1)
        return APLC_TYPED(aplc_table, _find_one)(table, row[0]);
    if (table->kind == APLC_TABLE_HASHED)
        found = APLC_TYPED(aplc_seek_row, )(table, row, APLC_TYPED(aplc_hash, )(row, table->columns));
    else
        found = APLC_TYPED(aplc_first_equal, )(table->keys, table->rows, table->columns, row);
    return aplc_found_or_missing(table, found);
}

/* Likewise for row number i, from 0, of a matrix. */
static inline int64_t APLC_TYPED(aplc_table, _find_at)(const aplc_table *table, const APLC_T *rows, int64_t i) {
    return APLC_TYPED(aplc_table, _find)(table, rows + i * table->columns);
}

/* Whether some elements are integers of which no two are 64 apart, so that a set of them is a word, and the least. */
static inline bool APLC_TYPED(aplc_fits, _word)(const APLC_T *a, int64_t n, uint64_t *least_code) {
    if ((APLC_T)0.5 != 0 || n == 0)
        return false;
    APLC_T least = a[0], greatest = a[0];
    for (int64_t i = 1; i < n; i++) {
        least = a[i] < least ? a[i] : least;
        greatest = a[i] > greatest ? a[i] : greatest;
    }
    *least_code = APLC_TYPED(aplc_code, )(least);
    return APLC_TYPED(aplc_code, )(greatest) - *least_code < 64;
}

/* As below; where the number of columns is known, what others need is left out. */
static inline __attribute__((always_inline)) int APLC_TYPED(aplc_unique_of, )(const APLC_T *a, int64_t rows,
                                                                              int64_t columns, int64_t *positions,
                                                                              int64_t *count) {
    aplc_table table;
    int64_t first, found = 0;
    uint64_t least, seen = 0;
    if (columns == 1 && rows <= APLC_WORD_ROWS && APLC_TYPED(aplc_fits, _word)(a, rows, &least)) {
        for (int64_t i = 0; i < rows; i++) {
            const uint64_t own = 1ULL << (APLC_TYPED(aplc_code, )(a[i]) - least);
            positions[found] = i;
            found += (seen & own) == 0;
            seen |= own;
        }
        *count = found;
        return 0;
    }
    int status = APLC_TYPED(aplc_table, _start)(&table, a, rows, columns);
    if (status == 0 && table.kind == APLC_TABLE_SLOTS) {
        status = APLC_TYPED(aplc_slots, _add_all)(&table, positions, count);
        aplc_table_free(&table);
        return status;
    }
    const bool direct = status == 0 && table.kind == APLC_TABLE_DIRECT;
    for (int64_t start = 0; direct && start < rows; start += APLC_SEEN) {
        const int64_t stop = start + APLC_SEEN <= rows ? start + APLC_SEEN : rows;
        int64_t seen = 1; /* mostly there is nothing new, which is asked once for several */
        for (int64_t i = start; i < stop; i++)
            seen &= table.positions[APLC_TYPED(aplc_code, )(a[i]) - table.base];
        for (int64_t i = start; seen == 0 && i < stop; i++) {
            int64_t *const place = &table.positions[APLC_TYPED(aplc_code, )(a[i]) - table.base];
            positions[found] = i;
            found += *place == 0;
            *place = 1;
        }
    }
    for (int64_t i = 1; !direct && i <= rows && status == 0; i++) {
        status = APLC_TYPED(aplc_table, _add)(&table, i, &first);
        positions[found] = i - 1;
        found += first == i;
    }
    aplc_table_free(&table);
    *count = found;
    return status;
}

APLC_ONCE(aplc_search, int, APLC_TYPED(aplc_unique_in_1, ), const APLC_T *a, int64_t n, int64_t *positions,
          int64_t *count) {
    return APLC_TYPED(aplc_unique_of, )(a, n, 1, positions, count);
}

APLC_ONCE(aplc_search, int, APLC_TYPED(aplc_unique_in_rows, ), const APLC_T *a, int64_t rows, int64_t columns,
          int64_t *positions, int64_t *count) {
    int64_t *const codes = APLC_TYPED(aplc_packed, _rows)(a, rows, columns);
    if (codes != NULL) {
        const int ended = aplc_unique_in_1_int(codes, rows, positions, count);
        free(codes);
        return ended;
    }
    return APLC_TYPED(aplc_unique_of, )(a, rows, columns, positions, count);
}

static inline int APLC_TYPED(aplc_unique, )(const APLC_T *a, int64_t rows, int64_t columns, int64_t *positions,
                                            int64_t *count) {
    return columns == 1 ? APLC_TYPED(aplc_unique_in_1, )(a, rows, positions, count)
                        : APLC_TYPED(aplc_unique_in_rows, )(a, rows, columns, positions, count);
}

/* --- in sets --- */

/* The mixed codes of some elements, whose slots go into the cache where there are many. */
static inline void APLC_TYPED(aplc_set, _mixed)(const aplc_code_set *set, const APLC_T *x, int64_t count,
                                                uint64_t *restrict mixed) {
    for (int64_t k = 0; k < count; k++)
        mixed[k] = aplc_scatter(APLC_TYPED(aplc_code, )(x[k]));
    for (int64_t k = 0; k < count && set->width >= APLC_TABLE_WIDTH; k++)
        __builtin_prefetch(aplc_code_slot(set, mixed[k]), 1);
}

/* Enter the codes of n elements but NaN, which equals nothing, into a set that is begun here. Unless `out` is NULL it
   becomes which of them are the first ones of their kind, as each NaN is; `nans` becomes how many of those there are. */
static inline __attribute__((always_inline)) int APLC_TYPED(aplc_code_set, _enter)(aplc_code_set *set, const APLC_T *a,
                                                                                 int64_t n, uint8_t *restrict out,
                                                                                 int64_t *nans) {
    int status = aplc_code_set_start(set, aplc_code_set_width(n));
    int64_t equal_nothing = 0;
    for (int64_t start = 0; start < n && status == 0; start += APLC_MIXED) {
        const int64_t some = n - start < APLC_MIXED ? n - start : APLC_MIXED;
        uint64_t mixed[APLC_MIXED];
        APLC_TYPED(aplc_set, _mixed)(set, a + start, some, mixed);
        for (int64_t i = start; i < start + some && status == 0; i++) {
            const int64_t before = aplc_code_set_size(set);
            const bool is_nan = a[i] != a[i];
            if (!is_nan)
                status = aplc_code_set_add(set, APLC_TYPED(aplc_code, )(a[i]), mixed[i - start], i, n);
            if (out != NULL)
                out[i] = is_nan || aplc_code_set_size(set) != before;
            equal_nothing += is_nan;
        }
    }
    *nans = equal_nothing;
    return status;
}

/* A byte for each code from the least to the greatest, and one behind that is 0; NULL if there is no memory. */
static inline uint8_t *APLC_TYPED(aplc_codes, _seen)(const aplc_table *table, const APLC_T *a, int64_t n) {
    uint8_t *const seen = calloc((size_t)table->span + 2, 1);
    for (int64_t i = 0; seen != NULL && i < n; i++)
        seen[APLC_TYPED(aplc_code, )(a[i]) - table->base] = 1;
    return seen;
}

APLC_ONCE(aplc_search, int, APLC_TYPED(aplc_table, _make_set), aplc_table *set, const APLC_T *keys, int64_t n) {
    APLC_TYPED(aplc_table, _plan)(set, keys, n, 1, APLC_SET_SPREAD);
    if (set->kind == APLC_TABLE_DIRECT) {
        set->positions = (void *)APLC_TYPED(aplc_codes, _seen)(set, keys, n);
        return set->positions == NULL ? APLC_OUT_OF_MEMORY : 0;
    }
    int64_t nans;
    const int status =
        set->kind == APLC_TABLE_HASHED ? APLC_TYPED(aplc_code_set, _enter)(&set->codes, keys, n, NULL, &nans) : 0;
    if (status != 0)
        aplc_table_free(set);
    return status;
}

APLC_ONCE(aplc_search, void, APLC_TYPED(aplc_table, _has_some), const aplc_table *set, const APLC_T *x, int64_t from,
          int64_t count, uint8_t *restrict out) {
    x += from;
    if (set->kind == APLC_TABLE_DIRECT) {
        const uint64_t base = set->base, span = set->span;
        const uint8_t *const seen = (void *)set->positions;
        for (int64_t k = 0; k < count; k++) {
            const uint64_t distance = APLC_TYPED(aplc_code, )(x[k]) - base;
            out[k] = seen[distance <= span ? distance : span + 1];
        }
    } else if (set->kind == APLC_TABLE_HASHED) {
        for (int64_t start = 0; start < count; start += APLC_MIXED) {
            const int64_t some = count - start < APLC_MIXED ? count - start : APLC_MIXED;
            uint64_t mixed[APLC_MIXED];
            APLC_TYPED(aplc_set, _mixed)(&set->codes, x + start, some, mixed);
            for (int64_t k = start; k < start + some; k++) {
                const uint64_t code = APLC_TYPED(aplc_code, )(x[k]);
                const bool there = code == 0 ? set->codes.has_zero
                                             : *aplc_slot_of_code(&set->codes, code, mixed[k - start]) == code;
                out[k] = x[k] == x[k] && there;
            }
        }
    } else {
        const APLC_T *const keys = set->keys;
        for (int64_t k = 0; k < count; k++)
            out[k] = 0;
        for (int64_t i = 0; i < set->rows; i++)
            for (int64_t k = 0; k < count; k++)
                out[k] |= x[k] == keys[i];
    }
}

static inline bool APLC_TYPED(aplc_table, _has_one)(const aplc_table *set, APLC_T x) {
    const uint64_t code = APLC_TYPED(aplc_code, )(x), distance = code - set->base;
    if (set->kind == APLC_TABLE_DIRECT)
        return ((const uint8_t *)set->positions)[distance <= set->span ? distance : set->span + 1];
    if (set->kind == APLC_TABLE_HASHED)
        return x == x && aplc_code_set_has(&set->codes, code);
    const APLC_T *const keys = set->keys;
    bool found = false;
    for (int64_t i = 0; i < set->rows; i++)
        found |= x == keys[i];
    return found;
}

/* --- different ones --- */

APLC_ONCE(aplc_search, int, APLC_TYPED(aplc_firsts_1, ), const APLC_T *a, int64_t n, uint8_t *restrict out) {
    aplc_table set;
    int status = 0;
    APLC_TYPED(aplc_table, _plan)(&set, a, n, 1, APLC_SET_SPREAD);
    if (set.kind == APLC_TABLE_DIRECT) {
        uint8_t *const seen = calloc((size_t)set.span + 2, 1);
        for (int64_t i = 0; seen != NULL && i < n; i++) {
            uint8_t *const mark = &seen[APLC_TYPED(aplc_code, )(a[i]) - set.base];
            out[i] = *mark ^ 1;
            *mark = 1;
        }
        free(seen);
        return seen == NULL ? APLC_OUT_OF_MEMORY : 0;
    }
    int64_t nans;
    if (set.kind == APLC_TABLE_HASHED)
        status = APLC_TYPED(aplc_code_set, _enter)(&set.codes, a, n, out, &nans);
    for (int64_t i = 0; set.kind != APLC_TABLE_HASHED && i < n; i++)
        out[i] = a[i] != a[i] || APLC_TYPED(aplc_first_equal, )(a, i + 1, 1, &a[i]) == i + 1;
    aplc_table_free(&set);
    return status;
}

/* As below; where the number of columns is known, what others need is left out. */
static inline __attribute__((always_inline)) int APLC_TYPED(aplc_count_unique_of, )(const APLC_T *a, int64_t rows,
                                                                                    int64_t columns,
                                                                                    int64_t *count) {
    aplc_table table;
    int64_t first, found = 0;
    uint64_t least, seen_codes = 0;
    if (columns == 1 && rows <= APLC_WORD_ROWS && APLC_TYPED(aplc_fits, _word)(a, rows, &least)) {
        for (int64_t i = 0; i < rows; i++)
            seen_codes |= 1ULL << (APLC_TYPED(aplc_code, )(a[i]) - least);
        *count = __builtin_popcountll(seen_codes);
        return 0;
    }
    APLC_TYPED(aplc_table, _plan)(&table, a, rows, columns, APLC_SET_SPREAD);
    if (table.kind == APLC_TABLE_DIRECT) {
        uint8_t *const seen = APLC_TYPED(aplc_codes, _seen)(&table, a, rows);
        for (uint64_t code = 0; seen != NULL && code <= table.span; code++)
            found += seen[code];
        free(seen);
        *count = found;
        return seen == NULL ? APLC_OUT_OF_MEMORY : 0;
    }
    if (table.kind == APLC_TABLE_HASHED && columns == 1) {
        const int status = APLC_TYPED(aplc_code_set, _enter)(&table.codes, a, rows, NULL, &found);
        *count = found + aplc_code_set_size(&table.codes);
        aplc_table_free(&table);
        return status;
    }
    int status = APLC_TYPED(aplc_table, _start)(&table, a, rows, columns);
    for (int64_t i = 1; i <= rows && status == 0; i++) {
        status = APLC_TYPED(aplc_table, _add)(&table, i, &first);
        found += first == i;
    }
    aplc_table_free(&table);
    *count = found;
    return status;
}

APLC_ONCE(aplc_search, int, APLC_TYPED(aplc_count_unique_in_1, ), const APLC_T *a, int64_t n, int64_t *count) {
    return APLC_TYPED(aplc_count_unique_of, )(a, n, 1, count);
}

APLC_ONCE(aplc_search, int, APLC_TYPED(aplc_count_unique_in_rows, ), const APLC_T *a, int64_t rows, int64_t columns,
          int64_t *count) {
    int64_t *const codes = APLC_TYPED(aplc_packed, _rows)(a, rows, columns);
    if (codes != NULL) {
        const int ended = aplc_count_unique_in_1_int(codes, rows, count);
        free(codes);
        return ended;
    }
    return APLC_TYPED(aplc_count_unique_of, )(a, rows, columns, count);
}

static inline int APLC_TYPED(aplc_count_unique, )(const APLC_T *a, int64_t rows, int64_t columns, int64_t *count) {
    return columns == 1 ? APLC_TYPED(aplc_count_unique_in_1, )(a, rows, count)
                        : APLC_TYPED(aplc_count_unique_in_rows, )(a, rows, columns, count);
}

#define APLC_NUMBER int64_t
#define APLC_NUMBERED(name) APLC_TYPED(name, )
#define APLC_NUMBER_CODES aplc_number_in_1_int
#include "aplc_search_numbers.h"
#define APLC_NUMBER int32_t
#define APLC_NUMBERED(name) APLC_TYPED(name, _narrow)
#define APLC_NUMBER_CODES aplc_number_in_1_int_narrow
#include "aplc_search_numbers.h"
#include "aplc_search_counts.h"

#undef APLC_T
#undef APLC_TYPED
