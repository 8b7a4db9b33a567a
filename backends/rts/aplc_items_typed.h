/* Searching among items, for one type of element: APLC_T, with names made by APLC_TYPED. Included by aplc_items.h
   once for each type. */

/* Whether an item with a code and `axes` extents belongs to a class. */
static inline bool APLC_TYPED(aplc_items, _is)(const aplc_table *table, const APLC_T *elements, const int64_t *record,
                                               int64_t axes, aplc_item_code code, int64_t class) {
    const aplc_item_head *const head = aplc_head(table, class);
    if ((head->low ^ code.low) | (head->high ^ code.high))
        return false;
    if (code.high < aplc_is_hash)
        return true;
    const APLC_T *const keys = table->keys;
    const int64_t *const own = table->records + (class - 1) * (axes + 1);
    return aplc_same_extents(own, record, axes) &&
           APLC_TYPED(aplc_equal_items, )(keys + own[0], elements + record[0], aplc_size_of(record, axes));
}

/* The class of an item in a table of items with as many extents; 0 if there is none. */
static inline int64_t APLC_TYPED(aplc_items, _seek)(const aplc_table *table, const APLC_T *elements,
                                                    const int64_t *record, int64_t axes, aplc_item_code code,
                                                    uint64_t mixed) {
    for (uint64_t slot = aplc_first_slot(table, mixed);; slot = aplc_next_slot(table, slot)) {
        const int64_t class = table->slots[slot];
        if (class == 0 || APLC_TYPED(aplc_items, _is)(table, elements, record, axes, code, class))
            return class;
    }
}

/* The codes of some items, and their mixes, whose slots go into the cache. */
static inline void APLC_TYPED(aplc_items, _codes)(const aplc_table *table, const APLC_T *elements, int64_t extent,
                                                  int64_t axes, const int64_t *records, int64_t count,
                                                  aplc_item_code *codes, uint64_t *mixed) {
    for (int64_t k = 0; k < count; k++) {
        codes[k] = APLC_TYPED(aplc_item_code, )(elements, extent, records + k * (axes + 1), axes);
        mixed[k] = aplc_mixed(codes[k]);
        __builtin_prefetch(&table->slots[aplc_first_slot(table, mixed[k])]);
    }
}

/* Enter some items, a few at a time, so that what is needed for one is fetched while others are looked at. They are
   counted perhaps, and the numbers of their classes go to `numbers`, if it is not NULL. */
static inline int APLC_TYPED(aplc_items, _some)(aplc_table *table, const APLC_T *elements, const int64_t *records,
                                                int64_t extent, int64_t axes, int64_t count, int64_t before,
                                                bool counts, int64_t *numbers, int64_t *classes) {
    const int64_t width = axes + 1, most = APLC_ITEMS_AT_ONCE;
    aplc_item_code codes[2][APLC_ITEMS_AT_ONCE];
    uint64_t mixed[2][APLC_ITEMS_AT_ONCE];
    int status = aplc_items_start(table, elements, extent, axes, count);
    if (status == 0)
        APLC_TYPED(aplc_items, _codes)(table, elements, extent, axes, records, count < most ? count : most, codes[0],
                                       mixed[0]);
    for (int64_t i = 0, turn = 0; i < count && status == 0; i += most, turn = 1 - turn) {
        const int64_t rest = count - i, here = rest < most ? rest : most, more = rest - here;
        const int64_t *const record = records + i * width;
        APLC_TYPED(aplc_items, _codes)(table, elements, extent, axes, record + here * width,
                                       more < most ? more : most, codes[1 - turn], mixed[1 - turn]);
        for (int64_t k = 0; k < here; k++)
            __builtin_prefetch(aplc_any_head(table, table->slots[aplc_first_slot(table, mixed[turn][k])]), 1);
        for (int64_t k = 0; k < here && status == 0; k++) {
            const int64_t *const own = record + k * width;
            int64_t class;
            if (APLC_TYPED(aplc_has_nan, )(elements + own[0], aplc_size_of(own, axes))) {
                const aplc_item_code none = {0, aplc_is_hash | aplc_is_nan};
                status = aplc_new_class(table, none, before + i + k + 1, own, axes, &class);
            } else {
                const aplc_item_code code = codes[turn][k];
                const uint64_t mix = mixed[turn][k];
                class = APLC_TYPED(aplc_items, _seek)(table, elements, own, axes, code, mix);
                if (class == 0)
                    status = aplc_enter_class(table, code, mix, before + i + k + 1, own, axes, &class);
            }
            if (numbers != NULL)
                numbers[before + i + k] = class;
            if (counts && status == 0)
                aplc_head(table, class)->count++;
        }
    }
    *classes = table->classes;
    if (status != 0)
        aplc_table_free(table);
    return status;
}

/* The same. Most items are vectors, for which there is code of its own. */
static inline int APLC_TYPED(aplc_items, _all)(aplc_table *table, const APLC_T *elements, const int64_t *records,
                                               int64_t extent, int64_t axes, int64_t count, int64_t before,
                                               bool counts, int64_t *numbers, int64_t *classes) {
    if (axes == 1)
        return APLC_TYPED(aplc_items, _some)(table, elements, records, extent, 1, count, before, counts, numbers,
                                             classes);
    return APLC_TYPED(aplc_items, _some)(table, elements, records, extent, axes, count, before, counts, numbers,
                                         classes);
}

APLC_ONCE(aplc_items, int, APLC_TYPED(aplc_items, _add), aplc_table *table, const void *elements,
          const int64_t *records, int64_t extent, int64_t axes, int64_t count, int64_t before, int64_t *numbers,
          int64_t *classes) {
    return APLC_TYPED(aplc_items, _all)(table, elements, records, extent, axes, count, before, true, numbers,
                                        classes);
}

APLC_ONCE(aplc_items, int, APLC_TYPED(aplc_items, _count), aplc_table *table, const void *elements,
          const int64_t *records, int64_t extent, int64_t axes, int64_t count, int64_t before, int64_t *classes) {
    return APLC_TYPED(aplc_items, _all)(table, elements, records, extent, axes, count, before, true, NULL, classes);
}

APLC_ONCE(aplc_items, int, APLC_TYPED(aplc_items, _enter), aplc_table *table, const void *elements,
          const int64_t *records, int64_t extent, int64_t axes, int64_t count, int64_t before) {
    int64_t classes;
    return APLC_TYPED(aplc_items, _all)(table, elements, records, extent, axes, count, before, false, NULL,
                                        &classes);
}

static inline int64_t APLC_TYPED(aplc_items, _find_record)(const aplc_table *table, const void *elements,
                                                           int64_t extent, int64_t entered, const int64_t *record,
                                                           int64_t axes) {
    if (table->slots == NULL)
        return entered + 1; /* there are none */
    const aplc_item_code code = APLC_TYPED(aplc_item_code, )(elements, extent, record, axes);
    const int64_t class = APLC_TYPED(aplc_items, _seek)(table, elements, record, axes, code, aplc_mixed(code));
    return class == 0 ? entered + 1 : aplc_items_first(table, class - 1);
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
