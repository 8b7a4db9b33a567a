/* Calls that are made at the same time: tasks, and the crew of threads that does them.

   A crew is the threads of one parallel region of OpenMP, which is opened where calls are met that are worth it, in the
   thread with the deep stack. This one makes the calls, the others wait for tasks; inside of a task calls that are worth
   it are tasks of the same crew. Of the calls of one place all but the last wait in a queue; who comes to one that nobody
   has begun does it, and who waits for one that somebody else does meanwhile takes others. (The tasks of OpenMP would be
   done as well, but in `taskwait` its libraries take children of the waiting task alone: where halves are uneven, threads
   idle.) While enough tasks wait for threads, calls are made as they stand.

   Whether calls are worth it is told by the work that they have of their own, without that of calls inside, if this is
   much. If it is little, they may be many: the outermost call is tried in one thread, with a budget of work, and made
   again in a crew if that does not suffice. It has tasks down to some depth, however little calls do themselves.

   A task that fails says that and no more, and from then on tasks fail that nobody has begun: a recursion without an end
   would else reach the end of the stack in every one of them. The calls that failed are then made again by who opened the
   region, one after the other, without tasks: the first error in the order of the program is that of the program, and a
   recursion that is too deep for the stack of a thread of the crew is so only if it is too deep for that of the program. */

#ifndef APLC_TASKS_H
#define APLC_TASKS_H

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "aplc_threads.h"

/* Calls of so much work of their own are worth a crew, and a task in it; any is in tests. So much is tried in one
   thread. */
#define APLC_WORTH_CREW (APLC_WORTH / 8)
#define APLC_WORTH_TASK (APLC_WORTH / 32)
#define APLC_BUDGET ((int64_t)(APLC_WORTH / 2))
enum { APLC_TASK_DEPTH = 12, APLC_TASK_SPINS = 2000 };

typedef struct aplc_task {
    int (*run)(aplc_host *host, struct aplc_task *task);
    int (*alone)(aplc_host *host, struct aplc_task *task); /* without tasks inside */
    int depth;                                             /* of calls since the region began */
    int status, state;
    struct aplc_task *older, *newer; /* in the queue */
    int64_t held;                    /* blocks of memory, where that is counted */
} aplc_task;

enum { APLC_WAITS, APLC_BEGUN, APLC_DONE };

typedef struct aplc_crew {
    pthread_mutex_t lock;
    pthread_cond_t change;
    aplc_task *oldest, *newest;
    int queued, sleepers, is_over, has_failed;
    int threads;
    bool is_by_depth; /* whether tasks end at a depth; else where calls have too little work */
    const aplc_host *host;
} aplc_crew;

/* At the beginning of a program with tasks. */
static inline void aplc_begin_tasks(aplc_host *host) {
    host->budget = INT64_MAX;
    host->is_alone = aplc_parts_worth(host, APLC_MOST_PARTS, 1.0, 0.0) == 1;
}

/* How a call is made that has so much work of its own. */
enum { APLC_IN_TASKS, APLC_PLAIN, APLC_TRIED };
static inline int aplc_way(const aplc_host *host, int depth, double work) {
    if (host->crew != NULL)
        return (host->crew->is_by_depth ? depth < APLC_TASK_DEPTH : work >= APLC_WORTH_TASK) ? APLC_IN_TASKS : APLC_PLAIN;
    return host->is_alone ? APLC_PLAIN : work >= APLC_WORTH_CREW ? APLC_IN_TASKS : APLC_TRIED;
}

/* Whether calls of so much work of their own are to be tasks. */
static inline bool aplc_is_worth(const aplc_host *host, int count, const double *work) {
    const aplc_crew *crew = host->crew;
    if (crew == NULL ? host->is_alone : __atomic_load_n(&crew->queued, __ATOMIC_RELAXED) >= crew->threads)
        return false;
    if (crew != NULL && crew->is_by_depth)
        return true;
    double whole = 0;
    int large = 0;
    for (int k = 0; k < count; k++) {
        whole += work[k];
        large += work[k] >= APLC_WORTH_TASK;
    }
    return large > 1 && (crew != NULL || whole >= APLC_WORTH_CREW);
}

/* Whether a call that is tried may go on. */
static inline bool aplc_spend(aplc_host *host, double work) { return (host->budget -= (int64_t)work) >= 0; }

/* --- the threads of a crew --- */

#if defined(__linux__)
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
#endif

/* How far from here the stack of this thread may be used. */
static inline int64_t aplc_stack_left(const char *here) {
    int64_t left = INT64_C(1) << 18;
#if defined(__linux__)
    pthread_attr_t attributes;
    void *low;
    size_t bytes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &low, &bytes) == 0)
            left = here - (const char *)low;
        pthread_attr_destroy(&attributes);
    }
#elif defined(__APPLE__)
    left = here - ((const char *)pthread_get_stackaddr_np(pthread_self()) - pthread_get_stacksize_np(pthread_self()));
#endif
    return left / 4 * 3;
}

static inline void aplc_unlink(aplc_crew *crew, aplc_task *task) {
    *(task->older != NULL ? &task->older->newer : &crew->oldest) = task->newer;
    *(task->newer != NULL ? &task->newer->older : &crew->newest) = task->older;
    __atomic_store_n(&task->state, APLC_BEGUN, __ATOMIC_RELAXED); /* who waits for it looks without the lock */
    __atomic_store_n(&crew->queued, crew->queued - 1, __ATOMIC_RELAXED);
}

/* Do a task in this thread, whose stack may be used as far as `mine` says. */
static void aplc_do(aplc_crew *crew, aplc_task *task, const aplc_host *mine) {
    if (__atomic_load_n(&crew->has_failed, __ATOMIC_RELAXED)) {
        task->status = APLC_FAILED;
        return;
    }
    aplc_host host = *crew->host;
    host.crew = crew;
    aplc_begin_stack(&host, mine->stack, mine->stack_size);
    task->status = APLC_STOPPED;
#ifdef APLC_LIMITED
    aplc_work_for(&host);
#endif
#ifdef APLC_DEBUG
    const int64_t before = aplc_held;
#endif
    APLC_PART(crew->host, task->status = task->run(&host, task));
    if (task->status != APLC_OK)
        __atomic_store_n(&crew->has_failed, 1, __ATOMIC_RELAXED);
#ifdef APLC_DEBUG
    task->held = aplc_held - before;
    aplc_held = before;
#endif
}

static void aplc_end_task(aplc_crew *crew, aplc_task *task) {
    pthread_mutex_lock(&crew->lock);
    __atomic_store_n(&task->state, APLC_DONE, __ATOMIC_RELEASE);
    if (crew->sleepers > 0)
        pthread_cond_broadcast(&crew->change);
    pthread_mutex_unlock(&crew->lock);
}

/* Take other tasks, and sleep where there are none, until this one is done; without one, until all is. */
static void aplc_help(aplc_crew *crew, aplc_task *task, const aplc_host *mine) {
    const int *const state = task != NULL ? &task->state : &crew->is_over;
    const int end = task != NULL ? APLC_DONE : 1;
    const char here = 0;
    const intptr_t used = (intptr_t)mine->stack - (intptr_t)&here;
    const bool is_roomy = (used < 0 ? -used : used) < mine->stack_size / 2; /* for what is no part of this task */
    int spins = 0;
    while (__atomic_load_n(state, __ATOMIC_ACQUIRE) != end) {
        if (spins++ < APLC_TASK_SPINS && __atomic_load_n(&crew->queued, __ATOMIC_RELAXED) == 0)
            continue;
        pthread_mutex_lock(&crew->lock);
        aplc_task *next = task != NULL && task->state == APLC_WAITS ? task : is_roomy ? crew->oldest : NULL;
        if (next != NULL) {
            aplc_unlink(crew, next);
        } else if (__atomic_load_n(state, __ATOMIC_RELAXED) != end) {
            crew->sleepers++;
            pthread_cond_wait(&crew->change, &crew->lock);
            crew->sleepers--;
        }
        pthread_mutex_unlock(&crew->lock);
        if (next != NULL) {
            aplc_do(crew, next, mine);
            aplc_end_task(crew, next);
        }
        spins = 0;
    }
}

/* --- calls --- */

/* Calls inside of a region; the status of the first that failed. Meanwhile a signal ends this thread in a task alone. */
static int aplc_share(aplc_host *host, aplc_task *const *tasks, int count) {
    aplc_crew *crew = host->crew;
    aplc_work *const work = aplc_here;
    if (work != NULL)
        work->is_forked = 1;
    pthread_mutex_lock(&crew->lock);
    for (int k = 0; k < count - 1; k++) {
        tasks[k]->state = APLC_WAITS;
        tasks[k]->older = crew->newest;
        tasks[k]->newer = NULL;
        *(crew->newest != NULL ? &crew->newest->newer : &crew->oldest) = tasks[k];
        crew->newest = tasks[k];
    }
    __atomic_store_n(&crew->queued, crew->queued + count - 1, __ATOMIC_RELAXED);
    if (crew->sleepers > 0)
        pthread_cond_broadcast(&crew->change);
    pthread_mutex_unlock(&crew->lock);
    aplc_do(crew, tasks[count - 1], host);
    for (int k = count - 2; k >= 0; k--)
        aplc_help(crew, tasks[k], host);
    int status = APLC_OK;
    for (int k = count - 1; k >= 0; k--) {
        status = tasks[k]->status != APLC_OK ? tasks[k]->status : status;
#ifdef APLC_DEBUG
        aplc_held += tasks[k]->held;
#endif
    }
    if (work != NULL) {
        work->is_forked = 0;
        if (work->is_wanted)
            work->look(work);
    }
    return status;
}

/* The first thread of a region makes the calls, the others help. */
static void aplc_region(aplc_crew *crew, aplc_task *const *tasks, int count) {
    aplc_host host = *crew->host;
    host.crew = crew;
    if (omp_get_thread_num() > 0) {
        const char here = 0;
        aplc_begin_stack(&host, &here, aplc_stack_left(&here));
        aplc_help(crew, NULL, &host);
        return;
    }
    APLC_PART(crew->host, aplc_share(&host, tasks, count));
    pthread_mutex_lock(&crew->lock);
    __atomic_store_n(&crew->is_over, 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&crew->change);
    pthread_mutex_unlock(&crew->lock);
}

/* Calls that are worth tasks: at the same time, or as if one after the other. */
static APLC_APART int aplc_together(aplc_host *host, aplc_task *const *tasks, int count, bool is_by_depth) {
    if (host->crew != NULL)
        return aplc_share(host, tasks, count);
    aplc_crew crew = {.is_by_depth = is_by_depth, .host = host};
    crew.threads = aplc_parts_worth(host, APLC_MOST_PARTS, 1.0, 0.0);
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.change, NULL);
    for (int k = 0; k < count; k++)
        tasks[k]->depth = 0;
    aplc_fork(host);
#pragma omp parallel num_threads(crew.threads)
    aplc_region(&crew, tasks, count);
    pthread_cond_destroy(&crew.change);
    pthread_mutex_destroy(&crew.lock);
    aplc_join(host);
    int status = APLC_OK;
    for (int k = 0; k < count && status == APLC_OK; k++)
        if (tasks[k]->status != APLC_OK) {
            host->is_alone = 1; /* from now on: others might fail as well */
            status = tasks[k]->alone(host, tasks[k]);
        }
    return status;
}

#endif
