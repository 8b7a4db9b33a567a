/* Sums over pieces of growing length, by hand. The logarithms are glibc's in lanes, where there are any.

   `logs_pieces` forms each sum of reciprocals anew, as the program says; `logs_running` goes on from the one
   before. */

#include <math.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((simd("notinbranch"), const)) double lanes_log(double) __asm__("log");
#else
#define lanes_log log
#endif

double logs_pieces(int64_t n) {
    double sum = 0.0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : sum)
    for (int64_t i = 1; i <= n; i++) {
        double piece = 0.0;
#pragma omp simd reduction(+ : piece)
        for (int64_t k = 1; k <= i; k++)
            piece += 1.0 / (double)k;
        sum += log(piece);
    }
    return sum;
}

double logs_running(int64_t n) {
    double sum = 0.0, piece = 0.0;
    for (int64_t i = 1; i <= n; i++) {
        piece += 1.0 / (double)i;
        sum += log(piece);
    }
    return sum;
}

double squares_pieces(int64_t n) {
    double sum = 0.0;
#pragma omp parallel for schedule(dynamic, 8) reduction(+ : sum)
    for (int64_t i = n; i >= 1; i--) {
        double piece = 0.0;
#pragma omp simd reduction(+ : piece)
        for (int64_t k = 1; k <= i * i; k++)
            piece += lanes_log((double)k);
        sum += piece;
    }
    return sum;
}
