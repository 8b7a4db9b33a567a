/* What the harnesses share: bytes that are used up from the front, elements made of them in several ways, memory that
   ends, and `REQUIRE`. Every array has memory of exactly its size, so that the sanitizer sees what is beyond. */

#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory that ends after so many allocations; what the run-time system gets is counted --- */

static int64_t allowed = INT64_MAX, held = 0;

static int limited_memalign(void **memory, size_t align, size_t bytes) {
    const int status = allowed-- > 0 ? posix_memalign(memory, align, bytes) : 12;
    held += status == 0;
    return status;
}
static void *limited_malloc(size_t bytes) {
    void *const memory = allowed-- > 0 ? malloc(bytes) : NULL;
    held += memory != NULL;
    return memory;
}
__attribute__((unused)) static void *limited_calloc(size_t count, size_t size) {
    void *const memory = allowed-- > 0 ? calloc(count, size) : NULL;
    held += memory != NULL;
    return memory;
}
static void counted_free(void *memory) {
    held -= memory != NULL;
    free(memory);
}

#define REQUIRE(holds)                                                                 \
    do {                                                                               \
        if (!(holds)) {                                                                \
            fprintf(stderr, "ERROR: %s:%d: not so: %s\n", __FILE__, __LINE__, #holds); \
            abort();                                                                   \
        }                                                                              \
    } while (0)

/* --- bytes --- */

typedef struct {
    const uint8_t *next;
    size_t left;
    uint64_t state; /* of the numbers that are made where the bytes do not reach */
} bytes;

static uint64_t take(bytes *from, size_t count) {
    uint64_t value = 0;
    for (size_t k = 0; k < count && from->left > 0; k++, from->left--)
        value |= (uint64_t)*from->next++ << 8 * k;
    return value;
}

static uint64_t stretch(bytes *from) {
    from->state += 0x9e3779b97f4a7c15u;
    uint64_t x = from->state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* How elements are made: as many bytes as they have, small numbers, few different bits anywhere, a few elements again and
   again, ascending or descending ones, or numbers stretched from eight bytes, for arrays larger than the input. */
enum { RAW, SMALL, BITS, REPEATED, ASCENDING, DESCENDING, STRETCHED, MANNERS };

static uint64_t element(bytes *from, int manner, int64_t i, int shift, uint64_t before) {
    switch (manner) {
    case RAW: return take(from, 8);
    case SMALL: return take(from, 1) - 100;
    case BITS: return (uint64_t)1 << (take(from, 1) & 63);
    case REPEATED: return i % 3 == 0 ? take(from, 2) : before;
    case ASCENDING: return before + take(from, 1);
    case DESCENDING: return before - take(from, 1);
    default: return stretch(from) >> shift;
    }
}

static double as_double(uint64_t x, int manner) {
    static const double special[] = {0.0, -0.0, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 5e-324, -5e-324, 1e300};
    double value;
    if (manner == SMALL && x % 5 == 0)
        return special[x / 5 % 8];
    if (manner != RAW && manner != BITS)
        return (double)(int64_t)x;
    memcpy(&value, &x, sizeof value);
    return value;
}

/* `count` elements in memory of their own; a pointer that may be freed for none, too. */
#define ELEMENTS(T, S, CONVERTED)                                                                      \
    __attribute__((unused)) static T *elements_##S(bytes *from, int manner, int shift, int64_t count) { \
        T *const a = malloc((size_t)count * sizeof(T) + (count == 0));                                 \
        uint64_t x = 0;                                                                                \
        for (int64_t i = 0; i < count; i++) {                                                          \
            x = element(from, manner, i, shift, x);                                                    \
            a[i] = CONVERTED;                                                                          \
        }                                                                                              \
        return a;                                                                                      \
    }

ELEMENTS(int64_t, int, (int64_t)x)
ELEMENTS(double, double, as_double(x, manner))
ELEMENTS(bool, bool, (bool)(x & 1))
ELEMENTS(uint32_t, char, (uint32_t)(x % 0x110000))

/* A size: mostly small, sometimes larger than the input. */
static int64_t size_of(bytes *from, int64_t most) {
    const uint64_t byte = take(from, 1);
    const int64_t size = byte < 200 ? (int64_t)byte % 70 : (int64_t)take(from, 2);
    return size < most ? size : most;
}

#endif
