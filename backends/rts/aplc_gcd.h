/* Greatest common divisors of integers in lanes; included where a program has such.

   As `aplc_gcd` of aplc.h has it for one pair, eight lanes take differences until all have come to zero. Where numbers
   of one of them are of very different size, so that a division saves many of these, they are taken one by one. This
   needs the number of the zeros behind a bit, which the one of those before it tells. */

#ifndef APLC_GCD_H
#define APLC_GCD_H

#include "aplc.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && \
    defined(__has_attribute) && !defined(__clang__)
#if __has_attribute(__simd__)

#include <immintrin.h>

static __attribute__((__used__)) int64_t aplc_one_gcd(int64_t x, int64_t y) __asm__("aplc_gcd_of");
static int64_t aplc_one_gcd(int64_t x, int64_t y) { return aplc_gcd(x, y); }

/* Those of COUNT pairs one by one. */
#define APLC_GCDS(COUNT, NAME)                                                                              \
    typedef long long aplc_integers_##COUNT __attribute__((__vector_size__(8 * COUNT)));                   \
    static __attribute__((__used__)) aplc_integers_##COUNT aplc_gcds_##COUNT(                               \
        aplc_integers_##COUNT x, aplc_integers_##COUNT y) __asm__(NAME);                                    \
    static aplc_integers_##COUNT aplc_gcds_##COUNT(aplc_integers_##COUNT x, aplc_integers_##COUNT y) {      \
        aplc_integers_##COUNT result;                                                                       \
        for (int lane = 0; lane < COUNT; lane++)                                                            \
            result[lane] = aplc_gcd(x[lane], y[lane]);                                                      \
        return result;                                                                                      \
    }
APLC_GCDS(2, "_ZGVbN2vv_aplc_gcd_of")
APLC_GCDS(4, "_ZGVdN4vv_aplc_gcd_of")
APLC_GCDS(8, "aplc_gcds_one_by_one")
#undef APLC_GCDS

/* How many zeros are behind the last bit; 63 - 64 for zero, by which a shift leaves nothing. */
static inline __m512i aplc_twos_of(__m512i x) {
    const __m512i last = _mm512_and_si512(x, _mm512_sub_epi64(_mm512_setzero_si512(), x));
    return _mm512_sub_epi64(_mm512_set1_epi64(63), _mm512_lzcnt_epi64(last));
}

static __attribute__((__used__)) __m512i aplc_gcds_in_lanes(__m512i x, __m512i y) __asm__("_ZGVeN8vv_aplc_gcd_of");
static __m512i aplc_gcds_in_lanes(__m512i x, __m512i y) {
    __m512i a = _mm512_abs_epi64(x), b = _mm512_abs_epi64(y);
    const __m512i all = _mm512_or_si512(a, b);
    const __mmask8 far = _mm512_cmpgt_epu64_mask(_mm512_srli_epi64(a, 16), b) |
                         _mm512_cmpgt_epu64_mask(_mm512_srli_epi64(b, 16), a);
    if (__builtin_expect(far, 0))
        return (__m512i)aplc_gcds_8((aplc_integers_8)x, (aplc_integers_8)y);
    __mmask8 going = _mm512_test_epi64_mask(a, a) & _mm512_test_epi64_mask(b, b);
    a = _mm512_mask_srlv_epi64(all, going, a, aplc_twos_of(a));
    while (going) {
        b = _mm512_srlv_epi64(b, aplc_twos_of(b));
        const __m512i gap = _mm512_sub_epi64(b, a);
        a = _mm512_mask_min_epu64(a, going, a, b);
        b = _mm512_abs_epi64(gap);
        going = _mm512_mask_test_epi64_mask(going, b, b);
    }
    const __mmask8 both = _mm512_test_epi64_mask(x, x) & _mm512_test_epi64_mask(y, y);
    return _mm512_mask_sllv_epi64(a, both, a, aplc_twos_of(all));
}

__attribute__((__simd__("notinbranch"), __const__)) int64_t aplc_gcd_of(int64_t x, int64_t y);
#define aplc_gcd aplc_gcd_of

#endif
#endif
#endif
