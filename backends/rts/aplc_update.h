/* Updates c - a b of a matrix by a product of doubles, for the functions of linear algebra:

       void aplc_update(const aplc_panels *panels, aplc_operand a, aplc_operand b, double *c, int64_t line,
                        int64_t rows, int64_t columns, int64_t steps)

   `c` has so many rows and columns, and its rows are `line` elements apart. It is done in tiles, as the products of
   generated C are (`aplc_tiles.h`): what a tile reads of `a` and of `b` is laid out in panels first, unless few tiles
   read it. A panel of `b` stays in the first cache while the tiles of a block of rows go by, which stay in the second
   one while all panels go by. An element is the same in however many threads. */

#ifndef APLC_UPDATE_H
#define APLC_UPDATE_H

#include "aplc.h"
#include "aplc_tiles.h"

#ifdef _OPENMP
#include "aplc_threads.h"
#endif

enum {
    APLC_TILE_COLUMNS = APLC_TILE_VECTORS * APLC_VECTOR / 8,
    APLC_DEEP = 256,                 /* the steps, */
    APLC_TALL = 16 * APLC_TILE_ROWS, /* the rows of `a` */
    APLC_BROAD = 1152,               /* and the columns of `b` for which there are panels at a time */
    APLC_FEW_TILES = 4               /* so many read what is not laid out */
};

/* A matrix as it lies in memory: its rows and columns are so far apart. */
typedef struct {
    const double *at;
    int64_t row, column;
} aplc_operand;

/* The memory of panels: each thread has so many elements for rows of `a`, and for columns of `b`. Between updates threads
   sleep, so that one is as much worth to them as other loops are. */
typedef struct {
    const aplc_host *host;
    int64_t threads, left, right;
    double *memory;
} aplc_panels;

static inline int64_t aplc_least(int64_t x, int64_t y) { return x < y ? x : y; }

/* Panels, as yet without memory, for updates of up to so many rows, columns and steps. */
static inline aplc_panels aplc_panels_for(const aplc_host *host, int64_t rows, int64_t columns, int64_t steps) {
    const int64_t deep = aplc_least(steps, APLC_DEEP);
    const int64_t left = aplc_least(rows + APLC_TILE_ROWS, APLC_TALL) * deep;
    const int64_t right = (aplc_least(columns, APLC_BROAD) + APLC_TILE_COLUMNS) * deep;
#ifdef _OPENMP
    const int threads = aplc_parts(host, rows, 5.0 * (double)columns * (double)steps);
    return (aplc_panels){host, threads, aplc_room(left), aplc_room(right), NULL};
#else
    return (aplc_panels){host, 1, left, right, NULL};
#endif
}

/* A tile: the elements of `a` for one step are a row apart, those of `b` side by side. */
static APLC_APART void aplc_update_tile(aplc_operand a, const double *restrict b, int64_t below,
                                                       int64_t steps, double *restrict c, int64_t line, int64_t rows,
                                                       int64_t columns) {
    enum { ROWS = APLC_TILE_ROWS, COLUMNS = APLC_TILE_COLUMNS };
    double sums[ROWS * COLUMNS];
    const double *row[ROWS];
    for (int64_t r = 0; r < ROWS; r++)
        row[r] = a.at + aplc_least(r, rows - 1) * a.row;
    for (int64_t r = 0; r < rows; r++) {
        __builtin_prefetch(c + r * line, 1);
        __builtin_prefetch(c + r * line + columns - 1, 1);
    }
    for (int64_t r = 0; r < ROWS; r++) {
#pragma omp simd
        for (int64_t j = 0; j < COLUMNS; j++)
            sums[r * COLUMNS + j] = 0.0;
    }
    for (int64_t k = 0; k < steps; k++) {
#pragma GCC unroll 16
        for (int64_t r = 0; r < ROWS; r++) {
            const double x = row[r][k * a.column];
#pragma omp simd
            for (int64_t j = 0; j < COLUMNS; j++)
                sums[r * COLUMNS + j] = aplc_multiply_add(x, b[k * below + j], sums[r * COLUMNS + j]);
        }
    }
    if (rows == ROWS && columns == COLUMNS) {
#pragma GCC unroll 16
        for (int64_t r = 0; r < ROWS; r++) {
#pragma omp simd
            for (int64_t j = 0; j < COLUMNS; j++)
                c[r * line + j] -= sums[r * COLUMNS + j];
        }
        return;
    }
    for (int64_t r = 0; r < rows; r++)
        for (int64_t j = 0; j < columns; j++)
            c[r * line + j] -= sums[r * COLUMNS + j];
}

/* Some rows, or columns, side by side for each step; zeros where there are fewer than `size`. */
static APLC_APART void aplc_lay_out(const double *restrict from, int64_t apart, int64_t step, int64_t lines, int64_t size,
                                int64_t steps, double *restrict panel) {
    if (lines == size && apart == 1) {
        for (int64_t k = 0; k < steps; k++) {
#pragma omp simd
            for (int64_t j = 0; j < size; j++)
                panel[k * size + j] = from[k * step + j];
        }
        return;
    }
    for (int64_t k = 0; k < steps; k++) {
        for (int64_t j = 0; j < lines; j++)
            panel[k * size + j] = from[k * step + j * apart];
        for (int64_t j = lines; j < size; j++)
            panel[k * size + j] = 0.0;
    }
}

/* One block of steps and of columns, in the memory of one thread. */
static inline void aplc_update_block(double *left, double *right, aplc_operand a, aplc_operand b, double *c,
                                     int64_t line, int64_t rows, int64_t columns, int64_t steps) {
    enum { ROWS = APLC_TILE_ROWS, COLUMNS = APLC_TILE_COLUMNS };
    const bool is_tall = rows > APLC_FEW_TILES * ROWS || b.column != 1;
    const bool is_broad = columns > APLC_FEW_TILES * COLUMNS;
    for (int64_t j = 0; j < columns; j += COLUMNS) {
        const int64_t width = aplc_least(columns - j, COLUMNS);
        if (is_tall || width < COLUMNS)
            aplc_lay_out(b.at + j * b.column, b.column, b.row, width, COLUMNS, steps, right + j * steps);
    }
    for (int64_t top = 0; top < rows; top += APLC_TALL) {
        const int64_t stop = aplc_least(top + APLC_TALL, rows);
        for (int64_t i = top; is_broad && i < stop; i += ROWS)
            aplc_lay_out(a.at + i * a.row, a.row, a.column, aplc_least(stop - i, ROWS), ROWS, steps,
                         left + (i - top) * steps);
        for (int64_t j = 0; j < columns; j += COLUMNS) {
            const int64_t width = aplc_least(columns - j, COLUMNS);
            const bool is_panel = is_tall || width < COLUMNS;
            for (int64_t i = top; i < stop; i += ROWS) {
                const aplc_operand panel = {left + (i - top) * steps, 1, ROWS};
                const aplc_operand there = {a.at + i * a.row, a.row, a.column};
                aplc_update_tile(is_broad ? panel : there, is_panel ? right + j * steps : b.at + j,
                                 is_panel ? COLUMNS : b.row, steps, c + i * line + j, line,
                                 aplc_least(stop - i, ROWS), width);
            }
        }
    }
}

/* Rows and columns of an update that one thread does. */
static inline void aplc_update_part(const aplc_panels *panels, int64_t thread, aplc_operand a, aplc_operand b,
                                    double *c, int64_t line, int64_t rows, int64_t columns, int64_t steps) {
    double *const left = panels->memory + thread * (panels->left + panels->right);
    for (int64_t k = 0; k < steps; k += APLC_DEEP)
        for (int64_t j = 0; j < columns; j += APLC_BROAD) {
            const aplc_operand from = {a.at + k * a.column, a.row, a.column};
            const aplc_operand by = {b.at + k * b.row + j * b.column, b.row, b.column};
            aplc_update_block(left, left + panels->left, from, by, c + j, line, rows,
                              aplc_least(columns - j, APLC_BROAD), aplc_least(steps - k, APLC_DEEP));
        }
}

#ifdef _OPENMP
/* Threads have parts side by side, and one below the other where rows are many. */
typedef struct {
    int across, down;
} aplc_grid;

static inline void aplc_update_in_grid(const aplc_panels *panels, aplc_grid grid, int part, aplc_operand a,
                                       aplc_operand b, double *c, int64_t line, int64_t rows, int64_t columns,
                                       int64_t steps) {
    const int i = part / grid.across, j = part % grid.across;
    const int64_t top = aplc_cut(0, rows, APLC_TILE_ROWS, i, grid.down);
    const int64_t first = aplc_cut(0, columns, APLC_TILE_COLUMNS, j, grid.across);
    const int64_t high = aplc_cut(0, rows, APLC_TILE_ROWS, i + 1, grid.down) - top;
    const int64_t wide = aplc_cut(0, columns, APLC_TILE_COLUMNS, j + 1, grid.across) - first;
    a.at += top * a.row;
    b.at += first * b.column;
    aplc_update_part(panels, part, a, b, c + top * line + first, line, high, wide, steps);
}

static inline void aplc_update_in_threads(const aplc_panels *panels, int parts, aplc_operand a, aplc_operand b,
                                          double *c, int64_t line, int64_t rows, int64_t columns, int64_t steps) {
    aplc_grid grid = {parts, 1};
    while (grid.across % 2 == 0 && columns / grid.across < rows / grid.down) {
        grid.across /= 2;
        grid.down *= 2;
    }
    aplc_fork(panels->host);
#pragma omp parallel for num_threads(parts) schedule(static, 1)
    for (int part = 0; part < parts; part++)
        APLC_PART(panels->host, aplc_update_in_grid(panels, grid, part, a, b, c, line, rows, columns, steps));
    aplc_join(panels->host);
}
#endif

static APLC_APART void aplc_update(const aplc_panels *panels, aplc_operand a, aplc_operand b, double *c, int64_t line,
                               int64_t rows, int64_t columns, int64_t steps) {
#ifdef _OPENMP
    const int64_t worth = aplc_parts(panels->host, rows, 5.0 * (double)columns * (double)steps);
    const int parts = (int)aplc_least(worth, panels->threads);
    if (parts > 1) {
        aplc_update_in_threads(panels, parts, a, b, c, line, rows, columns, steps);
        return;
    }
#endif
    aplc_update_part(panels, 0, a, b, c, line, rows, columns, steps);
}

#endif
