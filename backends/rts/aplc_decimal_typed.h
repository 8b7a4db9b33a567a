/* Numbers in texts of one type of character: APLC_T, with names made by APLC_TYPED. APLC_MACRON says how long a `¯` is that
   begins there, 0 where none does. Included by aplc_decimal.h. */

static inline bool APLC_TYPED(aplc_is_digit)(APLC_T c) { return (uint32_t)c - '0' < 10; }

/* Behind a sign, of which there are three: `-`, `+` and `¯`. */
static inline const APLC_T *APLC_TYPED(aplc_behind_sign)(const APLC_T *at, const APLC_T *end, bool *is_negative) {
    *is_negative = false;
    if (at == end || APLC_TYPED(aplc_is_digit)(*at))
        return at;
    const int macron = APLC_MACRON(at, end);
    *is_negative = macron != 0 || *at == '-';
    return at + (*at == '-' || *at == '+' ? 1 : macron);
}

/* Behind the exponent that begins here, if one does, which is added to q; NULL where an `e` is not followed by any. */
static inline const APLC_T *APLC_TYPED(aplc_behind_exponent)(const APLC_T *at, const APLC_T *end, int64_t *q) {
    if (at == end || (*at | 0x20) != 'e')
        return at;
    bool is_small;
    const APLC_T *const first = at = APLC_TYPED(aplc_behind_sign)(at + 1, end, &is_small);
    int64_t e = 0;
    for (; at < end && APLC_TYPED(aplc_is_digit)(*at); at++)
        e = e < APLC_FAR_EXPONENT ? 10 * e + (*at - '0') : e;
    *q += is_small ? -e : e;
    return at == first ? NULL : at;
}

/* The double of the digits that begin here, a point among them perhaps, with what is behind `e`, by the C library. */
static APLC_APART double APLC_TYPED(aplc_by_library)(const APLC_T *at, const APLC_T *end) {
    char text[APLC_MOST_SHOWN + 40];
    int64_t count = 0, q = 0;
    bool is_behind_point = false, is_lost = false;
    for (; at < end && (*at == '.' || APLC_TYPED(aplc_is_digit)(*at)); at++) {
        const bool is_kept = count < APLC_MOST_SHOWN;
        if (*at == '.') {
            is_behind_point = true;
            continue;
        }
        if (is_kept && (count > 0 || *at != '0'))
            text[count++] = (char)*at;
        is_lost |= !is_kept && *at != '0';
        q += is_kept ? -(int64_t)is_behind_point : (int64_t)!is_behind_point;
    }
    APLC_TYPED(aplc_behind_exponent)(at, end, &q);
    if (is_lost) {
        text[count++] = '1';
        q--;
    }
    q = q > APLC_FAR ? APLC_FAR : q < -APLC_FAR ? -APLC_FAR : q;
    snprintf(text + count, sizeof text - (size_t)count, "e%d", (int)q);
    return count == 0 ? 0 : strtod(text, NULL);
}

/* Up to so many digits from here on, added to those of w. */
static inline const APLC_T *APLC_TYPED(aplc_behind_digits)(const APLC_T *at, const APLC_T *end, int64_t most, uint64_t *w) {
    const APLC_T *const stop = end - at > most ? at + most : end;
    for (; at < stop && APLC_TYPED(aplc_is_digit)(*at); at++)
        *w = 10 * *w + ((uint32_t)*at - '0');
    return at;
}

/* Behind the first digits that are not zero, up to APLC_MOST_DIGITS, as a whole number times a power of ten; `is_lost` says
   whether digits that are not zero are left out. */
static APLC_APART const APLC_T *APLC_TYPED(aplc_behind_long)(const APLC_T *at, const APLC_T *end, uint64_t *w,
                                                             int64_t *q, bool *is_lost) {
    int digits = 0;
    bool is_behind_point = false;
    *w = 0, *q = 0;
    for (; at < end && (APLC_TYPED(aplc_is_digit)(*at) || (*at == '.' && !is_behind_point)); at++)
        if (*at == '.')
            is_behind_point = true;
        else if (digits < APLC_MOST_DIGITS) {
            *w = 10 * *w + ((uint32_t)*at - '0');
            digits += *w != 0;
            *q -= is_behind_point;
        } else {
            *is_lost |= *at != '0';
            *q += !is_behind_point;
        }
    return at;
}

/* Behind the decimal number that begins here, which may have a point, and `e` with an exponent; NULL where none does. */
static inline const APLC_T *APLC_TYPED(aplc_behind_double)(const APLC_T *begin, const APLC_T *end, double *result) {
    bool is_negative, is_lost = false;
    const APLC_T *const first = APLC_TYPED(aplc_behind_sign)(begin, end, &is_negative);
    uint64_t w = 0;
    int64_t q = 0;
    const APLC_T *at = APLC_TYPED(aplc_behind_digits)(first, end, APLC_MOST_DIGITS, &w);
    int64_t count = at - first;
    if (count != 0 && count <= APLC_EXACT_DIGITS && (at == end || (*at != '.' && (*at | 0x20) != 'e'))) {
        *result = is_negative ? -(double)w : (double)w;
        return at;
    }
    if (at < end && *at == '.') {
        const APLC_T *const fraction = at + 1;
        at = APLC_TYPED(aplc_behind_digits)(fraction, end, APLC_MOST_DIGITS - count, &w);
        q = fraction - at;
        count -= q;
    }
    if (count == 0)
        return NULL;
    if (count == APLC_MOST_DIGITS && at < end && (*at == '.' || APLC_TYPED(aplc_is_digit)(*at)))
        at = APLC_TYPED(aplc_behind_long)(first, end, &w, &q, &is_lost);
    if ((at = APLC_TYPED(aplc_behind_exponent)(at, end, &q)) == NULL)
        return NULL;
    double found;
    if (!is_lost && w >> 53 == 0 && q >= -APLC_EXACT_POWERS && q <= APLC_EXACT_POWERS) {
        found = q < 0 ? (double)w / aplc_exact_powers[-q] : (double)w * aplc_exact_powers[q];
    } else {
        const int64_t bits = aplc_nearest(w, q);
        if (bits < 0 || (is_lost && aplc_nearest(w + 1, q) != bits))
            found = APLC_TYPED(aplc_by_library)(first, at);
        else
            memcpy(&found, &bits, sizeof found);
    }
    *result = is_negative ? -found : found;
    return at;
}

#undef APLC_T
#undef APLC_TYPED
#undef APLC_MACRON
