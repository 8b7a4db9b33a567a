/* Functions that are compiled once for a machine.

   Note [Compiled once]. Most of what sorts, searches and solves is the same in all programs, and takes a compiler longer
   than the programs themselves. A text with these headers is compiled in one of three ways:

       as it stands    all functions are static: libraries are made so, and programs where nothing can be kept
       APLC_LINKED     a program without the bodies of the functions of APLC_ONCE, which are only declared, by names for
                       the linker that tell the header, too: `aplc_sort.aplc_sort_many_double`
       APLC_OBJECT     some of them, as APLC_MADE says: functions of such names, and whatever static ones they call

   A program is linked with the objects of the functions that it is found to call (`aplc.backends.native.objects`). All are
   hidden in it. What a thread remembers, the variables of APLC_STATE, is the program's, or its last share's; objects have
   none.

   So a function of APLC_ONCE is one that takes some time to run and to compile: what is called for each element, or is
   short where its arguments are known, stays inline, and a function for rows of any length has another one beside it for
   single columns. */

#ifndef APLC_ONCE_H
#define APLC_ONCE_H

#include "aplc_apart.h"

#define APLC_HIDDEN __attribute__((visibility("hidden")))

#if defined(APLC_LINKED)
#if defined(APLC_SHARE) && APLC_SHARE == 0
#define APLC_STATE extern APLC_HIDDEN
#else
#define APLC_STATE APLC_HIDDEN
#endif
#define APLC_ONCE(home, type, name, ...) APLC_LEFT_OUT(home, type, name, __VA_ARGS__)
#define APLC_LEFT_OUT(home, type, name, ...)                     \
    APLC_HIDDEN type name(__VA_ARGS__) __asm__(#home "." #name); \
    static inline __attribute__((unused)) type name##_left_out(__VA_ARGS__)
#else
#if defined(APLC_OBJECT)
#define APLC_STATE extern APLC_HIDDEN
#else
#define APLC_STATE static
#endif
#define APLC_ONCE(home, type, name, ...) static APLC_APART type name(__VA_ARGS__)
#endif

/* Stands behind all, in an object. Two objects of a program may have a function in common. */
#define APLC_MADE(home, name)                                        \
    extern __typeof__(name) aplc_made_##name __asm__(#home "." #name) \
        __attribute__((alias(#name), visibility("hidden"), weak));

#endif
