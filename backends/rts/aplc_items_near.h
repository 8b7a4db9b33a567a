/* Searching among items of doubles, for generated C, where numbers are equal within a tolerance t, as they are in
   aplc_search_near.h. The functions are those of aplc_items.h, with t behind `before`:

       int aplc_items_near_add(aplc_table *table, const void *elements, const int64_t *records, int64_t extent,
                               int64_t axes, int64_t count, int64_t before, double t, int64_t *numbers,
                               int64_t *classes)
       int aplc_items_near_count(...), aplc_items_near_enter(...)
       int64_t aplc_items_near_find(...), aplc_items_near_find_at(...)

   An item belongs to the class of the first one before it that it equals. In the table are items that are not the
   same to the last bit as one before them; each has an entry. */

#ifndef APLC_ITEMS_NEAR_H
#define APLC_ITEMS_NEAR_H

#include "aplc_items.h"
#include "aplc_search_near.h"

enum { APLC_ASKED_ELEMENTS = 64 }; /* the code of an item is made of so many elements */

/* The entry of an item: its number, from 1, that of its class, and its record. */
static inline const int64_t *aplc_entry(const aplc_table *table, int64_t number) {
    return table->entries + (number - 1) * (table->axes + 3);
}

static inline int64_t aplc_asked(int64_t size) { return size < APLC_ASKED_ELEMENTS ? size : APLC_ASKED_ELEMENTS; }

/* Whether an item equals that of an entry; or is the same but for the signs of zeros. */
static inline bool aplc_equals_entry(const aplc_table *table, int64_t number, const double *elements,
                                     const int64_t *record, bool exactly) {
    const double *const keys = table->keys;
    const int64_t *const of = aplc_entry(table, number) + 2;
    if (!aplc_same_extents(of, record, table->axes))
        return false;
    const int64_t size = aplc_size_of(record, table->axes);
    const double *const x = keys + of[0], *const y = elements + record[0];
    return exactly ? aplc_equal_rows_double(x, y, size) : aplc_near_rows(table->tolerance, x, y, size);
}

/* The first entry under a code, and before entry `found` unless that is 0, that an item equals; `found` if there is
   none. */
static inline int64_t aplc_seek_entry(const aplc_table *table, uint64_t code, const double *elements,
                                      const int64_t *record, bool exactly, int64_t found) {
    for (uint64_t number = aplc_first_bucket(table, code);; number = aplc_next_bucket(table, number)) {
        const aplc_bucket *const bucket = &table->buckets[number];
        for (int k = 0; k < APLC_BUCKET_SIZE; k++) {
            const int64_t entry = bucket->positions[k];
            if (entry == 0)
                return found;
            if (bucket->codes[k] == code && (found == 0 || entry < found) &&
                aplc_equals_entry(table, entry, elements, record, exactly))
                found = entry;
        }
    }
}

/* The first entry that an item equals; 0 if there is none. */
static inline int64_t aplc_find_entry(const aplc_table *table, const double *elements, const int64_t *record) {
    const int64_t size = aplc_size_of(record, table->axes);
    const double *const row = elements + record[0];
    const bool is_fine = table->tolerance >= 0 && table->tolerance <= 1e-6;
    aplc_place_near place = {.split = APLC_MOST_SPLIT + 1};
    if (is_fine)
        place = aplc_places_of(table, row, size, aplc_asked(size));
    if (place.split > APLC_MOST_SPLIT) {
        for (int64_t k = 1; k <= table->entered; k++)
            if (aplc_equals_entry(table, k, elements, record, false))
                return k;
        return 0;
    }
    const uint64_t extents = aplc_hash_extents(record, table->axes);
    int64_t found = aplc_seek_entry(table, place.code + extents, elements, record, false, 0);
    for (unsigned k = 1; k < 1u << place.split; k++) { /* one interval is exchanged at a time */
        const int other = __builtin_ctz(k);
        place.code += place.others[other];
        place.others[other] = -place.others[other];
        found = aplc_seek_entry(table, place.code + extents, elements, record, false, found);
    }
    return found;
}

/* A new entry. The result is 0 or APLC_OUT_OF_MEMORY. */
static inline int aplc_new_entry(aplc_table *table, uint64_t code, int64_t position, int64_t class,
                                 const int64_t *record) {
    const int64_t width = table->axes + 3;
    if (table->entered == table->more_room) {
        const int64_t room = table->more_room == 0 ? 64 : 2 * table->more_room;
        int64_t *const entries = aplc_alloc(room, width * (int64_t)sizeof *entries);
        if (entries == NULL)
            return APLC_OUT_OF_MEMORY;
        if (table->entered > 0)
            memcpy(entries, table->entries, (size_t)(table->entered * width) * sizeof *entries);
        free(table->entries);
        table->entries = entries;
        table->more_room = room;
    }
    int64_t *const entry = table->entries + table->entered * width;
    entry[0] = position;
    entry[1] = class;
    memcpy(entry + 2, record, (size_t)(width - 2) * sizeof *entry);
    return aplc_table_enter(table, code, ++table->entered);
}

/* Enter an item unless it is there to the last bit; its class. */
static inline int aplc_near_class(aplc_table *table, const double *elements, const int64_t *record, int64_t position,
                                  int64_t *class) {
    const int64_t size = aplc_size_of(record, table->axes);
    const double *const row = elements + record[0];
    if (aplc_has_nan_double(row, size))
        return aplc_new_class(table, (aplc_item_code){0}, position, record, table->axes, class);
    const int64_t found = aplc_find_entry(table, elements, record);
    int status = 0;
    if (found != 0)
        *class = aplc_entry(table, found)[1];
    else
        status = aplc_new_class(table, (aplc_item_code){0}, position, record, table->axes, class);
    const uint64_t code = aplc_near_code(table, row, size, aplc_asked(size)) + aplc_hash_extents(record, table->axes);
    if (status != 0 || aplc_seek_entry(table, code, elements, record, true, 0) != 0)
        return status;
    return aplc_new_entry(table, code, position, *class, record);
}

static inline int aplc_near_start(aplc_table *table, const void *elements, int64_t extent, int64_t axes) {
    if (table->buckets != NULL)
        return 0;
    *table = (aplc_table){.kind = APLC_TABLE_HASHED, .keys = elements, .extent = extent, .axes = axes, .width = 4};
    table->buckets = aplc_free_buckets(table->width);
    return table->buckets == NULL ? APLC_OUT_OF_MEMORY : 0;
}

static inline int aplc_near_all(aplc_table *table, const double *elements, const int64_t *records, int64_t extent,
                                int64_t axes, int64_t count, int64_t before, double t, int64_t *numbers,
                                int64_t *classes) {
    int status = aplc_near_start(table, elements, extent, axes);
    aplc_set_grid(table, t);
    for (int64_t i = 0, class = 0; i < count && status == 0; i++) {
        status = aplc_near_class(table, elements, records + i * (axes + 1), before + i + 1, &class);
        if (numbers != NULL)
            numbers[before + i] = class;
        if (status == 0)
            aplc_head(table, class)->count++;
    }
    *classes = table->classes;
    if (status != 0)
        aplc_table_free(table);
    return status;
}

APLC_ONCE(aplc_items_near, int, aplc_items_near_add, aplc_table *table, const void *elements, const int64_t *records,
          int64_t extent, int64_t axes, int64_t count, int64_t before, double t, int64_t *numbers, int64_t *classes) {
    return aplc_near_all(table, elements, records, extent, axes, count, before, t, numbers, classes);
}

APLC_ONCE(aplc_items_near, int, aplc_items_near_count, aplc_table *table, const void *elements,
          const int64_t *records, int64_t extent, int64_t axes, int64_t count, int64_t before, double t,
          int64_t *classes) {
    return aplc_near_all(table, elements, records, extent, axes, count, before, t, NULL, classes);
}

APLC_ONCE(aplc_items_near, int, aplc_items_near_enter, aplc_table *table, const void *elements,
          const int64_t *records, int64_t extent, int64_t axes, int64_t count, int64_t before, double t) {
    int64_t classes;
    return aplc_near_all(table, elements, records, extent, axes, count, before, t, NULL, &classes);
}

static inline int64_t aplc_near_record(const aplc_table *table, const double *elements, int64_t entered,
                                       const int64_t *record) {
    const int64_t found = table->buckets == NULL ? 0 : aplc_find_entry(table, elements, record);
    return found == 0 ? entered + 1 : aplc_entry(table, found)[0];
}

static inline int64_t aplc_items_near_find(const aplc_table *table, const void *elements, int64_t extent,
                                           int64_t entered, int64_t place, int64_t length) {
    (void)extent;
    const int64_t record[2] = {place, length};
    return aplc_near_record(table, elements, entered, record);
}

static inline int64_t aplc_items_near_find_at(const aplc_table *table, const void *elements, const int64_t *records,
                                              int64_t extent, int64_t entered, int64_t i) {
    (void)extent;
    return aplc_near_record(table, elements, entered, records + i * (table->axes + 1));
}

#endif
