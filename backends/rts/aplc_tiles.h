/* The tiles of products in panels, for generated C:

       int64_t aplc_tile_rows(int64_t bytes)
       int64_t aplc_tile_columns(int64_t bytes)
       int64_t aplc_tile_lanes(int64_t bytes)

   Their extents, and how many elements of so many bytes a vector has. A tile of a product stands in registers, and
   beside it a row of a panel and one element: of 32 registers 24 are 8 rows of 3 vectors, of 16 registers 12 are 6 rows
   of 2 vectors. */

#ifndef APLC_TILES_H
#define APLC_TILES_H

#include <stdint.h>

#if defined(__AVX512F__)
enum { APLC_VECTOR = 64, APLC_TILE_ROWS = 8, APLC_TILE_VECTORS = 3 };
#elif defined(__AVX__)
enum { APLC_VECTOR = 32, APLC_TILE_ROWS = 6, APLC_TILE_VECTORS = 2 };
#elif defined(__aarch64__)
enum { APLC_VECTOR = 16, APLC_TILE_ROWS = 8, APLC_TILE_VECTORS = 3 };
#else
enum { APLC_VECTOR = 16, APLC_TILE_ROWS = 6, APLC_TILE_VECTORS = 2 };
#endif

static inline int64_t aplc_tile_rows(int64_t bytes) {
    (void)bytes;
    return APLC_TILE_ROWS;
}

static inline int64_t aplc_tile_lanes(int64_t bytes) { return APLC_VECTOR / bytes; }

static inline int64_t aplc_tile_columns(int64_t bytes) { return APLC_TILE_VECTORS * aplc_tile_lanes(bytes); }

#endif
