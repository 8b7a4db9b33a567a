/* Destinations: memory that grows, to which functions of the program append elements one after the other.

       aplc_growing d = {NULL, 0, -1}
       void *aplc_room_in(aplc_growing *d, int64_t more, int64_t element, int64_t behind)
       void aplc_append(aplc_growing *d, int64_t count)
       void *aplc_last_of(const aplc_growing *d, int64_t count, int64_t element)

   are one without memory yet, the room for more elements behind those that are there, and `behind` bytes that may be
   touched behind that, to say that so many of these are there, and where the last ones begin. Room is NULL if there is
   none; what is there stays. It is valid until room is asked for again. A function gives a destination memory in any
   case, also if it appends nothing. The memory is the caller's. */

#ifndef APLC_GROWING_H
#define APLC_GROWING_H

#include "aplc.h"
#include "aplc_apart.h"

typedef struct {
    void *data;
    int64_t used, room; /* how many elements there are, and may be */
} aplc_growing;

/* Memory is doubled, or as much as needed where there is no more. */
static APLC_APART void *aplc_more_room_in(aplc_growing *d, int64_t more, int64_t element, int64_t behind) {
    const int64_t least = 64 / element;
    int64_t wanted;
    if (more < 0 || __builtin_add_overflow(d->used + behind / element, more, &wanted))
        return NULL;
    int64_t room = d->room > INT64_MAX / 2 ? wanted : 2 * d->room;
    room = room < wanted ? wanted : room;
    room = room < least ? least : room;
    void *data = aplc_alloc(room, element);
    if (data == NULL)
        data = aplc_alloc(room = wanted, element);
    if (data == NULL)
        return NULL;
    if (d->used > 0)
        memcpy(data, d->data, (size_t)(d->used * element));
    free(d->data);
    *d = (aplc_growing){data, d->used, room};
    return (char *)data + d->used * element;
}

static inline void *aplc_room_in(aplc_growing *d, int64_t more, int64_t element, int64_t behind) {
    if ((more >= 0) & (more <= d->room - d->used - behind / element))
        return (char *)d->data + d->used * element;
    return aplc_more_room_in(d, more, element, behind);
}

static inline void aplc_append(aplc_growing *d, int64_t count) { d->used += count; }

static inline void *aplc_last_of(const aplc_growing *d, int64_t count, int64_t element) {
    return (char *)d->data + (d->used - count) * element;
}

#endif
