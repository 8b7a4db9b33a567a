/* Large blocks of memory that nobody needs any more, kept for whoever needs one next.

   A page that is new to a process is cleared by the kernel when it is written first, which takes longer than what most loops do
   with it. So what programs free and what NumPy lets go of stays here, each block one of malloc, which those who know of
   no pool may free. The kernel takes the pages back whenever it is short of memory (MADV_FREE); otherwise
   they go when there are too many of them, when malloc finds no more, and when nothing has run for a while. */

#ifndef APLC_POOL_H
#define APLC_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <malloc.h>
#include <sys/mman.h>
#endif

#include "aplc_work.h"

enum { APLC_MOST_KEPT = 16, APLC_TRIES = 100 };

typedef struct {
    void *memory;
    size_t size;
} aplc_kept;

static struct {
    int lock, is_open, count;
    size_t bytes, most;
    aplc_kept blocks[APLC_MOST_KEPT]; /* the one that was kept first is the first to go */
} aplc_pool;

/* Nobody waits long for the pool: without it there is malloc. */
static bool aplc_enter_pool(void) {
    for (int k = 0; k < APLC_TRIES; k++)
        if (!__atomic_exchange_n(&aplc_pool.lock, 1, __ATOMIC_ACQUIRE))
            return true;
    return false;
}

static void aplc_leave_pool(void) { __atomic_store_n(&aplc_pool.lock, 0, __ATOMIC_RELEASE); }

static aplc_kept aplc_removed(int k) {
    const aplc_kept found = aplc_pool.blocks[k];
    memmove(&aplc_pool.blocks[k], &aplc_pool.blocks[k + 1], (size_t)(--aplc_pool.count - k) * sizeof found);
    aplc_pool.bytes -= found.size;
    return found;
}

/* A block of so many bytes and at most half as many more, at a whole huge page; NULL where there is none. */
static void *aplc_take(size_t bytes) {
    void *found = NULL;
    if (!aplc_enter_pool())
        return found;
    int best = -1;
    for (int k = 0; k < aplc_pool.count; k++) {
        const size_t size = aplc_pool.blocks[k].size;
        if (size >= bytes && size - bytes <= bytes / 2 && (best < 0 || size <= aplc_pool.blocks[best].size))
            best = k;
    }
    if (best >= 0)
        found = aplc_removed(best).memory;
    aplc_leave_pool();
    return found;
}

/* Keep a block at a whole huge page, if there is room: whether it need not be freed. */
static bool aplc_give(void *memory) {
    bool is_kept = false;
#if defined(__linux__) && defined(MADV_FREE)
    aplc_kept block = {memory, malloc_usable_size(memory)}, gone[APLC_MOST_KEPT];
    const size_t pages = block.size & ~(size_t)(APLC_HUGE_PAGE - 1);
    if (block.size < APLC_LARGE || block.size > aplc_pool.most || madvise(memory, pages, MADV_FREE) != 0 ||
        !aplc_enter_pool())
        return false;
    int count = 0;
    if (aplc_pool.is_open) {
        while (aplc_pool.count == APLC_MOST_KEPT || aplc_pool.bytes + block.size > aplc_pool.most)
            gone[count++] = aplc_removed(0);
        aplc_pool.blocks[aplc_pool.count++] = block;
        aplc_pool.bytes += block.size;
        is_kept = true;
    }
    aplc_leave_pool();
    while (count > 0)
        free(gone[--count].memory);
#else
    (void)memory;
#endif
    return is_kept;
}

/* Free all blocks; others are kept only if it is open then. */
static void aplc_empty_pool(bool is_open) {
    aplc_kept gone[APLC_MOST_KEPT];
    int count = 0;
    while (__atomic_exchange_n(&aplc_pool.lock, 1, __ATOMIC_ACQUIRE))
        ;
    while (aplc_pool.count > 0)
        gone[count++] = aplc_removed(aplc_pool.count - 1);
    aplc_pool.is_open = is_open;
    aplc_leave_pool();
    while (count > 0)
        free(gone[--count].memory);
}

/* There is no memory for what else a program needs. */
static void aplc_drop(void) { aplc_empty_pool(true); }

/* Free a block of malloc, or keep it. */
static void aplc_let_go(void *memory) {
    if (!aplc_is_at_huge_page(memory) || !aplc_give(memory))
        free(memory);
}

/* In a process that was forked off while another thread was at it, what is in it is lost. */
static void aplc_pool_after_fork(void) {
    if (aplc_pool.lock)
        aplc_pool.count = 0, aplc_pool.bytes = 0;
    aplc_pool.lock = 0;
}

#endif
