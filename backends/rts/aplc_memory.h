/* Memory that a thread holds for a run that may be ended from outside: its blocks are known, so that they can be freed
   then. Below, `malloc`, `calloc`, `posix_memalign` and `free` are those that take note. */

#ifndef APLC_MEMORY_H
#define APLC_MEMORY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "aplc_host.h"
#include "aplc_once.h"

#ifndef APLC_DEBUG
#define APLC_HELD(block) (block)
#define APLC_HELD_NO_MORE(block) ((void)(block))
#define APLC_GIVEN_UP(count) ((void)(count))
#define APLC_TAKEN_OVER(count) ((void)(count))
#endif

/* What this thread does here; NULL where nothing is to be known of it. */
APLC_STATE _Thread_local aplc_work *aplc_here;

/* For the host, which says what the thread that calls this does from now on. */
#if !defined(APLC_OBJECT) && APLC_IN_SHARE(1)
APLC_EXPORT aplc_work **aplc_place_of_work(void) { return &aplc_here; }
#endif

/* A block that this work holds from now on; NULL, and it is freed, where there is no room to note that. */
static inline void *aplc_note(aplc_work *work, void *block) {
    if (block != NULL && work->count == work->room) {
        const size_t bytes = 2 * (size_t)work->room * sizeof *work->blocks;
        void **more = realloc(work->blocks == work->few ? NULL : work->blocks, bytes);
        if (more == NULL) {
            free(block);
            return NULL;
        }
        if (work->blocks == work->few)
            memcpy(more, work->few, sizeof work->few);
        work->blocks = more;
        work->room *= 2;
    }
    if (block != NULL)
        work->blocks[work->count++] = block;
    return block;
}

static inline void *aplc_malloc(size_t bytes) {
    aplc_work *work = aplc_here;
    if (work == NULL)
        return malloc(bytes);
    aplc_stay(work);
    void *block = aplc_note(work, malloc(bytes));
    aplc_go_on(work);
    return block;
}

static inline void *aplc_calloc(size_t count, size_t bytes) {
    aplc_work *work = aplc_here;
    if (work == NULL)
        return calloc(count, bytes);
    aplc_stay(work);
    void *block = aplc_note(work, calloc(count, bytes));
    aplc_go_on(work);
    return block;
}

/* A large block that the host has kept; none for a program with a limit, which pays for the bytes it asks for. */
static inline void *aplc_taken(aplc_work *work, size_t align, size_t bytes) {
#ifdef APLC_LIMITED
    align = 0;
#endif
    return align == APLC_HUGE_PAGE ? APLC_HELD(work->take(bytes)) : NULL;
}

/* The same without a host; a library may have a pool of its own (`aplc_library_pool.h`). */
static inline int aplc_memalign_alone(void **block, size_t align, size_t bytes) {
#if defined(APLC_POOLED) && !defined(APLC_LIMITED)
    *block = align == APLC_HUGE_PAGE ? aplc_take(bytes) : NULL;
    if (*block != NULL || posix_memalign(block, align, bytes) == 0)
        return 0;
    aplc_drop();
#endif
    return posix_memalign(block, align, bytes);
}

static inline void aplc_free_alone(void *block) {
#ifdef APLC_POOLED
    lib_let_go(block);
#else
    free(block);
#endif
}

static inline int aplc_memalign(void **block, size_t align, size_t bytes) {
    aplc_work *work = aplc_here;
    if (work == NULL)
        return aplc_memalign_alone(block, align, bytes);
    aplc_stay(work);
    *block = aplc_taken(work, align, bytes);
    int status = *block != NULL ? 0 : posix_memalign(block, align, bytes);
    if (status != 0) {
        work->drop();
        status = posix_memalign(block, align, bytes);
    }
    if (status == 0 && aplc_note(work, *block) == NULL)
        status = -1;
    aplc_go_on(work);
    return status;
}

static inline void aplc_free(void *block) {
    if (block == NULL)
        return;
    aplc_work *work = aplc_here;
    if (work == NULL) {
        aplc_free_alone(block);
        return;
    }
    aplc_stay(work);
    int64_t k = work->count;
    while (k > 0 && work->blocks[k - 1] != block)
        k--;
    if (k > 0)
        work->blocks[k - 1] = work->blocks[--work->count];
    else
        work->forget(work, block);
    if (aplc_is_at_huge_page(block) && work->give(block))
        APLC_HELD_NO_MORE(block);
    else
        free(block);
    aplc_go_on(work);
}

/* Memory that the host gave, which this thread's work holds from now on. */
static inline void *aplc_noted(void *block) {
    aplc_work *work = aplc_here;
    if (work == NULL)
        return block;
    aplc_stay(work);
    block = aplc_note(work, block);
    aplc_go_on(work);
    return block;
}

#undef malloc
#undef calloc
#undef posix_memalign
#undef free
#define malloc(bytes) aplc_malloc(bytes)
#define calloc(count, bytes) aplc_calloc(count, bytes)
#define posix_memalign(block, align, bytes) aplc_memalign(block, align, bytes)
#define free(block) aplc_free(block)

#endif
