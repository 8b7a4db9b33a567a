/* Least squares: as near to the model's as the condition of the matrix allows, which is in long doubles, by orthogonal
   columns (Gram and Schmidt, twice). A matrix whose columns are well apart must be taken for one, and one with a column
   of zeros must not. */

#include "harness.h"

#define posix_memalign limited_memalign
#define malloc limited_malloc
#define calloc limited_calloc
#define free counted_free
#include "aplc_matrix.h"
#undef malloc
#undef calloc
#undef free
#undef posix_memalign
#include "model_matrix.h"

static double *numbers(bytes *from, int manner, int shift, int64_t rows, int64_t columns) {
    double *const a = elements_double(from, manner, shift, rows * columns);
    for (int64_t j = 0; j < columns && take(from, 1) % 3 == 0; j++) {
        const double scale = ldexp(1.0, (int)(take(from, 2) % 1800) - 900);
        for (int64_t i = 0; i < rows; i++)
            a[i * columns + j] *= scale;
    }
    return a;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes from = {data, size, size};
    const uint64_t choice = take(&from, 1), way = take(&from, 1);
    const int manner = (int)(way % MANNERS), shift = manner == STRETCHED ? (int)take(&from, 1) & 63 : 0;
    if (manner == STRETCHED)
        from.state = take(&from, 8);
    const int64_t rows = size_of(&from, manner == STRETCHED ? 90 : 40), columns = size_of(&from, rows);
    const bool inverts = choice & 1;
    const int64_t across = inverts ? rows : size_of(&from, 6);
    double *const a = numbers(&from, manner, shift, rows, columns);
    double *const b = inverts ? model_identity(rows) : numbers(&from, manner, shift, rows, across);
    double *const out = malloc((size_t)(columns * across) * sizeof(double) + 1);
    int64_t independent = -1;
    allowed = choice >= 240 ? 0 : INT64_MAX;
    const int status = inverts ? aplc_matrix_inverse(NULL, a, rows, columns, out, &independent)
                               : aplc_matrix_divide(NULL, b, across, a, rows, columns, out, &independent);
    const bool needs_memory = rows != columns || rows > 16; /* a small square one need not get any */
    REQUIRE(held == 0 && (status == 0 || choice >= 240) && (choice < 240 || status != 0 || !needs_memory));
    allowed = INT64_MAX;
    if (status == 0) {
        REQUIRE(independent >= 0 && independent <= columns);
        REQUIRE(model_accepts(a, rows, columns, b, across, out, independent));
    }
    free(a);
    free(b);
    free(out);
    return 0;
}
