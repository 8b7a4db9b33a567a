/* Searching among items, for one type of element: APLC_T, with names made by APLC_TYPED. Included by aplc_items.h
   once for each type. */

/* Whether an item is the one that a class of its code has for a head. */
static inline bool APLC_TYPED(aplc_items, _is)(const aplc_table *table, const APLC_T *elements, const int64_t *record,
                                               uint64_t code, int64_t class) {
    const APLC_T *const keys = table->keys;
    const int64_t *const head = aplc_head_record(table, class);
    return code < aplc_is_hash ||
           (aplc_same_extents(head, record, table->axes) &&
            APLC_TYPED(aplc_equal_items, )(keys + head[0], elements + record[0], aplc_size_of(record, table->axes)));
}

/* The class of an item in a table of items with as many extents; 0 if there is none. The code becomes that under
   which it is in the table, or can be entered. */
static inline int64_t APLC_TYPED(aplc_items, _seek)(const aplc_table *table, const APLC_T *elements,
                                                    const int64_t *record, uint64_t *code) {
    for (;;) {
        const int64_t class = aplc_table_seek(table, *code);
        if (class == 0 || APLC_TYPED(aplc_items, _is)(table, elements, record, *code, class))
            return class;
        *code = aplc_hash_part(*code, 1) | aplc_is_hash;
    }
}

/* The class of the item whose record and code are given, which is entered as number `position` if it is new. */
__attribute__((unused, noinline)) static int APLC_TYPED(aplc_items, _class)(
    aplc_table *table, const APLC_T *elements, const int64_t *record, uint64_t code, int64_t position,
    int64_t *class) {
    if (APLC_TYPED(aplc_has_nan, )(elements + record[0], aplc_size_of(record, table->axes)))
        return aplc_new_class(table, position, record, class);
    *class = APLC_TYPED(aplc_items, _seek)(table, elements, record, &code);
    if (*class != 0)
        return 0;
    const int status = aplc_new_class(table, position, record, class);
    return status != 0 ? status : aplc_table_enter(table, code, *class);
}

/* The codes of some items, whose buckets go into the cache. */
static inline void APLC_TYPED(aplc_items, _codes)(const aplc_table *table, const APLC_T *elements, int64_t extent,
                                                  int64_t axes, const int64_t *records, int64_t count,
                                                  uint64_t *codes) {
    for (int64_t k = 0; k < count; k++) {
        codes[k] = APLC_TYPED(aplc_item_code, )(elements, extent, records + k * (axes + 1), axes);
        aplc_table_fetch(table, codes[k]);
    }
}

/* Enter some items, a few at a time, so that what is needed for one is fetched while others are looked at. They are
   counted perhaps, and the numbers of their classes go to `numbers`, if it is not NULL. */
static inline int APLC_TYPED(aplc_items, _all)(aplc_table *table, const APLC_T *elements, const int64_t *records,
                                               int64_t extent, int64_t axes, int64_t count, int64_t before,
                                               bool counts, int64_t *numbers, int64_t *classes) {
    const int64_t width = axes + 1, most = APLC_ITEMS_AT_ONCE;
    const APLC_T *const keys = elements;
    uint64_t codes[2][APLC_ITEMS_AT_ONCE];
    int64_t found[APLC_ITEMS_AT_ONCE];
    int status = aplc_items_start(table, elements, extent, axes);
    if (status == 0)
        APLC_TYPED(aplc_items, _codes)(table, elements, extent, axes, records, count < most ? count : most, codes[0]);
    for (int64_t i = 0, turn = 0; i < count && status == 0; i += most, turn = 1 - turn) {
        const int64_t rest = count - i, here = rest < most ? rest : most, more = rest - here;
        const int64_t *const record = records + i * width;
        const uint64_t *const code = codes[turn];
        APLC_TYPED(aplc_items, _codes)(table, elements, extent, axes, record + here * width,
                                       more < most ? more : most, codes[1 - turn]);
        for (int64_t k = 0; k < here; k++) {
            found[k] = aplc_table_seek(table, code[k]);
            if ((counts || code[k] >= aplc_is_hash) && found[k] != 0)
                __builtin_prefetch(aplc_head(table, found[k]), 1);
        }
        for (int64_t k = 0; k < here; k++)
            if (code[k] >= aplc_is_hash && found[k] != 0)
                __builtin_prefetch(keys + aplc_head_record(table, found[k])[0]);
        for (int64_t k = 0; k < here && status == 0; k++) {
            const int64_t *const own = record + k * width;
            if (found[k] == 0 || !APLC_TYPED(aplc_items, _is)(table, elements, own, code[k], found[k]))
                status = APLC_TYPED(aplc_items, _class)(table, elements, own, code[k], before + i + k + 1, &found[k]);
            if (numbers != NULL)
                numbers[before + i + k] = found[k];
            if (counts && status == 0)
                table->positions[(found[k] - 1) * (axes + 3) + 1]++;
        }
    }
    *classes = table->classes;
    if (status != 0)
        aplc_table_free(table);
    return status;
}

__attribute__((unused, noinline)) static int APLC_TYPED(aplc_items, _add)(
    aplc_table *table, const void *elements, const int64_t *records, int64_t extent, int64_t axes, int64_t count,
    int64_t before, int64_t *numbers, int64_t *classes) {
    return APLC_TYPED(aplc_items, _all)(table, elements, records, extent, axes, count, before, true, numbers,
                                        classes);
}

__attribute__((unused, noinline)) static int APLC_TYPED(aplc_items, _count)(
    aplc_table *table, const void *elements, const int64_t *records, int64_t extent, int64_t axes, int64_t count,
    int64_t before, int64_t *classes) {
    return APLC_TYPED(aplc_items, _all)(table, elements, records, extent, axes, count, before, true, NULL, classes);
}

__attribute__((unused, noinline)) static int APLC_TYPED(aplc_items, _enter)(
    aplc_table *table, const void *elements, const int64_t *records, int64_t extent, int64_t axes, int64_t count,
    int64_t before) {
    int64_t classes;
    return APLC_TYPED(aplc_items, _all)(table, elements, records, extent, axes, count, before, false, NULL,
                                        &classes);
}

static inline int64_t APLC_TYPED(aplc_items, _find_record)(const aplc_table *table, const void *elements,
                                                           int64_t extent, int64_t entered, const int64_t *record,
                                                           int64_t axes) {
    if (table->buckets == NULL)
        return entered + 1; /* there are none */
    uint64_t code = APLC_TYPED(aplc_item_code, )(elements, extent, record, axes);
    const int64_t class = APLC_TYPED(aplc_items, _seek)(table, elements, record, &code);
    return class == 0 ? entered + 1 : aplc_head(table, class)[0];
}

static inline int64_t APLC_TYPED(aplc_items, _find)(const aplc_table *table, const void *elements, int64_t extent,
                                                    int64_t entered, int64_t place, int64_t length) {
    const int64_t record[2] = {place, length};
    return APLC_TYPED(aplc_items, _find_record)(table, elements, extent, entered, record, 1);
}

static inline int64_t APLC_TYPED(aplc_items, _find_at)(const aplc_table *table, const void *elements,
                                                       const int64_t *records, int64_t extent, int64_t entered,
                                                       int64_t i) {
    const int64_t *const record = records + i * (table->axes + 1);
    return APLC_TYPED(aplc_items, _find_record)(table, elements, extent, entered, record, table->axes);
}

#undef APLC_T
#undef APLC_TYPED
