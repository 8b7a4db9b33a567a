/* Numbers in texts: the doubles nearest to decimal ones.

   Note [Decimal to double]
       A number is a whole number w of up to 19 digits times a power of ten, 10^q. Where both are small, one operation of
       doubles is exact. Otherwise w is multiplied with the 128 leading bits of 5^q, of which the upper 64 nearly always
       decide all 53 bits of the result and how it is rounded (Lemire, "Number parsing at a gigabyte per second", 2021).
       Where they do not, and for more digits than 19 that matter, strtod decides. It is given digits and an exponent only:
       what it takes for a decimal point depends on the locale. Digits behind the first APLC_MOST_SHOWN cannot matter but
       for whether any of them is none of zero: half-way between two doubles are numbers of at most 768 digits. */

#ifndef APLC_DECIMAL_H
#define APLC_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aplc_apart.h"
#include "aplc_powers.h"

enum { APLC_MOST_DIGITS = 19, APLC_MOST_SHOWN = 800, APLC_EXACT_POWERS = 22, APLC_EXACT_DIGITS = 15, APLC_FAR = 100000 };

static const int64_t APLC_INFINITE = INT64_C(0x7FF) << 52, APLC_FAR_EXPONENT = INT64_C(1) << 56;

static const double aplc_exact_powers[APLC_EXACT_POWERS + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The bits of the double nearest to w times 10^q, without a sign; -1 where this does not tell. */
static int64_t aplc_nearest(uint64_t w, int64_t q) {
    if (w == 0 || q < APLC_LEAST_POWER)
        return 0;
    if (q > APLC_MOST_POWER)
        return APLC_INFINITE;
    const int shift = __builtin_clzll(w);
    w <<= shift;
    const aplc_wide power = aplc_powers[q - APLC_LEAST_POWER];
    unsigned __int128 found = (unsigned __int128)w * power.high;
    if (((uint64_t)(found >> 64) & 0x1FF) == 0x1FF) {
        found += (uint64_t)((unsigned __int128)w * power.low >> 64);
        if ((uint64_t)found == UINT64_MAX && (q < -27 || q > 55))
            return -1;
    }
    const uint64_t high = (uint64_t)(found >> 64), low = (uint64_t)found;
    const int upper = (int)(high >> 63);
    uint64_t bits = high >> (upper + 9);
    int64_t exponent = ((217706 * q) >> 16) + 1087 - shift - !upper;
    if (exponent <= 0) {
        if (exponent <= -63)
            return 0;
        bits >>= 1 - exponent;
        bits += bits & 1;
        return (int64_t)(bits >> 1); /* with the bit of the least normal exponent where it is rounded up to it */
    }
    /* exactly between two doubles: to the even one */
    if (low <= 1 && q >= -4 && q <= 23 && (bits & 3) == 1 && bits << (upper + 9) == high)
        bits &= ~UINT64_C(1);
    bits = (bits + (bits & 1)) >> 1;
    if (bits >> 53) {
        bits >>= 1;
        exponent++;
    }
    return exponent >= 0x7FF ? APLC_INFINITE
                             : (int64_t)((bits & ~(UINT64_C(1) << 52)) | (uint64_t)exponent << 52);
}

/* Characters of 32 bits each, and UTF-8, where `¯` has two bytes. */
#define APLC_T uint32_t
#define APLC_TYPED(name) name##_char
#define APLC_MACRON(at, end) (*(at) == 0xAF ? 1 : 0)
#include "aplc_decimal_typed.h"
#define APLC_T char
#define APLC_TYPED(name) name##_utf8
#define APLC_MACRON(at, end) ((unsigned char)*(at) == 0xC2 && (end) - (at) > 1 && (unsigned char)(at)[1] == 0xAF ? 2 : 0)
#include "aplc_decimal_typed.h"

#endif
