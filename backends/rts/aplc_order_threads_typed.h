/* Grading one type of element in threads: APLC_T, with names made by APLC_TYPED. Included by aplc_order_threads.h once
   for each type. `flip` is 0 for the ascending and all ones for the descending order. */

static APLC_APART void APLC_TYPED(aplc_look, _at)(const APLC_T *a, int64_t from, int64_t to, uint64_t flip,
                                                 aplc_look *look) {
    *look = APLC_TYPED(aplc_look, )(a, from, to, flip);
}

static APLC_APART void APLC_TYPED(aplc_nearest, _at)(const APLC_T *a, int64_t from, int64_t to, uint64_t *nearest) {
    *nearest = APLC_TYPED(aplc_nearest, )(a + from, to - from);
}

/* What is known of n >= 1 elements. */
static inline aplc_survey APLC_TYPED(aplc_survey, _in_parts)(const aplc_host *host, const APLC_T *a, int64_t n,
                                                           uint64_t flip) {
    const int parts = aplc_sorters(host, n, APLC_LOOKING);
    if (parts == 1)
        return APLC_TYPED(aplc_survey, )(a, n, flip);
    aplc_look looks[APLC_MOST_SORTERS];
    uint64_t nearest[APLC_MOST_SORTERS], all = UINT64_MAX;
    APLC_IN_PARTS(host, parts, n, APLC_TYPED(aplc_look, _at)(a, from, to, flip, &looks[part]));
    const aplc_look look = aplc_joined_looks(looks, parts);
    const uint64_t zero = APLC_TYPED(aplc_key, )((APLC_T)0) ^ flip;
    if (aplc_is_around(look, zero)) {
        APLC_IN_PARTS(host, parts, n, APLC_TYPED(aplc_nearest, _at)(a, from, to, &nearest[part]));
        for (int part = 0; part < parts; part++)
            all = nearest[part] < all ? nearest[part] : all;
    }
    return aplc_surveyed(look, flip, zero, all);
}

static APLC_APART void APLC_TYPED(aplc_words, _at)(const APLC_T *a, aplc_wording wording, int shift, uint64_t *words,
                                                  int64_t from, int64_t to) {
    APLC_TYPED(aplc_make_words, )(a, wording, shift, words, from, to);
}

static APLC_APART void APLC_TYPED(aplc_settle, _at)(const APLC_T *a, aplc_wording wording, const uint64_t *sorted,
                                                   uint64_t *words, uint64_t *scratch, int64_t from, int64_t to,
                                                   int rest) {
    APLC_TYPED(aplc_settle_some, )(a, wording, sorted, words, scratch, from, to, rest);
}

static APLC_APART void APLC_TYPED(aplc_tally, _at)(const APLC_T *a, aplc_survey survey, int64_t from, int64_t to,
                                                  int64_t *restrict counts) {
    memset(counts, 0, (size_t)(survey.span + 1) * sizeof *counts);
    for (int64_t i = from; i < to; i++)
        counts[APLC_TYPED(aplc_distance, )(a[i], survey.keying)]++;
}

static APLC_APART void APLC_TYPED(aplc_place, _at)(const APLC_T *a, aplc_survey survey, int64_t from, int64_t to,
                                                  int64_t *restrict places, int64_t *restrict out) {
    for (int64_t i = from; i < to; i++)
        out[places[APLC_TYPED(aplc_distance, )(a[i], survey.keying)]++] = i + 1;
}

/* Grade by counting how often each distance from the least key occurs in each part. */
static inline int APLC_TYPED(aplc_grade_counted, _in_parts)(const aplc_host *host, const APLC_T *a, int64_t n,
                                                          aplc_survey survey, int64_t *out) {
    const int parts = aplc_sorters(host, n, APLC_LOOKING);
    if (parts == 1) {
        APLC_TYPED(aplc_grade_counted, )(a, n, survey, out);
        return 0;
    }
    const int64_t size = (int64_t)survey.span + 1;
    int64_t *const places = aplc_alloc(parts * size, sizeof *places);
    if (places == NULL)
        return APLC_OUT_OF_MEMORY;
    APLC_IN_PARTS(host, parts, n, APLC_TYPED(aplc_tally, _at)(a, survey, from, to, places + part * size));
    aplc_begin_places(places, parts, (uint64_t)size);
    APLC_IN_PARTS(host, parts, n, APLC_TYPED(aplc_place, _at)(a, survey, from, to, places + part * size, out));
    free(places);
    return 0;
}

APLC_ONCE(aplc_order_threads, int, APLC_TYPED(aplc_grade, _in_parts), const aplc_host *host, int parts,
          const APLC_T *a, int64_t n, uint64_t flip, int64_t *out) {
    const aplc_survey survey = APLC_TYPED(aplc_survey, _in_parts)(host, a, n, flip);
    if (survey.ascends || survey.descends) {
        APLC_TYPED(aplc_grade_ordered, )(n, survey, out);
        return 0;
    }
    if (survey.span < APLC_COUNTED_KEYS && survey.span <= (uint64_t)n)
        return APLC_TYPED(aplc_grade_counted, _in_parts)(host, a, n, survey, out);
    uint64_t *const scratch = aplc_alloc(n, sizeof *scratch), *const words = (uint64_t *)out;
    if (scratch == NULL)
        return APLC_OUT_OF_MEMORY;
    const aplc_wording wording = {survey.keying, aplc_width((uint64_t)(n - 1))};
    const int width = aplc_width(survey.span), bits = aplc_leading(n, width, wording.index), rest = width - bits;
    APLC_IN_PARTS(host, parts, n, APLC_TYPED(aplc_words, _at)(a, wording, rest, words, from, to));
    const uint64_t *const sorted =
        aplc_sort_words_in_parts(host, parts, words, scratch, n, wording.index, bits);
    int64_t cuts[APLC_MOST_SORTERS + 1];
    for (int part = 0; part <= parts; part++)
        cuts[part] = aplc_next_run(sorted, n, aplc_cut(0, n, 1, part, parts), rest == 0 ? 0 : wording.index);
    APLC_IN_PARTS(host, parts, parts,
                  APLC_TYPED(aplc_settle, _at)(a, wording, sorted, words, scratch, cuts[from], cuts[to], rest));
    free(scratch);
    return 0;
}

static inline int APLC_TYPED(aplc_grade_up, _in_threads)(aplc_host *host, const APLC_T *a, int64_t rows,
                                                       int64_t columns, int64_t *out) {
    const int parts = columns == 1 ? aplc_sorters(host, rows, APLC_SORTING) : 1;
    return parts == 1 ? APLC_TYPED(aplc_grade_up, )(a, rows, columns, out)
                      : APLC_TYPED(aplc_grade, _in_parts)(host, parts, a, rows, 0, out);
}

static inline int APLC_TYPED(aplc_grade_down, _in_threads)(aplc_host *host, const APLC_T *a, int64_t rows,
                                                         int64_t columns, int64_t *out) {
    const int parts = columns == 1 ? aplc_sorters(host, rows, APLC_SORTING) : 1;
    return parts == 1 ? APLC_TYPED(aplc_grade_down, )(a, rows, columns, out)
                      : APLC_TYPED(aplc_grade, _in_parts)(host, parts, a, rows, UINT64_MAX, out);
}

#undef APLC_T
#undef APLC_TYPED
