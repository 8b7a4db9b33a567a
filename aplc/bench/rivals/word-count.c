/* How often each word of a text occurs, by hand: a table of hashes, whose entries say where a word first stands. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t hash;
    int64_t start, length, count;
} Word;

typedef struct {
    Word *words;
    uint32_t *slots; /* the number of a word and 1, 0 for an empty one */
    int64_t found, room;
} Table;

static Table table_of(int64_t room) {
    return (Table){malloc((size_t)(room / 2) * sizeof(Word)), calloc((size_t)room, sizeof(uint32_t)), 0, room};
}

static void grow(Table *table) {
    const int64_t room = 2 * table->room, mask = room - 1;
    free(table->slots);
    table->slots = calloc((size_t)room, sizeof(uint32_t));
    table->words = realloc(table->words, (size_t)(room / 2) * sizeof(Word));
    for (int64_t k = 0; k < table->found; k++) {
        int64_t at = (int64_t)(table->words[k].hash & (uint64_t)mask);
        while (table->slots[at])
            at = (at + 1) & mask;
        table->slots[at] = (uint32_t)(k + 1);
    }
    table->room = room;
}

/* Counts a word of some occurrences. */
static void add(Table *table, const uint32_t *text, uint64_t hash, int64_t start, int64_t length, int64_t count) {
    const int64_t mask = table->room - 1;
    int64_t at = (int64_t)(hash & (uint64_t)mask);
    for (; table->slots[at]; at = (at + 1) & mask) {
        Word *word = &table->words[table->slots[at] - 1];
        if (word->hash == hash && word->length == length &&
            !memcmp(text + word->start, text + start, (size_t)length * sizeof(uint32_t))) {
            word->count += count;
            return;
        }
    }
    table->words[table->found] = (Word){hash, start, length, count};
    table->slots[at] = (uint32_t)++table->found;
    if (table->found == table->room / 2)
        grow(table);
}

/* Counts the words of a part of the text that begins and ends between words. */
static Table counted(const uint32_t *text, int64_t first, int64_t last) {
    Table table = table_of(1 << 12);
    for (int64_t i = first; i < last;) {
        if (text[i] == ' ') {
            i++;
            continue;
        }
        const int64_t start = i;
        uint64_t hash = 1469598103934665603u;
        for (; i < last && text[i] != ' '; i++)
            hash = (hash ^ text[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
        add(&table, text, hash, start, i - start, 1);
    }
    return table;
}

static int64_t written(Table table, int64_t *out) {
    for (int64_t k = 0; k < table.found; k++)
        out[k] = table.words[k].count;
    free(table.words), free(table.slots);
    return table.found;
}

#ifdef _OPENMP

#include <omp.h>

int64_t word_count(const uint32_t *text, int64_t n, int64_t *out) {
    const int most = omp_get_max_threads();
    Table *tables = malloc((size_t)most * sizeof(Table));
    int parts = 1;
#pragma omp parallel
    {
#pragma omp single
        parts = omp_get_num_threads();
        const int part = omp_get_thread_num();
        int64_t first = n * part / parts, last = n * (part + 1) / parts;
        while (first > 0 && first < n && text[first - 1] != ' ')
            first++;
        while (last > 0 && last < n && text[last - 1] != ' ')
            last++;
        tables[part] = counted(text, first, last);
    }
    for (int part = 1; part < parts; part++) {
        for (int64_t k = 0; k < tables[part].found; k++) {
            const Word word = tables[part].words[k];
            add(&tables[0], text, word.hash, word.start, word.length, word.count);
        }
        free(tables[part].words), free(tables[part].slots);
    }
    const int64_t found = written(tables[0], out);
    free(tables);
    return found;
}

#else

int64_t word_count(const uint32_t *text, int64_t n, int64_t *out) { return written(counted(text, 0, n), out); }

#endif
