/* Sorting one type of element in threads: APLC_T, with names made by APLC_TYPED. Included by aplc_sort_threads.h once
   for each type. `flip` is 0 for the ascending and all ones for the descending order. */

static APLC_APART void APLC_TYPED(aplc_any_shows, _at)(const APLC_T *a, int64_t from, int64_t to, bool *shows) {
    *shows = APLC_TYPED(aplc_any_shows, )(a, from, to);
}

static APLC_APART void APLC_TYPED(aplc_distances, _at)(const APLC_T *a, aplc_keying keying, uint64_t *words,
                                                      int64_t from, int64_t to) {
    APLC_TYPED(aplc_distances, )(a, keying, words, from, to);
}

static APLC_APART void APLC_TYPED(aplc_of_distances, _at)(const uint64_t *words, aplc_keying keying, APLC_T *a,
                                                         int64_t from, int64_t to) {
    APLC_TYPED(aplc_of_distances, )(words, keying, a, from, to);
}

static APLC_APART void APLC_TYPED(aplc_take, _at)(const APLC_T *before, const int64_t *order, APLC_T *a, int64_t from,
                                                 int64_t to) {
    for (int64_t i = from; i < to; i++)
        a[i] = before[order[i] - 1];
}

/* By a grade, which keeps the order of elements with equal keys. */
static APLC_APART int APLC_TYPED(aplc_sort_by_grade, _in_parts)(const aplc_host *host, int parts, APLC_T *a, int64_t n,
                                                               uint64_t flip) {
    int64_t *const order = aplc_alloc(n, sizeof *order);
    APLC_T *const before = aplc_alloc(n, sizeof *before);
    int status = order == NULL || before == NULL ? APLC_OUT_OF_MEMORY : 0;
    if (status == 0)
        status = APLC_TYPED(aplc_grade, _in_parts)(host, parts, a, n, flip, order);
    if (status == 0) {
        memcpy(before, a, (size_t)n * sizeof *a);
        APLC_IN_PARTS(host, parts, n, APLC_TYPED(aplc_take, _at)(before, order, a, from, to));
    }
    free(order);
    free(before);
    return status;
}

APLC_ONCE(aplc_sort_threads, int, APLC_TYPED(aplc_sort, _in_parts), const aplc_host *host, int parts, APLC_T *a,
          int64_t n, uint64_t flip) {
    const int looking = aplc_sorters(host, n, APLC_LOOKING);
    bool shows[APLC_MOST_SORTERS], some = looking == 1 && APLC_TYPED(aplc_any_shows, )(a, 0, n);
    if (looking > 1) {
        APLC_IN_PARTS(host, looking, n, APLC_TYPED(aplc_any_shows, _at)(a, from, to, &shows[part]));
        for (int part = 0; part < looking; part++)
            some |= shows[part];
    }
    if (some)
        return APLC_TYPED(aplc_sort_by_grade, _in_parts)(host, parts, a, n, flip);
    const aplc_survey survey = APLC_TYPED(aplc_survey, _in_parts)(host, a, n, flip);
    if (survey.ascends)
        return 0;
    if (survey.span < APLC_COUNTED_KEYS && survey.span <= (uint64_t)n) {
        APLC_TYPED(aplc_sort_counted, )(a, n, survey);
        return 0;
    }
    uint64_t *const words = aplc_alloc(2 * n, sizeof *words);
    if (words == NULL)
        return APLC_OUT_OF_MEMORY;
    APLC_IN_PARTS(host, parts, n, APLC_TYPED(aplc_distances, _at)(a, survey.keying, words, from, to));
    const uint64_t *const sorted =
        aplc_sort_words_in_parts(host, parts, words, words + n, n, 0, aplc_width(survey.span));
    APLC_IN_PARTS(host, parts, n, APLC_TYPED(aplc_of_distances, _at)(sorted, survey.keying, a, from, to));
    free(words);
    return 0;
}

static inline int APLC_TYPED(aplc_sort_up, _in_threads)(aplc_host *host, APLC_T *a, int64_t start, int64_t n) {
    const int parts = aplc_sorters(host, n, APLC_SORTING);
    return parts == 1 ? APLC_TYPED(aplc_sort_up, )(a, start, n)
                      : APLC_TYPED(aplc_sort, _in_parts)(host, parts, a + start, n, 0);
}

static inline int APLC_TYPED(aplc_sort_row_up, _in_threads)(aplc_host *host, APLC_T *a, int64_t start, int64_t n) {
    const int parts = aplc_sorters(host, n, APLC_SORTING);
    return parts == 1 ? APLC_TYPED(aplc_sort_row_up, )(a, start, n)
                      : APLC_TYPED(aplc_sort, _in_parts)(host, parts, a + start, n, 0);
}

static inline int APLC_TYPED(aplc_sort_down, _in_threads)(aplc_host *host, APLC_T *a, int64_t start, int64_t n) {
    const int parts = aplc_sorters(host, n, APLC_SORTING);
    return parts == 1 ? APLC_TYPED(aplc_sort_down, )(a, start, n)
                      : APLC_TYPED(aplc_sort, _in_parts)(host, parts, a + start, n, ~(uint64_t)0);
}

static inline int APLC_TYPED(aplc_sort_row_down, _in_threads)(aplc_host *host, APLC_T *a, int64_t start, int64_t n) {
    const int parts = aplc_sorters(host, n, APLC_SORTING);
    return parts == 1 ? APLC_TYPED(aplc_sort_row_down, )(a, start, n)
                      : APLC_TYPED(aplc_sort, _in_parts)(host, parts, a + start, n, ~(uint64_t)0);
}

#undef APLC_T
#undef APLC_TYPED
