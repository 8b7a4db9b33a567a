/* The different elements of a vector of one type in threads: APLC_T, with names made by APLC_TYPED. Included by
   aplc_search_threads.h once for each type. */

/* A code for each row of a matrix, as `aplc_packed_rows` makes them, where threads look at so many; otherwise NULL. */
static APLC_APART int64_t *APLC_TYPED(aplc_shared, _codes)(const aplc_host *host, const APLC_T *a, int64_t rows,
                                                          int64_t columns) {
    return aplc_parts(host, rows, APLC_SEEKING) == 1 ? NULL : APLC_TYPED(aplc_packed, _rows)(a, rows, columns);
}

/* By how many threads so many elements are looked at: by one where too many differ, each of which is found twice, or
   where each is `numbered` once more and has been found at once. */
static APLC_APART int APLC_TYPED(aplc_seekers, )(const aplc_host *host, const APLC_T *a, int64_t n, bool numbered) {
    int parts = aplc_parts(host, n, APLC_SEEKING);
    parts = parts < APLC_MOST_SEEKERS ? parts : APLC_MOST_SEEKERS;
    if (parts == 1 || APLC_WORTH == 0)
        return parts;
    int64_t size = 1, different = 0;
    while (size * size < n)
        size *= 2;
    size *= APLC_SAMPLED;
    const int64_t step = n / size, again = APLC_SEEN_AGAIN * parts;
    APLC_T *const sample = step < 2 ? NULL : aplc_alloc(size, sizeof *sample);
    if (sample == NULL)
        return 1;
    for (int64_t i = 0; i < size; i++)
        sample[i] = a[i * step];
    aplc_table table;
    APLC_TYPED(aplc_table, _plan)(&table, sample, size, 1, APLC_TABLE_SPREAD);
    const bool is_exact = (APLC_T)0.5 == 0, is_direct = is_exact && aplc_is_dense(table.span, n, APLC_TABLE_SPREAD);
    int status = is_direct && numbered && parts < APLC_FEW_SEEKERS;
    if (status == 0)
        status = APLC_TYPED(aplc_count_unique, )(sample, size, 1, &different);
    free(sample);
    return status == 0 && size - different >= again ? parts : 1;
}

/* What the parts have found, as one: `positions` begin with those of all, and `numbers` are those of what each part has
   kept, one behind the other. */
static inline int APLC_TYPED(aplc_join_shares, )(const APLC_T *a, int64_t n, int parts, const aplc_shares_found *found,
                                               int64_t *positions, int64_t *numbers, int64_t *count) {
    const int64_t kept = found->before[parts];
    APLC_T *const keys = aplc_alloc(kept, sizeof *keys);
    int64_t *const places = aplc_alloc(kept, sizeof *places), *const firsts = aplc_alloc(kept, sizeof *firsts);
    int status = keys == NULL || places == NULL || firsts == NULL ? APLC_OUT_OF_MEMORY : 0;
    for (int part = 0; part < parts && status == 0; part++) {
        const int64_t from = aplc_cut(0, n, 1, part, parts), before = found->before[part];
        for (int64_t k = 0; k < found->kept[part]; k++) {
            const int64_t place = from + positions[from + k];
            places[before + k] = place;
            keys[before + k] = a[place];
        }
    }
    if (status == 0)
        status = APLC_TYPED(aplc_number, )(keys, kept, 1, firsts, numbers, count);
    for (int64_t k = 0; status == 0 && k < *count; k++)
        positions[k] = places[firsts[k]];
    free(keys);
    free(places);
    free(firsts);
    return status;
}

static APLC_APART void APLC_TYPED(aplc_unique, _at)(const APLC_T *a, int64_t from, int64_t to, int64_t *positions,
                                                   int64_t *kept, int *status) {
    *status = APLC_TYPED(aplc_unique, )(a + from, to - from, 1, positions + from, kept);
}

APLC_ONCE(aplc_search_threads, int, APLC_TYPED(aplc_unique, _of_vector), aplc_host *host, const APLC_T *a, int64_t n,
          int64_t *positions, int64_t *count) {
    const int parts = APLC_TYPED(aplc_seekers, )(host, a, n, false);
    if (parts == 1)
        return APLC_TYPED(aplc_unique, )(a, n, 1, positions, count);
    aplc_shares_found found;
    APLC_IN_PARTS(host, parts, n,
                  APLC_TYPED(aplc_unique, _at)(a, from, to, positions, &found.kept[part], &found.status[part]));
    const int64_t kept = aplc_all_kept(&found, parts);
    int64_t *const numbers = kept < 0 ? NULL : aplc_alloc(kept, sizeof *numbers);
    if (numbers == NULL)
        return APLC_OUT_OF_MEMORY;
    const int status = APLC_TYPED(aplc_join_shares, )(a, n, parts, &found, positions, numbers, count);
    free(numbers);
    return status;
}

static inline int APLC_TYPED(aplc_unique, _in_threads)(aplc_host *host, const APLC_T *a, int64_t rows,
                                                     int64_t columns, int64_t *positions, int64_t *count) {
    if (columns == 1)
        return APLC_TYPED(aplc_unique, _of_vector)(host, a, rows, positions, count);
    int64_t *const codes = APLC_TYPED(aplc_shared, _codes)(host, a, rows, columns);
    if (codes == NULL)
        return APLC_TYPED(aplc_unique, )(a, rows, columns, positions, count);
    const int status = aplc_unique_int_of_vector(host, codes, rows, positions, count);
    free(codes);
    return status;
}

static APLC_APART void APLC_TYPED(aplc_count_each, _at)(const APLC_T *a, int64_t from, int64_t to, int64_t *positions,
                                                       int64_t *counts, int64_t *kept, int *status) {
    *status = APLC_TYPED(aplc_count_each, )(a + from, to - from, 1, positions + from, counts + from, kept);
}

APLC_ONCE(aplc_search_threads, int, APLC_TYPED(aplc_count_each, _of_vector), aplc_host *host, const APLC_T *a,
          int64_t n, int64_t *positions, int64_t *counts, int64_t *count) {
    const int parts = APLC_TYPED(aplc_seekers, )(host, a, n, false);
    if (parts == 1)
        return APLC_TYPED(aplc_count_each, )(a, n, 1, positions, counts, count);
    aplc_shares_found found;
    APLC_IN_PARTS(host, parts, n,
                  APLC_TYPED(aplc_count_each, _at)(a, from, to, positions, counts, &found.kept[part],
                                                   &found.status[part]));
    const int64_t kept = aplc_all_kept(&found, parts);
    int64_t *const numbers = kept < 0 ? NULL : aplc_alloc(2 * kept, sizeof *numbers);
    if (numbers == NULL)
        return APLC_OUT_OF_MEMORY;
    int64_t *const all = numbers + kept; /* how often each of all occurs */
    const int status = APLC_TYPED(aplc_join_shares, )(a, n, parts, &found, positions, numbers, count);
    for (int64_t k = 0; status == 0 && k < *count; k++)
        all[k] = 0;
    for (int part = 0; part < parts && status == 0; part++) {
        const int64_t from = aplc_cut(0, n, 1, part, parts), *const own = numbers + found.before[part];
        for (int64_t k = 0; k < found.kept[part]; k++)
            if (own[k] <= *count) /* NaN is in no count */
                all[own[k] - 1] += counts[from + k];
    }
    if (status == 0)
        memcpy(counts, all, (size_t)*count * sizeof *counts);
    free(numbers);
    return status;
}

static inline int APLC_TYPED(aplc_count_each, _in_threads)(aplc_host *host, const APLC_T *a, int64_t rows,
                                                         int64_t columns, int64_t *positions, int64_t *counts,
                                                         int64_t *count) {
    if (columns == 1)
        return APLC_TYPED(aplc_count_each, _of_vector)(host, a, rows, positions, counts, count);
    int64_t *const codes = APLC_TYPED(aplc_shared, _codes)(host, a, rows, columns);
    if (codes == NULL)
        return APLC_TYPED(aplc_count_each, )(a, rows, columns, positions, counts, count);
    const int status = aplc_count_each_int_of_vector(host, codes, rows, positions, counts, count);
    free(codes);
    return status;
}

#define APLC_NUMBER int64_t
#define APLC_NUMBERED(before, after) APLC_TYPED(before, after)
#define APLC_NUMBER_CODES aplc_number_int_of_vector
#include "aplc_search_threads_numbers.h"
#define APLC_NUMBER int32_t
#define APLC_NUMBERED(before, after) APLC_TYPED(before, _narrow##after)
#define APLC_NUMBER_CODES aplc_number_int_narrow_of_vector
#include "aplc_search_threads_numbers.h"

#undef APLC_T
#undef APLC_TYPED
