/* Which of the different elements of a vector each equals, in threads: APLC_NUMBER, with names made by APLC_NUMBERED;
   APLC_NUMBER_CODES does the same for integers. Included by aplc_search_threads_typed.h for each. */

static APLC_APART void APLC_NUMBERED(aplc_number, _at)(const APLC_T *a, int64_t from, int64_t to, int64_t *positions,
                                                      APLC_NUMBER *numbers, int64_t *kept, int *status) {
    *status = APLC_NUMBERED(aplc_number, )(a + from, to - from, 1, positions + from, numbers + from, kept);
}

/* The numbers of a part among what it has kept become those among all. */
static APLC_APART void APLC_NUMBERED(aplc_renumber, _at)(APLC_NUMBER *numbers, int64_t from, int64_t to,
                                                        const int64_t *all, int64_t kept, int64_t count) {
    for (int64_t i = from; i < to; i++)
        numbers[i] = (APLC_NUMBER)(numbers[i] <= kept ? all[numbers[i] - 1] : count + 1);
}

APLC_ONCE(aplc_search_threads, int, APLC_NUMBERED(aplc_number, _of_vector), aplc_host *host, const APLC_T *a,
          int64_t n, int64_t *positions, APLC_NUMBER *numbers, int64_t *count) {
    const int parts = APLC_TYPED(aplc_seekers, )(host, a, n, true);
    if (parts == 1)
        return APLC_NUMBERED(aplc_number, )(a, n, 1, positions, numbers, count);
    aplc_shares_found found;
    APLC_IN_PARTS(host, parts, n,
                  APLC_NUMBERED(aplc_number, _at)(a, from, to, positions, numbers, &found.kept[part],
                                                  &found.status[part]));
    const int64_t kept = aplc_all_kept(&found, parts);
    int64_t *const all = kept < 0 ? NULL : aplc_alloc(kept, sizeof *all);
    if (all == NULL)
        return APLC_OUT_OF_MEMORY;
    int status = APLC_TYPED(aplc_join_shares, )(a, n, parts, &found, positions, all, count);
    if (sizeof *numbers == 4 && status == 0 && *count >= INT32_MAX)
        status = APLC_OUT_OF_MEMORY;
    if (status == 0)
        APLC_IN_PARTS(host, parts, n,
                      APLC_NUMBERED(aplc_renumber, _at)(numbers, from, to, all + found.before[part],
                                                        found.kept[part], *count));
    free(all);
    return status;
}

static inline int APLC_NUMBERED(aplc_number, _in_threads)(aplc_host *host, const APLC_T *a, int64_t rows,
                                                        int64_t columns, int64_t *positions, APLC_NUMBER *numbers,
                                                        int64_t *count) {
    if (columns == 1)
        return APLC_NUMBERED(aplc_number, _of_vector)(host, a, rows, positions, numbers, count);
    int64_t *const codes = APLC_TYPED(aplc_shared, _codes)(host, a, rows, columns);
    if (codes == NULL)
        return APLC_NUMBERED(aplc_number, )(a, rows, columns, positions, numbers, count);
    const int status = APLC_NUMBER_CODES(host, codes, rows, positions, numbers, count);
    free(codes);
    return status;
}

#undef APLC_NUMBER
#undef APLC_NUMBERED
#undef APLC_NUMBER_CODES
