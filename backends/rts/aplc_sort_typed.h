/* Sorting vectors of one type of element: APLC_T, with names made by APLC_TYPED. Included by aplc_sort.h once for
   each type. `flip` is 0 for the ascending and all ones for the descending order. */

static inline uint64_t APLC_TYPED(aplc_sort_key)(APLC_T x, uint64_t flip) { return APLC_TYPED(aplc_key)(x) ^ flip; }

/* The element that is so far from the least one. */
static inline APLC_T APLC_TYPED(aplc_of_distance)(uint64_t distance, aplc_keying keying) {
    const uint64_t closed = ((distance << keying.constant) + keying.base) ^ keying.flip;
    return APLC_TYPED(aplc_element)(APLC_TYPED(aplc_opened)(closed, keying));
}

/* Sort at most APLC_FEW_SORTED elements, each to the place that is how many belong before it: what is equal stays in
   order, and there are no branches on elements. */
static inline void APLC_TYPED(aplc_sort_few)(APLC_T *a, int64_t n, uint64_t flip) {
    if (n < 2)
        return;
    APLC_T before[APLC_FEW_SORTED];
    int64_t keys[APLC_LANES_FOR(APLC_FEW_SORTED)], ranks[APLC_LANES_FOR(APLC_FEW_SORTED)];
    APLC_FEW_ROUNDS
    for (int64_t i = 0; i < n; i++) {
        before[i] = a[i];
        keys[i] = (int64_t)(APLC_TYPED(aplc_sort_key)(a[i], flip) ^ (uint64_t)1 << 63);
    }
    aplc_ranks(keys, n, ranks);
    APLC_FEW_ROUNDS
    for (int64_t i = 0; i < n; i++)
        a[ranks[i]] = before[i];
}

/* Sort as many elements as the program says, in registers; false if some may be told from others with their key. */
static inline __attribute__((always_inline)) bool APLC_TYPED(aplc_sort_known)(APLC_T *a, int n, uint64_t flip) {
    uint64_t keys[APLC_FEWEST_SORTED];
    bool shows = false;
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) {
        shows |= APLC_TYPED(aplc_shows)(a[i]);
        keys[i] = APLC_TYPED(aplc_sort_key)(a[i], flip);
    }
    if (shows)
        return false;
#pragma GCC unroll 8
    for (int round = 0; round < n; round++) /* neighbours, every other pair in turn */
#pragma GCC unroll 4
        for (int i = round & 1; i < n - 1; i += 2) {
            const uint64_t x = keys[i], y = keys[i + 1];
            keys[i] = x < y ? x : y;
            keys[i + 1] = x < y ? y : x;
        }
#pragma GCC unroll 8
    for (int i = 0; i < n; i++)
        a[i] = APLC_TYPED(aplc_element)(keys[i] ^ flip);
    return true;
}

/* Sort a few elements where there are as many again and again, as in the rows of a matrix. */
static inline void APLC_TYPED(aplc_sort_row)(APLC_T *a, int64_t n, uint64_t flip) {
    bool done = n < 2;
    switch (n) {
    case 2: done = APLC_TYPED(aplc_sort_known)(a, 2, flip); break;
    case 3: done = APLC_TYPED(aplc_sort_known)(a, 3, flip); break;
    case 4: done = APLC_TYPED(aplc_sort_known)(a, 4, flip); break;
    case 5: done = APLC_TYPED(aplc_sort_known)(a, 5, flip); break;
    case 6: done = APLC_TYPED(aplc_sort_known)(a, 6, flip); break;
    case 7: done = APLC_TYPED(aplc_sort_known)(a, 7, flip); break;
    case 8: done = APLC_TYPED(aplc_sort_known)(a, 8, flip); break;
    default: break;
    }
    if (!done)
        APLC_TYPED(aplc_sort_few)(a, n, flip);
}

/* Sort by exchanges around the median of three, few times: there are not many more elements than few. */
static APLC_APART void APLC_TYPED(aplc_sort_in_place)(APLC_T *a, int64_t n, uint64_t flip) {
    while (n > APLC_FEW_SORTED) {
        const uint64_t first = APLC_TYPED(aplc_sort_key)(a[0], flip), last = APLC_TYPED(aplc_sort_key)(a[n - 1], flip);
        const uint64_t low = first < last ? first : last, high = first < last ? last : first;
        uint64_t pivot = APLC_TYPED(aplc_sort_key)(a[n / 2], flip);
        pivot = pivot < low ? low : pivot > high ? high : pivot;
        int64_t i = 0, j = n - 1;
        for (;; i++, j--) {
            while (APLC_TYPED(aplc_sort_key)(a[i], flip) < pivot)
                i++;
            while (APLC_TYPED(aplc_sort_key)(a[j], flip) > pivot)
                j--;
            if (i >= j)
                break;
            const APLC_T x = a[i];
            a[i] = a[j];
            a[j] = x;
        }
        /* up to j nothing is above the pivot, and behind j nothing below it */
        const int64_t left = i == j ? j : j + 1, right = j + 1;
        if (left < n - right) {
            APLC_TYPED(aplc_sort_in_place)(a, left, flip);
            a += right, n -= right;
        } else {
            APLC_TYPED(aplc_sort_in_place)(a + right, n - right, flip);
            n = left;
        }
    }
    APLC_TYPED(aplc_sort_few)(a, n, flip);
}

/* Sort by a grade, which keeps the order of elements with equal keys. */
static APLC_APART int APLC_TYPED(aplc_sort_by_grade)(APLC_T *a, int64_t n, uint64_t flip) {
    int64_t *const order = aplc_alloc(n, sizeof *order);
    APLC_T *const before = aplc_alloc(n, sizeof *before);
    int status = order == NULL || before == NULL ? APLC_OUT_OF_MEMORY : 0;
    if (status == 0)
        status = APLC_TYPED(aplc_grade_vector)(a, n, flip, order);
    if (status == 0) {
        memcpy(before, a, (size_t)n * sizeof *a);
        for (int64_t i = 0; i < n; i++)
            a[i] = before[order[i] - 1];
    }
    free(order);
    free(before);
    return status;
}

/* Whether one of some elements may be told from others with its key. */
static inline bool APLC_TYPED(aplc_any_shows)(const APLC_T *a, int64_t from, int64_t to) {
    uint64_t shows = 0;
    #pragma omp simd reduction(|:shows)
    for (int64_t i = from; i < to; i++)
        shows |= APLC_TYPED(aplc_shows)(a[i]) ? 1 : 0;
    return shows != 0;
}

/* Elements whose distances are few, by how often each occurs. */
static APLC_APART void APLC_TYPED(aplc_sort_counted)(APLC_T *a, int64_t n, aplc_survey survey) {
    int64_t counts[APLC_COUNTED_KEYS];
    memset(counts, 0, (size_t)(survey.span + 1) * sizeof counts[0]);
    for (int64_t i = 0; i < n; i++)
        counts[APLC_TYPED(aplc_distance)(a[i], survey.keying)]++;
    for (uint64_t k = 0; k <= survey.span; k++) {
        const APLC_T x = APLC_TYPED(aplc_of_distance)(k, survey.keying);
        for (int64_t left = counts[k]; left > 0; left--)
            *a++ = x;
    }
}

static inline void APLC_TYPED(aplc_distances)(const APLC_T *a, aplc_keying keying, uint64_t *restrict words,
                                              int64_t from, int64_t to) {
    for (int64_t i = from; i < to; i++)
        words[i] = APLC_TYPED(aplc_distance)(a[i], keying);
}

static inline void APLC_TYPED(aplc_of_distances)(const uint64_t *words, aplc_keying keying, APLC_T *restrict a,
                                                 int64_t from, int64_t to) {
    for (int64_t i = from; i < to; i++)
        a[i] = APLC_TYPED(aplc_of_distance)(words[i], keying);
}

static APLC_APART int APLC_TYPED(aplc_sort_many)(APLC_T *a, int64_t n, uint64_t flip) {
    if (APLC_TYPED(aplc_any_shows)(a, 0, n))
        return APLC_TYPED(aplc_sort_by_grade)(a, n, flip);
    const aplc_survey survey = APLC_TYPED(aplc_survey)(a, n, flip);
    if (survey.ascends)
        return 0;
    if (survey.span < APLC_COUNTED_KEYS && survey.span <= (uint64_t)n) {
        APLC_TYPED(aplc_sort_counted)(a, n, survey);
        return 0;
    }
    if (n <= APLC_SORTED_IN_PLACE) {
        APLC_TYPED(aplc_sort_in_place)(a, n, flip);
        return 0;
    }
    uint64_t *const words = aplc_alloc(2 * n, sizeof *words);
    if (words == NULL)
        return APLC_OUT_OF_MEMORY;
    APLC_TYPED(aplc_distances)(a, survey.keying, words, 0, n);
    const uint64_t *const sorted = aplc_sort_words(words, words + n, n, 0, aplc_width(survey.span));
    APLC_TYPED(aplc_of_distances)(sorted, survey.keying, a, 0, n);
    free(words);
    return 0;
}

APLC_ONCE(aplc_sort, int, APLC_TYPED(aplc_sort_many_up), APLC_T *a, int64_t n) {
    return APLC_TYPED(aplc_sort_many)(a, n, 0);
}

APLC_ONCE(aplc_sort, int, APLC_TYPED(aplc_sort_many_down), APLC_T *a, int64_t n) {
    return APLC_TYPED(aplc_sort_many)(a, n, ~(uint64_t)0);
}

/* A few elements, once. */
APLC_ONCE(aplc_sort, void, APLC_TYPED(aplc_sort_short), APLC_T *a, int64_t n, uint64_t flip) {
    APLC_TYPED(aplc_sort_row)(a, n, flip);
}

/* Elements of memory from a place on, in order. */
static inline int APLC_TYPED(aplc_sort_up)(APLC_T *a, int64_t start, int64_t n) {
    if (n > APLC_FEW_SORTED)
        return APLC_TYPED(aplc_sort_many_up)(a + start, n);
    APLC_TYPED(aplc_sort_short)(a + start, n, 0);
    return 0;
}

static inline int APLC_TYPED(aplc_sort_down)(APLC_T *a, int64_t start, int64_t n) {
    if (n > APLC_FEW_SORTED)
        return APLC_TYPED(aplc_sort_many_down)(a + start, n);
    APLC_TYPED(aplc_sort_short)(a + start, n, ~(uint64_t)0);
    return 0;
}

/* The same again and again. */
static inline int APLC_TYPED(aplc_sort_row_up)(APLC_T *a, int64_t start, int64_t n) {
    if (n > APLC_FEW_SORTED)
        return APLC_TYPED(aplc_sort_many_up)(a + start, n);
    APLC_TYPED(aplc_sort_row)(a + start, n, 0);
    return 0;
}

static inline int APLC_TYPED(aplc_sort_row_down)(APLC_T *a, int64_t start, int64_t n) {
    if (n > APLC_FEW_SORTED)
        return APLC_TYPED(aplc_sort_many_down)(a + start, n);
    APLC_TYPED(aplc_sort_row)(a + start, n, ~(uint64_t)0);
    return 0;
}

/* The element that has `rank` others before it in the order of n elements, which stay as they are; zero if there is
   none. All are counted by the leading bits of their distance from the least one, and those looked into again that
   are alike in these. */
static APLC_APART int APLC_TYPED(aplc_ranked)(const APLC_T *a, int64_t n, int64_t rank, uint64_t flip, APLC_T *x) {
    APLC_T *alike = NULL;
    *x = (APLC_T)0;
    if (rank < 0 || rank >= n)
        return 0;
    while (n > APLC_RANKED_SORTED) {
        uint64_t least = UINT64_MAX, greatest = 0;
        for (int64_t i = 0; i < n; i++) {
            const uint64_t key = APLC_TYPED(aplc_sort_key)(a[i], flip);
            least = key < least ? key : least;
            greatest = key > greatest ? key : greatest;
        }
        if (least == greatest) {
            *x = a[rank];
            free(alike);
            return 0;
        }
        const int width = aplc_width(greatest - least), rest = width > APLC_RANKED_BITS ? width - APLC_RANKED_BITS : 0;
        int64_t counts[1 << APLC_RANKED_BITS] = {0};
        for (int64_t i = 0; i < n; i++)
            counts[(APLC_TYPED(aplc_sort_key)(a[i], flip) - least) >> rest]++;
        uint64_t part = 0;
        for (; rank >= counts[part]; part++)
            rank -= counts[part];
        APLC_T *const found = aplc_alloc(counts[part] + 1, sizeof *found); /* what is not kept is overwritten */
        if (found == NULL) {
            free(alike);
            return APLC_OUT_OF_MEMORY;
        }
        int64_t kept = 0;
        for (int64_t start = 0; start < n; start += APLC_RANKED_BLOCK) {
            const int64_t stop = n - start < APLC_RANKED_BLOCK ? n : start + APLC_RANKED_BLOCK;
            uint64_t some = 0;
            for (int64_t i = start; i < stop; i++)
                some |= (APLC_TYPED(aplc_sort_key)(a[i], flip) - least) >> rest == part;
            for (int64_t i = start; some != 0 && i < stop; i++) {
                found[kept] = a[i];
                kept += (APLC_TYPED(aplc_sort_key)(a[i], flip) - least) >> rest == part;
            }
        }
        free(alike);
        a = alike = found;
        n = kept;
    }
    APLC_T few[APLC_RANKED_SORTED];
    memcpy(few, a, (size_t)n * sizeof *a);
    free(alike);
    const int status = flip == 0 ? APLC_TYPED(aplc_sort_up)(few, 0, n) : APLC_TYPED(aplc_sort_down)(few, 0, n);
    *x = few[rank];
    return status;
}

APLC_ONCE(aplc_sort, int, APLC_TYPED(aplc_rank_up), const APLC_T *a, int64_t n, int64_t rank, APLC_T *x) {
    return APLC_TYPED(aplc_ranked)(a, n, rank, 0, x);
}

APLC_ONCE(aplc_sort, int, APLC_TYPED(aplc_rank_down), const APLC_T *a, int64_t n, int64_t rank, APLC_T *x) {
    return APLC_TYPED(aplc_ranked)(a, n, rank, ~(uint64_t)0, x);
}

/* The first `wanted` of n elements in order, found by their positions. */
static inline int APLC_TYPED(aplc_least_few)(const APLC_T *a, int64_t n, int64_t wanted, uint64_t flip, APLC_T *out) {
    int64_t *const places = aplc_alloc(wanted, sizeof *places);
    if (places == NULL)
        return APLC_OUT_OF_MEMORY;
    const int status = APLC_TYPED(aplc_first)(a, n, wanted, flip, places);
    for (int64_t i = 0; i < wanted && status == 0; i++)
        out[i] = a[places[i] - 1];
    free(places);
    return status;
}

/* The same, all sorted. */
static inline int APLC_TYPED(aplc_least_many)(const APLC_T *a, int64_t n, int64_t wanted, uint64_t flip,
                                              APLC_T *out) {
    APLC_T *const all = aplc_alloc(n, sizeof *all);
    if (all == NULL)
        return APLC_OUT_OF_MEMORY;
    memcpy(all, a, (size_t)n * sizeof *a);
    const int status = flip == 0 ? APLC_TYPED(aplc_sort_up)(all, 0, n) : APLC_TYPED(aplc_sort_down)(all, 0, n);
    memcpy(out, all, (size_t)wanted * sizeof *a);
    free(all);
    return status;
}

/* The first `wanted` of n elements in order: those before the last of them, which is found first, and as many like it
   as there is room for are sorted. */
static APLC_APART int APLC_TYPED(aplc_least)(const APLC_T *a, int64_t n, int64_t wanted, uint64_t flip, APLC_T *out) {
    if (wanted <= 0)
        return 0;
    if (wanted < n / APLC_FEW_LEAST || (wanted <= APLC_FEW_WANTED_ONES && wanted < n))
        return APLC_TYPED(aplc_least_few)(a, n, wanted, flip, out);
    if (wanted >= n - n / APLC_FEW_LEFT)
        return APLC_TYPED(aplc_least_many)(a, n, wanted, flip, out);
    APLC_T last;
    const int status = APLC_TYPED(aplc_ranked)(a, n, wanted - 1, flip, &last);
    if (status != 0)
        return status;
    const uint64_t key = APLC_TYPED(aplc_sort_key)(last, flip);
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        out[kept] = a[i];
        kept += APLC_TYPED(aplc_sort_key)(a[i], flip) < key;
    }
    for (int64_t i = 0; kept < wanted; i++)
        if (APLC_TYPED(aplc_sort_key)(a[i], flip) == key)
            out[kept++] = a[i];
    return flip == 0 ? APLC_TYPED(aplc_sort_up)(out, 0, wanted) : APLC_TYPED(aplc_sort_down)(out, 0, wanted);
}

APLC_ONCE(aplc_sort, int, APLC_TYPED(aplc_least_up), const APLC_T *a, int64_t n, int64_t wanted, APLC_T *out) {
    return APLC_TYPED(aplc_least)(a, n, wanted, 0, out);
}

APLC_ONCE(aplc_sort, int, APLC_TYPED(aplc_least_down), const APLC_T *a, int64_t n, int64_t wanted, APLC_T *out) {
    return APLC_TYPED(aplc_least)(a, n, wanted, ~(uint64_t)0, out);
}

#undef APLC_T
#undef APLC_TYPED
