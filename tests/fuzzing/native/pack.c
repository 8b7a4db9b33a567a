/* What is kept of a vector: as one element after the other would be written, and nothing beyond the room there is. */

#include "harness.h"

#include "aplc_pack.h"

#define PACK(size, T)                                                                                    \
    static void pack_##size(bytes *from) {                                                               \
        enum { LANES = 64 / size };                                                                      \
        const int64_t before = (int64_t)(take(from, 1) % 20);                                            \
        T *const to = malloc((size_t)(before + LANES) * size), *const elements = malloc(64), *const keep = malloc(64); \
        int64_t next = -1, count = before;                                                               \
        for (int64_t i = 0; i < before; i++)                                                             \
            to[i] = (T)(i - 7);                                                                          \
        for (int64_t i = 0; i < LANES; i++) {                                                            \
            elements[i] = (T)take(from, size);                                                           \
            keep[i] = take(from, 1) & 1 ? (T)take(from, size) : 0;                                       \
        }                                                                                                \
        aplc_pack_##size(to, before, elements, keep, &next);                                             \
        for (int64_t i = 0; i < before; i++)                                                             \
            REQUIRE(to[i] == (T)(i - 7));                                                                \
        for (int64_t i = 0; i < LANES; i++)                                                              \
            if (keep[i] != 0) {                                                                          \
                REQUIRE(to[count] == elements[i]);                                                       \
                count++;                                                                                 \
            }                                                                                            \
        REQUIRE(next == count);                                                                          \
        free(to);                                                                                        \
        free(elements);                                                                                  \
        free(keep);                                                                                      \
    }

PACK(1, int8_t)
PACK(2, int16_t)
PACK(4, int32_t)
PACK(8, int64_t)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes from = {data, size, size};
    pack_1(&from);
    pack_2(&from);
    pack_4(&from);
    pack_8(&from);
    return 0;
}
