/* Rodinia's chip temperatures, by hand: borders peeled off the rows, quotients by constants as products, two
   grids in turn. The planes are temperature and power. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline double step(double cell, double north, double south, double west, double east, double power,
                          const double by[4]) {
    return cell + by[0] * (power + (north + south - 2 * cell) * by[1] + (west + east - 2 * cell) * by[2] +
                           (80.0 - cell) * by[3]);
}

void hotspot(int64_t steps, const double *planes, int64_t two, int64_t rows, int64_t columns, double *out) {
    const double *restrict power = planes + rows * columns;
    const double chip = 0.016, thickness = 0.0005, heat = 1.75e6, conducts = 100, factor = 0.5;
    const double high = chip / (double)rows, wide = chip / (double)columns;
    const double capacity = factor * heat * thickness * high * wide;
    const double time = 0.001 / (3e6 / (factor * thickness * heat));
    const double by[4] = {time / capacity, 2 * conducts * thickness * wide / high,
                          2 * conducts * thickness * high / wide, conducts * high * wide / thickness};
    double *spare = malloc((size_t)(rows * columns) * sizeof(double));
    double *now = steps % 2 ? spare : out, *next = steps % 2 ? out : spare; /* the last step ends in out */
    memcpy(now, planes, (size_t)(rows * columns) * sizeof(double));
    for (int64_t s = 0; s < steps; s++) {
#pragma omp parallel for if (rows * columns > 20000)
        for (int64_t i = 0; i < rows; i++) {
            const double *restrict row = now + i * columns, *restrict heated = power + i * columns;
            const double *restrict above = i > 0 ? row - columns : row;
            const double *restrict below = i < rows - 1 ? row + columns : row;
            double *restrict to = next + i * columns;
            const int64_t e = columns - 1;
            to[0] = step(row[0], above[0], below[0], row[0], row[e > 0], heated[0], by);
            for (int64_t j = 1; j < e; j++)
                to[j] = step(row[j], above[j], below[j], row[j - 1], row[j + 1], heated[j], by);
            if (e > 0)
                to[e] = step(row[e], above[e], below[e], row[e - 1], row[e], heated[e], by);
        }
        double *old = now;
        now = next, next = old;
    }
    free(spare);
}
