/* Calls a library with kernels, right and wrong; says what is not as it should be. */
#include "libgpu.h"

#include <stdio.h>
#include <string.h>

static int wrong;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("line %d: %s (%s)\n", __LINE__, #condition, gpu_message());                                         \
            wrong = 1;                                                                                                 \
        }                                                                                                              \
    } while (0)

int main(void) {
    double x[1000], total;
    for (int i = 0; i < 1000; i++)
        x[i] = i;
    CHECK(gpu_init("no such device") == GPU_DEVICE_ERROR);
    CHECK(strstr(gpu_message(), "DEVICE ERROR: no OpenCL device is called no such device; there are ") == gpu_message());
    CHECK(gpu_device()[0] == 0);
    CHECK(gpu_init(NULL) == GPU_OK && gpu_init(gpu_device()) == GPU_OK && gpu_device()[0] != 0);
    CHECK(gpu_init("no such device") == GPU_DEVICE_ERROR);
    CHECK(gpu_total(x, 1000, &total) == GPU_OK && total == -499500);
    CHECK(gpu_total(NULL, 0, &total) == GPU_OK && total == 0);
    CHECK(gpu_total(NULL, 7, &total) == GPU_LENGTH_ERROR && total == 0);

    gpu_doubles ratios;
    CHECK(gpu_ratios(x + 1, 999, &ratios) == GPU_OK && ratios.shape[0] == 998 && ratios.data[0] == 2);
    gpu_free(ratios.data);
    CHECK(gpu_ratios(x, 1000, &ratios) == GPU_DOMAIN_ERROR && ratios.data == NULL && ratios.shape[0] == 0);
    CHECK(strstr(gpu_message(), "DOMAIN ERROR: \303\267 divides by zero") != NULL);

    const int64_t offsets[] = {0, 1, 1, 1000};
    gpu_doubles sums;
    CHECK(gpu_sums(x, offsets, 3, &sums) == GPU_OK && sums.shape[0] == 3 && sums.data[2] == 999000);
    gpu_free(sums.data);

    gpu_lists_of_chars words;
    CHECK(gpu_words(U"to be or", 8, &words) == GPU_OK && words.count == 3 && words.offsets[3] == 6);
    gpu_free(words.data);
    gpu_free(words.offsets);

    int64_t sum;
    gpu_ints backwards;
    gpu_doubles quarters;
    const int64_t numbers[] = {1, 2, 4};
    CHECK(gpu_several(numbers, 3, &sum, &backwards, &quarters) == GPU_OK && sum == 7);
    CHECK(backwards.data[0] == 4 && quarters.data[2] == 1);
    gpu_free(backwards.data);
    gpu_free(quarters.data);
    gpu_finish();
    CHECK(gpu_device()[0] == 0);
    fflush(stdout);
    return wrong;
}
