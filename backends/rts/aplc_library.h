/* What the functions of a library for C programs share (`aplc build`): messages of errors, runs without a host that
   knows Python, values as such programs have them. APLC_RANDOM_KEY is that of the random numbers of each call. */

#ifndef APLC_LIBRARY_H
#define APLC_LIBRARY_H

#include <pthread.h>
#include <stdio.h>

#include "aplc.h"

/* The message of a check, and what its function then returns. \1 and \2 stand for the numbers it reports, \3
   for the elements of an array for which there is no memory, \4 with three letters for the index of an item:
   where its numbers begin, how many axes there are, and the index origin, counted from A. \5 is for a text, which is
   reported in numbers of three characters each. */
typedef struct {
    int code;
    const char *text;
} lib_failure;

static _Thread_local char lib_text[600];

typedef struct {
    char *at, *end;
} lib_pen;

static void lib_write(lib_pen *pen, const char *text) {
    while (*text != 0 && pen->at < pen->end)
        *pen->at++ = *text++;
}

static void lib_write_number(lib_pen *pen, int64_t number) {
    char digits[32];
    snprintf(digits, sizeof digits, "%s%llu", number < 0 ? "\302\257" : "",
             number < 0 ? 0ULL - (unsigned long long)number : (unsigned long long)number);
    lib_write(pen, digits);
}

/* How many elements: low + 2^63 high; of an empty array high is the complement. */
static void lib_write_elements(lib_pen *pen, int64_t low, int64_t high) {
    char digits[48];
    if (low == 0 && high == 0) {
        lib_write(pen, "what it is made with");
        return;
    }
    unsigned __int128 count = (uint64_t)low + ((unsigned __int128)(uint64_t)(high < 0 ? ~high : high) << 63);
    const bool is_one = count == 1;
    char *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = (char)('0' + (int)(count % 10));
    while ((count /= 10) != 0);
    lib_write(pen, high < 0 ? "an empty array whose other extents make " : "an array of ");
    lib_write(pen, at);
    lib_write(pen, is_one ? " element" : " elements");
}

/* The index of an item: its number from 1, and its extents if it has several axes. */
static void lib_write_index(lib_pen *pen, const int64_t *told, int64_t axes, int64_t origin) {
    int64_t rest = told[0] - 1, below = 1;
    if (axes == 1) {
        lib_write_number(pen, rest + origin);
        return;
    }
    for (int64_t axis = 1; axis <= axes; axis++)
        below *= told[axis];
    for (int64_t axis = 1; axis <= axes; axis++) {
        below /= told[axis] > 0 ? told[axis] : 1;
        if (axis > 1)
            lib_write(pen, " ");
        lib_write_number(pen, rest / below + origin);
        rest %= below;
    }
}

/* A text whose first characters are in the two values of a check. */
static void lib_write_text(lib_pen *pen, const aplc_host *host) {
    for (int64_t k = 0; k < APLC_TOLD_CHARACTERS; k++) {
        const int64_t number = k < 6 ? host->values[k / 3] : host->items[k / 3 - 2];
        const uint32_t code = (uint32_t)(number >> 21 * (k % 3)) & 0x1FFFFF, c = code - 1;
        if (code == 0)
            return;
        const int behind = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        char text[5] = {(char)(behind == 0 ? c : (0xF0 << (3 - behind) & 0xFF) | c >> 6 * behind)};
        for (int i = 1; i <= behind; i++)
            text[i] = (char)(0x80 | (c >> 6 * (behind - i) & 0x3F));
        lib_write(pen, text);
    }
}

static int lib_told(const aplc_host *host, const lib_failure *failures) {
    const lib_failure *failure = &failures[host->site];
    lib_pen pen = {lib_text, lib_text + sizeof lib_text - 1};
    for (const char *at = failure->text; *at != 0; at++) {
        if (*at == 1 || *at == 2) {
            lib_write_number(&pen, host->values[*at - 1]);
        } else if (*at == 3) {
            lib_write_elements(&pen, host->values[0], host->values[1]);
        } else if (*at == 4) {
            lib_write_index(&pen, host->items + (at[1] - 'A'), at[2] - 'A', at[3] - 'A');
            at += 3;
        } else if (*at == 5) {
            lib_write_text(&pen, host);
        } else if (pen.at < pen.end) {
            *pen.at++ = *at;
        }
    }
    *pen.at = 0;
    return failure->code;
}

static int lib_refuse(int code, const char *kind, const char *why) {
    snprintf(lib_text, sizeof lib_text, "%s: %s", kind, why);
    return code;
}

typedef int lib_entry(aplc_host *host, const aplc_array *in, aplc_array *out);

enum { APLC_STACK = 1 << 29, APLC_SPARE = 1 << 20 };

/* What answers the questions of a run, if its library has kernels (`aplc_device.h`); NULL where none are asked. */
typedef struct {
    int (*ask)(int64_t k, const aplc_array *arguments, aplc_array *results);
} lib_session;

static _Thread_local lib_session *lib_here;

static inline aplc_host lib_new_host(void) {
    return (aplc_host){
        .ask = lib_here == NULL ? NULL : lib_here->ask, .random = {APLC_RANDOM_KEY, 0}, .stack_size = APLC_STACK};
}

/* What a function returns; where a question was not answered, its session knows better. */
static inline int lib_outcome(int status, const aplc_host *host, const lib_failure *failures) {
    return status == APLC_FAILED ? lib_told(host, failures) : status;
}

static inline int lib_run_here(lib_entry *entry, const aplc_array *in, aplc_array *out,
                                const lib_failure *failures) {
    aplc_host host = lib_new_host();
    return lib_outcome(entry(&host, in, out), &host, failures);
}

static void lib_free_results(aplc_array *out, size_t count, const bool *in_place) {
    for (size_t k = 0; k < count; k++)
        if (!in_place[k])
            (free)(out[k].data);
}

/* The lengths of items; false unless their offsets rise from somewhere that is not below zero. */
static inline bool lib_lengths_of(const int64_t *offsets, int64_t count, int64_t *lengths) {
    bool is_right = count == 0 || offsets[0] >= 0;
    for (int64_t k = 0; k < count; k++) {
        is_right &= offsets[k] <= offsets[k + 1];
        lengths[k] = is_right ? offsets[k + 1] - offsets[k] : 0;
    }
    return is_right;
}

/* Items as places, lengths and elements, in three arrays, become offsets and elements in order. */
static inline bool lib_as_lists(aplc_array *parts, size_t size) {
    const int64_t count = parts[0].shape[0];
    const int64_t *places = parts[0].data, *lengths = parts[1].data;
    int64_t *offsets = (malloc)(sizeof(int64_t) * (size_t)(count + 1));
    if (offsets == NULL)
        return false;
    bool is_in_order = true;
    offsets[0] = 0;
    for (int64_t k = 0; k < count; k++) {
        is_in_order &= lengths[k] == 0 || places[k] == offsets[k];
        offsets[k + 1] = offsets[k] + lengths[k];
    }
    if (!is_in_order) {
        char *data = (malloc)(offsets[count] > 0 ? (size_t)offsets[count] * size : 1);
        if (data == NULL) {
            (free)(offsets);
            return false;
        }
        for (int64_t k = 0; k < count; k++)
            if (lengths[k] > 0)
                memcpy(data + (size_t)offsets[k] * size, (char *)parts[2].data + (size_t)places[k] * size,
                       (size_t)lengths[k] * size);
        (free)(parts[2].data);
        parts[2].data = data;
    }
    (free)(parts[0].data);
    (free)(parts[1].data);
    parts[0].data = offsets;
    parts[1].data = NULL;
    return true;
}

/* A program that recurses runs in a thread of its own, whose stack is as large as recursion may need. */
typedef struct {
    lib_entry *entry;
    const aplc_array *in;
    aplc_array *out;
    aplc_host host;
    lib_session *session;
    int status;
} lib_deep;

static void *lib_in_thread(void *given) {
    lib_deep *deep = given;
    lib_here = deep->session;
    deep->status = deep->entry(&deep->host, deep->in, deep->out);
    return NULL;
}

static inline int lib_run_deep(lib_entry *entry, const aplc_array *in, aplc_array *out,
                               const lib_failure *failures) {
    lib_deep deep = {entry, in, out, lib_new_host(), lib_here, APLC_OK};
    pthread_attr_t how;
    pthread_t thread;
    if (pthread_attr_init(&how) != 0)
        return lib_refuse(1, "WS FULL", "no memory for a thread");
    const bool runs = pthread_attr_setstacksize(&how, (size_t)APLC_STACK + APLC_SPARE) == 0 &&
                      pthread_create(&thread, &how, lib_in_thread, &deep) == 0;
    pthread_attr_destroy(&how);
    if (!runs)
        return lib_refuse(1, "WS FULL", "no memory for the stack of a function that calls itself");
    pthread_join(thread, NULL);
    return lib_outcome(deep.status, &deep.host, failures);
}

#endif
