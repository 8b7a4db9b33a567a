/* How often the codes of a direct table occur, for one type of element. Included for each by aplc_search_counts.h, and
   for codes themselves by aplc_search.h. */

/* The counts of a direct table without memory yet, in several histograms at once where codes are few: the next row may
   have the code of the one before, whose count is still on its way. */
static inline int APLC_TYPED(aplc_count_direct, )(const aplc_table *table, const APLC_T *a, int64_t rows,
                                                  int64_t *restrict positions, int64_t *restrict counts,
                                                  int64_t *count) {
    const uint64_t base = table->base;
    const int64_t codes = (int64_t)table->span + 1, lanes = codes <= APLC_FEW_CODES ? 4 : 1;
    uint32_t *restrict const of = calloc((size_t)(codes * lanes), sizeof *of);
    if (of == NULL)
        return APLC_OUT_OF_MEMORY;
    int64_t i = 0, different = 0, found = 0;
    for (; lanes > 1 && i + lanes <= rows; i += lanes)
        for (int64_t k = 0; k < 4; k++)
            of[k * codes + (int64_t)(APLC_TYPED(aplc_code, )(a[i + k]) - base)]++;
    for (; i < rows; i++)
        of[APLC_TYPED(aplc_code, )(a[i]) - base]++;
    for (int64_t code = 0; code < codes; code++) {
        for (int64_t k = 1; k < lanes; k++)
            of[code] += of[k * codes + code];
        different += of[code] != 0;
    }
    for (int64_t start = 0; found < different; start += APLC_SEEN) {
        const int64_t stop = start + APLC_SEEN <= rows ? start + APLC_SEEN : rows;
        uint32_t left = 0; /* mostly there is nothing new, which is asked once for several */
        for (i = start; i < stop; i++)
            left |= of[APLC_TYPED(aplc_code, )(a[i]) - base];
        for (i = start; left != 0 && i < stop; i++) {
            uint32_t *const own = &of[APLC_TYPED(aplc_code, )(a[i]) - base];
            positions[found] = i;
            counts[found] = *own;
            found += *own != 0;
            *own = 0;
        }
    }
    free(of);
    *count = found;
    return 0;
}
