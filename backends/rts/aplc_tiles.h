/* The tiles of products in panels, for generated C:

       int64_t aplc_tile_rows(int64_t bytes)
       int64_t aplc_tile_columns(int64_t bytes)
       int64_t aplc_tile_lanes(int64_t bytes)
       int64_t aplc_round_lanes(int64_t most, int64_t variables, int64_t eighths)

   Their extents, and how many elements of so many bytes a vector has. A tile of a product stands in registers, and
   beside it a row of a panel and one element: of 32 registers 24 are 8 rows of 3 vectors, of 16 registers 12 are 6 rows
   of 2 vectors. Earlier versions of clang need more registers, as they copy what they add to: with 4 rows they take as
   long as gcc, with 8 a quarter longer. Points that loop side by side are a multiple of 8, so many that the vectors of their variables take no
   more than so many eighths of the registers. Of more than eight some vectors stand in memory, and for clang 22 then
   all of them; clang 14 writes 8 points out one by one. */

#ifndef APLC_TILES_H
#define APLC_TILES_H

#include <stdint.h>

#if defined(__clang__) && __clang_major__ < 20
#define APLC_ROWS(rows) 4
#else
#define APLC_ROWS(rows) (rows)
#endif

#if defined(__AVX512F__)
enum { APLC_VECTOR = 64, APLC_TILE_ROWS = APLC_ROWS(8), APLC_TILE_VECTORS = 3 };
#elif defined(__AVX__)
enum { APLC_VECTOR = 32, APLC_TILE_ROWS = APLC_ROWS(6), APLC_TILE_VECTORS = 2 };
#elif defined(__aarch64__)
enum { APLC_VECTOR = 16, APLC_TILE_ROWS = 8, APLC_TILE_VECTORS = 3 };
#else
enum { APLC_VECTOR = 16, APLC_TILE_ROWS = 6, APLC_TILE_VECTORS = 2 };
#endif

#if defined(__AVX512F__) || defined(__aarch64__)
enum { APLC_REGISTERS = 32 };
#else
enum { APLC_REGISTERS = 16 };
#endif
#if defined(__clang__) && __clang_major__ < 20
enum { APLC_FEWEST_LANES = 16 };
#else
enum { APLC_FEWEST_LANES = 8 };
#endif

static inline int64_t aplc_round_lanes(int64_t most, int64_t variables, int64_t eighths) {
#if defined(__clang__) && __clang_major__ >= 20
    const int64_t share = eighths < 5 ? eighths : 5;
#else
    const int64_t share = eighths;
#endif
    const int64_t lanes = APLC_REGISTERS * APLC_VECTOR / 8 * share / 8 / variables / 8 * 8;
    const int64_t enough = lanes < APLC_FEWEST_LANES ? APLC_FEWEST_LANES : lanes;
    return enough < most ? enough : most;
}

static inline int64_t aplc_tile_rows(int64_t bytes) {
    (void)bytes;
    return APLC_TILE_ROWS;
}

static inline int64_t aplc_tile_lanes(int64_t bytes) { return APLC_VECTOR / bytes; }

static inline int64_t aplc_tile_columns(int64_t bytes) { return APLC_TILE_VECTORS * aplc_tile_lanes(bytes); }

#endif
