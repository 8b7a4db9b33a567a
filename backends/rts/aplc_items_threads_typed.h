/* The tables of shares joined, for one type of element: APLC_T, with names made by APLC_TYPED. Included by
   aplc_items_threads.h once for each type. */

/* Enter the classes of a share in the table of all, a few at a time as in aplc_items_typed.h; their numbers there go to
   `all`, if that is not NULL. So many items come before those of the share. */
static inline int APLC_TYPED(aplc_items, _enter_share)(aplc_table *table, const APLC_T *elements,
                                                       const aplc_table *share, int64_t before, int64_t *all) {
    const int64_t axes = share->axes, most = APLC_ITEMS_AT_ONCE;
    uint64_t mixed[APLC_ITEMS_AT_ONCE];
    int status = 0;
    for (int64_t i = 0; i < share->classes && status == 0; i += most) {
        const int64_t rest = share->classes - i, here = rest < most ? rest : most;
        for (int64_t k = 0; k < here; k++) {
            const aplc_item_head *const head = &share->heads[i + k];
            mixed[k] = aplc_mixed((aplc_item_code){head->low, head->high});
            __builtin_prefetch(&table->slots[aplc_first_slot(table, mixed[k])]);
        }
        for (int64_t k = 0; k < here; k++)
            __builtin_prefetch(aplc_any_head(table, table->slots[aplc_first_slot(table, mixed[k])]), 1);
        for (int64_t k = 0; k < here && status == 0; k++) {
            const aplc_item_head *const head = &share->heads[i + k];
            const int64_t *const own = share->records + (i + k) * (axes + 1);
            const aplc_item_code code = {head->low, head->high};
            const bool is_nan = (code.high & aplc_is_nan) != 0;
            int64_t class = 0;
            if (is_nan)
                status = aplc_new_class(table, code, before + head->first, own, axes, &class);
            else
                class = APLC_TYPED(aplc_items, _seek)(table, elements, own, axes, code, mixed[k]);
            if (class == 0 && status == 0)
                status = aplc_enter_class(table, code, mixed[k], before + head->first, own, axes, &class);
            if (status == 0)
                aplc_head(table, class)->count += head->count;
            if (all != NULL)
                all[i + k] = class;
        }
    }
    return status;
}

/* Enter the classes of the other shares in the table of the first one; their numbers there go to `all`, if that is not
   NULL. */
static APLC_APART int APLC_TYPED(aplc_items, _enter_shares)(aplc_table *whole, const aplc_table *table,
                                                           const APLC_T *elements, int64_t *all) {
    int64_t before = whole->seen;
    int status = 0;
    for (int64_t k = 1; k < table->parts && status == 0; k++) {
        aplc_table share;
        int64_t seen;
        aplc_items_take(table, k, &share, &seen);
        if (whole->slots == NULL && share.slots != NULL)
            status = aplc_items_start(whole, elements, share.extent, share.axes, share.classes);
        if (status == 0)
            status = APLC_TYPED(aplc_items, _enter_share)(whole, elements, &share, before, all);
        all = all == NULL ? NULL : all + share.classes;
        before += seen;
        aplc_table_free(&share);
    }
    return status;
}

/* The table of all shares; there are none of no items. */
static APLC_APART int APLC_TYPED(aplc_items, _join_all)(aplc_host *host, aplc_table *table, const APLC_T *elements,
                                                       int64_t count, int64_t *numbers, int64_t *classes) {
    aplc_table whole = {0};
    int64_t seen, behind[APLC_MOST_SHARES + 1] = {0}, *all = NULL;
    const int parts = table->shares == NULL ? 0 : (int)table->parts;
    int status = 0;
    for (int k = 1; k < parts; k++)
        behind[k + 1] = behind[k] + table->shares[k].classes;
    if (parts > 1 && numbers != NULL) {
        all = aplc_alloc(behind[parts], sizeof *all);
        status = all == NULL ? APLC_OUT_OF_MEMORY : 0;
    }
    if (parts > 0 && status == 0) {
        aplc_items_take(table, 0, &whole, &seen);
        status = APLC_TYPED(aplc_items, _enter_shares)(&whole, table, elements, all);
    }
    if (all != NULL && status == 0) {
        int64_t *const rest = numbers + table->rows;
        APLC_IN_PARTS(host, parts, count - table->rows,
                      aplc_renumber_items(rest, from, to, part == 0 ? NULL : all + behind[part]));
    }
    free(all);
    aplc_table_free(table);
    *table = whole;
    *classes = whole.classes;
    return status;
}

static APLC_APART int APLC_TYPED(aplc_items, _join)(aplc_host *host, aplc_table *table, const void *elements,
                                                   int64_t *classes) {
    return APLC_TYPED(aplc_items, _join_all)(host, table, elements, 0, NULL, classes);
}

static APLC_APART int APLC_TYPED(aplc_items, _join_numbers)(
    aplc_host *host, aplc_table *table, const void *elements, int64_t count, int64_t *numbers, int64_t *classes) {
    return APLC_TYPED(aplc_items, _join_all)(host, table, elements, count, numbers, classes);
}

#undef APLC_T
#undef APLC_TYPED
