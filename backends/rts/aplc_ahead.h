/* Memory that is asked for some time before it is read, or written, for generated C:

       void APLC_AHEAD(const T *elements, int64_t place)
       void APLC_AHEAD_TO_WRITE(T *elements, int64_t place)
       void APLC_LOAD(const T *elements, int64_t place)

   The element may lie behind all others, or before them: nothing is read, but of one that is loaded. */

#ifndef APLC_AHEAD_H
#define APLC_AHEAD_H

#include <stdint.h>

#define APLC_PLACE(elements, place) \
    ((const char *)((uintptr_t)(elements) + (uintptr_t)(place) * sizeof *(elements)))

#define APLC_AHEAD(elements, place) __builtin_prefetch(APLC_PLACE(elements, place))
#define APLC_AHEAD_TO_WRITE(elements, place) __builtin_prefetch(APLC_PLACE(elements, place), 1)
#define APLC_LOAD(elements, place) ((void)*(const volatile char *)APLC_PLACE(elements, place))

#endif
