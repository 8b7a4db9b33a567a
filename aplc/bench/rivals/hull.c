/* The convex hull of points in the plane by Quickhull, by hand: the numbers of its points from 1, clockwise from the
   leftmost one. One pass over the points outside a line keeps those outside the two next lines, and finds the
   highest point of each. A call owns the memory of its points, and its second half is moved to new memory. */

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TASK = 10000 };

typedef struct {
    double x, y;
    int64_t number;
} Point;

typedef struct {
    Point *points;
    int64_t count;
    Point top;
    double height;
} Side;

typedef struct {
    int64_t *numbers;
    int64_t count, room;
} Found;

static inline void keep(Found *found, int64_t number) {
    if (found->count == found->room)
        found->numbers = realloc(found->numbers, (size_t)(found->room = 2 * found->room + 16) * sizeof(int64_t));
    found->numbers[found->count++] = number;
}

/* A point goes to a side if it lies to the left of its line. Products are compared, so that the ends do not. */
static inline int is_left(Point p, Point q, Point z, double *height) {
    const double a = (q.x - p.x) * (z.y - p.y), b = (q.y - p.y) * (z.x - p.x);
    *height = a - b;
    return a > b;
}

static inline void put(Side *side, Point z, double height) {
    if (height > side->height)
        side->height = height, side->top = z;
    side->points[side->count++] = z;
}

static Side side_of(Point *points) { return (Side){points, 0, {0.0, 0.0, 0}, -DBL_MAX}; }

static void append(Found *found, Found more) {
    for (int64_t k = 0; k < more.count; k++)
        keep(found, more.numbers[k]);
    free(more.numbers);
}

/* The hull from p to q without q, for the points to the left. */
static void hull_of(Point p, Point q, Side side, Found *found) {
    if (!side.count) {
        keep(found, p.number);
        return;
    }
    const Point top = side.top;
    Point *rest = malloc((size_t)side.count * sizeof(Point));
    Side first = side_of(side.points), second = side_of(rest);
    for (int64_t k = 0; k < side.count; k++) {
        const Point z = side.points[k];
        double height;
        if (is_left(p, top, z, &height))
            put(&first, z, height);
        else if (is_left(top, q, z, &height))
            put(&second, z, height);
    }
#ifdef _OPENMP
    if (side.count > TASK) {
        Found other = {0};
#pragma omp task shared(other)
        hull_of(top, q, second, &other);
        hull_of(p, top, first, found);
#pragma omp taskwait
        append(found, other);
        free(rest);
        return;
    }
#endif
    hull_of(p, top, first, found);
    hull_of(top, q, second, found);
    free(rest);
}

int64_t hull(const double *points, int64_t two, int64_t n, int64_t *out) {
    const double *restrict x = points, *restrict y = points + n;
    double least = DBL_MAX, most = -DBL_MAX;
#pragma omp parallel for simd reduction(min : least) reduction(max : most)
    for (int64_t i = 0; i < n; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    int64_t left = 0, right = 0;
    while (x[left] != least)
        left++;
    while (x[right] != most)
        right++;
    const Point p = {x[left], y[left], left + 1}, q = {x[right], y[right], right + 1};
    Point *above = malloc((size_t)n * sizeof(Point)), *below = malloc((size_t)n * sizeof(Point));
    Side upper = side_of(above), lower = side_of(below);
    Found found = {0}, other = {0};
#ifdef _OPENMP
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(lower, other)
        {
            for (int64_t i = 0; i < n; i++) {
                const Point z = {x[i], y[i], i + 1};
                double height;
                if (is_left(q, p, z, &height))
                    put(&lower, z, height);
            }
            hull_of(q, p, lower, &other);
        }
        for (int64_t i = 0; i < n; i++) {
            const Point z = {x[i], y[i], i + 1};
            double height;
            if (is_left(p, q, z, &height))
                put(&upper, z, height);
        }
        hull_of(p, q, upper, &found);
#pragma omp taskwait
    }
#else
    for (int64_t i = 0; i < n; i++) {
        const Point z = {x[i], y[i], i + 1};
        double height;
        if (is_left(p, q, z, &height))
            put(&upper, z, height);
        else if (is_left(q, p, z, &height))
            put(&lower, z, height);
    }
    hull_of(p, q, upper, &found);
    hull_of(q, p, lower, &other);
#endif
    append(&found, other);
    memcpy(out, found.numbers, (size_t)found.count * sizeof(int64_t));
    free(found.numbers), free(above), free(below);
    return found.count;
}
