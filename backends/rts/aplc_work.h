/* What a thread computes for a run, which may be ended from outside, wherever it stands.

   No loop asks whether to go on. A signal interrupts the thread instead, and its handler (`aplc_stops.h`) goes on at
   `target`, where the run ends. What it held is then freed: the run knows its blocks of memory (`aplc_memory.h`).
   Nothing else of ours is left half done, but what is not ours may be: in the allocator, in a function of the host, a
   thread has to `stay`. So it has while it waits for the threads of a loop in parts; these are ended one by one. */

#ifndef APLC_WORK_H
#define APLC_WORK_H

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { APLC_FEW_BLOCKS = 16 };

/* Memory of so many bytes begins at a huge page. */
enum { APLC_LARGE = 1 << 22, APLC_HUGE_PAGE = 1 << 21 };

static inline bool aplc_is_at_huge_page(const void *memory) { return ((uintptr_t)memory & (APLC_HUGE_PAGE - 1)) == 0; }

typedef struct aplc_work {
    sigjmp_buf target;
    volatile int stays;        /* how often it must stay */
    volatile int is_wanted;    /* whether it has been interrupted meanwhile */
    volatile int is_forked;    /* whether it waits for the parts of a loop */
    void *run;                 /* to which it belongs */
    struct aplc_work *outer;   /* what this thread did before */
    struct aplc_work *next;    /* a part of the same run */
    pthread_t thread;
    void **blocks;             /* of memory that it holds */
    int64_t count, room;
    void *few[APLC_FEW_BLOCKS];
    /* What the host does with it: what an interrupted thread does as soon as it may be ended; the beginning of a part
       of this work in some thread, which is not worth while after the end of the run; its end; and a block of this work
       that one of its parts frees. */
    void (*look)(struct aplc_work *work);
    bool (*begin_part)(struct aplc_work *whole, struct aplc_work *part);
    void (*end_part)(struct aplc_work *whole, struct aplc_work *part);
    void (*forget)(struct aplc_work *part, const void *block);
    /* Large blocks that are kept (`aplc_pool.h`): one of so many bytes, or NULL; one more, which it need not free if it
       is taken; and none any more, as there is no memory. */
    void *(*take)(size_t bytes);
    bool (*give)(void *block);
    void (*drop)(void);
} aplc_work;

/* Between these two a thread is not ended. */
static inline void aplc_stay(aplc_work *work) {
    if (work == NULL)
        return;
    work->stays++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void aplc_go_on(aplc_work *work) {
    if (work == NULL)
        return;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (--work->stays == 0 && work->is_wanted)
        work->look(work);
}

#endif
