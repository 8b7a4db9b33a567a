/* Memory that is asked for some time before it is read, for generated C:

       void APLC_AHEAD(const T *elements, int64_t place)

   The element may lie behind all others, or before them: nothing is read. */

#ifndef APLC_AHEAD_H
#define APLC_AHEAD_H

#include <stdint.h>

#if defined(__GNUC__)
#define APLC_AHEAD(elements, place) \
    __builtin_prefetch((const char *)((uintptr_t)(elements) + (uintptr_t)(place) * sizeof *(elements)))
#else
#define APLC_AHEAD(elements, place) ((void)(place))
#endif

#endif
