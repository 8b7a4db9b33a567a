/* A sparse matrix by rows times a vector, by hand. Columns and values each have the offsets of the rows. */

#include <stdint.h>

enum { LONG = 64 };

/* One row; where it is long, several sums are formed at a time. */
static inline double row_times(const int32_t *restrict columns, const double *restrict values, int64_t n,
                               const double *restrict x) {
    double sum = 0.0;
    if (n < LONG) {
        for (int64_t k = 0; k < n; k++)
            sum += values[k] * x[columns[k]];
        return sum;
    }
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < n; k++)
        sum += values[k] * x[columns[k]];
    return sum;
}

#ifdef _OPENMP

#include <omp.h>

/* The first row that begins at a place or behind it. */
static int64_t row_at(const int64_t *offsets, int64_t rows, int64_t place) {
    int64_t low = 0, high = rows;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (offsets[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Threads take equal numbers of elements, whatever the lengths of the rows are. */
void sparse(const int32_t *columns, const int64_t *offsets, int64_t rows, const double *values,
            const int64_t *same, int64_t also, const double *x, int64_t n, double *out) {
#pragma omp parallel
    {
        const int64_t parts = omp_get_num_threads(), part = omp_get_thread_num(), all = offsets[rows];
        const int64_t first = part ? row_at(offsets, rows, all * part / parts) : 0;
        const int64_t last = part + 1 < parts ? row_at(offsets, rows, all * (part + 1) / parts) : rows;
        for (int64_t i = first; i < last; i++)
            out[i] = row_times(columns + offsets[i], values + offsets[i], offsets[i + 1] - offsets[i], x);
    }
}

#else

void sparse(const int32_t *columns, const int64_t *offsets, int64_t rows, const double *values,
            const int64_t *same, int64_t also, const double *x, int64_t n, double *out) {
    for (int64_t i = 0; i < rows; i++)
        out[i] = row_times(columns + offsets[i], values + offsets[i], offsets[i + 1] - offsets[i], x);
}

#endif
