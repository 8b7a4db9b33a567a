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

/* Enter the classes of all shares in the table of the first one. */
static APLC_APART int APLC_TYPED(aplc_items, _join_all)(aplc_table *table, const APLC_T *elements, int64_t *all) {
    aplc_table *const whole = &table->shares[0];
    int64_t before = whole->seen;
    int status = 0;
    for (int64_t k = 1; k < table->parts && status == 0; k++) {
        aplc_table *const share = &table->shares[k];
        if (whole->slots == NULL && share->slots != NULL)
            status = aplc_items_start(whole, elements, share->extent, share->axes, share->classes);
        if (status == 0)
            status = APLC_TYPED(aplc_items, _enter_share)(whole, elements, share, before, all);
        all = all == NULL ? NULL : all + share->classes;
        before += share->seen;
        aplc_table_free(share);
    }
    return status;
}

__attribute__((unused, noinline)) static int APLC_TYPED(aplc_items, _join)(aplc_host *host, aplc_table *table,
                                                                           const void *elements, int64_t *classes) {
    (void)host;
    const int status = APLC_TYPED(aplc_items, _join_all)(table, elements, NULL);
    aplc_items_joined(table, classes);
    return status;
}

__attribute__((unused, noinline)) static int APLC_TYPED(aplc_items, _join_numbers)(
    aplc_host *host, aplc_table *table, const void *elements, int64_t count, int64_t *numbers, int64_t *classes) {
    const int64_t behind = aplc_classes_behind(table);
    const int parts = (int)table->parts;
    int64_t *const all = parts == 1 ? NULL : aplc_alloc(behind, sizeof *all);
    int status = parts > 1 && all == NULL ? APLC_OUT_OF_MEMORY : 0;
    if (status == 0)
        status = APLC_TYPED(aplc_items, _join_all)(table, elements, all);
    if (status == 0 && parts > 1) {
        const int64_t *numbered[APLC_MOST_SHARES] = {NULL, all}; /* the first share has its numbers */
        for (int k = 2; k < parts; k++)
            numbered[k] = numbered[k - 1] + table->shares[k - 1].classes;
        APLC_IN_PARTS(host, parts, count, aplc_renumber_items(numbers, from, to, numbered[part]));
    }
    free(all);
    aplc_items_joined(table, classes);
    return status;
}

#undef APLC_T
#undef APLC_TYPED
