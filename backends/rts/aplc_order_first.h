/* The first positions of a grade, for one type of element: APLC_T, with names made by APLC_TYPED. Included by
   aplc_order_rows.h once for each type.

   Note [Candidates]. The elements are read once, and those that may be among the first are kept, in the order
   of the array. Whenever there are several times as many as are wanted they are graded: the first stay, and
   from then on an element must come before the last of them. */

/* Keep the first `wanted` of n candidates, in the order in which they stand. `order` has room for n. */
static inline int APLC_TYPED(aplc_keep_first)(uint64_t *keys, int64_t *numbers, int64_t *order, int64_t n,
                                              int64_t wanted) {
    if (aplc_grade_vector_packed(keys, n, 0, order) != 0)
        return APLC_OUT_OF_MEMORY;
    const uint64_t last = keys[order[wanted - 1] - 1];
    int64_t equal = 0, kept = 0; /* of those that are like the last one the first in the array stay */
    while (equal < wanted && keys[order[wanted - 1 - equal] - 1] == last)
        equal++;
    for (int64_t i = 0; i < n; i++) {
        if (keys[i] < last || (keys[i] == last && equal-- > 0)) {
            keys[kept] = keys[i];
            numbers[kept++] = numbers[i];
        }
    }
    return 0;
}

/* The first of many elements, few of which are wanted. */
static inline int APLC_TYPED(aplc_first_of_many)(const APLC_T *a, int64_t n, int64_t wanted, uint64_t flip,
                                                 int64_t *out) {
    const int64_t room = APLC_CANDIDATES * wanted + APLC_FIRST_BLOCK;
    uint64_t *const keys = aplc_alloc(3 * room, sizeof *keys);
    if (keys == NULL)
        return APLC_OUT_OF_MEMORY;
    int64_t *const numbers = (int64_t *)keys + room, *const order = numbers + room;
    int64_t kept = 0;
    int status = 0;
    uint64_t bound = UINT64_MAX;
    bool is_bound = false; /* before that anything may be among the first */
    for (int64_t start = 0; start < n && status == 0; start += APLC_FIRST_BLOCK) {
        const int64_t stop = n - start < APLC_FIRST_BLOCK ? n : start + APLC_FIRST_BLOCK;
        if (is_bound) {
            uint64_t some = 0;
            for (int64_t i = start; i < stop; i++)
                some |= (APLC_TYPED(aplc_key)(a[i]) ^ flip) < bound;
            if (!some)
                continue;
        }
        for (int64_t i = start; i < stop; i++) {
            const uint64_t key = APLC_TYPED(aplc_key)(a[i]) ^ flip;
            keys[kept] = key;
            numbers[kept] = i + 1;
            kept += !is_bound | (key < bound);
        }
        if (kept + APLC_FIRST_BLOCK > room) {
            status = APLC_TYPED(aplc_keep_first)(keys, numbers, order, kept, wanted);
            kept = wanted;
            bound = 0;
            for (int64_t i = 0; i < kept; i++)
                bound = keys[i] > bound ? keys[i] : bound;
            is_bound = true;
        }
    }
    if (status == 0)
        status = aplc_grade_vector_packed(keys, kept, 0, order);
    for (int64_t i = 0; i < wanted && status == 0; i++)
        out[i] = numbers[order[i] - 1];
    free(keys);
    return status;
}

/* The first few of many elements: those seen so far are in order, and most others are not before the last of them, which
   is asked once for several. */
static inline void APLC_TYPED(aplc_first_kept)(const APLC_T *a, int64_t n, int64_t wanted, uint64_t flip,
                                               int64_t *restrict out) {
    uint64_t keys[APLC_FEW_WANTED_ONES];
    int64_t kept = 0;
    for (int64_t start = 0; start < n; start += APLC_KEPT_BLOCK) {
        const int64_t stop = n - start < APLC_KEPT_BLOCK ? n : start + APLC_KEPT_BLOCK;
        uint64_t some = kept < wanted;
        for (int64_t i = start; i < stop && kept == wanted; i++)
            some |= (APLC_TYPED(aplc_key)(a[i]) ^ flip) < keys[wanted - 1];
        for (int64_t i = start; i < stop && some; i++) {
            const uint64_t key = APLC_TYPED(aplc_key)(a[i]) ^ flip;
            if (kept == wanted && key >= keys[wanted - 1])
                continue;
            int64_t k = kept < wanted ? kept++ : wanted - 1;
            for (; k > 0 && keys[k - 1] > key; k--) {
                keys[k] = keys[k - 1];
                out[k] = out[k - 1];
            }
            keys[k] = key;
            out[k] = i + 1;
        }
    }
}

/* The first of at most APLC_FEW_WORDS elements: each goes to the place that is how many belong before it. */
static inline void APLC_TYPED(aplc_first_of_few)(const APLC_T *a, int64_t n, int64_t wanted, uint64_t flip,
                                                 int64_t *out) {
    int64_t keys[APLC_LANES_FOR(APLC_FEW_WORDS)], ranks[APLC_LANES_FOR(APLC_FEW_WORDS)], all[APLC_FEW_WORDS];
    for (int64_t i = 0; i < n; i++)
        keys[i] = (int64_t)(APLC_TYPED(aplc_key)(a[i]) ^ flip ^ (uint64_t)1 << 63);
    aplc_ranks(keys, n, ranks);
    for (int64_t i = 0; i < n; i++)
        all[ranks[i]] = i + 1;
    for (int64_t i = 0; i < wanted; i++)
        out[i] = all[i];
}

/* The first of more. */
static inline int APLC_TYPED(aplc_first_of_more)(const APLC_T *a, int64_t n, int64_t wanted, uint64_t flip,
                                                 int64_t *out) {
    if (wanted <= APLC_FEW_WANTED_ONES && wanted < n) {
        APLC_TYPED(aplc_first_kept)(a, n, wanted, flip, out);
        return 0;
    }
    if (wanted < n / APLC_FEW_WANTED)
        return APLC_TYPED(aplc_first_of_many)(a, n, wanted, flip, out);
    if (wanted >= n)
        return APLC_TYPED(aplc_grade_vector)(a, n, flip, out);
    int64_t *const all = aplc_alloc(n, sizeof *all);
    if (all == NULL)
        return APLC_OUT_OF_MEMORY;
    const int status = APLC_TYPED(aplc_grade_vector)(a, n, flip, all);
    if (status == 0)
        memcpy(out, all, (size_t)wanted * sizeof *out);
    free(all);
    return status;
}

static inline int APLC_TYPED(aplc_first)(const APLC_T *a, int64_t n, int64_t wanted, uint64_t flip,
                                         int64_t *out) {
    if (wanted <= 0)
        return 0;
    if (n > APLC_FEW_WORDS)
        return APLC_TYPED(aplc_first_of_more)(a, n, wanted, flip, out);
    APLC_TYPED(aplc_first_of_few)(a, n, wanted < n ? wanted : n, flip, out);
    return 0;
}

APLC_ONCE(aplc_order, int, APLC_TYPED(aplc_first_of_more_up), const APLC_T *a, int64_t n, int64_t wanted,
          int64_t *out) {
    return APLC_TYPED(aplc_first_of_more)(a, n, wanted, 0, out);
}

static inline int APLC_TYPED(aplc_first_up)(const APLC_T *a, int64_t n, int64_t wanted, int64_t *out) {
    if (n > APLC_FEW_WORDS)
        return wanted <= 0 ? 0 : APLC_TYPED(aplc_first_of_more_up)(a, n, wanted, out);
    APLC_TYPED(aplc_first_of_few)(a, n, wanted < n ? wanted : n, 0, out);
    return 0;
}

APLC_ONCE(aplc_order, int, APLC_TYPED(aplc_first_of_more_down), const APLC_T *a, int64_t n, int64_t wanted,
          int64_t *out) {
    return APLC_TYPED(aplc_first_of_more)(a, n, wanted, UINT64_MAX, out);
}

static inline int APLC_TYPED(aplc_first_down)(const APLC_T *a, int64_t n, int64_t wanted, int64_t *out) {
    if (n > APLC_FEW_WORDS)
        return wanted <= 0 ? 0 : APLC_TYPED(aplc_first_of_more_down)(a, n, wanted, out);
    APLC_TYPED(aplc_first_of_few)(a, n, wanted < n ? wanted : n, UINT64_MAX, out);
    return 0;
}
