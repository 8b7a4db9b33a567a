/* Calls every function of the library, right and wrong; says what is not as it should be. */
#include "libsignal.h"

#include <stdio.h>
#include <string.h>

static int wrong;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("line %d: %s (%s)\n", __LINE__, #condition, signal_message());                                      \
            wrong = 1;                                                                                                 \
        }                                                                                                              \
    } while (0)

int main(void) {
    const double x[] = {1, 2, 3, 4};
    double mean;
    CHECK(signal_mean(x, 4, &mean) == SIGNAL_OK && mean == 2.5);
    CHECK(signal_mean(NULL, 0, &mean) == SIGNAL_OK && mean == 1); /* 0÷0 is 1 */
    CHECK(signal_mean(NULL, 4, &mean) == SIGNAL_LENGTH_ERROR);
    CHECK(signal_mean(x, -1, &mean) == SIGNAL_LENGTH_ERROR);

    signal_doubles signal;
    CHECK(signal_signal(x, 4, &signal) == SIGNAL_OK && signal.shape[0] == 4 && signal.data[0] == 50 / 1.01);
    signal_free(signal.data);
    const double pole[] = {1, -0.01};
    CHECK(signal_signal(pole, 2, &signal) == SIGNAL_DOMAIN_ERROR && signal.data == NULL && signal.shape[0] == 0);
    CHECK(strcmp(signal_message(), "library.apl:7:19: DOMAIN ERROR: \303\267 divides by zero") == 0);

    const char32_t text[] = U"to be or";
    signal_lists_of_chars words;
    CHECK(signal_words(text, 8, &words) == SIGNAL_OK && words.count == 3);
    const int64_t ends[] = {0, 2, 4, 6};
    CHECK(memcmp(words.offsets, ends, sizeof ends) == 0);
    CHECK(memcmp(words.data, U"tobeor", 6 * sizeof(char32_t)) == 0);
    signal_free(words.data);
    signal_free(words.offsets);
    CHECK(signal_words(NULL, 0, &words) == SIGNAL_OK && words.count == 0 && words.offsets[0] == 0);
    signal_free(words.data);
    signal_free(words.offsets);

    const int64_t offsets[] = {0, 1, 1, 4};
    signal_doubles sums;
    CHECK(signal_sums(x, offsets, 3, &sums) == SIGNAL_OK && sums.shape[0] == 3);
    CHECK(sums.data[0] == 1 && sums.data[1] == 0 && sums.data[2] == 9);
    signal_free(sums.data);
    CHECK(signal_sums(NULL, NULL, 0, &sums) == SIGNAL_OK && sums.shape[0] == 0);
    signal_free(sums.data);
    const int64_t falling[] = {0, 3, 1};
    CHECK(signal_sums(x, falling, 2, &sums) == SIGNAL_LENGTH_ERROR && sums.data == NULL);
    const int64_t below[] = {-5, 3};
    CHECK(signal_sums(x, below, 1, &sums) == SIGNAL_LENGTH_ERROR);
    CHECK(signal_sums(x, NULL, 1, &sums) == SIGNAL_LENGTH_ERROR);

    const int64_t lines[] = {0, 2, 2, 8};
    CHECK(signal_numbers(U"7 \xAF" U"1.5 2", lines, 3, &sums) == SIGNAL_OK && sums.shape[0] == 3);
    CHECK(sums.data[0] == 7 && sums.data[1] == 0 && sums.data[2] == -1.5);
    signal_free(sums.data);
    CHECK(signal_numbers(U"7 1 t\xE9\x221E!", lines, 3, &sums) == SIGNAL_DOMAIN_ERROR);
    CHECK(strstr(signal_message(), "reads numbers, and t\303\251\342\210\236! is none in item 3") != NULL);

    signal_lists_of_doubles lists;
    CHECK(signal_flip(x, offsets, 3, &lists) == SIGNAL_OK && lists.count == 3);
    const int64_t others[] = {0, 3, 3, 4};
    const double flipped[] = {4, 3, 2, 1};
    CHECK(memcmp(lists.offsets, others, sizeof others) == 0 && memcmp(lists.data, flipped, sizeof flipped) == 0);
    signal_free(lists.data);
    signal_free(lists.offsets);

    const int64_t indices[] = {1, 7, 3};
    signal_doubles chosen;
    CHECK(signal_each(x, offsets, 3, indices, 3, &chosen) == SIGNAL_INDEX_ERROR && chosen.data == NULL);
    CHECK(strstr(signal_message(), "INDEX ERROR: \342\215\272 has no element 7, the length is 0 in item 2") != NULL);
    CHECK(signal_each(x, offsets, 3, indices, 2, &chosen) == SIGNAL_LENGTH_ERROR);

    int64_t depth;
    CHECK(signal_depth(100000, &depth) == SIGNAL_OK && depth == 100000);
    CHECK(signal_depth(INT64_MAX, &depth) == SIGNAL_LIMIT_ERROR && depth == 0);

    const double m[] = {1, 2, 3, 4, 5, 6};
    signal_doubles2 product;
    CHECK(signal_matmul(m, 2, 3, m, 3, 2, &product) == SIGNAL_OK && product.shape[0] == 2 && product.shape[1] == 2);
    CHECK(product.data[0] == 22 && product.data[1] == 28 && product.data[2] == 49 && product.data[3] == 64);
    signal_free(product.data);
    CHECK(signal_matmul(m, 2, 3, m, 2, 3, &product) == SIGNAL_LENGTH_ERROR);
    CHECK(strstr(signal_message(), "needs equal lengths, got 3 and 2") != NULL);

    const signal_complex z = {1, 2};
    signal_complexes roots;
    CHECK(signal_roots(z, &roots) == SIGNAL_OK && roots.shape[0] == 2);
    CHECK(roots.data[0].re == 1 && roots.data[0].im == 2 && roots.data[1].im == 5);
    signal_free(roots.data);

    const bool bits[] = {true, false};
    signal_bools flags;
    CHECK(signal_xor(true, bits, 2, &flags) == SIGNAL_OK && !flags.data[0] && flags.data[1]);
    signal_free(flags.data);

    const int64_t numbers[] = {1, 2, 4};
    int64_t sum;
    signal_ints backwards;
    CHECK(signal_both(numbers, 3, &sum, &backwards) == SIGNAL_OK && sum == 7 && backwards.data[0] == 4);
    signal_free(backwards.data);

    signal_ints table;
    CHECK(signal_table(3, &table) == SIGNAL_OK && table.shape[0] == 3 && table.data[2] == 55);
    signal_free(table.data);
    CHECK(signal_table(INT64_C(1) << 45, &table) == SIGNAL_WS_FULL && table.data == NULL);
    CHECK(strstr(signal_message(), "no memory for an array of 35184372088832 elements") != NULL);
    CHECK(signal_table(-1, &table) == SIGNAL_DOMAIN_ERROR);
    return wrong;
}
