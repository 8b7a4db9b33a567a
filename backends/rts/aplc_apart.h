/* A function that stays apart, so that the code of a loop depends neither on what stands around its calls nor on how
   many there are. Where compilers do not optimise they inline nothing, but keep what nobody calls unless it is inline:
   of the functions of these headers that would be most of what they do. */

#ifndef APLC_APART_H
#define APLC_APART_H

#if defined(__OPTIMIZE__)
#define APLC_APART __attribute__((noinline, unused))
#else
#define APLC_APART inline __attribute__((unused))
#endif

/* Before a function with loops in order that only one thread runs: gcc keeps in registers there what the next round of a
   loop takes (Note [Elements between] of `aplc.backends.native.toolchain`). */
#if defined(__OPTIMIZE__) && !defined(__clang__)
#define APLC_IN_ORDER __attribute__((optimize("predictive-commoning")))
#else
#define APLC_IN_ORDER
#endif

/* A long program is compiled in two shares at the same time, where it is linked: each of its sections is in one of them
   (Note [Sections] of `aplc.backends.c.sections`). Otherwise all is in one. */

#if defined(APLC_SHARE)
#define APLC_IN_SHARE(k) (APLC_SHARE == (k))
#define APLC_SECTION __attribute__((noinline, visibility("hidden")))
#else
#define APLC_IN_SHARE(k) 1
#define APLC_SECTION static APLC_APART
#endif

#endif
