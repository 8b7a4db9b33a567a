/* Sorting: each grade is the model's, or memory has ended and nothing is lost. */

#include "harness.h"

#define posix_memalign limited_memalign
#define malloc limited_malloc
#define calloc limited_calloc
#define free counted_free
#include "aplc_order.h"
#undef malloc
#undef calloc
#undef free
#undef posix_memalign
#include "model.h"

/* A grade is a permutation in which each row precedes the next. */
#define ORDER(T, S)                                                                                            \
    static void is_grade_##S(const T *a, int64_t rows, int64_t columns, bool down, const int64_t *out) {       \
        bool *const seen = calloc((size_t)rows + 1, 1);                                                        \
        for (int64_t i = 0; i < rows; i++) {                                                                   \
            REQUIRE(out[i] >= 1 && out[i] <= rows && !seen[out[i] - 1]);                                       \
            seen[out[i] - 1] = true;                                                                           \
            REQUIRE(i == 0 || model_precedes_##S(a, columns, out[i - 1] - 1, out[i] - 1, down));               \
        }                                                                                                      \
        free(seen);                                                                                            \
    }                                                                                                          \
    static void order_##S(bytes *from, bool down, int manner, int shift, int64_t memory) {                     \
        const int64_t columns = take(from, 1) % 4 == 0 ? size_of(from, 40) : 1;                                \
        const int64_t rows = size_of(from, (manner == STRETCHED ? 80000 : 4000) / (columns + 1));              \
        T *const a = elements_##S(from, manner, shift, rows * columns);                                        \
        int64_t *const out = malloc((size_t)rows * 8 + 1), *const first = malloc((size_t)rows * 8 + 1);        \
        allowed = memory;                                                                                      \
        const int status = (down ? aplc_grade_down_##S : aplc_grade_up_##S)(a, rows, columns, out);            \
        REQUIRE(held == 0 && (status == 0 || (status == APLC_OUT_OF_MEMORY && allowed <= 0)));                 \
        if (status == 0)                                                                                       \
            is_grade_##S(a, rows, columns, down, out);                                                         \
        if (columns == 1 && status == 0) {                                                                     \
            const int64_t wanted = size_of(from, rows + 2);                                                    \
            const int64_t count = wanted < rows ? wanted : rows;                                               \
            int64_t *const exact = realloc(first, (size_t)count * 8 + 1);                                      \
            const int found = (down ? aplc_first_down_##S : aplc_first_up_##S)(a, rows, wanted, exact);        \
            REQUIRE(held == 0 && (found == 0 || (found == APLC_OUT_OF_MEMORY && allowed <= 0)));               \
            REQUIRE(found != 0 || memcmp(exact, out, (size_t)count * 8) == 0);                                 \
            free(exact);                                                                                       \
        } else                                                                                                 \
            free(first);                                                                                       \
        allowed = INT64_MAX;                                                                                   \
        free(out);                                                                                             \
        free(a);                                                                                               \
    }

ORDER(int64_t, int)
ORDER(double, double)
ORDER(bool, bool)
ORDER(uint32_t, char)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes from = {data, size, size};
    const uint64_t choice = take(&from, 1), way = take(&from, 1);
    const int manner = (int)(way % MANNERS);
    const int64_t memory = choice >= 240 ? (int64_t)take(&from, 1) % 6 : INT64_MAX;
    const int shift = manner == STRETCHED ? (int)take(&from, 1) & 63 : 0;
    if (manner == STRETCHED)
        from.state = take(&from, 8);
    const bool down = choice & 4;
    switch (choice & 3) {
    case 0: order_int(&from, down, manner, shift, memory); break;
    case 1: order_double(&from, down, manner, shift, memory); break;
    case 2: order_bool(&from, down, manner, shift, memory); break;
    default: order_char(&from, down, manner, shift, memory); break;
    }
    return 0;
}
