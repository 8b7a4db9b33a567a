/* Which of the different rows of a matrix each row equals, in elements of one type: APLC_NUMBER, with names made
   by APLC_NUMBERED; APLC_NUMBER_CODES does the same for integers. Included by aplc_search_typed.h for each. */

/* In a direct table that is empty yet, whose entries are as narrow as the numbers; how many rows differ. */
static inline int64_t APLC_NUMBERED(aplc_number_direct)(const aplc_table *table, const APLC_T *a, int64_t rows,
                                                        int64_t *restrict positions,
                                                        APLC_NUMBER *restrict numbers) {
    APLC_NUMBER *restrict const places = (void *)table->positions;
    const uint64_t base = table->base;
    int64_t found = 0;
    for (int64_t start = 0; start < rows; start += APLC_SEEN) {
        const bool is_whole = start + APLC_SEEN <= rows;
        APLC_NUMBER least = is_whole; /* mostly there is nothing new, which is asked once for several */
        for (int64_t i = start; is_whole && i < start + APLC_SEEN; i++) {
            numbers[i] = places[APLC_TYPED(aplc_code, )(a[i]) - base];
            least = numbers[i] < least ? numbers[i] : least;
        }
        for (int64_t i = start; least == 0 && i < start + APLC_SEEN && i < rows; i++) {
            APLC_NUMBER *const place = &places[APLC_TYPED(aplc_code, )(a[i]) - base];
            if (*place == 0) {
                positions[found++] = i;
                *place = (APLC_NUMBER)found;
            }
            numbers[i] = *place;
        }
    }
    return found;
}

/* In a table of slots that is empty yet; what equals nothing, NaN, has the number 0. */
static inline int APLC_NUMBERED(aplc_number_slots)(aplc_table *table, int64_t *restrict positions,
                                                   APLC_NUMBER *restrict numbers, int64_t *count) {
    const APLC_T *const keys = table->keys;
    int64_t found = 0;
    for (int64_t start = 0; start < table->rows; start += APLC_MIXED) {
        const int64_t some = table->rows - start < APLC_MIXED ? table->rows - start : APLC_MIXED;
        uint32_t mixed[APLC_MIXED];
        APLC_TYPED(aplc_codes, _mixed)(table, keys + start, some, mixed);
        for (int64_t i = start; i < start + some; i++) {
            const uint64_t code = APLC_TYPED(aplc_code, )(keys[i]);
            const bool is_nan = keys[i] != keys[i];
            const int64_t first = is_nan ? i + 1 : aplc_slots_add(table, code, mixed[i - start], found + 1, i + 1);
            if (first == 0)
                return APLC_OUT_OF_MEMORY;
            positions[found] = i;
            found += is_nan || first == found + 1;
            numbers[i] = is_nan ? 0 : (APLC_NUMBER)first;
        }
    }
    *count = found;
    return 0;
}

/* As below; where the number of columns is known, what others need is left out. */
static inline __attribute__((always_inline)) int APLC_NUMBERED(aplc_number_of)(const APLC_T *a, int64_t rows,
                                                                               int64_t columns,
                                                                               int64_t *restrict positions,
                                                                               APLC_NUMBER *restrict numbers,
                                                                               int64_t *count) {
    aplc_table table;
    int64_t first, found = 0;
    bool has_nan = false;
    int status = APLC_TYPED(aplc_table, _start)(&table, a, rows, columns);
    const bool direct = status == 0 && table.kind == APLC_TABLE_DIRECT;
    const bool in_slots = status == 0 && table.kind == APLC_TABLE_SLOTS;
    if (direct)
        found = APLC_NUMBERED(aplc_number_direct)(&table, a, rows, positions, numbers);
    if (in_slots) {
        status = APLC_NUMBERED(aplc_number_slots)(&table, positions, numbers, &found);
        has_nan = (APLC_T)0.5 != 0;
    }
    for (int64_t i = 1; !direct && !in_slots && i <= rows && status == 0; i++) {
        const APLC_T *const row = a + (i - 1) * columns;
        status = APLC_TYPED(aplc_table, _add)(&table, i, &first);
        positions[found] = i - 1;
        found += first == i;
        numbers[i - 1] = first == i ? (APLC_NUMBER)found : numbers[first - 1];
        if (!APLC_TYPED(aplc_equal_rows, )(row, row, columns)) {
            numbers[i - 1] = 0;
            has_nan = true;
        }
    }
    for (int64_t i = 0; has_nan && status == 0 && i < rows; i++)
        numbers[i] = (APLC_NUMBER)aplc_found_or_missing(&(aplc_table){.rows = found}, numbers[i]);
    aplc_table_free(&table);
    *count = found;
    return sizeof *numbers == 4 && found >= INT32_MAX ? APLC_OUT_OF_MEMORY : status;
}

APLC_ONCE(aplc_search, int, APLC_NUMBERED(aplc_number_in_1), const APLC_T *a, int64_t n, int64_t *restrict positions,
          APLC_NUMBER *restrict numbers, int64_t *count) {
    return APLC_NUMBERED(aplc_number_of)(a, n, 1, positions, numbers, count);
}

APLC_ONCE(aplc_search, int, APLC_NUMBERED(aplc_number_in_rows), const APLC_T *a, int64_t rows, int64_t columns,
          int64_t *restrict positions, APLC_NUMBER *restrict numbers, int64_t *count) {
    int64_t *const codes = APLC_TYPED(aplc_packed, _rows)(a, rows, columns);
    if (codes != NULL) {
        const int ended = APLC_NUMBER_CODES(codes, rows, positions, numbers, count);
        free(codes);
        return ended;
    }
    return APLC_NUMBERED(aplc_number_of)(a, rows, columns, positions, numbers, count);
}

static inline int APLC_NUMBERED(aplc_number)(const APLC_T *a, int64_t rows, int64_t columns,
                                             int64_t *restrict positions, APLC_NUMBER *restrict numbers,
                                             int64_t *count) {
    return columns == 1 ? APLC_NUMBERED(aplc_number_in_1)(a, rows, positions, numbers, count)
                        : APLC_NUMBERED(aplc_number_in_rows)(a, rows, columns, positions, numbers, count);
}

#undef APLC_NUMBER
#undef APLC_NUMBERED
#undef APLC_NUMBER_CODES
