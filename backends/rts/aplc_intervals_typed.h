/* Searching in vectors that ascend, for one type of element: APLC_T, with names made by APLC_TYPED. Included by
   aplc_intervals.h once for each type. */

/* Give a table cells, if these save enough halvings of n elements, and there is memory. */
static inline void APLC_TYPED(aplc_intervals, _divide)(aplc_table *table, const APLC_T *a, int64_t n,
                                                       int64_t searches) {
    const bool is_exact = (APLC_T)0.5 == 0;
    const int64_t few = 2 * n + aplc_min_int(searches / 16, APLC_MORE_CELLS);
    const int64_t many = few + aplc_min_int(searches / 2, APLC_EXACT_CELLS);
    aplc_table plan = *table;
    int64_t count = APLC_TYPED(aplc_plan_cells, )(&plan, a[0], a[n - 1], is_exact ? many : few);
    if (is_exact && plan.width != 0)
        count = APLC_TYPED(aplc_plan_cells, )(&plan, a[0], a[n - 1], few);
    uint32_t *const ends = count == 0 ? NULL : calloc((size_t)count + 1, sizeof *ends);
    if (ends == NULL)
        return;
    for (int64_t i = 0; i < n; i++)
        ends[APLC_TYPED(aplc_cell_of, )(&plan, a[i]) + 1] = (uint32_t)(i + 1);
    const uint32_t most = aplc_complete_cells(ends, count);
    plan.slots = ends;
    plan.kind = is_exact && plan.width == 0 ? APLC_TABLE_DIRECT : APLC_TABLE_CELLS;
    plan.grid = 0;
    while (most >> plan.grid != 0)
        plan.grid++;
    if (plan.kind == APLC_TABLE_CELLS && n >> (plan.grid + APLC_SAVED - 1) == 0)
        free(ends);
    else
        *table = plan;
}

APLC_ONCE(aplc_intervals, int, APLC_TYPED(aplc_intervals, _make), aplc_table *table, const APLC_T *a, int64_t n,
          int64_t searches, int64_t *ascends) {
    *ascends = APLC_TYPED(aplc_is_ascending, )(a, n);
    *table = (aplc_table){.kind = APLC_TABLE_HALVED, .rows = n, .keys = a};
    if (*ascends && n > APLC_HALVED && n < INT32_MAX && searches >= n / APLC_REPAID)
        APLC_TYPED(aplc_intervals, _divide)(table, a, n, searches);
    return 0;
}

/* Likewise for elements that are in memory: if they seem to ascend no cells are made. */
APLC_ONCE(aplc_intervals, int, APLC_TYPED(aplc_intervals, _make_for), aplc_table *table, const APLC_T *a, int64_t n,
          const APLC_T *x, int64_t searches, int64_t *ascends) {
    bool in_order = searches > APLC_ASKED_PIECES * APLC_ASKED_PIECES && n > APLC_ASKED_PIECES;
    for (int64_t k = 0; in_order && k < APLC_ASKED_PIECES; k++) {
        const int64_t at = k * (searches / APLC_ASKED_PIECES);
        in_order = x[0] <= x[at] && APLC_TYPED(aplc_is_ascending, )(x + at, APLC_ASKED_PIECES);
    }
    return APLC_TYPED(aplc_intervals, _make)(table, a, n, in_order ? 0 : searches, ascends);
}

/* Where a direct table says how many elements are at most x. */
static inline int64_t APLC_TYPED(aplc_intervals, _place)(const aplc_table *table, APLC_T x) {
    return APLC_TYPED(aplc_cell_of, )(table, x) + (x >= (APLC_T)(int64_t)table->base);
}

/* How many elements are at most x for certain, given that, and that they are fewer than so many halves more. */
static inline int64_t APLC_TYPED(aplc_intervals, _halved)(const APLC_T *a, int64_t n, int64_t first, int64_t half,
                                                          APLC_T x) {
    const int64_t at = first + half - 1, last = n - 1;
    return first + (half & -(int64_t)((at <= last) & (a[at < last ? at : last] <= x)));
}

static inline int64_t APLC_TYPED(aplc_intervals, _find_one)(const aplc_table *table, APLC_T x) {
    const APLC_T *const a = table->keys;
    if (table->kind == APLC_TABLE_DIRECT)
        return table->slots[APLC_TYPED(aplc_intervals, _place)(table, x)];
    if (table->kind == APLC_TABLE_HALVED)
        return APLC_TYPED(aplc_interval_one, )(a, table->rows, x);
    int64_t found = table->slots[APLC_TYPED(aplc_cell_of, )(table, x)];
    for (int64_t half = (int64_t)1 << table->grid >> 1; half > 0; half >>= 1)
        found = APLC_TYPED(aplc_intervals, _halved)(a, table->rows, found, half, x);
    return found;
}

/* Look up elements where they ascend and lie close together, with no other help; whether they do. */
static inline bool APLC_TYPED(aplc_intervals, _find_in_order)(const aplc_table *table, const APLC_T *x, int64_t count,
                                                              int64_t *restrict out) {
    const APLC_T *const a = table->keys;
    if (count < APLC_ASKED_PIECES || !APLC_TYPED(aplc_is_ascending, )(x, APLC_ASKED_PIECES) ||
        !APLC_TYPED(aplc_is_ascending, )(x, count))
        return false;
    int64_t low = APLC_TYPED(aplc_intervals, _find_one)(table, x[0]);
    const int64_t high = APLC_TYPED(aplc_intervals, _find_one)(table, x[count - 1]);
    if (high - low <= APLC_MERGE_REPAID * count) {
        for (int64_t i = 0; i < count; i++) {
            while (low < high && a[low] <= x[i])
                low++;
            out[i] = low;
        }
        return true;
    }
    if (table->kind != APLC_TABLE_HALVED)
        return false;
    APLC_TYPED(aplc_interval_some, )(a + low, high - low, x, 0, count, out);
    for (int64_t i = 0; i < count; i++)
        out[i] += low;
    return true;
}

APLC_ONCE(aplc_intervals, void, APLC_TYPED(aplc_intervals, _find_some), const aplc_table *table, const APLC_T *x,
          int64_t from, int64_t count, int64_t *restrict out) {
    const APLC_T *const a = table->keys;
    const uint32_t *const slots = table->slots;
    const int64_t n = table->rows;
    x += from;
    if (table->kind != APLC_TABLE_DIRECT && APLC_TYPED(aplc_intervals, _find_in_order)(table, x, count, out))
        return;
    if (table->kind == APLC_TABLE_HALVED) {
        APLC_TYPED(aplc_interval_some, )(a, n, x, 0, count, out);
    } else if (table->kind == APLC_TABLE_DIRECT) {
        for (int64_t i = 0; i < count; i++)
            out[i] = slots[APLC_TYPED(aplc_intervals, _place)(table, x[i])];
    } else {
        for (int64_t i = 0; i < count; i++)
            out[i] = slots[APLC_TYPED(aplc_cell_of, )(table, x[i])];
        for (int64_t half = (int64_t)1 << table->grid >> 1; half > 0; half >>= 1)
            for (int64_t i = 0; i < count; i++)
                out[i] = APLC_TYPED(aplc_intervals, _halved)(a, n, out[i], half, x[i]);
    }
}

#undef APLC_T
#undef APLC_TYPED
