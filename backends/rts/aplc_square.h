/* Square systems by elimination, for `⌹` in generated C:

       int aplc_square_divide(const aplc_host *host, const double *b, int64_t across, const double *a, int64_t n,
                              double *out, bool *is_solved)

   `out` gets a⁻¹b, without `b` the inverse, as far as `is_solved` says so. It does not where reflections might find
   that columns depend on each other, or other digits: see Note [Far from singular]. The result is 0 or
   APLC_OUT_OF_MEMORY.

   Note [Far from singular]. Let C be the matrix with its columns scaled to length 1. No column is nearer to a
   combination of others than 1 ÷ ‖C⁻¹‖, in Frobenius' norm: where that is at most APLC_FAR, reflections find them
   independent, too, and both ways have as many digits, as long as elements do not grow much meanwhile. The rows of the
   inverse say what ‖C⁻¹‖ is. Without it one more system is solved, for numbers drawn by chance: the length of
   what C⁻¹ makes of them is, in the mean, its norm times theirs (Dixon, Estimating extremal eigenvalues and
   condition numbers of matrices, 1983). */

#ifndef APLC_SQUARE_H
#define APLC_SQUARE_H

#include "aplc_codes.h"
#include "aplc_elimination.h"

#define APLC_FAR 1e7
#define APLC_GROWTH 100.0

enum {
    APLC_FEW_SYSTEMS = 3, /* as many are solved in pairs, by dot products */
    APLC_AT_HAND = 1024   /* so many elements need no memory of their own */
};

/* A matrix at work: its rows are `line` elements apart. */
typedef struct {
    double *m, *lengths, *x, *y;
    int64_t n, line, *pivots;
    aplc_panels panels;
} aplc_square;

/* Its memory, which is that at hand if this is enough. A line is no multiple of a page, so that the elements of a
   column are not in each other's way in the cache. */
static inline bool aplc_square_memory(aplc_square *to, const aplc_host *host, int64_t n, int64_t across,
                                      double *at_hand) {
    const int64_t page = 512, lanes = 8, half = aplc_half(n);
    const int64_t line = n < 2 * lanes ? n : (n + lanes - 1) / lanes * lanes;
    to->n = n;
    to->line = line % page == 0 ? line + lanes : line;
    to->panels = aplc_panels_for(host, n, across > n ? across : n, n - half > half ? n - half : half);
    const int64_t panels = to->panels.threads * (to->panels.left + to->panels.right), few = APLC_FEW_COLUMNS * n;
    const int64_t room = n * to->line + 4 * n + (panels > few ? panels : few);
    to->m = room <= APLC_AT_HAND ? at_hand : aplc_alloc(room, sizeof(double));
    if (to->m == NULL)
        return false;
    to->lengths = to->m + n * to->line;
    to->x = to->lengths + n;
    to->y = to->x + n;
    to->pivots = (int64_t *)(to->y + n);
    to->panels.memory = to->y + 2 * n;
    return true;
}

/* Copies a matrix, with the lengths of its columns; whether their squares are numbers of a usual size. */
static inline bool aplc_square_copy(const aplc_square *to, const double *restrict a) {
    double *restrict const squares = to->lengths;
    for (int64_t j = 0; j < to->n; j++)
        squares[j] = 0.0;
    for (int64_t i = 0; i < to->n; i++) {
        const double *restrict const from = a + i * to->n;
        double *restrict const line = to->m + i * to->line;
#pragma omp simd
        for (int64_t j = 0; j < to->n; j++) {
            line[j] = from[j];
            squares[j] = aplc_multiply_add(from[j], from[j], squares[j]);
        }
    }
    bool is_usual = true;
    for (int64_t j = 0; j < to->n; j++) {
        is_usual &= squares[j] > 1e-280 && squares[j] < 1e280;
        squares[j] = sqrt(squares[j]);
    }
    return is_usual;
}

/* Whether no element above the diagonal has grown much longer than its column was. */
static inline bool aplc_is_grown(const aplc_square *of) {
    double most = 0.0;
    for (int64_t i = 0; i < of->n; i++) {
        const double *restrict const line = of->m + i * of->line;
#pragma omp simd reduction(max : most)
        for (int64_t j = i; j < of->n; j++) {
            const double beyond = fabs(line[j]) - APLC_GROWTH * of->lengths[j];
            most = beyond > most ? beyond : most;
        }
    }
    return most > 0.0;
}

/* Solves the system for two columns at once, in their place. */
static APLC_APART void aplc_solve_pair(const aplc_square *of, double *restrict x, double *restrict y) {
    const int64_t n = of->n;
    aplc_exchange(x, 1, 1, of->pivots, n);
    aplc_exchange(y, 1, 1, of->pivots, n);
    for (int64_t i = 0; i < n; i++) {
        const double *restrict const line = of->m + i * of->line;
        double p = 0.0, q = 0.0;
#pragma omp simd reduction(+ : p, q)
        for (int64_t k = 0; k < i; k++) {
            p = aplc_multiply_add(line[k], x[k], p);
            q = aplc_multiply_add(line[k], y[k], q);
        }
        x[i] -= p;
        y[i] -= q;
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        const double *restrict const line = of->m + i * of->line;
        double p = 0.0, q = 0.0;
#pragma omp simd reduction(+ : p, q)
        for (int64_t k = i + 1; k < n; k++) {
            p = aplc_multiply_add(line[k], x[k], p);
            q = aplc_multiply_add(line[k], y[k], q);
        }
        x[i] = (x[i] - p) / line[i];
        y[i] = (y[i] - q) / line[i];
    }
}

/* Numbers drawn by chance, between ¯1 and 1, the same each time. */
static inline void aplc_draw_numbers(double *x, int64_t n) {
    uint64_t state = 1;
    for (int64_t i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        x[i] = (double)((int64_t)state >> 11) * 0x1p-52;
    }
}

/* Whether the matrix is far from singular, as what the inverse makes of such numbers says; their squares are 1÷3 in
   the mean. */
static inline bool aplc_is_far(const aplc_square *of, const double *x) {
    double squares = 0.0;
    for (int64_t k = 0; k < of->n; k++)
        squares += x[k] * of->lengths[k] * (x[k] * of->lengths[k]);
    return 3.0 * squares <= APLC_FAR * APLC_FAR;
}

/* The same by the inverse itself. */
static inline bool aplc_is_far_by_inverse(const aplc_square *of, const double *inverse) {
    double all = 0.0;
    for (int64_t k = 0; k < of->n; k++) {
        double squares = 0.0;
#pragma omp simd reduction(+ : squares)
        for (int64_t j = 0; j < of->n; j++)
            squares += inverse[k * of->n + j] * inverse[k * of->n + j];
        all += squares * of->lengths[k] * of->lengths[k];
    }
    return all <= APLC_FAR * APLC_FAR;
}

/* Few systems in pairs, the first of them with the numbers drawn by chance. */
static APLC_APART bool aplc_solve_few(const aplc_square *of, const double *b, int64_t across, double *out) {
    double *restrict const x = of->x, *restrict const y = of->y;
    const int64_t n = of->n;
    for (int64_t i = 0; i < n; i++)
        x[i] = across > 0 ? b[i * across] : 0.0;
    aplc_draw_numbers(y, n);
    aplc_solve_pair(of, x, y);
    if (!aplc_is_far(of, y))
        return false;
    for (int64_t i = 0; i < n && across > 0; i++)
        out[i * across] = x[i];
    for (int64_t j = 1; j < across; j += 2) {
        const int64_t next = j + 1 < across ? j + 1 : j;
        for (int64_t i = 0; i < n; i++) {
            x[i] = b[i * across + j];
            y[i] = b[i * across + next];
        }
        aplc_solve_pair(of, x, y);
        for (int64_t i = 0; i < n; i++) {
            out[i * across + j] = x[i];
            out[i * across + next] = y[i];
        }
    }
    return true;
}

/* x := a⁻¹x for the columns of one thread: a half of them from the left and one from the right, as those of an identity,
   whose rows have been exchanged later, have less to do the further they are to the right. */
static inline void aplc_solve_part(const aplc_square *of, int part, int parts, double *x, int64_t across,
                                   bool is_identity) {
    aplc_panels own = of->panels;
    own.threads = 1;
    own.memory += part * (own.left + own.right);
    for (int half = 0; half < 2; half++) {
        const int number = half == 0 ? part : 2 * parts - 1 - part;
        const int64_t first = across * number / (2 * parts), last = across * (number + 1) / (2 * parts);
        aplc_solve_lower(of->m, of->line, of->n, x + first, across, last - first,
                         is_identity ? of->n - first : APLC_FULL, &own);
        aplc_solve_upper(of->m, of->line, of->n, x + first, across, last - first, &own);
    }
}

static inline void aplc_solve_columns(const aplc_square *of, double *x, int64_t across, bool is_identity) {
#ifdef _OPENMP
    const aplc_host *const host = of->panels.host;
    const int64_t worth = aplc_parts(host, across, 5.0 * (double)of->n * (double)of->n);
    const int parts = (int)aplc_least(worth, of->panels.threads);
    if (parts > 1) {
        aplc_fork(host);
#pragma omp parallel for num_threads(parts) schedule(static, 1)
        for (int part = 0; part < parts; part++)
            APLC_PART(host, aplc_solve_part(of, part, parts, x, across, is_identity));
        aplc_join(host);
        return;
    }
#endif
    aplc_solve_lower(of->m, of->line, of->n, x, across, across, is_identity ? of->n : APLC_FULL, &of->panels);
    aplc_solve_upper(of->m, of->line, of->n, x, across, across, &of->panels);
}

static inline bool aplc_solve_many(const aplc_square *of, const double *b, int64_t across, double *out) {
    if (!aplc_solve_few(of, NULL, 0, NULL))
        return false;
    memcpy(out, b, (size_t)(of->n * across) * sizeof(double));
    aplc_exchange(out, across, across, of->pivots, of->n);
    aplc_solve_columns(of, out, across, false);
    return true;
}

/* The inverse is U⁻¹L⁻¹P: its columns are exchanged at the end. */
static inline bool aplc_invert(const aplc_square *of, double *out) {
    const int64_t n = of->n;
    memset(out, 0, (size_t)(n * n) * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        out[i * n + i] = 1.0;
    aplc_solve_columns(of, out, n, true);
    if (!aplc_is_far_by_inverse(of, out))
        return false;
    for (int64_t i = 0; i < n; i++)
        aplc_unexchange(out + i * n, of->pivots, n);
    return true;
}

APLC_ONCE(aplc_matrix, int, aplc_square_divide, const aplc_host *host, const double *b, int64_t across,
          const double *a, int64_t n, double *out, bool *is_solved) {
    aplc_square square;
    double at_hand[APLC_AT_HAND] __attribute__((aligned(64)));
    if (!aplc_square_memory(&square, host, n, across, at_hand))
        return APLC_OUT_OF_MEMORY;
    *is_solved = aplc_square_copy(&square, a) &&
                 aplc_eliminate(square.m, square.line, n, n, square.pivots, &square.panels) &&
                 !aplc_is_grown(&square) &&
                 (b == NULL                      ? aplc_invert(&square, out)
                  : across <= APLC_FEW_SYSTEMS   ? aplc_solve_few(&square, b, across, out)
                                                 : aplc_solve_many(&square, b, across, out));
    if (square.m != at_hand)
        free(square.m);
    return APLC_OK;
}

#endif
