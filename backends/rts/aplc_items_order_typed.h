/* Sorting items, for one type of element: APLC_T, with names made by APLC_TYPED. Included by aplc_items_order.h once
   for each type. */

/* Items to be sorted; `from` elements at the beginning of vectors are known to agree. */
typedef struct {
    const APLC_T *elements;
    const int64_t *records;
    int64_t axes, from;
    bool down;
} APLC_TYPED(aplc_spans);

/* Below 0 if a cell of one item stands before one of another, above 0 if behind, else 0: those at `x` and `y`, with
   these extents from an axis on. */
__attribute__((unused)) static int APLC_TYPED(aplc_compare_cells)(const APLC_T *x, const int64_t *of_x,
                                                                  const APLC_T *y, const int64_t *of_y,
                                                                  int64_t axis, int64_t axes) {
    if (axis == axes) {
        const uint64_t left = APLC_TYPED(aplc_key)(*x), right = APLC_TYPED(aplc_key)(*y);
        return left < right ? -1 : left > right;
    }
    const int64_t m = of_x[axis], n = of_y[axis], both = m < n ? m : n;
    const int64_t step_x = aplc_cell_size(of_x, axis + 1, axes), step_y = aplc_cell_size(of_y, axis + 1, axes);
    for (int64_t k = 0; k < both; k++) {
        const int order = APLC_TYPED(aplc_compare_cells)(x + k * step_x, of_x, y + k * step_y, of_y, axis + 1, axes);
        if (order != 0)
            return order;
    }
    if (m > both && step_x > 0)
        return 1;
    return n > both && step_y > 0 ? -1 : 0;
}

static inline int APLC_TYPED(aplc_compare_items)(const APLC_TYPED(aplc_spans) * spans, int64_t x, int64_t y) {
    const int64_t *const a = spans->records + (x - 1) * (spans->axes + 1);
    const int64_t *const b = spans->records + (y - 1) * (spans->axes + 1);
    const APLC_T *const left = spans->elements + a[0], *const right = spans->elements + b[0];
    if (spans->axes > 1) {
        const int order = APLC_TYPED(aplc_compare_cells)(left, a + 1, right, b + 1, 0, spans->axes);
        return order != 0 ? order : aplc_compare_extents(a + 1, b + 1, spans->axes);
    }
    const int64_t both = a[1] < b[1] ? a[1] : b[1];
    for (int64_t k = spans->from; k < both; k++) {
        const uint64_t of_a = APLC_TYPED(aplc_key)(left[k]), of_b = APLC_TYPED(aplc_key)(right[k]);
        if (of_a != of_b)
            return of_a < of_b ? -1 : 1;
    }
    return (a[1] > b[1]) - (a[1] < b[1]);
}

/* Whether item y stands before item x, which precedes it in the array; both are counted from 1. */
static inline bool APLC_TYPED(aplc_goes_first)(const APLC_TYPED(aplc_spans) * spans, int64_t y, int64_t x) {
    const int order = APLC_TYPED(aplc_compare_items)(spans, y, x);
    return spans->down ? order > 0 : order < 0;
}

/* Sort n numbers; `scratch` has room for half of them. */
static APLC_APART void APLC_TYPED(aplc_merge_items)(const APLC_TYPED(aplc_spans) * spans, int64_t *out,
                                                    int64_t *scratch, int64_t n) {
    if (n <= APLC_FEW_ROWS) {
        for (int64_t i = 1; i < n; i++) {
            const int64_t number = out[i];
            int64_t k = i;
            for (; k > 0 && APLC_TYPED(aplc_goes_first)(spans, number, out[k - 1]); k--)
                out[k] = out[k - 1];
            out[k] = number;
        }
        return;
    }
    const int64_t half = n / 2;
    APLC_TYPED(aplc_merge_items)(spans, out, scratch, half);
    APLC_TYPED(aplc_merge_items)(spans, out + half, scratch, n - half);
    if (!APLC_TYPED(aplc_goes_first)(spans, out[half], out[half - 1]))
        return;
    memcpy(scratch, out, (size_t)half * sizeof *out);
    for (int64_t i = 0, k = 0, j = half; i < half; k++) {
        const bool right = j < n && APLC_TYPED(aplc_goes_first)(spans, out[j], scratch[i]);
        out[k] = right ? out[j++] : scratch[i++];
    }
}

/* The least and the greatest key of all elements. */
static inline void APLC_TYPED(aplc_bounds_of_items)(const APLC_T *elements, const int64_t *records, int64_t n,
                                                    uint64_t *least, uint64_t *greatest) {
    uint64_t low = UINT64_MAX, high = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < records[2 * i + 1]; k++) {
            const uint64_t key = APLC_TYPED(aplc_key)(elements[records[2 * i] + k]);
            low = key < low ? key : low;
            high = key > high ? key : high;
        }
    *least = low;
    *greatest = high;
}

/* Sort vectors by the elements that fit into one number: what a vector lacks is 0 there. */
static inline int APLC_TYPED(aplc_order_vectors)(APLC_TYPED(aplc_spans) * spans, int64_t n, uint64_t *packed,
                                                 int64_t *out) {
    uint64_t least, greatest;
    APLC_TYPED(aplc_bounds_of_items)(spans->elements, spans->records, n, &least, &greatest);
    const uint64_t span = greatest < least ? 0 : greatest - least;
    const int width = span == UINT64_MAX ? 65 : aplc_width(span + 1);
    spans->from = 64 / width;
    for (int64_t i = 0; i < n; i++) {
        const APLC_T *const from = spans->elements + spans->records[2 * i];
        const int64_t length = spans->records[2 * i + 1];
        uint64_t key = 0;
        for (int64_t k = 0; k < spans->from; k++)
            key = key << (width & 63) | (k < length ? APLC_TYPED(aplc_key)(from[k]) - least + 1 : 0);
        packed[i] = spans->down ? ~key : key;
    }
    return aplc_grade_vector_packed(packed, n, 0, out);
}

APLC_ONCE(aplc_items_order, int, APLC_TYPED(aplc_order), const APLC_T *elements, const int64_t *records,
          int64_t axes, int64_t n, int64_t *out, bool down) {
    APLC_TYPED(aplc_spans) spans = {elements, records, axes, 0, down};
    int64_t *const scratch = aplc_alloc(n, sizeof *scratch);
    uint64_t *const packed = axes == 1 ? aplc_alloc(n, sizeof *packed) : NULL;
    int status = scratch == NULL || (axes == 1 && packed == NULL) ? APLC_OUT_OF_MEMORY : 0;
    if (status == 0 && axes == 1)
        status = APLC_TYPED(aplc_order_vectors)(&spans, n, packed, out);
    for (int64_t i = 0; i < n && axes > 1; i++)
        out[i] = i + 1;
    for (int64_t i = 0, end; i < n && status == 0; i = end) {
        for (end = i + 1; end < n && (axes > 1 || packed[out[end] - 1] == packed[out[i] - 1]);)
            end++;
        APLC_TYPED(aplc_merge_items)(&spans, out + i, scratch, end - i);
    }
    free(packed);
    free(scratch);
    return status;
}

static inline int APLC_TYPED(aplc_order_up)(const APLC_T *elements, const int64_t *records, int64_t axes, int64_t n,
                                            int64_t *out) {
    return APLC_TYPED(aplc_order)(elements, records, axes, n, out, false);
}

static inline int APLC_TYPED(aplc_order_down)(const APLC_T *elements, const int64_t *records, int64_t axes,
                                              int64_t n, int64_t *out) {
    return APLC_TYPED(aplc_order)(elements, records, axes, n, out, true);
}

#undef APLC_T
#undef APLC_TYPED
