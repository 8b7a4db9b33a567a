/* A `main` for compilers without libFuzzer: runs the files that it is given, or as many random inputs as it is told,
   `--random COUNT SEED`. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(const uint8_t *data, size_t size) {
    uint8_t *const exact = malloc(size + (size == 0));
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int count, char **arguments) {
    static uint8_t data[4096];
    if (count == 4 && strcmp(arguments[1], "--random") == 0) {
        uint64_t state = strtoull(arguments[3], NULL, 10) * 2 + 1;
        for (long left = atol(arguments[2]); left > 0; left--) {
            const size_t size = (size_t)(state >> 40) % (left % 8 == 0 ? sizeof data : 120);
            for (size_t i = 0; i < size; i++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                data[i] = (uint8_t)(state >> 56);
            }
            state = state * 6364136223846793005u + 1442695040888963407u;
            run(data, size);
        }
        return 0;
    }
    for (int i = 1; i < count; i++) {
        FILE *const file = fopen(arguments[i], "rb");
        if (file == NULL)
            return 2;
        run(data, fread(data, 1, sizeof data, file));
        fclose(file);
    }
    return 0;
}
