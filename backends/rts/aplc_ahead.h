/* Memory that is asked for some time before it is read, or written, for generated C:

       void APLC_AHEAD(const T *elements, int64_t place)
       void APLC_AHEAD_TO_WRITE(T *elements, int64_t place)
       void APLC_LOAD(const T *elements, int64_t place)
       int64_t aplc_lines(const T *elements, int64_t place, int64_t count)

   The element may lie behind all others, or before them: nothing is read, but of one that is loaded. */

#ifndef APLC_AHEAD_H
#define APLC_AHEAD_H

#include <stdint.h>

#define APLC_PLACE(elements, place) \
    ((const char *)((uintptr_t)(elements) + (uintptr_t)(place) * sizeof *(elements)))

#define APLC_AHEAD(elements, place) __builtin_prefetch(APLC_PLACE(elements, place))
#define APLC_AHEAD_TO_WRITE(elements, place) __builtin_prefetch(APLC_PLACE(elements, place), 1)
#define APLC_LOAD(elements, place) ((void)*(const volatile char *)APLC_PLACE(elements, place))

/* How many of `count` elements from one on a loop takes next: those before the next line of the cache, an even number
   of whole lines, or all that are left, where that is not worth it. */
#define aplc_lines(elements, place, count) aplc_lines_of(APLC_PLACE(elements, place), sizeof *(elements), count)

static inline int64_t aplc_lines_of(const char *next, size_t size, int64_t count) {
    const int64_t line = 64, bytes = (int64_t)size, few = (1 << 20) / bytes, lines = 2 * line / bytes;
    const int64_t before = (int64_t)(-(uintptr_t)next % (uintptr_t)line);
    if (count < few || before % bytes != 0)
        return count;
    return before != 0 ? before / bytes : count / lines * lines;
}

#endif
