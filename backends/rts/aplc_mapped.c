/* Files that are mapped and cut short while a program reads them.

   Touching what is gone is a SIGBUS, in whatever thread: of generated code, of OpenMP, of a driver of OpenCL, or of NumPy.
   Nothing can be given to the instruction that waits for its element, so the process says why it ends, and ends, with
   nothing but what a handler of signals may call. A signal about any other memory goes to who handled it before. */

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "aplc_host.h"

enum { MOST_RANGES = 64, LONGEST_MESSAGE = 4096, STATUS = 1 };

typedef struct {
    const char *volatile begin; /* NULL: unused */
    const char *end;
    size_t length;
    char message[LONGEST_MESSAGE];
} range;

static range ranges[MOST_RANGES];
static struct sigaction before;
static int is_installed;

/* The first thread that gets here; others wait for the end. */
static void end_process(const range *cut) {
    static int has_begun;
    while (__atomic_exchange_n(&has_begun, 1, __ATOMIC_SEQ_CST))
        pause();
    size_t told = 0;
    while (told < cut->length) {
        const ssize_t step = write(STDERR_FILENO, cut->message + told, cut->length - told);
        if (step <= 0)
            break;
        told += (size_t)step;
    }
    _exit(STATUS);
}

static void on_fault(int number, siginfo_t *about, void *context) {
    (void)context;
    const char *place = about->si_addr;
    for (range *each = ranges; about->si_code > 0 && each < ranges + MOST_RANGES; each++)
        if (each->begin != NULL && each->begin <= place && place < each->end)
            end_process(each);
    sigaction(SIGBUS, &before, NULL); /* the instruction is repeated */
    if (about->si_code <= 0)
        raise(number); /* somebody has sent it */
}

static int install(void) {
    struct sigaction wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.sa_sigaction = on_fault;
    wanted.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&wanted.sa_mask);
    return sigaction(SIGBUS, &wanted, &before);
}

/* From now on the process ends with this message where these bytes turn out to be gone; 0, or -1 where that cannot be. */
APLC_EXPORT int aplc_mapped_watch(const char *begin, size_t size, const char *message, size_t length) {
    if (length > LONGEST_MESSAGE || (!is_installed && install() != 0))
        return -1;
    is_installed = 1;
    for (range *each = ranges; each < ranges + MOST_RANGES; each++)
        if (each->begin == NULL) {
            memcpy(each->message, message, length);
            each->length = length;
            each->end = begin + size;
            each->begin = begin;
            return 0;
        }
    return -1;
}

/* The bytes that begin there are nobody's. */
APLC_EXPORT void aplc_mapped_forget(const char *begin) {
    for (range *each = ranges; each < ranges + MOST_RANGES; each++)
        if (each->begin == begin)
            each->begin = NULL;
}
