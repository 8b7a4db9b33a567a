/* Runs that can be ended: what Python, a time limit, or another thread asks for.

   A thread of this process, the watcher, looks at all runs some forty times a second. It interrupts by a signal those
   that go on for long in the thread where Python handles signals, those whose time is up, and those that are to end.
   The handler runs on the stack of the interrupted thread: it lets Python handle its signals, which raises
   KeyboardInterrupt or what else their handlers raise, and in this case, or when the time is up, it goes on where
   the run began. If Python's handlers raise nothing, the run goes on as if nothing had been.

   That is allowed as long as the thread was not interrupted in what is not ours (see `aplc_work.h`). The signal is SIGURG,
   which few use and which does nothing to a process without a handler; a handler that was there before is called
   when it is not for us. While nothing runs, the watcher sleeps, and no memory is kept (`aplc_pool.h`). */

#ifndef APLC_STOPS_H
#define APLC_STOPS_H

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "aplc_host.h"
#include "aplc_pool.h"

void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *state);
int PyErr_CheckSignals(void);

#define APLC_KICK SIGURG
enum {
    APLC_TICK = 25 * 1000 * 1000, /* nanoseconds between two looks of the watcher */
    APLC_PATIENCE = 1000 * 1000,  /* waiting longer for Python's lock, a run does so half as often */
    APLC_LINGER = 40,             /* looks without a run before the watcher sleeps */
};

enum { APLC_GOES_ON, APLC_RAISED, APLC_TOLD, APLC_OUT_OF_TIME };

/* A thread of Python in which programs run. */
typedef struct aplc_thread {
    struct aplc_thread *next;
    pthread_t id;
    volatile int64_t depth;    /* how many runs are in one another */
    volatile uint64_t turns;   /* how many have begun and ended */
    uint64_t seen;             /* at the last look */
    volatile int64_t deadline; /* of the innermost run; 0: none */
    volatile int is_told;      /* to end its run */
    int is_main;               /* Python handles signals in it */
} aplc_thread;

typedef struct {
    aplc_work whole;
    aplc_work *parts;
    volatile int why; /* it ends */
    int lock;         /* of `parts`, and of the blocks of `whole` while it has parts */
    int has_waited;   /* long, when it asked Python last */
    int64_t deadline;
    void *python; /* the state of the thread, while Python's lock is not held */
} aplc_stoppable;

static pthread_mutex_t aplc_watching = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t aplc_waking = PTHREAD_COND_INITIALIZER;
static aplc_thread *aplc_threads;
static int aplc_is_awake, aplc_has_watcher;
static pthread_key_t aplc_ending;
static struct sigaction aplc_before;
/* Each call asks for these, and there is one library that does. */
#if defined(__GLIBC__)
#define APLC_OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define APLC_OF_THREAD static _Thread_local
#endif
APLC_OF_THREAD aplc_thread *aplc_own;
APLC_OF_THREAD aplc_work *aplc_current;

static int64_t aplc_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* --- parts --- */

static void aplc_lock(int *lock) {
    while (__atomic_exchange_n(lock, 1, __ATOMIC_SEQ_CST))
        ;
}

static void aplc_unlock(int *lock) { __atomic_store_n(lock, 0, __ATOMIC_SEQ_CST); }

static void aplc_begin_work(aplc_work *work, void *run) {
    work->is_wanted = work->is_forked = 0;
    work->run = run;
    work->blocks = work->few;
    work->count = 0;
    work->room = APLC_FEW_BLOCKS;
    work->outer = aplc_current;
    work->take = aplc_take;
    work->give = aplc_give;
    work->drop = aplc_drop;
}

static bool aplc_begin_part(aplc_work *whole, aplc_work *part) {
    aplc_stoppable *run = whole->run;
    part->stays = 1;
    aplc_begin_work(part, run);
    part->thread = pthread_self();
    part->look = whole->look;
    part->forget = whole->forget;
    aplc_current = part;
    aplc_lock(&run->lock);
    part->next = run->parts;
    run->parts = part;
    aplc_unlock(&run->lock);
    part->stays = 0;
    return !run->why;
}

/* What a part still holds, the whole holds from then on. */
static void aplc_end_part(aplc_work *whole, aplc_work *part) {
    aplc_stoppable *run = whole->run;
    part->stays = 1;
    aplc_lock(&run->lock);
    aplc_work **place = &run->parts;
    while (*place != part)
        place = &(*place)->next;
    *place = part->next;
    while (part->count > 0) {
        void *block = part->blocks[--part->count];
        if (run->why) {
            free(block);
        } else if (whole->count == whole->room) { /* not noted: it is lost if the run is ended */
            void **more = malloc(2 * (size_t)whole->room * sizeof *more);
            if (more == NULL)
                continue;
            for (int64_t k = 0; k < whole->count; k++)
                more[k] = whole->blocks[k];
            if (whole->blocks != whole->few)
                free(whole->blocks);
            whole->blocks = more;
            whole->room *= 2;
            whole->blocks[whole->count++] = block;
        } else {
            whole->blocks[whole->count++] = block;
        }
    }
    aplc_unlock(&run->lock);
    if (part->blocks != part->few)
        free(part->blocks);
    aplc_current = part->outer;
    if (run->why) {
        whole->is_wanted = 1;
        if (part->outer != NULL && part->outer->run == run) /* it waits for its tasks, and ends behind them */
            part->outer->is_wanted = 1;
    }
}

/* A part frees a block of the whole. */
static void aplc_forget(aplc_work *part, const void *block) {
    aplc_stoppable *run = part->run;
    aplc_work *whole = &run->whole;
    if (part == whole)
        return;
    aplc_lock(&run->lock);
    for (int64_t k = whole->count; k > 0; k--)
        if (whole->blocks[k - 1] == block) {
            whole->blocks[k - 1] = whole->blocks[--whole->count];
            break;
        }
    aplc_unlock(&run->lock);
}

/* --- interruptions --- */

/* Let Python handle its signals. */
static int aplc_ask_python(aplc_stoppable *run, aplc_work *work) {
    if (run->has_waited) {
        run->has_waited = 0;
        return APLC_GOES_ON;
    }
    work->stays = 1;
    const int64_t before = aplc_now();
    PyEval_RestoreThread(run->python);
    run->has_waited = aplc_now() - before > APLC_PATIENCE;
    const int why = PyErr_CheckSignals() != 0 ? APLC_RAISED : APLC_GOES_ON;
    run->python = PyEval_SaveThread();
    work->stays = 0;
    return why;
}

/* What a thread does that was interrupted and may be ended. */
static void aplc_look(aplc_work *work) {
    aplc_stoppable *run = work->run;
    aplc_thread *self = aplc_own;
    const bool is_first = self != NULL && pthread_equal(run->whole.thread, self->id);
    work->is_wanted = 0;
    if (!run->why && is_first) {
        if (self->is_told)
            self->is_told = 0, run->why = APLC_TOLD;
        else if (run->deadline != 0 && aplc_now() >= run->deadline)
            run->why = APLC_OUT_OF_TIME;
        else if (self->is_main)
            run->why = aplc_ask_python(run, work);
    }
    if (!run->why)
        return;
    if (is_first) {
        work->stays = 1;
        aplc_lock(&run->lock);
        for (aplc_work *part = run->parts; part != NULL; part = part->next)
            if (part != work)
                pthread_kill(part->thread, APLC_KICK);
        aplc_unlock(&run->lock);
        work->stays = 0;
    }
    if (!work->is_forked)
        siglongjmp(work->target, 1);
    work->is_wanted = 1; /* once its parts have ended */
}

/* To the handler that was there before, which may pass it on to us. */
static void aplc_pass_on(int number, siginfo_t *info, void *context) {
    static _Thread_local bool is_passing;
    if (is_passing)
        return;
    is_passing = true;
    if (aplc_before.sa_flags & SA_SIGINFO)
        aplc_before.sa_sigaction(number, info, context);
    else if (aplc_before.sa_handler != SIG_DFL && aplc_before.sa_handler != SIG_IGN)
        aplc_before.sa_handler(number);
    is_passing = false;
}

static void aplc_kicked(int number, siginfo_t *info, void *context) {
    const int before = errno;
    aplc_work *work = aplc_current;
    if (work != NULL && work->stays)
        work->is_wanted = 1;
    else if (work != NULL)
        aplc_look(work);
    else
        aplc_pass_on(number, info, context);
    errno = before;
}

/* --- the watcher --- */

/* Our handler is there, whoever was before. */
static void aplc_handle(void) {
    struct sigaction found;
    if (sigaction(APLC_KICK, NULL, &found) != 0 ||
        ((found.sa_flags & SA_SIGINFO) && found.sa_sigaction == aplc_kicked))
        return;
    aplc_before = found;
    struct sigaction ours = {.sa_sigaction = aplc_kicked, .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    sigaction(APLC_KICK, &ours, NULL);
}

/* Interrupt what is to be; whether anything runs. */
static bool aplc_look_around(void) {
    bool runs = false;
    const int64_t now = aplc_now();
    for (aplc_thread *thread = aplc_threads; thread != NULL; thread = thread->next) {
        if (__atomic_load_n(&thread->depth, __ATOMIC_SEQ_CST) == 0)
            continue;
        runs = true;
        const int64_t deadline = thread->deadline;
        const bool is_long = thread->is_main && thread->turns == thread->seen;
        thread->seen = thread->turns;
        if (is_long || thread->is_told || (deadline != 0 && now >= deadline))
            pthread_kill(thread->id, APLC_KICK);
    }
    return runs;
}

static void *aplc_watch(void *unused) {
    const struct timespec tick = {0, APLC_TICK};
    int idle = 0;
    pthread_mutex_lock(&aplc_watching);
    for (;;) {
        aplc_handle();
        idle = aplc_look_around() ? 0 : idle + 1;
        if (idle > APLC_LINGER) {
            __atomic_store_n(&aplc_is_awake, 0, __ATOMIC_SEQ_CST);
            pthread_mutex_unlock(&aplc_watching);
            aplc_empty_pool(false);
            pthread_mutex_lock(&aplc_watching);
            while (!aplc_look_around() && !__atomic_load_n(&aplc_is_awake, __ATOMIC_SEQ_CST))
                pthread_cond_wait(&aplc_waking, &aplc_watching);
            __atomic_store_n(&aplc_is_awake, 1, __ATOMIC_SEQ_CST);
            aplc_pool.is_open = 1;
            idle = 0;
        }
        pthread_mutex_unlock(&aplc_watching);
        aplc_look_at_pool();
        nanosleep(&tick, NULL);
        pthread_mutex_lock(&aplc_watching);
    }
    return unused;
}

/* Wake the watcher, or make it; it gets no signals. Without one programs run as they are. */
static void aplc_wake(void) {
    pthread_mutex_lock(&aplc_watching);
    __atomic_store_n(&aplc_is_awake, 1, __ATOMIC_SEQ_CST);
    aplc_pool.is_open = 1;
    if (aplc_has_watcher) {
        pthread_cond_signal(&aplc_waking);
    } else {
        sigset_t all, mask;
        pthread_t watcher;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &mask);
        aplc_has_watcher = 1;
        if (pthread_create(&watcher, NULL, aplc_watch, NULL) == 0)
            pthread_detach(watcher);
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
    }
    pthread_mutex_unlock(&aplc_watching);
}

/* --- threads --- */

static void aplc_end_thread(void *of) {
    aplc_thread *thread = of;
    pthread_mutex_lock(&aplc_watching);
    for (aplc_thread **place = &aplc_threads; *place != NULL; place = &(*place)->next)
        if (*place == thread) {
            *place = thread->next;
            break;
        }
    pthread_mutex_unlock(&aplc_watching);
    free(thread);
}

static pthread_t aplc_main;

static aplc_thread *aplc_this_thread(void) {
    if (aplc_own != NULL)
        return aplc_own;
    aplc_thread *thread = calloc(1, sizeof *thread);
    if (thread == NULL)
        return NULL;
    thread->id = pthread_self();
    thread->is_main = pthread_equal(thread->id, aplc_main) != 0;
    pthread_mutex_lock(&aplc_watching);
    thread->next = aplc_threads;
    aplc_threads = thread;
    pthread_mutex_unlock(&aplc_watching);
    pthread_setspecific(aplc_ending, thread);
    sigset_t kick; /* which may be blocked with all others; once for a thread, as it is not free */
    sigemptyset(&kick);
    sigaddset(&kick, APLC_KICK);
    pthread_sigmask(SIG_UNBLOCK, &kick, NULL);
    return aplc_own = thread;
}

/* The runs of a thread are to end. */
static void aplc_tell(pthread_t id) {
    pthread_mutex_lock(&aplc_watching);
    for (aplc_thread *thread = aplc_threads; thread != NULL; thread = thread->next)
        if (pthread_equal(thread->id, id)) {
            thread->is_told = 1;
            if (thread->depth > 0)
                pthread_kill(id, APLC_KICK);
        }
    pthread_mutex_unlock(&aplc_watching);
}

/* Of a process that is forked off, only this thread is there, and it is the main one. */
static void aplc_after_fork(void) {
    pthread_mutex_init(&aplc_watching, NULL);
    pthread_cond_init(&aplc_waking, NULL);
    aplc_is_awake = aplc_has_watcher = 0;
    aplc_pool_after_fork();
    aplc_main = pthread_self();
    aplc_threads = aplc_own;
    if (aplc_own != NULL) {
        aplc_own->next = NULL;
        aplc_own->is_main = 1;
    }
}

static void aplc_begin_stops(pthread_t main_thread) {
    aplc_main = main_thread;
    pthread_key_create(&aplc_ending, aplc_end_thread);
    pthread_atfork(NULL, NULL, aplc_after_fork);
    aplc_handle();
}

/* --- runs --- */

typedef int aplc_entry(aplc_host *host, const aplc_array *in, aplc_array *out);
typedef aplc_work **aplc_place(void);

/* Run a program without Python's lock, which is held here; `place` tells where it keeps what a thread does. `seconds` is
   how long it may take, 0: for ever. `why` is why it has ended before its time; for APLC_RAISED there is an exception. */
static int aplc_run_stoppable(aplc_entry *entry, aplc_place *place, double seconds, aplc_host *host,
                              const aplc_array *in, aplc_array *out, int *why) {
    aplc_thread *self = place != NULL ? aplc_this_thread() : NULL;
    *why = APLC_GOES_ON;
    if (self == NULL) {
        void *python = PyEval_SaveThread();
        const int status = entry(host, in, out);
        PyEval_RestoreThread(python);
        return status;
    }
    aplc_stoppable run;
    volatile int status = APLC_STOPPED;
    aplc_work *whole = &run.whole, **here = place(), *const here_before = *here;
    const int64_t deadline_before = self->deadline;
    run.parts = NULL;
    run.why = run.lock = run.has_waited = 0;
    run.deadline = seconds > 0 ? aplc_now() + (int64_t)(seconds * 1e9) : 0;
    whole->stays = 0;
    aplc_begin_work(whole, &run);
    whole->thread = self->id;
    whole->look = aplc_look;
    whole->begin_part = aplc_begin_part;
    whole->end_part = aplc_end_part;
    whole->forget = aplc_forget;
    host->work = whole;
    run.python = PyEval_SaveThread();
    self->deadline = run.deadline;
    self->turns++;
    __atomic_store_n(&self->depth, self->depth + 1, __ATOMIC_SEQ_CST); /* before it is asked whether someone watches */
    if (!__atomic_load_n(&aplc_is_awake, __ATOMIC_SEQ_CST))
        aplc_wake();
    *here = whole;
    if (sigsetjmp(whole->target, 0) == 0) {
        aplc_current = whole;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        status = entry(host, in, out);
    }
    whole->stays = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    aplc_current = whole->outer;
    *here = here_before;
    self->deadline = deadline_before;
    self->turns++;
    self->depth--;
    PyEval_RestoreThread(run.python);
    *why = run.why;
    for (int64_t k = 0; run.why && k < whole->count; k++)
        free(whole->blocks[k]);
    if (whole->blocks != whole->few)
        free(whole->blocks);
    if (!run.why)
        host->work = NULL; /* the results are there */
    return status;
}

#endif
