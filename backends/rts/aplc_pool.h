/* Large blocks of memory that nobody needs any more, kept for whoever needs one next.

   A page that is new to a process is cleared by the kernel when it is written first, which takes longer than what most
   loops do with it. So what programs free and what NumPy lets go of stays here, each block one of malloc, which those
   who know of no pool may free. The kernel takes the pages back whenever it is short of memory (MADV_FREE); otherwise
   they go when there are too many of them, when malloc finds no more, and when nothing has run for a while.

   To tell the kernel so interrupts all other threads of the process, which takes as long as a short call. So only
   blocks that nobody has taken between two looks at the pool are offered to it. */

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
#include <sched.h>
#endif

#include "aplc_work.h"

enum { APLC_MOST_KEPT = 16, APLC_TRIES = 100, APLC_POOL_WAITS = 10000 };

/* What is known of a block: whether it was there at the last look, is being offered, or the kernel may take it. One
   that is being offered stays where it is: nobody takes it, or frees it. */
enum { APLC_NEW, APLC_POOL_SEEN, APLC_BUSY, APLC_OFFERED };

typedef struct {
    void *memory;
    size_t size;
    int state;
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

/* The first block that may be freed, or -1. */
static int aplc_first_idle(void) {
    for (int k = 0; k < aplc_pool.count; k++)
        if (aplc_pool.blocks[k].state != APLC_BUSY)
            return k;
    return -1;
}

/* A block of so many bytes and at most half as many more, at a whole huge page; NULL where there is none. One that is
   being offered is worth a moment, as new pages take longer. */
static void *aplc_take(size_t bytes) {
    for (int waits = 0; waits < APLC_POOL_WAITS; waits++) {
        if (!aplc_enter_pool())
            return NULL;
        int best = -1;
        bool is_busy = false;
        for (int k = 0; k < aplc_pool.count; k++) {
            const size_t size = aplc_pool.blocks[k].size;
            const bool fits = size >= bytes && size - bytes <= bytes / 2;
            if (fits && aplc_pool.blocks[k].state == APLC_BUSY)
                is_busy = true;
            else if (fits && (best < 0 || size <= aplc_pool.blocks[best].size))
                best = k;
        }
        void *found = best >= 0 ? aplc_removed(best).memory : NULL;
        aplc_leave_pool();
        if (found != NULL || !is_busy)
            return found;
#if defined(__linux__)
        sched_yield();
#endif
    }
    return NULL;
}

/* Keep a block at a whole huge page, if there is room: whether it need not be freed. */
static bool aplc_give(void *memory) {
    bool is_kept = false;
#if defined(__linux__) && defined(MADV_FREE)
    const aplc_kept block = {memory, malloc_usable_size(memory), APLC_NEW};
    aplc_kept gone[APLC_MOST_KEPT];
    if (block.size < APLC_LARGE || block.size > aplc_pool.most || !aplc_enter_pool())
        return false;
    int count = 0;
    is_kept = aplc_pool.is_open;
    while (is_kept && (aplc_pool.count == APLC_MOST_KEPT || aplc_pool.bytes + block.size > aplc_pool.most)) {
        const int first = aplc_first_idle();
        if (first < 0)
            is_kept = false;
        else
            gone[count++] = aplc_removed(first);
    }
    if (is_kept) {
        aplc_pool.blocks[aplc_pool.count++] = block;
        aplc_pool.bytes += block.size;
    }
    aplc_leave_pool();
    while (count > 0)
        free(gone[--count].memory);
#else
    (void)memory;
#endif
    return is_kept;
}

/* The end of an offer: the block remains if it may. */
static void aplc_offered(const void *memory, bool is_kept) {
    void *gone = NULL;
    while (!aplc_enter_pool())
        ;
    for (int k = 0; k < aplc_pool.count; k++)
        if (aplc_pool.blocks[k].memory == memory) {
            aplc_pool.blocks[k].state = APLC_OFFERED;
            if (!is_kept || !aplc_pool.is_open)
                gone = aplc_removed(k).memory;
            break;
        }
    aplc_leave_pool();
    free(gone);
}

/* Offer to the kernel what nobody has taken since the last look. One thread does so. */
static void aplc_look_at_pool(void) {
#if defined(__linux__) && defined(MADV_FREE)
    for (int looks = 0; looks < APLC_MOST_KEPT; looks++) {
        aplc_kept block = {NULL, 0, APLC_NEW};
        if (!aplc_enter_pool())
            return;
        for (int k = 0; k < aplc_pool.count && block.memory == NULL; k++)
            if (aplc_pool.blocks[k].state == APLC_POOL_SEEN) {
                aplc_pool.blocks[k].state = APLC_BUSY;
                block = aplc_pool.blocks[k];
            }
        for (int k = 0; k < aplc_pool.count && block.memory == NULL; k++)
            if (aplc_pool.blocks[k].state == APLC_NEW)
                aplc_pool.blocks[k].state = APLC_POOL_SEEN;
        aplc_leave_pool();
        if (block.memory == NULL)
            return;
        const size_t pages = block.size & ~(size_t)(APLC_HUGE_PAGE - 1);
        aplc_offered(block.memory, madvise(block.memory, pages, MADV_FREE) == 0);
    }
#endif
}

/* Free all blocks; others are kept only if it is open then. */
static void aplc_empty_pool(bool is_open) {
    aplc_kept gone[APLC_MOST_KEPT];
    int count = 0, first;
    while (__atomic_exchange_n(&aplc_pool.lock, 1, __ATOMIC_ACQUIRE))
        ;
    while ((first = aplc_first_idle()) >= 0)
        gone[count++] = aplc_removed(first);
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

/* In a process that was forked off while another thread was at it, what is in it is lost; nobody offers a block. */
static void aplc_pool_after_fork(void) {
    if (aplc_pool.lock)
        aplc_pool.count = 0, aplc_pool.bytes = 0;
    for (int k = 0; k < aplc_pool.count; k++)
        if (aplc_pool.blocks[k].state == APLC_BUSY)
            aplc_pool.blocks[k].state = APLC_NEW;
    aplc_pool.lock = 0;
}

#endif
