/* The mean of a cell and its four neighbours on a torus, by hand: borders peeled off the rows, two grids in
   turn. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void stencil(int64_t steps, const double *grid, int64_t rows, int64_t columns, double *out) {
    double *spare = malloc((size_t)(rows * columns) * sizeof(double));
    double *now = steps % 2 ? spare : out, *next = steps % 2 ? out : spare; /* the last step ends in out */
    memcpy(now, grid, (size_t)(rows * columns) * sizeof(double));
    for (int64_t s = 0; s < steps; s++) {
#pragma omp parallel for if (rows * columns > 20000)
        for (int64_t i = 0; i < rows; i++) {
            const double *restrict row = now + i * columns;
            const double *restrict above = now + (i > 0 ? i - 1 : rows - 1) * columns;
            const double *restrict below = now + (i < rows - 1 ? i + 1 : 0) * columns;
            double *restrict to = next + i * columns;
            const int64_t e = columns - 1;
            to[0] = 0.2 * (row[0] + (row[e > 0] + (row[e] + (below[0] + above[0]))));
            for (int64_t j = 1; j < e; j++)
                to[j] = 0.2 * (row[j] + (row[j + 1] + (row[j - 1] + (below[j] + above[j]))));
            if (e > 0)
                to[e] = 0.2 * (row[e] + (row[0] + (row[e - 1] + (below[e] + above[e]))));
        }
        double *old = now;
        now = next, next = old;
    }
    free(spare);
}
