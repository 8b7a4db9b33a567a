/* A limit to what the arrays of a run take: `aplc.h` includes this where APLC_LIMITED is defined, and the header that
   knows the size of a block before. Each block of memory
   is paid for from what its run has left, and each release gives back; what a run hands out stays paid. A thread knows
   whose run it works for since `aplc_work_for`. */

#ifndef APLC_LIMIT_H
#define APLC_LIMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#if defined(__APPLE__)
#define APLC_BLOCK_SIZE(memory) malloc_size(memory)
#else
#define APLC_BLOCK_SIZE(memory) malloc_usable_size(memory)
#endif

#include "aplc_host.h"
#include "aplc_once.h"

APLC_STATE _Thread_local int64_t *aplc_left;

static inline void aplc_work_for(const aplc_host *host) { aplc_left = host->memory; }

static inline void aplc_pay(int64_t bytes) {
    if (aplc_left != NULL)
        __atomic_sub_fetch(aplc_left, bytes, __ATOMIC_RELAXED);
}

/* Whether so many bytes are left, which are then paid. */
static inline bool aplc_can_pay(size_t bytes) {
    if (bytes > INT64_MAX)
        return false;
    if (aplc_left == NULL || __atomic_sub_fetch(aplc_left, (int64_t)bytes, __ATOMIC_RELAXED) >= 0)
        return true;
    aplc_pay(-(int64_t)bytes);
    return false;
}

/* A block for which so many bytes have been paid: its size is the allocator's affair. */
static inline void *aplc_paid(void *memory, size_t bytes) {
    aplc_pay((memory == NULL ? 0 : (int64_t)APLC_BLOCK_SIZE(memory)) - (int64_t)bytes);
    return memory;
}

static inline void *aplc_pay_malloc(size_t bytes) { return aplc_can_pay(bytes) ? aplc_paid(malloc(bytes), bytes) : NULL; }

static inline void *aplc_pay_calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || !aplc_can_pay(bytes))
        return NULL;
    return aplc_paid(calloc(count, size), bytes);
}

static inline int aplc_pay_memalign(void **memory, size_t align, size_t bytes) {
    *memory = NULL;
    const int status = aplc_can_pay(bytes) ? posix_memalign(memory, align, bytes) : 1;
    if (status == 0)
        aplc_paid(*memory, bytes);
    return status;
}

static inline void aplc_pay_back(void *memory) {
    if (memory != NULL)
        aplc_pay(-(int64_t)APLC_BLOCK_SIZE(memory));
    free(memory);
}

#undef malloc
#undef calloc
#undef posix_memalign
#undef free
#define malloc(bytes) aplc_pay_malloc(bytes)
#define calloc(count, bytes) aplc_pay_calloc(count, bytes)
#define posix_memalign(memory, align, bytes) aplc_pay_memalign(memory, align, bytes)
#define free(memory) aplc_pay_back(memory)

#endif
