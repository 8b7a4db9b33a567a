/* Loops in parts: a function computes the iterations from one up to another, and the parts run in threads. */

#ifndef APLC_THREADS_H
#define APLC_THREADS_H

#include <omp.h>
#include <stdint.h>

/* So much work is worth a second thread, and half of it a thread more; any is in tests. In a loop, where
   threads need not be woken, less will do. */
#ifndef APLC_WORTH
#ifdef APLC_DEBUG
#define APLC_WORTH 0.0
#else
#define APLC_WORTH 3e7
#endif
#endif
#define APLC_WORTH_AGAIN (APLC_WORTH / 8)

#define APLC_MOST_PARTS 1024

/* In how many parts that many iterations of so much work are done; one inside of a part. */
static inline int aplc_parts_worth(const aplc_host *host, int64_t count, double work, double worth) {
    if (count < 2 || (double)count * work < worth || omp_in_parallel())
        return 1;
    int64_t parts = host->threads > 0 ? host->threads : omp_get_max_threads();
    parts = parts < APLC_MOST_PARTS ? parts : APLC_MOST_PARTS;
    parts = parts < count ? parts : count;
    const double enough = worth > 0 ? (double)count * work / (worth / 2) : (double)parts;
    return enough < (double)parts ? (int)enough : (int)parts;
}

static inline int aplc_parts(const aplc_host *host, int64_t count, double work) {
    return aplc_parts_worth(host, count, work, APLC_WORTH);
}

/* The same in a loop in order. */
static inline int aplc_parts_again(const aplc_host *host, int64_t count, double work) {
    return aplc_parts_worth(host, count, work, APLC_WORTH_AGAIN);
}

/* The same for rounds with loops inside that can run in parts, too: few rounds leave that to these. */
static inline int aplc_parts_of_rounds(const aplc_host *host, int64_t count, double work) {
    const int parts = aplc_parts(host, count, work);
    return APLC_WORTH > 0 && count < 4 * (int64_t)parts ? 1 : parts;
}

/* How many threads a loop may have here, as OpenMP says; many in tests. */
static inline int64_t aplc_most_threads(void) {
    return APLC_WORTH > 0 ? omp_in_parallel() ? 1 : omp_get_max_threads() : APLC_MOST_PARTS;
}

/* Whether so many iterations of so much work are done in one thread, where the loop stands. */
static inline int aplc_is_brief(int64_t count, double work) { return (double)count * work < APLC_WORTH; }

static inline int aplc_is_brief_again(int64_t count, double work) { return (double)count * work < APLC_WORTH_AGAIN; }

/* Around the threads of a loop in parts; at the end of them the run may end, too. */
static inline void aplc_fork(const aplc_host *host) {
    if (host->work != NULL)
        host->work->is_forked = 1;
}

static inline void aplc_join(const aplc_host *host) {
    if (host->work == NULL)
        return;
    host->work->is_forked = 0;
    if (host->work->is_wanted)
        host->work->look(host->work);
}

/* A part, which a signal may end; not in a library for C programs, whose signals are theirs. */
#ifdef APLC_LIBRARY
#define APLC_PART(host, ...)                                                                                           \
    do {                                                                                                               \
        __VA_ARGS__;                                                                                                   \
    } while (0)
#else
#define APLC_PART(host, ...)                                                                                           \
    do {                                                                                                               \
        aplc_work aplc_part, *const aplc_whole = (host)->work;                                                         \
        aplc_work *const aplc_outer = aplc_here;                                                                       \
        if (aplc_whole == NULL ||                                                                                      \
            (sigsetjmp(aplc_part.target, 0) == 0 && aplc_begins(aplc_whole, &aplc_part)))                              \
            __VA_ARGS__;                                                                                               \
        if (aplc_whole != NULL) {                                                                                      \
            aplc_here = aplc_outer;                                                                                    \
            aplc_whole->end_part(aplc_whole, &aplc_part);                                                              \
        }                                                                                                              \
    } while (0)
#endif

static inline bool aplc_begins(aplc_work *whole, aplc_work *part) {
    aplc_here = part;
    return whole->begin_part(whole, part);
}

/* Elements of a part's own memory, so that no two parts have one in the same line of a cache. */
static inline int64_t aplc_room(int64_t elements) { return (elements + 64 + 63) / 64 * 64; }

/* The same where each part has so many elements of its own, that are joined afterwards. */
static inline int aplc_parts_apart(const aplc_host *host, int64_t count, double work, int64_t elements) {
    const int parts = aplc_parts(host, count, work);
    return APLC_WORTH > 0 && (double)count * work < 512.0 * (double)parts * (double)elements ? 1 : parts;
}

/* In how many parts so many threads take iterations that are more and less work. */
static inline int aplc_shares(int threads, int64_t count) {
    const int64_t shares = (int64_t)threads * 16;
    return threads < 2 ? 1 : (int)(shares < count ? shares : count);
}

/* The number of the next part that no thread has taken. */
static inline int aplc_next(int *taken) { return __atomic_fetch_add(taken, 1, __ATOMIC_RELAXED); }

/* In how many pieces the threads of a loop look at each part but the last before they begin. So none of few waits for
   the others; of many one does. */
static inline int aplc_pieces(int parts) { return parts <= 8 ? parts : 1; }

/* How often a loop from `start` to `stop` runs. */
static inline int64_t aplc_turns(int64_t start, int64_t stop, int64_t step) {
    return stop > start ? (stop - start + step - 1) / step : 0;
}

/* Where part number `part` begins; parts of many turns begin with a line of the cache if the whole does. A program
   asks in many places, but seldom: so compilers have it once. */
__attribute__((noinline, unused)) static int64_t aplc_cut(int64_t start, int64_t stop, int64_t step, int part,
                                                          int parts) {
    const int64_t turns = aplc_turns(start, stop, step), many = 1 << 14, line = 64;
    const int64_t even = turns / parts * part + (part < turns % parts ? part : turns % parts);
    const int64_t first = turns / parts < many ? even : even / line * line;
    return part < parts ? start + first * step : stop;
}

/* Something done for each of several parts of n elements, the one of number `part` from `from` up to `to`, in threads. */
#define APLC_IN_PARTS(host, parts, n, ...)                                                                             \
    do {                                                                                                               \
        aplc_fork(host);                                                                                               \
        APLC_PRAGMA(omp parallel for num_threads(parts) schedule(static, 1))                                           \
        for (int part = 0; part < (parts); part++) {                                                                   \
            const int64_t from = aplc_cut(0, n, 1, part, parts), to = aplc_cut(0, n, 1, part + 1, parts);              \
            APLC_PART(host, __VA_ARGS__);                                                                              \
        }                                                                                                              \
        aplc_join(host);                                                                                               \
    } while (0)

/* Where parts begin that have the same number of elements, more or less; `ends` says how many come before each
   iteration. */
#define APLC_CUTS(cuts, ends, start, stop, parts)                                                                      \
    do {                                                                                                               \
        const int64_t aplc_from = (start), aplc_to = (stop);                                                           \
        const int64_t aplc_all = aplc_from < aplc_to ? (int64_t)(ends)[aplc_to] - (int64_t)(ends)[aplc_from] : 0;      \
        (cuts)[0] = aplc_from;                                                                                         \
        for (int aplc_k = 1; aplc_k < (parts); aplc_k++) {                                                             \
            const int64_t aplc_before = (ends)[aplc_from] + aplc_all / (parts) * aplc_k;                               \
            int64_t aplc_low = (cuts)[aplc_k - 1], aplc_high = aplc_to;                                                \
            while (aplc_low < aplc_high) {                                                                             \
                const int64_t aplc_middle = aplc_low + (aplc_high - aplc_low) / 2;                                     \
                if ((ends)[aplc_middle] < aplc_before)                                                                 \
                    aplc_low = aplc_middle + 1;                                                                        \
                else                                                                                                   \
                    aplc_high = aplc_middle;                                                                           \
            }                                                                                                          \
            (cuts)[aplc_k] = aplc_low;                                                                                 \
        }                                                                                                              \
        (cuts)[parts] = aplc_to;                                                                                       \
    } while (0)

/* Which parts end with an item that is more than half of a thread's share, and is left out of them. Such an item
   stands where a part begins in the middle of it. */
#define APLC_LONG_ITEMS(longs, cuts, ends, parts, threads)                                                             \
    do {                                                                                                               \
        const int64_t aplc_share = ((int64_t)(ends)[(cuts)[parts]] - (int64_t)(ends)[(cuts)[0]]) / (2 * (threads));    \
        (longs)[0] = false;                                                                                            \
        for (int aplc_k = 1; aplc_k <= (parts); aplc_k++) {                                                            \
            const int64_t aplc_behind = (cuts)[aplc_k];                                                                \
            (longs)[aplc_k] = (parts) > 1 && aplc_behind > (cuts)[aplc_k - 1] &&                                       \
                              (int64_t)(ends)[aplc_behind] - (int64_t)(ends)[aplc_behind - 1] > aplc_share;            \
        }                                                                                                              \
    } while (0)

/* So many parts, or one, which leaves threads to what is done for an item, where an item is more than a part. */
#define APLC_PARTS_OF_ITEMS(parts, ends, count)                                                                        \
    ({                                                                                                                 \
        int aplc_most = (parts);                                                                                       \
        const int64_t aplc_items = (count);                                                                            \
        int64_t aplc_longest = 0;                                                                                      \
        for (int64_t aplc_k = 0; aplc_most > 1 && aplc_k < aplc_items && aplc_items < APLC_FEW_ITEMS; aplc_k++) {      \
            const int64_t aplc_size = (int64_t)(ends)[aplc_k + 1] - (int64_t)(ends)[aplc_k];                           \
            aplc_longest = aplc_size > aplc_longest ? aplc_size : aplc_longest;                                        \
        }                                                                                                              \
        if (APLC_WORTH > 0 && aplc_longest > ((int64_t)(ends)[aplc_items] - (int64_t)(ends)[0]) / aplc_most)           \
            aplc_most = 1;                                                                                             \
        aplc_most;                                                                                                     \
    })
#define APLC_FEW_ITEMS 65536

#endif
