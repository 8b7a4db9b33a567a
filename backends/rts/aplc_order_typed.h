/* Grading vectors, for one type of element: APLC_T, with names made by APLC_TYPED. Included by aplc_order.h
   once for each type; see Note [Words] there. `flip` is 0 for the ascending and all ones for the descending
   order. */

/* One pass over elements from one up to another, at least one, each with the one before it. */
static inline aplc_look APLC_TYPED(aplc_look)(const APLC_T *a, int64_t from, int64_t to, uint64_t flip) {
    uint64_t least = UINT64_MAX, greatest = 0, ones = 0, zeros = 0, nans = 0, falls = 0, stays = 0;
    #pragma omp simd reduction(min:least) reduction(max:greatest) reduction(|:ones, zeros, nans)
    for (int64_t i = from; i < to; i++) {
        const uint64_t key = APLC_TYPED(aplc_key)(a[i]) ^ flip, nan = a[i] != a[i] ? UINT64_MAX : 0;
        const uint64_t low = key | nan, high = key & ~nan;
        least = low < least ? low : least;
        greatest = high > greatest ? high : greatest;
        ones |= high;
        zeros |= ~low;
        nans |= nan;
    }
    #pragma omp simd reduction(|:falls, stays)
    for (int64_t i = from == 0 ? 1 : from; i < to; i++) {
        const uint64_t before = APLC_TYPED(aplc_key)(a[i - 1]) ^ flip;
        const uint64_t key = APLC_TYPED(aplc_key)(a[i]) ^ flip;
        falls |= key < before ? 1 : 0;
        stays |= key < before ? 0 : 1;
    }
    return (aplc_look){least, greatest, ones, zeros, nans != 0, falls != 0, stays != 0};
}

/* What is known of n >= 1 elements. */
static inline aplc_survey APLC_TYPED(aplc_survey)(const APLC_T *a, int64_t n, uint64_t flip) {
    const aplc_look look = APLC_TYPED(aplc_look)(a, 0, n, flip);
    const uint64_t zero = APLC_TYPED(aplc_key)((APLC_T)0) ^ flip;
    const uint64_t nearest = aplc_is_around(look, zero) ? APLC_TYPED(aplc_nearest)(a, n) : UINT64_MAX;
    return aplc_surveyed(look, flip, zero, nearest);
}

/* What of an element's key can tell it from others. */
static inline uint64_t APLC_TYPED(aplc_distance)(APLC_T x, aplc_keying keying) {
    return ((APLC_TYPED(aplc_closed)(x, keying) ^ keying.flip) - keying.base) >> keying.constant;
}

/* Grade what ascends, or descends without equals. */
static inline void APLC_TYPED(aplc_grade_ordered)(int64_t n, aplc_survey survey, int64_t *out) {
    for (int64_t i = 0; i < n; i++)
        out[i] = survey.ascends ? i + 1 : n - i;
}

/* Grade by counting how often each distance from the least key, at most `span`, occurs. */
static APLC_APART void APLC_TYPED(aplc_grade_counted)(const APLC_T *a, int64_t n, aplc_survey survey, int64_t *out) {
    int64_t places[APLC_COUNTED_KEYS];
    memset(places, 0, (size_t)(survey.span + 1) * sizeof places[0]);
    for (int64_t i = 0; i < n; i++)
        places[APLC_TYPED(aplc_distance)(a[i], survey.keying)]++;
    int64_t start = 0;
    for (uint64_t k = 0; k <= survey.span; k++) {
        const int64_t count = places[k];
        places[k] = start;
        start += count;
    }
    for (int64_t i = 0; i < n; i++)
        out[places[APLC_TYPED(aplc_distance)(a[i], survey.keying)]++] = i + 1;
}

static void APLC_TYPED(aplc_settle)(const APLC_T *a, aplc_wording wording, uint64_t *words, uint64_t *scratch,
                                    int64_t n, int bits, int rest);

/* Put the positions of a few rows in the place of their words, which agree: by insertion, as the rows stand in order. */
static inline void APLC_TYPED(aplc_settle_few)(const APLC_T *a, aplc_wording wording, const uint64_t *sorted,
                                               uint64_t *words, int64_t from, int64_t to) {
    const uint64_t row = ((uint64_t)1 << wording.index) - 1;
    uint64_t distances[APLC_FEW_ROWS];
    for (int64_t n = 0; n < to - from; n++) {
        const uint64_t number = sorted[from + n] & row;
        const uint64_t distance = APLC_TYPED(aplc_distance)(a[number], wording.keying);
        int64_t place = n;
        for (; place > 0 && distances[place - 1] > distance; place--) {
            distances[place] = distances[place - 1];
            words[from + place] = words[from + place - 1];
        }
        distances[place] = distance;
        words[from + place] = number + 1;
    }
}

/* Put the positions of rows in the place of sorted words, which are `words` or `scratch`, from one up to another. Those
   that agree in all but the last `rest` bits, which they do not hold, are all among them. */
static inline void APLC_TYPED(aplc_settle_some)(const APLC_T *a, aplc_wording wording, const uint64_t *sorted,
                                                uint64_t *words, uint64_t *scratch, int64_t from, int64_t to,
                                                int rest) {
    const uint64_t row = ((uint64_t)1 << wording.index) - 1;
    if (rest == 0) {
        for (int64_t i = from; i < to; i++)
            words[i] = (sorted[i] & row) + 1;
        return;
    }
    for (int64_t i = from, end; i < to; i = end) {
        const uint64_t leading = sorted[i] >> wording.index;
        for (end = i + 1; end < to && sorted[end] >> wording.index == leading;)
            end++;
        if (end == i + 1) {
            words[i] = (sorted[i] & row) + 1;
            continue;
        }
        if (end - i <= APLC_FEW_ROWS) {
            APLC_TYPED(aplc_settle_few)(a, wording, sorted, words, i, end);
            continue;
        }
        const uint64_t first = APLC_TYPED(aplc_distance)(a[sorted[i] & row], wording.keying);
        const int more = aplc_leading(end - i, rest, wording.index);
        uint64_t differs = 0;
        for (int64_t k = i; k < end; k++) {
            const uint64_t number = sorted[k] & row;
            const uint64_t distance = APLC_TYPED(aplc_distance)(a[number], wording.keying);
            differs |= distance ^ first;
            words[k] = distance >> (rest - more) << wording.index | number; /* settled bits agree */
        }
        if (differs != 0)
            APLC_TYPED(aplc_settle)(a, wording, words + i, scratch + i, end - i, more, rest - more);
        for (int64_t k = i; differs == 0 && k < end; k++)
            words[k] = (words[k] & row) + 1;
    }
}

/* Sort n words that hold all but the last `rest` bits of what tells their rows apart, in `bits` bits, and put
   the positions of the rows in their place. */
static APLC_APART void APLC_TYPED(aplc_settle)(const APLC_T *a, aplc_wording wording, uint64_t *words,
                                               uint64_t *scratch, int64_t n, int bits, int rest) {
    const uint64_t *const sorted = aplc_sort_words(words, scratch, n, wording.index, bits);
    APLC_TYPED(aplc_settle_some)(a, wording, sorted, words, scratch, 0, n, rest);
}

/* The words of rows from one up to another, without the last `shift` bits that tell them apart. */
static inline void APLC_TYPED(aplc_make_words)(const APLC_T *a, aplc_wording wording, int shift, uint64_t *words,
                                               int64_t from, int64_t to) {
    for (int64_t i = from; i < to; i++) {
        const uint64_t distance = APLC_TYPED(aplc_distance)(a[i], wording.keying);
        words[i] = distance >> shift << wording.index | (uint64_t)i;
    }
}

static inline int APLC_TYPED(aplc_grade_vector)(const APLC_T *a, int64_t n, uint64_t flip, int64_t *out) {
    if (n == 0)
        return 0;
    const aplc_survey survey = APLC_TYPED(aplc_survey)(a, n, flip);
    if (survey.ascends || survey.descends) {
        APLC_TYPED(aplc_grade_ordered)(n, survey, out);
        return 0;
    }
    if (survey.span < APLC_COUNTED_KEYS && survey.span <= (uint64_t)n) {
        APLC_TYPED(aplc_grade_counted)(a, n, survey, out);
        return 0;
    }
    uint64_t few[APLC_FEW_WORDS], *const scratch = n > APLC_FEW_WORDS ? aplc_alloc(n, sizeof *scratch) : few;
    if (scratch == NULL)
        return APLC_OUT_OF_MEMORY;
    const aplc_wording wording = {survey.keying, aplc_width((uint64_t)(n - 1))};
    const int width = aplc_width(survey.span), bits = aplc_leading(n, width, wording.index);
    uint64_t *const words = (uint64_t *)out;
    APLC_TYPED(aplc_make_words)(a, wording, width - bits, words, 0, n);
    APLC_TYPED(aplc_settle)(a, wording, words, scratch, n, bits, width - bits);
    if (scratch != few)
        free(scratch);
    return 0;
}

#undef APLC_T
#undef APLC_TYPED
