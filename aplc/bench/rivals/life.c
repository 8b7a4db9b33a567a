/* Conway's life on a torus, by hand: a byte a cell, a border of one cell around the board, sums of three first
   along the rows and then down the columns, two boards in turn. The board with its borders is one flat run of
   bytes, so that short rows fill the lanes too. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16384 };

/* Copy the edges of the board to the opposite borders. */
static void wrap(uint8_t *board, int64_t rows, int64_t columns) {
    const int64_t width = columns + 2;
    for (int64_t i = 1; i <= rows; i++) {
        board[i * width] = board[i * width + columns];
        board[i * width + columns + 1] = board[i * width + 1];
    }
    memcpy(board, board + rows * width, (size_t)width);
    memcpy(board + (rows + 1) * width, board + width, (size_t)width);
}

/* The next generation of some rows: `from` and `to` are their first cells, `three` is room for the sums. */
static void advance(const uint8_t *restrict from, uint8_t *restrict to, uint8_t *restrict three, int64_t width,
                    int64_t rows) {
    const int64_t all = (rows + 2) * width, own = rows * width;
    const uint8_t *restrict above = from - width;
    for (int64_t k = 1; k < all - 1; k++)
        three[k] = above[k - 1] + above[k] + above[k + 1];
    for (int64_t k = 1; k < own - 1; k++) {
        const uint8_t sum = three[k] + three[k + width] + three[k + 2 * width];
        to[k] = (sum == 3) | ((sum == 4) & from[k]);
    }
}

void life(int64_t generations, const uint8_t *board, int64_t rows, int64_t columns, uint8_t *out) {
    const int64_t width = columns + 2, size = (rows + 2) * width;
    const int64_t group = width < CHUNK ? CHUNK / width : 1, groups = (rows + group - 1) / group;
    uint8_t *now = calloc((size_t)size, 1), *next = calloc((size_t)size, 1);
    for (int64_t i = 0; i < rows; i++)
        memcpy(now + (i + 1) * width + 1, board + i * columns, (size_t)columns);
#pragma omp parallel if (size > 100000)
    {
        uint8_t *three = malloc((size_t)((group + 2) * width));
        for (int64_t g = 0; g < generations; g++) {
#pragma omp single
            wrap(now, rows, columns);
#pragma omp for
            for (int64_t k = 0; k < groups; k++) {
                const int64_t first = k * group, count = rows - first < group ? rows - first : group;
                advance(now + (first + 1) * width, next + (first + 1) * width, three, width, count);
            }
#pragma omp single
            {
                uint8_t *old = now;
                now = next, next = old;
            }
        }
        free(three);
    }
    for (int64_t i = 0; i < rows; i++)
        memcpy(out + i * columns, now + (i + 1) * width + 1, (size_t)columns);
    free(now), free(next);
}
