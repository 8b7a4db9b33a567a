/* The elements of a vector of 64 bytes that are kept, one after the other, for generated C:

       void aplc_pack_8(void *to, int64_t count, const void *from, const void *keep, int64_t *next)

   writes those of `from` whose number in `keep` is not 0 behind the first `count` elements at `to`, where there
   must be room for all of them. `next` is how many there are then. The number at the end of the name is the
   size of an element in bytes, and of those numbers.

       void aplc_marks(const void *keep, int64_t *bits, int64_t *ones)
       void aplc_mark(int64_t word, int64_t *place, int64_t *rest)
       void aplc_pack_bits_8(void *to, int64_t count, const void *from, int64_t place, int64_t bits, int64_t first,
                             int64_t *next)

   make a word of 64 bytes that are 0 or 1, with the number of its ones; take the lowest one out of a word that
   has some; and do what `aplc_pack_8` does by the bits of a word from number `first` on, with the elements from
   number `place` on. */

#ifndef APLC_PACK_H
#define APLC_PACK_H

#include <stdint.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

/* gcc 12 makes an integer of a float that was converted to a double whose bits are taken as an integer, and fails:
   so elements whose type is not told are read from memory, not from what was stored there before. */
#define APLC_READ_FROM_MEMORY(elements, type, lanes) __asm__("" : "+m"(*(type(*)[lanes])(elements)))

#define APLC_PACK_IN_LANES(size, type, lanes, test, compress, ones)                                                \
    static inline void aplc_pack_##size(void *to, int64_t count, const void *from, const void *keep,               \
                                        int64_t *next) {                                                           \
        const __m512i numbers = _mm512_loadu_si512(keep);                                                          \
        const __mmask##lanes kept = test(numbers, numbers);                                                        \
        _mm512_storeu_si512((type *)to + count, compress(kept, _mm512_loadu_si512(from)));                         \
        *next = count + ones(kept);                                                                                \
    }

#define APLC_PACK_ONE_BY_ONE(size, type, lanes)                                                                    \
    static inline void aplc_pack_##size(void *to, int64_t count, const void *from, const void *keep,               \
                                        int64_t *next) {                                                           \
        const type *const elements = from, *const numbers = keep;                                                  \
        APLC_READ_FROM_MEMORY(elements, type, lanes);                                                              \
        for (int j = 0; j < lanes; j++) {                                                                          \
            ((type *)to)[count] = elements[j];                                                                     \
            count += numbers[j] != 0;                                                                              \
        }                                                                                                          \
        *next = count;                                                                                             \
    }

typedef int64_t aplc_any64 __attribute__((may_alias));
typedef int32_t aplc_any32 __attribute__((may_alias));
typedef int16_t aplc_any16 __attribute__((may_alias));
typedef int8_t aplc_any8 __attribute__((may_alias));

#ifdef __AVX512F__
APLC_PACK_IN_LANES(8, int64_t, 8, _mm512_test_epi64_mask, _mm512_maskz_compress_epi64, __builtin_popcount)
APLC_PACK_IN_LANES(4, int32_t, 16, _mm512_test_epi32_mask, _mm512_maskz_compress_epi32, __builtin_popcount)
#else
APLC_PACK_ONE_BY_ONE(4, aplc_any32, 16)
#ifdef __AVX2__

/* Where the halves of the four elements that are kept are, for each choice of them. */
static const int32_t aplc_pack_order[16][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
    {4, 5, 0, 1, 2, 3, 6, 7}, {0, 1, 4, 5, 2, 3, 6, 7}, {2, 3, 4, 5, 0, 1, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
    {6, 7, 0, 1, 2, 3, 4, 5}, {0, 1, 6, 7, 2, 3, 4, 5}, {2, 3, 6, 7, 0, 1, 4, 5}, {0, 1, 2, 3, 6, 7, 4, 5},
    {4, 5, 6, 7, 0, 1, 2, 3}, {0, 1, 4, 5, 6, 7, 2, 3}, {2, 3, 4, 5, 6, 7, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7}};

/* All is read before anything is written: compilers then need not know that `to` is elsewhere. */
static inline void aplc_pack_8(void *to, int64_t count, const void *from, const void *keep, int64_t *next) {
    const __m256i numbers[2] = {_mm256_loadu_si256(keep), _mm256_loadu_si256((const __m256i *)keep + 1)};
    const __m256i elements[2] = {_mm256_loadu_si256(from), _mm256_loadu_si256((const __m256i *)from + 1)};
    for (int half = 0; half < 2; half++) {
        const __m256i none = _mm256_cmpeq_epi64(numbers[half], _mm256_setzero_si256());
        const int kept = 15 ^ _mm256_movemask_pd(_mm256_castsi256_pd(none));
        const __m256i order = _mm256_loadu_si256((const __m256i *)aplc_pack_order[kept]);
        const __m256i packed = _mm256_permutevar8x32_epi32(elements[half], order);
        _mm256_storeu_si256((__m256i *)((int64_t *)to + count), packed);
        count += __builtin_popcount((unsigned)kept);
    }
    *next = count;
}

#else
APLC_PACK_ONE_BY_ONE(8, aplc_any64, 8)
#endif
#endif

#ifdef __AVX512VBMI2__
APLC_PACK_IN_LANES(2, int16_t, 32, _mm512_test_epi16_mask, _mm512_maskz_compress_epi16, __builtin_popcount)
APLC_PACK_IN_LANES(1, int8_t, 64, _mm512_test_epi8_mask, _mm512_maskz_compress_epi8, __builtin_popcountll)
#else
APLC_PACK_ONE_BY_ONE(2, aplc_any16, 32)
APLC_PACK_ONE_BY_ONE(1, aplc_any8, 64)
#endif

static inline void aplc_marks(const void *keep, int64_t *bits, int64_t *ones) {
    uint64_t found = 0;
#ifdef __AVX512BW__
    const __m512i bytes = _mm512_loadu_si512(keep);
    found = _mm512_test_epi8_mask(bytes, bytes);
#elif defined(__AVX2__)
    for (int half = 0; half < 2; half++) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i *)keep + half);
        const uint32_t none = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()));
        found |= (uint64_t)~none << 32 * half;
    }
#else
    for (int j = 0; j < 64; j++)
        found |= (uint64_t)(((const uint8_t *)keep)[j] != 0) << j;
#endif
    *bits = (int64_t)found;
    *ones = __builtin_popcountll(found);
}

static inline void aplc_mark(int64_t word, int64_t *place, int64_t *rest) {
    const uint64_t bits = (uint64_t)word;
    *place = __builtin_ctzll(bits);
    *rest = (int64_t)(bits & (bits - 1));
}

#define APLC_PACK_BITS_IN_LANES(size, type, lanes, compress, ones)                                                 \
    static inline void aplc_pack_bits_##size(void *to, int64_t count, const void *from, int64_t place,             \
                                             int64_t bits, int64_t first, int64_t *next) {                         \
        const __mmask##lanes kept = (__mmask##lanes)((uint64_t)bits >> first);                                     \
        _mm512_storeu_si512((type *)to + count, compress(kept, _mm512_loadu_si512((const type *)from + place)));   \
        *next = count + ones(kept);                                                                                \
    }

#define APLC_PACK_BITS_ONE_BY_ONE(size, type, lanes)                                                               \
    static inline void aplc_pack_bits_##size(void *to, int64_t count, const void *from, int64_t place,             \
                                             int64_t bits, int64_t first, int64_t *next) {                         \
        const type *const elements = (const type *)from + place;                                                   \
        APLC_READ_FROM_MEMORY(elements, type, lanes);                                                              \
        const uint64_t kept = (uint64_t)bits >> first;                                                             \
        for (int j = 0; j < lanes; j++) {                                                                          \
            ((type *)to)[count] = elements[j];                                                                     \
            count += (int64_t)(kept >> j & 1);                                                                     \
        }                                                                                                          \
        *next = count;                                                                                             \
    }

#ifdef __AVX512F__
APLC_PACK_BITS_IN_LANES(8, int64_t, 8, _mm512_maskz_compress_epi64, __builtin_popcount)
APLC_PACK_BITS_IN_LANES(4, int32_t, 16, _mm512_maskz_compress_epi32, __builtin_popcount)
#else
APLC_PACK_BITS_ONE_BY_ONE(4, aplc_any32, 16)
#ifdef __AVX2__

static inline void aplc_pack_bits_8(void *to, int64_t count, const void *from, int64_t place, int64_t bits,
                                    int64_t first, int64_t *next) {
    const __m256i *const at = (const __m256i *)((const int64_t *)from + place);
    const __m256i elements[2] = {_mm256_loadu_si256(at), _mm256_loadu_si256(at + 1)};
    const uint64_t kept = (uint64_t)bits >> first;
    for (int half = 0; half < 2; half++) {
        const unsigned these = kept >> 4 * half & 15;
        const __m256i order = _mm256_loadu_si256((const __m256i *)aplc_pack_order[these]);
        const __m256i packed = _mm256_permutevar8x32_epi32(elements[half], order);
        _mm256_storeu_si256((__m256i *)((int64_t *)to + count), packed);
        count += __builtin_popcount(these);
    }
    *next = count;
}

#else
APLC_PACK_BITS_ONE_BY_ONE(8, aplc_any64, 8)
#endif
#endif
#ifdef __AVX512VBMI2__
APLC_PACK_BITS_IN_LANES(2, int16_t, 32, _mm512_maskz_compress_epi16, __builtin_popcount)
APLC_PACK_BITS_IN_LANES(1, int8_t, 64, _mm512_maskz_compress_epi8, __builtin_popcountll)
#else
APLC_PACK_BITS_ONE_BY_ONE(2, aplc_any16, 32)
APLC_PACK_BITS_ONE_BY_ONE(1, aplc_any8, 64)
#endif

#endif
