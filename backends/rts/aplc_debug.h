/* Counting what a run holds: `aplc.h` includes this where APLC_DEBUG is defined. Each block of memory adds one to
   the count of its thread, and each release takes one away. So after a run the count is that of the arrays it
   handed out, and 0 after an error. */

#ifndef APLC_DEBUG_H
#define APLC_DEBUG_H

#include <stdint.h>
#include <stdlib.h>

#include "aplc_once.h"

APLC_STATE _Thread_local int64_t aplc_held;

#if !defined(APLC_OBJECT) && APLC_IN_SHARE(1)
/* How many more blocks this thread holds than when it was asked last. */
__attribute__((visibility("default"))) int64_t aplc_live(void) {
    const int64_t held = aplc_held;
    aplc_held = 0;
    return held;
}
#endif

/* A block that is held from now on, if there is one. */
static inline void *aplc_hold(void *memory) {
    aplc_held += memory != NULL;
    return memory;
}

static inline int aplc_hold_aligned(void **memory, size_t align, size_t bytes) {
    const int status = posix_memalign(memory, align, bytes);
    aplc_held += status == 0;
    return status;
}

static inline void aplc_release(void *memory) {
    aplc_held -= memory != NULL;
    free(memory);
}

/* Blocks that come and go in other ways. */
#define APLC_HELD(block) aplc_hold(block)
#define APLC_HELD_NO_MORE(block) ((void)(block), aplc_held--)

/* So many blocks that one thread has made and another one is to free: none of them holds them in between. */
#define APLC_GIVEN_UP(count) ((void)(aplc_held -= (count)))
#define APLC_TAKEN_OVER(count) ((void)(aplc_held += (count)))

#define malloc(bytes) aplc_hold(malloc(bytes))
#define calloc(count, bytes) aplc_hold(calloc(count, bytes))
#define posix_memalign aplc_hold_aligned
#define free(memory) aplc_release(memory)

#endif
