/* Whether numbers that are taken for characters are code points, for generated C:

       uint32_t aplc_seen(const void *text, int64_t from, int64_t to)
       int aplc_not_characters(const void *text, int64_t count, uint32_t seen)

   The first gives the bits of all elements of a range together, none where it is empty. The second is 0 if all
   elements are code points, of which `seen` are the bits together: those of all are at least each of them, so that
   elements are looked at one by one only where they are none, which is rare. */

#ifndef APLC_CHARACTERS_H
#define APLC_CHARACTERS_H

#include <stdint.h>

enum { APLC_LAST_CHARACTER = 0x10FFFF };

__attribute__((noinline)) static uint32_t aplc_seen(const void *text, int64_t from, int64_t to) {
    const uint32_t *const elements = text;
    uint32_t all = 0;
    for (int64_t k = from; k < to; k++)
        all |= elements[k];
    return all;
}

static inline int aplc_not_characters(const void *text, int64_t count, uint32_t seen) {
    const uint32_t *const elements = text;
    int are = seen <= APLC_LAST_CHARACTER;
    if (!are) {
        are = 1;
        for (int64_t k = 0; k < count; k++)
            are &= elements[k] <= APLC_LAST_CHARACTER;
    }
    return !are;
}

#endif
