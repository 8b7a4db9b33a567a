/* Calls of compiled functions from Python that cost what a call of a function written in C costs.

   A gate is a Python function with a list of plans, one for each combination of element types and ranks for which
   an APL function is compiled. A call whose arguments fit a plan runs its program on the elements where they lie; any
   other gives NotImplemented and has done nothing: its host then finds out what to do. So does a program that asks
   something of its host; its plan then waits for smaller arguments.

   Of Python only the stable interface is used, that of 3.11 and later. It is declared here, so that no header of
   Python need be there. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aplc_host.h"
#include "aplc_stops.h"

/* --- Python --- */

typedef ptrdiff_t Py_ssize_t;
typedef struct PyObject PyObject;

typedef struct {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} Py_buffer;

typedef struct {
    const char *name;
    PyObject *(*call)(PyObject *self, PyObject *const *given, Py_ssize_t count);
    int flags;
    const char *doc;
} PyMethodDef;

typedef struct {
    int slot;
    void *function;
} PyType_Slot;

typedef struct {
    const char *name;
    int basicsize, itemsize;
    unsigned int flags;
    PyType_Slot *slots;
} PyType_Spec;

enum { METH_FASTCALL = 0x80, PyBUF_FORMAT = 0x4, PyBUF_C_CONTIGUOUS = 0x38, Py_bf_getbuffer = 1, Py_tp_dealloc = 52 };

PyObject *PyBool_FromLong(long value);
int PyBuffer_FillInfo(Py_buffer *view, PyObject *owner, void *memory, Py_ssize_t size, int readonly, int flags);
void PyBuffer_Release(Py_buffer *view);
PyObject *PyCFunction_NewEx(PyMethodDef *definition, PyObject *self, PyObject *module);
void *PyCapsule_GetPointer(PyObject *capsule, const char *name);
PyObject *PyCapsule_New(void *pointer, const char *name, void (*destructor)(PyObject *));
void PyErr_Clear(void);
PyObject *PyErr_Occurred(void);
double PyFloat_AsDouble(PyObject *object);
PyObject *PyFloat_FromDouble(double value);
long long PyLong_AsLongLong(PyObject *object);
PyObject *PyLong_FromLongLong(long long value);
PyObject *PyObject_CallFunctionObjArgs(PyObject *function, ...);
void PyObject_Free(void *memory);
int PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
PyObject *PyObject_Type(PyObject *object);
PyObject *PyTuple_New(Py_ssize_t count);
int PyTuple_SetItem(PyObject *tuple, Py_ssize_t position, PyObject *item);
PyObject *PyType_FromSpec(PyType_Spec *spec);
PyObject *PyType_GenericAlloc(PyObject *type, Py_ssize_t count);
void Py_DecRef(PyObject *object);
void Py_IncRef(PyObject *object);

/* --- gates --- */

enum { MOST_ARGUMENTS = 8, MOST_AXES = 16, OUT_OF_TIME = -1 };
static const int64_t LARGEST = INT64_MAX - 1; /* extent of arguments */

/* Elements: their letter in NumPy (`b i u f U`) and their bytes. */
typedef struct {
    int32_t letter, size;
} elements;

/* How a call is made: its program, what its arguments and its result are, for how long it may run, and what raises the
   error of a check that has failed, given its number (that of no check: its time is up) and the values it reports. In a
   process that is not this one there is one thread. From
   arguments of the extent `asked` on the program has asked something of its host. It looks itself at the characters of
   the arguments whose bits are in `looks_at`, and fails if these are none. */
typedef struct plan {
    struct plan *next;
    aplc_entry *entry;
    aplc_place *place;
    double seconds;
    int64_t count;
    struct {
        elements of;
        int64_t rank;
    } arguments[MOST_ARGUMENTS], result;
    PyObject *dtype, *failed;
    uint64_t random_key;
    int64_t has_threads, threads, process, asked;
    uint64_t looks_at;
} plan;

typedef struct {
    plan *plans;
} gate;

/* Objects of Python and NumPy that live as long as the process: types of arguments, and what declines. The first of the
   holders is that of arrays, results too. */
enum { MOST_HOLDERS = 16 };
typedef struct {
    PyObject *integer, *real, *boolean, *not_implemented;
    PyObject *holders[MOST_HOLDERS]; /* types whose elements lie in memory, NULL behind the last */
    int64_t object_size;
    unsigned long main_thread;
    uint64_t most_kept; /* bytes of large blocks */
} surroundings;

static surroundings python;

/* The number of this process: the system takes longer to tell it than short programs take to run. 0: not known. */
static int64_t own_process;

static void forget_process(void) { __atomic_store_n(&own_process, 0, __ATOMIC_RELAXED); }

static bool is_own(int64_t process) {
    int64_t own = __atomic_load_n(&own_process, __ATOMIC_RELAXED);
    if (own == 0) {
        own = getpid();
        __atomic_store_n(&own_process, own, __ATOMIC_RELAXED);
    }
    return own == process;
}

static PyObject *refused(void) {
    Py_IncRef(python.not_implemented);
    return python.not_implemented;
}

/* --- arguments --- */

typedef struct {
    elements of;
    int64_t rank;
    void *data;
    int64_t *shape;
    int64_t scalar;
    bool is_held;
    Py_buffer view;
} argument;

static elements elements_of(const Py_buffer *view) {
    const char *format = view->format;
    if (format == NULL)
        return (elements){0};
    const bool is_character = format[0] == '1' && format[1] == 'w' && format[2] == 0;
    if (format[0] == 0 || (format[1] != 0 && !is_character))
        return (elements){0};
    const int32_t size = (int32_t)view->itemsize;
    switch (is_character ? 'w' : format[0]) {
    case '?':
        return (elements){'b', size};
    case 'b': case 'h': case 'i': case 'l': case 'q':
        return (elements){'i', size};
    case 'B': case 'H': case 'I':
        return (elements){'u', size};
    case 'f': case 'd':
        return (elements){'f', size};
    case 'w':
        return (elements){'U', size};
    default:
        return (elements){0};
    }
}

/* Whether elements are what programs trust them to be: booleans 0 or 1, characters code points. Any other type has
   all its bits. Whole blocks are looked at, and what is left at the end. */
typedef uint64_t bits __attribute__((vector_size(16), aligned(1), may_alias));
enum { LAST_CHARACTER = 0x10FFFF };
static const int64_t MOST_ELEMENTS = INT64_C(1) << 47;

/* The bits of whole blocks of 64 bytes together, in two words. What is told from them is told of `size` rounded down
   to such a block. Each quarter is a stream of its own: a processor fetches more of four at once than of one. Larger
   vectors, and lanes with an index that varies, gcc keeps in memory. */
static bits bits_of_blocks(const void *memory, int64_t size) {
    const int64_t quarter = size / 256 * 64;
    bits first = {0}, second = {0}, third = {0}, fourth = {0};
    const char *place = memory;
    for (int64_t k = 0; k < quarter; k += 64, place += 64)
        for (int64_t stream = 0; stream < 4; stream++) {
            const bits *at = (const bits *)(place + stream * quarter);
            first |= at[0];
            second |= at[1];
            third |= at[2];
            fourth |= at[3];
        }
    place += 3 * quarter;
    for (int64_t left = size - 4 * quarter; left >= 64; left -= 64, place += 64) {
        const bits *at = (const bits *)place;
        first |= at[0] | at[1];
        second |= at[2] | at[3];
    }
    return first | second | third | fourth;
}

static bool are_booleans(const uint8_t *at, int64_t size) {
    const bits blocks = bits_of_blocks(at, size);
    uint64_t other = (blocks[0] | blocks[1]) & ~UINT64_C(0x0101010101010101);
    for (int64_t k = size & ~INT64_C(63); k < size; k++)
        other |= at[k] & ~1;
    return other == 0;
}

/* The bits of all characters together are at least each of them: where they are no code point, which is rare, the
   characters are looked at one by one. */
static bool are_characters(const uint32_t *at, int64_t count) {
    const bits blocks = bits_of_blocks(at, 4 * count);
    const uint64_t both = blocks[0] | blocks[1];
    uint32_t all = (uint32_t)(both >> 32 | both);
    for (int64_t k = count & ~INT64_C(15); k < count; k++)
        all |= at[k];
    bool are = true;
    for (int64_t k = 0; all > LAST_CHARACTER && k < count; k++)
        are &= at[k] <= LAST_CHARACTER;
    return are;
}

/* An array without elements may claim any extents. */
static bool is_possible(const argument *taken) {
    int64_t extent = 1;
    for (int64_t axis = 0; taken->view.len == 0 && axis < taken->rank; axis++)
        if (taken->shape[axis] != 0 && __builtin_mul_overflow(extent, taken->shape[axis], &extent))
            return false;
    return extent <= MOST_ELEMENTS;
}

static bool are_of_their_type(const argument *taken) {
    if (taken->of.letter == 'b')
        return are_booleans(taken->data, taken->view.len);
    return taken->of.letter != 'U' || are_characters(taken->data, taken->view.len / 4);
}

/* Elements in memory, in their order, aligned and of their type; what else there is, the host converts. */
static bool take_elements(PyObject *object, argument *taken) {
    if (PyObject_GetBuffer(object, &taken->view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
        PyErr_Clear();
        return false;
    }
    taken->is_held = true;
    taken->of = elements_of(&taken->view);
    taken->rank = taken->view.ndim;
    taken->data = taken->view.buf;
    taken->shape = (int64_t *)taken->view.shape;
    if (taken->of.size == 0 || (uintptr_t)taken->data % (uintptr_t)taken->of.size != 0)
        return false;
    return is_possible(taken);
}

static bool take_integer(PyObject *object, argument *taken) {
    taken->of = (elements){'i', 8};
    taken->scalar = PyLong_AsLongLong(object);
    if (taken->scalar != -1 || PyErr_Occurred() == NULL)
        return true;
    PyErr_Clear();
    return false;
}

static bool take(PyObject *object, argument *taken) {
    PyObject *type = PyObject_Type(object);
    Py_DecRef(type);
    taken->is_held = false;
    if (type == python.holders[0])
        return take_elements(object, taken);
    taken->rank = 0;
    taken->data = &taken->scalar;
    taken->shape = NULL;
    if (type == python.real) {
        const double value = PyFloat_AsDouble(object);
        memcpy(&taken->scalar, &value, sizeof value);
        taken->of = (elements){'f', 8};
        return true;
    }
    if (type == python.integer)
        return take_integer(object, taken);
    if (type == python.boolean) {
        const uint8_t value = PyLong_AsLongLong(object) != 0;
        memcpy(&taken->scalar, &value, sizeof value);
        taken->of = (elements){'b', 1};
        return true;
    }
    for (PyObject **holder = &python.holders[1]; *holder != NULL; holder++)
        if (type == *holder)
            return take_elements(object, taken);
    return false;
}

static bool fits(const plan *plan, const argument *arguments, int64_t count) {
    if (plan->count != count)
        return false;
    for (int64_t k = 0; k < count; k++) {
        const elements wanted = plan->arguments[k].of, found = arguments[k].of;
        if (wanted.letter != found.letter || wanted.size != found.size || plan->arguments[k].rank != arguments[k].rank)
            return false;
    }
    return true;
}

/* Whether elements are of their type, of arguments at which the program looks itself, or of those at which it does
   not. */
static bool are_elements(const plan *plan, const argument *arguments, bool looks) {
    for (int64_t k = 0; k < plan->count; k++)
        if (arguments[k].is_held && (plan->looks_at >> k & 1) == looks && !are_of_their_type(&arguments[k]))
            return false;
    return true;
}

/* How much there is to do, as far as arguments tell: elements, and what integers may count. */
static int64_t extent_of(const argument *arguments, int64_t count) {
    int64_t extent = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t own = 1;
        if (arguments[k].rank > 0)
            own = arguments[k].view.len / arguments[k].of.size;
        else if (arguments[k].of.letter == 'i' && arguments[k].of.size == sizeof own)
            memcpy(&own, arguments[k].data, sizeof own);
        own = own < 0 ? ~own : own;
        extent = own < LARGEST - extent ? extent + own : LARGEST;
    }
    return extent;
}

/* --- results --- */

/* Memory that goes with the last array that shows it. */
typedef struct {
    void *data;
    Py_ssize_t size;
} memory;

static PyObject *memory_type;

static memory *memory_of(PyObject *object) { return (memory *)((char *)object + python.object_size); }

static int memory_buffer(PyObject *object, Py_buffer *view, int flags) {
    const memory *shown = memory_of(object);
    return PyBuffer_FillInfo(view, object, shown->data, shown->size, 0, flags);
}

static void memory_end(PyObject *object) {
    PyObject *type = PyObject_Type(object);
    aplc_let_go(memory_of(object)->data);
    PyObject_Free(object);
    Py_DecRef(type);
    Py_DecRef(type);
}

static PyObject *tuple_of(int64_t rank, const int64_t *extents) {
    PyObject *tuple = PyTuple_New(rank);
    for (int64_t axis = 0; tuple != NULL && axis < rank; axis++) {
        PyObject *extent = PyLong_FromLongLong(extents[axis]);
        if (extent == NULL) {
            Py_DecRef(tuple);
            return NULL;
        }
        PyTuple_SetItem(tuple, axis, extent);
    }
    return tuple;
}

/* An array of Python that owns the memory of one of ours; NULL with an exception if there is no room for it. */
static PyObject *array_of(const plan *plan, const aplc_array *given) {
    Py_ssize_t size = plan->result.of.size;
    for (int64_t axis = 0; axis < plan->result.rank; axis++)
        size *= given->shape[axis];
    PyObject *shape = tuple_of(plan->result.rank, given->shape);
    PyObject *owner = size > 0 && shape != NULL ? PyType_GenericAlloc(memory_type, 0) : NULL;
    PyObject *array = NULL;
    if (owner != NULL) {
        *memory_of(owner) = (memory){given->data, size};
        array = PyObject_CallFunctionObjArgs(python.holders[0], shape, plan->dtype, owner, NULL);
        Py_DecRef(owner);
    } else {
        free(given->data);
        if (size == 0 && shape != NULL)
            array = PyObject_CallFunctionObjArgs(python.holders[0], shape, plan->dtype, NULL);
    }
    if (shape != NULL)
        Py_DecRef(shape);
    return array;
}

static PyObject *number_of(const plan *plan, const void *given) {
    double real;
    int64_t integer;
    switch (plan->result.of.letter) {
    case 'b':
        return PyBool_FromLong(*(const uint8_t *)given);
    case 'i':
        memcpy(&integer, given, sizeof integer);
        return PyLong_FromLongLong(integer);
    default:
        memcpy(&real, given, sizeof real);
        return PyFloat_FromDouble(real);
    }
}

/* The error of a check: NULL with an exception. */
static PyObject *failure_of(const plan *plan, const aplc_host *host) {
    PyObject *values[4] = {NULL};
    const int64_t told[3] = {host->site, host->values[0], host->values[1]};
    bool is_whole = (values[3] = tuple_of(host->told, host->items)) != NULL;
    for (int k = 0; k < 3; k++)
        is_whole &= (values[k] = PyLong_FromLongLong(told[k])) != NULL;
    PyObject *raised = NULL;
    if (is_whole)
        raised = PyObject_CallFunctionObjArgs(plan->failed, values[0], values[1], values[2], values[3], NULL);
    for (int k = 0; k < 4; k++)
        if (values[k] != NULL)
            Py_DecRef(values[k]);
    return raised;
}

/* --- calls --- */

/* Stops a program that asks something. */
static int unanswered(int64_t k, const aplc_array *arguments, aplc_array *results) {
    (void)k, (void)arguments, (void)results;
    return 1;
}

static PyObject *run(plan *plan, const argument *arguments, int64_t count) {
    const int64_t extent = extent_of(arguments, count);
    if (extent >= plan->asked)
        return refused();
    int64_t extents[MOST_AXES] = {0}, scalar = 0;
    aplc_array in[MOST_ARGUMENTS], out = {plan->result.rank == 0 ? &scalar : NULL, extents};
    for (int64_t k = 0; k < count; k++)
        in[k] = (aplc_array){arguments[k].data, arguments[k].shape};
    aplc_host host = {.ask = unanswered, .random = {plan->random_key, 0}, .threads = 1};
    if (plan->has_threads && is_own(plan->process))
        host.threads = plan->threads;
    int why;
    const int status = aplc_run_stoppable(plan->entry, plan->place, plan->seconds, &host, in, &out, &why);
    if (why == APLC_RAISED)
        return NULL;
    if (status != APLC_OK && !are_elements(plan, arguments, true))
        return refused();
    if (why == APLC_OUT_OF_TIME)
        host.site = OUT_OF_TIME;
    if (why == APLC_OUT_OF_TIME || status == APLC_FAILED)
        return failure_of(plan, &host);
    if (status == APLC_STOPPED && extent < plan->asked)
        plan->asked = extent;
    if (status != APLC_OK)
        return refused();
    return plan->result.rank == 0 ? number_of(plan, out.data) : array_of(plan, &out);
}

static PyObject *call(PyObject *self, PyObject *const *given, Py_ssize_t count) {
    const gate *gate = PyCapsule_GetPointer(self, NULL);
    if (gate == NULL)
        return NULL;
    if (count > MOST_ARGUMENTS)
        return refused();
    argument arguments[MOST_ARGUMENTS];
    Py_ssize_t taken = 0;
    bool all = true;
    while (all && taken < count)
        all = take(given[taken], &arguments[taken]), taken++;
    plan *found = all ? gate->plans : NULL;
    while (found != NULL && !fits(found, arguments, count))
        found = found->next;
    const bool is_run = found != NULL && are_elements(found, arguments, false);
    PyObject *result = is_run ? run(found, arguments, count) : refused();
    while (taken-- > 0)
        if (arguments[taken].is_held)
            PyBuffer_Release(&arguments[taken].view);
    return result;
}

/* A run of any program; its status, or that there is an exception. `why` says why it has ended before its time. */
APLC_EXPORT int aplc_python_run(aplc_entry *entry, aplc_place *place, double seconds, aplc_host *host,
                                const aplc_array *in, aplc_array *out, int *why) {
    return aplc_run_stoppable(entry, place, seconds, host, in, out, why);
}

/* End what a thread runs, now or as soon as it begins. */
APLC_EXPORT void aplc_python_stop(unsigned long ident) { aplc_tell((pthread_t)ident); }

/* Free memory that the host has adopted, or keep it. */
APLC_EXPORT void aplc_python_let_go(void *memory) { aplc_let_go(memory); }

/* What is to be known before there are gates; 0, or -1 with an exception. */
APLC_EXPORT int aplc_python_begin(const surroundings *known) {
    static PyType_Slot slots[] = {
        {Py_bf_getbuffer, (void *)memory_buffer}, {Py_tp_dealloc, (void *)memory_end}, {0, NULL}};
    static PyType_Spec spec = {"aplc.Memory", 0, 0, 0, slots};
    python = *known;
    pthread_atfork(NULL, NULL, forget_process);
    aplc_begin_stops((pthread_t)known->main_thread);
    aplc_pool.most = (size_t)known->most_kept;
    spec.basicsize = (int)(python.object_size + (int64_t)sizeof(memory));
    memory_type = PyType_FromSpec(&spec);
    return memory_type != NULL ? 0 : -1;
}

/* The function of a gate, which must outlive it. */
APLC_EXPORT PyObject *aplc_python_gate(gate *of) {
    static PyMethodDef definition = {"call", call, METH_FASTCALL, NULL};
    PyObject *self = PyCapsule_New(of, NULL, NULL);
    if (self == NULL)
        return NULL;
    PyObject *function = PyCFunction_NewEx(&definition, self, NULL);
    Py_DecRef(self);
    return function;
}
