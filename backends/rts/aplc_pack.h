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

#ifdef __AVX512F__
/* What was just written by compilers in vectors of half the size is not to be had in one piece until it is in the
   cache: halves are read, which are to be had from a whole vector, too. */
static inline __m512i aplc_halves(const void *from) {
    const __m256i low = _mm256_loadu_si256(from), high = _mm256_loadu_si256((const __m256i *)from + 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
#endif

#define APLC_PACK_IN_LANES(size, type, lanes, test, compress, ones)                                                \
    static inline void aplc_pack_##size(void *to, int64_t count, const void *from, const void *keep,               \
                                        int64_t *next) {                                                           \
        const __m512i numbers = aplc_halves(keep);                                                                 \
        const __mmask##lanes kept = test(numbers, numbers);                                                        \
        _mm512_storeu_si512((type *)to + count, compress(kept, aplc_halves(from)));                                \
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

#define APLC_PACK_BITS_IN_LANES(size, type, lanes, compress, ones)                                                 \
    static inline void aplc_pack_bits_##size(void *to, int64_t count, const void *from, int64_t place,             \
                                             int64_t bits, int64_t first, int64_t *next) {                         \
        const __mmask##lanes kept = (__mmask##lanes)((uint64_t)bits >> first);                                     \
        _mm512_storeu_si512((type *)to + count, compress(kept, aplc_halves((const type *)from + place)));          \
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

typedef int64_t aplc_any64 __attribute__((may_alias));
typedef int32_t aplc_any32 __attribute__((may_alias));
typedef int16_t aplc_any16 __attribute__((may_alias));
typedef int8_t aplc_any8 __attribute__((may_alias));

#if defined(__AVX2__) && !defined(__AVX512VBMI2__)

/* Where the elements of eight that are kept are, a byte for each, for each choice of them. */
static const uint64_t aplc_pack_places[256] = {
    0x0000000000000000, 0x0000000000000000, 0x0000000000000001, 0x0000000000000100, 0x0000000000000002,
    0x0000000000000200, 0x0000000000000201, 0x0000000000020100, 0x0000000000000003, 0x0000000000000300,
    0x0000000000000301, 0x0000000000030100, 0x0000000000000302, 0x0000000000030200, 0x0000000000030201,
    0x0000000003020100, 0x0000000000000004, 0x0000000000000400, 0x0000000000000401, 0x0000000000040100,
    0x0000000000000402, 0x0000000000040200, 0x0000000000040201, 0x0000000004020100, 0x0000000000000403,
    0x0000000000040300, 0x0000000000040301, 0x0000000004030100, 0x0000000000040302, 0x0000000004030200,
    0x0000000004030201, 0x0000000403020100, 0x0000000000000005, 0x0000000000000500, 0x0000000000000501,
    0x0000000000050100, 0x0000000000000502, 0x0000000000050200, 0x0000000000050201, 0x0000000005020100,
    0x0000000000000503, 0x0000000000050300, 0x0000000000050301, 0x0000000005030100, 0x0000000000050302,
    0x0000000005030200, 0x0000000005030201, 0x0000000503020100, 0x0000000000000504, 0x0000000000050400,
    0x0000000000050401, 0x0000000005040100, 0x0000000000050402, 0x0000000005040200, 0x0000000005040201,
    0x0000000504020100, 0x0000000000050403, 0x0000000005040300, 0x0000000005040301, 0x0000000504030100,
    0x0000000005040302, 0x0000000504030200, 0x0000000504030201, 0x0000050403020100, 0x0000000000000006,
    0x0000000000000600, 0x0000000000000601, 0x0000000000060100, 0x0000000000000602, 0x0000000000060200,
    0x0000000000060201, 0x0000000006020100, 0x0000000000000603, 0x0000000000060300, 0x0000000000060301,
    0x0000000006030100, 0x0000000000060302, 0x0000000006030200, 0x0000000006030201, 0x0000000603020100,
    0x0000000000000604, 0x0000000000060400, 0x0000000000060401, 0x0000000006040100, 0x0000000000060402,
    0x0000000006040200, 0x0000000006040201, 0x0000000604020100, 0x0000000000060403, 0x0000000006040300,
    0x0000000006040301, 0x0000000604030100, 0x0000000006040302, 0x0000000604030200, 0x0000000604030201,
    0x0000060403020100, 0x0000000000000605, 0x0000000000060500, 0x0000000000060501, 0x0000000006050100,
    0x0000000000060502, 0x0000000006050200, 0x0000000006050201, 0x0000000605020100, 0x0000000000060503,
    0x0000000006050300, 0x0000000006050301, 0x0000000605030100, 0x0000000006050302, 0x0000000605030200,
    0x0000000605030201, 0x0000060503020100, 0x0000000000060504, 0x0000000006050400, 0x0000000006050401,
    0x0000000605040100, 0x0000000006050402, 0x0000000605040200, 0x0000000605040201, 0x0000060504020100,
    0x0000000006050403, 0x0000000605040300, 0x0000000605040301, 0x0000060504030100, 0x0000000605040302,
    0x0000060504030200, 0x0000060504030201, 0x0006050403020100, 0x0000000000000007, 0x0000000000000700,
    0x0000000000000701, 0x0000000000070100, 0x0000000000000702, 0x0000000000070200, 0x0000000000070201,
    0x0000000007020100, 0x0000000000000703, 0x0000000000070300, 0x0000000000070301, 0x0000000007030100,
    0x0000000000070302, 0x0000000007030200, 0x0000000007030201, 0x0000000703020100, 0x0000000000000704,
    0x0000000000070400, 0x0000000000070401, 0x0000000007040100, 0x0000000000070402, 0x0000000007040200,
    0x0000000007040201, 0x0000000704020100, 0x0000000000070403, 0x0000000007040300, 0x0000000007040301,
    0x0000000704030100, 0x0000000007040302, 0x0000000704030200, 0x0000000704030201, 0x0000070403020100,
    0x0000000000000705, 0x0000000000070500, 0x0000000000070501, 0x0000000007050100, 0x0000000000070502,
    0x0000000007050200, 0x0000000007050201, 0x0000000705020100, 0x0000000000070503, 0x0000000007050300,
    0x0000000007050301, 0x0000000705030100, 0x0000000007050302, 0x0000000705030200, 0x0000000705030201,
    0x0000070503020100, 0x0000000000070504, 0x0000000007050400, 0x0000000007050401, 0x0000000705040100,
    0x0000000007050402, 0x0000000705040200, 0x0000000705040201, 0x0000070504020100, 0x0000000007050403,
    0x0000000705040300, 0x0000000705040301, 0x0000070504030100, 0x0000000705040302, 0x0000070504030200,
    0x0000070504030201, 0x0007050403020100, 0x0000000000000706, 0x0000000000070600, 0x0000000000070601,
    0x0000000007060100, 0x0000000000070602, 0x0000000007060200, 0x0000000007060201, 0x0000000706020100,
    0x0000000000070603, 0x0000000007060300, 0x0000000007060301, 0x0000000706030100, 0x0000000007060302,
    0x0000000706030200, 0x0000000706030201, 0x0000070603020100, 0x0000000000070604, 0x0000000007060400,
    0x0000000007060401, 0x0000000706040100, 0x0000000007060402, 0x0000000706040200, 0x0000000706040201,
    0x0000070604020100, 0x0000000007060403, 0x0000000706040300, 0x0000000706040301, 0x0000070604030100,
    0x0000000706040302, 0x0000070604030200, 0x0000070604030201, 0x0007060403020100, 0x0000000000070605,
    0x0000000007060500, 0x0000000007060501, 0x0000000706050100, 0x0000000007060502, 0x0000000706050200,
    0x0000000706050201, 0x0000070605020100, 0x0000000007060503, 0x0000000706050300, 0x0000000706050301,
    0x0000070605030100, 0x0000000706050302, 0x0000070605030200, 0x0000070605030201, 0x0007060503020100,
    0x0000000007060504, 0x0000000706050400, 0x0000000706050401, 0x0000070605040100, 0x0000000706050402,
    0x0000070605040200, 0x0000070605040201, 0x0007060504020100, 0x0000000706050403, 0x0000070605040300,
    0x0000070605040301, 0x0007060504030100, 0x0000070605040302, 0x0007060504030200, 0x0007060504030201,
    0x0706050403020100};

/* Eight elements, of which those of a choice come first. Behind them anything may stand. */
static inline void aplc_pack_eight_1(void *to, const void *from, unsigned kept) {
    const __m128i places = _mm_loadl_epi64((const __m128i *)&aplc_pack_places[kept]);
    _mm_storel_epi64((__m128i *)to, _mm_shuffle_epi8(_mm_loadl_epi64((const __m128i *)from), places));
}

static inline void aplc_pack_eight_2(void *to, const void *from, unsigned kept) {
    const __m128i places = _mm_loadl_epi64((const __m128i *)&aplc_pack_places[kept]);
    const __m128i low = _mm_add_epi8(places, places), high = _mm_add_epi8(low, _mm_set1_epi8(1));
    const __m128i bytes = _mm_unpacklo_epi8(low, high);
    _mm_storeu_si128((__m128i *)to, _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)from), bytes));
}

static inline void aplc_pack_eight_4(void *to, const void *from, unsigned kept) {
    const __m256i places = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&aplc_pack_places[kept]));
    const __m256i elements = _mm256_loadu_si256((const __m256i *)from);
    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(elements, places));
}

/* Which of eight numbers are not 0. */
static inline unsigned aplc_pack_kept_1(const void *keep) {
    const __m128i none = _mm_cmpeq_epi8(_mm_loadl_epi64((const __m128i *)keep), _mm_setzero_si128());
    return ~(unsigned)_mm_movemask_epi8(none) & 255;
}

static inline unsigned aplc_pack_kept_2(const void *keep) {
    const __m128i none = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)keep), _mm_setzero_si128());
    return ~(unsigned)_mm_movemask_epi8(_mm_packs_epi16(none, none)) & 255;
}

static inline unsigned aplc_pack_kept_4(const void *keep) {
    const __m256i none = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)keep), _mm256_setzero_si256());
    return ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(none)) & 255;
}

#define APLC_PACK_BY_EIGHT(size, lanes)                                                                            \
    static inline void aplc_pack_##size(void *to, int64_t count, const void *from, const void *keep,               \
                                        int64_t *next) {                                                           \
        for (int j = 0; j < lanes; j += 8) {                                                                       \
            const unsigned kept = aplc_pack_kept_##size((const char *)keep + j * size);                            \
            aplc_pack_eight_##size((char *)to + count * size, (const char *)from + j * size, kept);                \
            count += __builtin_popcount(kept);                                                                     \
        }                                                                                                          \
        *next = count;                                                                                             \
    }                                                                                                              \
    static inline void aplc_pack_bits_##size(void *to, int64_t count, const void *from, int64_t place,             \
                                             int64_t bits, int64_t first, int64_t *next) {                         \
        const char *const elements = (const char *)from + place * size;                                            \
        for (int j = 0; j < lanes; j += 8) {                                                                       \
            const unsigned kept = (unsigned)((uint64_t)bits >> first >> j & 255);                                  \
            aplc_pack_eight_##size((char *)to + count * size, elements + j * size, kept);                          \
            count += __builtin_popcount(kept);                                                                     \
        }                                                                                                          \
        *next = count;                                                                                             \
    }

APLC_PACK_BY_EIGHT(1, 64)
APLC_PACK_BY_EIGHT(2, 32)
#endif

#if defined(__AVX512F__)
APLC_PACK_IN_LANES(8, int64_t, 8, _mm512_test_epi64_mask, _mm512_maskz_compress_epi64, __builtin_popcount)
APLC_PACK_IN_LANES(4, int32_t, 16, _mm512_test_epi32_mask, _mm512_maskz_compress_epi32, __builtin_popcount)
APLC_PACK_BITS_IN_LANES(8, int64_t, 8, _mm512_maskz_compress_epi64, __builtin_popcount)
APLC_PACK_BITS_IN_LANES(4, int32_t, 16, _mm512_maskz_compress_epi32, __builtin_popcount)
#elif defined(__AVX2__)
APLC_PACK_BY_EIGHT(4, 16)

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
APLC_PACK_ONE_BY_ONE(8, aplc_any64, 8)
APLC_PACK_ONE_BY_ONE(4, aplc_any32, 16)
APLC_PACK_BITS_ONE_BY_ONE(8, aplc_any64, 8)
APLC_PACK_BITS_ONE_BY_ONE(4, aplc_any32, 16)
#endif

#if defined(__AVX512VBMI2__)
APLC_PACK_IN_LANES(2, int16_t, 32, _mm512_test_epi16_mask, _mm512_maskz_compress_epi16, __builtin_popcount)
APLC_PACK_IN_LANES(1, int8_t, 64, _mm512_test_epi8_mask, _mm512_maskz_compress_epi8, __builtin_popcountll)
APLC_PACK_BITS_IN_LANES(2, int16_t, 32, _mm512_maskz_compress_epi16, __builtin_popcount)
APLC_PACK_BITS_IN_LANES(1, int8_t, 64, _mm512_maskz_compress_epi8, __builtin_popcountll)
#elif !defined(__AVX2__)
APLC_PACK_ONE_BY_ONE(2, aplc_any16, 32)
APLC_PACK_ONE_BY_ONE(1, aplc_any8, 64)
APLC_PACK_BITS_ONE_BY_ONE(2, aplc_any16, 32)
APLC_PACK_BITS_ONE_BY_ONE(1, aplc_any8, 64)
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

#endif
