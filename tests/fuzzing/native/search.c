/* Searching: positions in tables, intervals, different rows and places among constants are the model's. */

#include "harness.h"

#define posix_memalign limited_memalign
#define malloc limited_malloc
#define calloc limited_calloc
#define free counted_free
#include "aplc_search.h"
#undef malloc
#undef calloc
#undef free
#undef posix_memalign
#include "aplc_places.h"
#include "model.h"

#define SEARCH(T, S)                                                                                             \
    static void table_##S(const T *a, int64_t rows, int64_t columns, const T *x, int64_t count) {                \
        aplc_table table;                                                                                        \
        const int status = aplc_table_##S##_make(&table, a, rows, columns);                                      \
        REQUIRE(status == 0 || (status == APLC_OUT_OF_MEMORY && allowed <= 0));                                  \
        for (int64_t i = 0; i < count && status == 0; i++) {                                                     \
            const int64_t wanted = columns == 0 ? 1 : model_find_##S(a, rows, columns, x + i * columns);         \
            REQUIRE(aplc_table_##S##_find(&table, x + i * columns) == wanted);                                   \
            REQUIRE(aplc_table_##S##_find_at(&table, x, i) == wanted);                                           \
            REQUIRE(columns != 1 || aplc_table_##S##_find_one(&table, x[i]) == wanted);                          \
            int64_t found = wanted;                                                                              \
            if (columns == 1)                                                                                    \
                aplc_table_##S##_find_some(&table, x, i, 1, &found);                                             \
            REQUIRE(found == wanted);                                                                            \
        }                                                                                                        \
        aplc_table_free(&table);                                                                                 \
        aplc_table_free(&table);                                                                                 \
        REQUIRE(held == 0);                                                                                      \
    }                                                                                                            \
    static void interval_##S(const T *a, int64_t n, const T *x, int64_t count) {                                 \
        int64_t *const out = malloc((size_t)count * 8 + 1);                                                      \
        const bool ascends = model_ascends_##S(a, n);                                                            \
        REQUIRE(aplc_is_ascending_##S(a, n) == ascends);                                                         \
        aplc_interval_some_##S(a, n, x, 0, count, out); /* of others, too, without leaving their memory */       \
        for (int64_t i = 0; i < count && ascends; i++) {                                                         \
            REQUIRE(out[i] == model_interval_##S(a, n, x[i]));                                                   \
            REQUIRE(aplc_interval_one_##S(a, n, x[i]) == out[i]);                                                \
        }                                                                                                        \
        free(out);                                                                                               \
    }                                                                                                            \
    static void search_##S(bytes *from, int manner, int shift, int64_t memory) {                                 \
        const int64_t columns = take(from, 1) % 3 == 0 ? size_of(from, 12) : 1;                                  \
        const int64_t rows = size_of(from, 700), count = size_of(from, 100);                                     \
        T *const a = elements_##S(from, manner, shift, rows * columns);                                          \
        T *const x = elements_##S(from, manner, shift, count * columns);                                         \
        for (int64_t i = 0; i < count && rows > 0; i += 2)                                                       \
            memcpy(x + i * columns, a + (int64_t)(stretch(from) % (uint64_t)rows) * columns,                     \
                   (size_t)columns * sizeof(T));                                                                 \
        allowed = memory;                                                                                        \
        table_##S(a, rows, columns, x, count);                                                                   \
        int64_t *const found = malloc((size_t)rows * 8 + 1), *const wanted = malloc((size_t)rows * 8 + 1);       \
        int64_t different;                                                                                       \
        const int status = aplc_unique_##S(a, rows, columns, found, &different);                                 \
        REQUIRE(held == 0 && (status == 0 || (status == APLC_OUT_OF_MEMORY && allowed <= 0)));                   \
        allowed = INT64_MAX;                                                                                     \
        if (status == 0) {                                                                                       \
            REQUIRE(different == model_unique_##S(a, rows, columns, wanted));                                    \
            REQUIRE(memcmp(found, wanted, (size_t)different * 8) == 0);                                          \
        }                                                                                                        \
        aplc_table set;                                                                                          \
        allowed = memory;                                                                                        \
        if (columns == 1 && aplc_table_##S##_make_set(&set, a, rows) == 0) {                                     \
            allowed = INT64_MAX;                                                                                 \
            for (int64_t i = 0; i < count; i++)                                                                  \
                REQUIRE(aplc_table_##S##_has_one(&set, x[i]) ==                                                  \
                        (aplc_first_equal_##S(a, rows, 1, x + i) != 0));                                         \
            aplc_table_free(&set);                                                                               \
        }                                                                                                        \
        REQUIRE(held == 0);                                                                                      \
        int64_t counted;                                                                                         \
        allowed = memory;                                                                                        \
        const int ended = aplc_count_unique_##S(a, rows, columns, &counted);                                     \
        REQUIRE(held == 0 && (ended == 0 || (ended == APLC_OUT_OF_MEMORY && allowed <= 0)));                     \
        REQUIRE(status != 0 || ended != 0 || counted == different);                                              \
        allowed = INT64_MAX;                                                                                     \
        if (columns == 1)                                                                                        \
            interval_##S(a, rows, x, count);                                                                     \
        free(found);                                                                                             \
        free(wanted);                                                                                            \
        free(x);                                                                                                 \
        free(a);                                                                                                 \
    }

SEARCH(int64_t, int)
SEARCH(double, double)
SEARCH(bool, bool)
SEARCH(uint32_t, char)

/* A run of numbers, and a table of the places of keys in it. */
static void places(bytes *from) {
    const int64_t first = (int64_t)take(from, 8), count = (int64_t)(take(from, 1) % 100), x = (int64_t)take(from, 8);
    int64_t *const run = malloc((size_t)count * 8 + 1);
    int16_t *const table = malloc((size_t)(count + 1) * 2);
    for (int64_t i = 0; i < count; i++) {
        run[i] = (int64_t)((uint64_t)first + (uint64_t)i);
        table[i] = (int16_t)(i + 1);
    }
    table[count] = (int16_t)(count + 1);
    for (int64_t near = -2; near <= count + 2; near++) {
        const int64_t key = near == 0 ? x : (int64_t)((uint64_t)first + (uint64_t)near);
        const int64_t wanted = model_find_int(run, count, 1, &key);
        REQUIRE(aplc_place_in_run(key, first, count) == wanted);
        REQUIRE(aplc_place_in_table(table, key, first, count) == wanted);
        const int64_t low = (int32_t)first, of = low + near;
        if (low + count <= INT32_MAX && of >= INT32_MIN && of <= INT32_MAX) {
            const uint32_t begin = (uint32_t)low, many = (uint32_t)count;
            const int64_t place = aplc_place_in_run(of, low, count);
            REQUIRE(aplc_place_in_run32((uint32_t)of, begin, many) == place);
            REQUIRE(aplc_place_in_table32(table, (uint32_t)of, begin, many) == place);
        }
    }
    free(run);
    free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes from = {data, size, size};
    const uint64_t choice = take(&from, 1), way = take(&from, 1);
    const int manner = (int)(way % MANNERS);
    const int64_t memory = choice >= 240 ? (int64_t)take(&from, 1) % 6 : INT64_MAX;
    const int shift = manner == STRETCHED ? (int)take(&from, 1) & 63 : 0;
    if (manner == STRETCHED)
        from.state = take(&from, 8);
    switch (choice % 5) {
    case 0: search_int(&from, manner, shift, memory); break;
    case 1: search_double(&from, manner, shift, memory); break;
    case 2: search_bool(&from, manner, shift, memory); break;
    case 3: search_char(&from, manner, shift, memory); break;
    default: places(&from); break;
    }
    return 0;
}
