/* What a library does whose loops run on an OpenCL device (`aplc build --kernels`): it chooses the device, builds the
   kernels, starts them when a function asks for that, and keeps copies of arrays in the memory of the device.

   The library of OpenCL is looked for when a device is first wanted: neither it nor its headers are needed to compile or
   link this. Types and numbers are those of its specification; what CL/cl.h calls cl_mem, cl_kernel and so on is a
   `void *` here. The lock of the device is held while it is told something. */

#ifndef APLC_DEVICE_H
#define APLC_DEVICE_H

#include <ctype.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdarg.h>

#include "aplc_library.h"

/* The functions of OpenCL that are called: result, name without `cl`, parameters. */
#define LIB_OPENCL(each) \
    each(int32_t, GetPlatformIDs, (uint32_t, void **, uint32_t *)) \
    each(int32_t, GetDeviceIDs, (void *, uint64_t, uint32_t, void **, uint32_t *)) \
    each(int32_t, GetDeviceInfo, (void *, uint32_t, size_t, void *, size_t *)) \
    each(void *, CreateContext, (const intptr_t *, uint32_t, void *const *, void *, void *, int32_t *)) \
    each(void *, CreateCommandQueue, (void *, void *, uint64_t, int32_t *)) \
    each(void *, CreateProgramWithSource, (void *, uint32_t, const char *const *, const size_t *, int32_t *)) \
    each(int32_t, BuildProgram, (void *, uint32_t, void *const *, const char *, void *, void *)) \
    each(int32_t, GetProgramBuildInfo, (void *, void *, uint32_t, size_t, void *, size_t *)) \
    each(void *, CreateKernel, (void *, const char *, int32_t *)) \
    each(void *, CreateBuffer, (void *, uint64_t, size_t, void *, int32_t *)) \
    each(int32_t, SetKernelArg, (void *, uint32_t, size_t, const void *)) \
    each(int32_t, EnqueueNDRangeKernel, \
         (void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, void *, void *)) \
    each(int32_t, EnqueueReadBuffer, (void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *, void *)) \
    each(int32_t, EnqueueWriteBuffer, \
         (void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *, void *)) \
    each(int32_t, Finish, (void *)) \
    each(int32_t, ReleaseMemObject, (void *)) \
    each(int32_t, ReleaseKernel, (void *)) \
    each(int32_t, ReleaseProgram, (void *)) \
    each(int32_t, ReleaseCommandQueue, (void *)) \
    each(int32_t, ReleaseContext, (void *))

typedef struct {
#define LIB_MEMBER(result, name, parameters) result(*name) parameters;
    LIB_OPENCL(LIB_MEMBER)
} lib_opencl;

enum {
    LIB_CL_CPU = 2, LIB_CL_GPU = 4, LIB_CL_ALL = -1, /* types of devices */
    LIB_CL_TYPE = 0x1000, LIB_CL_NAME = 0x102B, LIB_CL_DOUBLES = 0x1032, LIB_CL_BUILD_LOG = 0x1183,
    LIB_CL_READ_WRITE = 1, LIB_CL_COPY = 32,
    LIB_MOST_PLATFORMS = 16, LIB_MOST_DEVICES = 64,
    LIB_GROUP = 64, /* work-items of a group, where they do not need one another */
    LIB_WS_FULL = 1, LIB_DEVICE_ERROR = 100
};

/* An array that a kernel gets; `length` is 0 where its memory is the heap's or an argument's. */
typedef struct {
    int64_t length;
    int item_bytes;
    bool is_written;
} lib_kernel_array;

/* How a kernel is started: from numbers of work-items, arrays and scalars, in this order. Those that may fail get before
   all else where they say so; `group` is 0 where work-items do not need one another. */
typedef struct {
    const char *name;
    int axes, arrays, scalars;
    const lib_kernel_array *array;
    const int *scalar_bytes;
    bool may_fail;
    size_t group[3];
} lib_launch;

/* The kernels of a library, and what the driver has made of them, in the same order. */
typedef struct {
    const char *const *lines;
    uint32_t line_count;
    const lib_launch *launches;
    int count;
    void **functions;
} lib_kernels;

/* What a question of a function is about: a kernel, by its number, or what happens to an array in the host's memory. It
   is new, is about to be read, to be written, to be freed. */
enum { LIB_FRESH = -1, LIB_READ = -2, LIB_CHANGE = -3, LIB_DROP = -4 };

/* An argument of a function: its rank, and the size of its elements. */
typedef struct {
    int rank, item_bytes;
} lib_parameter;

typedef struct {
    lib_entry *entry;
    const lib_failure *failures;
    const int *concerns;
    const lib_parameter *parameters;
    int count;
    bool is_recursive;
} lib_function;

/* ---- the device ---- */

static struct {
    pthread_mutex_t lock;
    lib_opencl cl;
    void *device, *context, *queue, *program;
    void *failed; /* a number on the device, 0 but for a kernel of which a check has failed */
    bool is_ready, is_cpu;
    char name[200];
} lib_device = {.lock = PTHREAD_MUTEX_INITIALIZER};

static inline int lib_no_device(const char *format, ...) {
    char why[500];
    va_list values;
    va_start(values, format);
    vsnprintf(why, sizeof why, format, values);
    va_end(values);
    return lib_refuse(LIB_DEVICE_ERROR, "DEVICE ERROR", why);
}

/* The library of OpenCL that the process has already, or else that of the system. */
static inline int lib_find_opencl(void) {
    void *library = RTLD_DEFAULT;
    if (dlsym(RTLD_DEFAULT, "clGetPlatformIDs") == NULL) {
        library = dlopen("libOpenCL.so.1", RTLD_NOW);
        if (library == NULL)
            return lib_no_device("no OpenCL is found here: %s", dlerror());
    }
#define LIB_LOOK_UP(result, name, parameters) \
    *(void **)&lib_device.cl.name = dlsym(library, "cl" #name); \
    if (lib_device.cl.name == NULL) \
        return lib_no_device("the library of OpenCL has no cl" #name);
    LIB_OPENCL(LIB_LOOK_UP)
    return 0;
}

static inline bool lib_contains(const char *text, const char *part) {
    for (; *text != 0; text++) {
        size_t k = 0;
        while (part[k] != 0 && tolower((unsigned char)text[k]) == tolower((unsigned char)part[k]))
            k++;
        if (part[k] == 0)
            return true;
    }
    return part[0] == 0;
}

static inline void lib_name_of(void *device, char *name, size_t size) {
    name[0] = 0;
    lib_device.cl.GetDeviceInfo(device, LIB_CL_NAME, size - 1, name, NULL);
    name[size - 1] = 0;
}

/* Of the devices whose name contains `wanted`, a GPU if there is one. */
static inline int lib_find_device(const char *wanted) {
    const lib_opencl *cl = &lib_device.cl;
    void *platforms[LIB_MOST_PLATFORMS], *devices[LIB_MOST_DEVICES];
    char name[sizeof lib_device.name], names[300] = "";
    uint32_t platform_count = 0, total = 0;
    bool has_gpu = false;
    lib_device.device = NULL;
    if (cl->GetPlatformIDs(LIB_MOST_PLATFORMS, platforms, &platform_count) != 0)
        platform_count = 0;
    for (uint32_t p = 0; p < platform_count && p < LIB_MOST_PLATFORMS; p++) {
        uint32_t count = 0;
        if (cl->GetDeviceIDs(platforms[p], (uint32_t)LIB_CL_ALL, LIB_MOST_DEVICES, devices, &count) != 0)
            continue;
        for (uint32_t d = 0; d < count && d < LIB_MOST_DEVICES; d++, total++) {
            uint64_t type = 0;
            cl->GetDeviceInfo(devices[d], LIB_CL_TYPE, sizeof type, &type, NULL);
            lib_name_of(devices[d], name, sizeof name);
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", name);
            const bool is_gpu = (type & LIB_CL_GPU) != 0;
            if (lib_contains(name, wanted) && (lib_device.device == NULL || (is_gpu && !has_gpu))) {
                lib_device.device = devices[d];
                lib_device.is_cpu = (type & LIB_CL_CPU) != 0;
                has_gpu = is_gpu;
            }
        }
    }
    if (total == 0)
        return lib_no_device("there is no OpenCL device");
    if (lib_device.device == NULL)
        return lib_no_device("no OpenCL device is called %s; there are %s", wanted, names);
    lib_name_of(lib_device.device, lib_device.name, sizeof lib_device.name);
    return 0;
}

static inline int lib_build(const lib_kernels *all) {
    const lib_opencl *cl = &lib_device.cl;
    int32_t status = 0;
    lib_device.program = cl->CreateProgramWithSource(lib_device.context, all->line_count, all->lines, NULL, &status);
    if (status != 0)
        return lib_no_device("%s takes no kernels (%d)", lib_device.name, (int)status);
    if (cl->BuildProgram(lib_device.program, 1, &lib_device.device, "-w", NULL, NULL) != 0) {
        char log[300] = "";
        cl->GetProgramBuildInfo(lib_device.program, lib_device.device, LIB_CL_BUILD_LOG, sizeof log - 1, log, NULL);
        log[strcspn(log, "\r\n")] = 0;
        return lib_no_device("the driver of %s does not build the kernels: %s", lib_device.name, log);
    }
    for (int k = 0; k < all->count; k++) {
        all->functions[k] = cl->CreateKernel(lib_device.program, all->launches[k].name, &status);
        if (status != 0)
            return lib_no_device("%s has no kernel %s (%d)", lib_device.name, all->launches[k].name, (int)status);
    }
    return 0;
}

static inline int lib_begin(const lib_kernels *all, const char *wanted) {
    const lib_opencl *cl = &lib_device.cl;
    uint64_t doubles = 0;
    int32_t status = 0;
    int code = cl->Finish == NULL ? lib_find_opencl() : 0;
    if (code != 0 || (code = lib_find_device(wanted)) != 0)
        return code;
    cl->GetDeviceInfo(lib_device.device, LIB_CL_DOUBLES, sizeof doubles, &doubles, NULL);
    if (doubles == 0)
        return lib_no_device("%s has no doubles", lib_device.name);
    lib_device.context = cl->CreateContext(NULL, 1, &lib_device.device, NULL, NULL, &status);
    if (status == 0)
        lib_device.queue = cl->CreateCommandQueue(lib_device.context, lib_device.device, 0, &status);
    int32_t mark = 0;
    if (status == 0)
        lib_device.failed =
            cl->CreateBuffer(lib_device.context, LIB_CL_READ_WRITE | LIB_CL_COPY, sizeof mark, &mark, &status);
    if (status != 0)
        return lib_no_device("%s cannot be used (%d)", lib_device.name, (int)status);
    return lib_build(all);
}

static inline void lib_release(const lib_kernels *all) {
    const lib_opencl *cl = &lib_device.cl;
    for (int k = 0; k < all->count; k++) {
        if (all->functions[k] != NULL)
            cl->ReleaseKernel(all->functions[k]);
        all->functions[k] = NULL;
    }
    if (lib_device.program != NULL)
        cl->ReleaseProgram(lib_device.program);
    if (lib_device.failed != NULL)
        cl->ReleaseMemObject(lib_device.failed);
    if (lib_device.queue != NULL)
        cl->ReleaseCommandQueue(lib_device.queue);
    if (lib_device.context != NULL)
        cl->ReleaseContext(lib_device.context);
    lib_device.program = lib_device.failed = lib_device.queue = lib_device.context = NULL;
    lib_device.is_ready = false;
}

/* Have a device from now on, if there is none yet; `wanted` is a part of its name, NULL where any will do. */
static int lib_init(const lib_kernels *all, const char *wanted) {
    int code = 0;
    pthread_mutex_lock(&lib_device.lock);
    if (!lib_device.is_ready) {
        code = lib_begin(all, wanted == NULL ? "" : wanted);
        lib_device.is_ready = code == 0;
        if (code != 0)
            lib_release(all);
    } else if (wanted != NULL && !lib_contains(lib_device.name, wanted)) {
        code = lib_no_device("%s is asked for, and the library runs on %s until that is given back", wanted,
                             lib_device.name);
    }
    pthread_mutex_unlock(&lib_device.lock);
    return code;
}

static inline void lib_finish(const lib_kernels *all) {
    pthread_mutex_lock(&lib_device.lock);
    lib_release(all);
    pthread_mutex_unlock(&lib_device.lock);
}

/* ---- one run of a function ---- */

/* What the device has of an array, and which of the two is right. */
typedef struct {
    const char *address;
    size_t size; /* bytes on the host, never 0 */
    void *memory; /* of the device; NULL: none yet */
    bool on_host, on_device;
} lib_copy;

enum { LIB_SPARE = 8 };

typedef struct {
    lib_session session;
    const lib_kernels *all;
    const lib_function *function;
    const aplc_array *in;
    lib_copy *copies;
    size_t count, room;
    lib_copy spare[LIB_SPARE]; /* memory of arrays that are no more */
    int code; /* why a question was not answered, and in words */
    char text[sizeof lib_text];
} lib_run;

static inline bool lib_lost(lib_run *run, int code, const char *kind, const char *format, ...) {
    char why[400];
    va_list values;
    va_start(values, format);
    vsnprintf(why, sizeof why, format, values);
    va_end(values);
    run->code = code;
    snprintf(run->text, sizeof run->text, "%s: %s", kind, why);
    return false;
}

/* Whether OpenCL has done what `what` says; where it lacked memory, for `size` bytes. */
static inline bool lib_did(lib_run *run, int32_t status, const char *what, size_t size) {
    if (status == 0)
        return true;
    const bool is_full = status == -4 || status == -5 || status == -6 || status == -61;
    if (is_full && size > 0)
        return lib_lost(run, LIB_WS_FULL, "WS FULL", "%s has no room for an array of %zu bytes", lib_device.name, size);
    if (is_full)
        return lib_lost(run, LIB_WS_FULL, "WS FULL", "%s has no room for what a kernel needs", lib_device.name);
    return lib_lost(run, LIB_DEVICE_ERROR, "DEVICE ERROR", "%s: %s fails (%d)", lib_device.name, what, (int)status);
}

static inline lib_copy *lib_copy_at(lib_run *run, const void *address) {
    for (size_t k = run->count; k > 0; k--)
        if (run->copies[k - 1].address == address)
            return &run->copies[k - 1];
    return NULL;
}

/* Memory that is used no more is kept for an array of the same size. */
static inline void lib_give_up(lib_run *run, void *memory, size_t size) {
    if (memory == NULL)
        return;
    for (int k = 0; k < LIB_SPARE; k++) {
        if (run->spare[k].memory == NULL) {
            run->spare[k] = (lib_copy){.memory = memory, .size = size};
            return;
        }
    }
    lib_device.cl.ReleaseMemObject(memory);
}

static inline void lib_drop(lib_run *run, const void *address) {
    lib_copy *copy = lib_copy_at(run, address);
    if (copy == NULL)
        return;
    lib_give_up(run, copy->memory, copy->size);
    *copy = run->copies[--run->count];
}

/* What there is of an array of so many bytes; NULL without memory to note it. */
static inline lib_copy *lib_copy_of(lib_run *run, const void *address, size_t size) {
    lib_copy *copy = lib_copy_at(run, address);
    if (copy != NULL && copy->size == size)
        return copy;
    if (copy != NULL) {
        lib_give_up(run, copy->memory, copy->size);
    } else {
        if (run->count == run->room) {
            const size_t room = run->room == 0 ? 16 : 2 * run->room;
            lib_copy *more = (realloc)(run->copies, room * sizeof *more);
            if (more == NULL) {
                lib_lost(run, LIB_WS_FULL, "WS FULL", "no memory to note an array");
                return NULL;
            }
            run->copies = more;
            run->room = room;
        }
        copy = &run->copies[run->count++];
    }
    *copy = (lib_copy){.address = address, .size = size, .on_host = true};
    return copy;
}

/* The bytes at an address: those of an argument, or of a block of the heap. Never 0. */
static inline size_t lib_size(const lib_run *run, const void *address) {
    size_t size = 0;
    bool is_given = false;
    for (int k = 0; k < run->function->count; k++) {
        if (run->in[k].data != address)
            continue;
        size_t bytes = (size_t)run->function->parameters[k].item_bytes;
        for (int axis = 0; axis < run->function->parameters[k].rank; axis++)
            bytes *= (size_t)run->in[k].shape[axis];
        size = bytes > size ? bytes : size;
        is_given = true;
    }
    if (!is_given)
        size = malloc_usable_size((void *)address);
    return size > 0 ? size : 1;
}

static inline bool lib_upload(lib_run *run, lib_copy *copy) {
    copy->on_device = true;
    return copy->address == NULL || /* no memory was needed */
           lib_did(run, lib_device.cl.EnqueueWriteBuffer(lib_device.queue, copy->memory, 1, 0, copy->size,
                                                         copy->address, 0, NULL, NULL),
                   "clEnqueueWriteBuffer", 0);
}

/* What a kernel has written comes to the host. */
static inline bool lib_read(lib_run *run, const void *address) {
    lib_copy *copy = lib_copy_at(run, address);
    if (copy == NULL || !copy->on_device || copy->on_host)
        return true;
    copy->on_host = true;
    return lib_did(run, lib_device.cl.EnqueueReadBuffer(lib_device.queue, copy->memory, 1, 0, copy->size,
                                                        (char *)copy->address, 0, NULL, NULL),
                   "clEnqueueReadBuffer", 0);
}

/* The host's array will be the right one. */
static inline bool lib_change(lib_run *run, const void *address) {
    const bool is_read = lib_read(run, address);
    lib_copy *copy = lib_copy_at(run, address);
    if (copy != NULL) {
        copy->on_host = true;
        copy->on_device = false;
    }
    return is_read;
}

/* Nothing is in this memory yet, on either side. */
static inline bool lib_fresh(lib_run *run, const void *address) {
    lib_drop(run, address);
    lib_copy *copy = lib_copy_of(run, address, lib_size(run, address));
    if (copy != NULL)
        copy->on_host = false;
    return copy != NULL;
}

static inline void *lib_allocate(lib_run *run, size_t size) {
    for (int k = 0; k < LIB_SPARE; k++) {
        if (run->spare[k].memory != NULL && run->spare[k].size == size) {
            void *memory = run->spare[k].memory;
            run->spare[k].memory = NULL;
            return memory;
        }
    }
    int32_t status = 0;
    void *memory = lib_device.cl.CreateBuffer(lib_device.context, LIB_CL_READ_WRITE, size, NULL, &status);
    return lib_did(run, status, "clCreateBuffer", size) ? memory : NULL;
}

/* The copy of an array for a kernel, with what is newer on the host; NULL where that fails. */
static inline void *lib_given(lib_run *run, const lib_kernel_array *array, const void *address) {
    if (array->length > 0) /* on the stack, or a table: small, and not followed */
        lib_drop(run, address);
    const size_t known = (size_t)array->length * (size_t)array->item_bytes;
    lib_copy *copy = lib_copy_of(run, address, known > 0 ? known : lib_size(run, address));
    if (copy == NULL)
        return NULL;
    if (copy->memory == NULL) {
        copy->memory = lib_allocate(run, copy->size);
        copy->on_device = false;
    }
    if (copy->memory == NULL || (copy->on_host && !copy->on_device && !lib_upload(run, copy)))
        return NULL;
    return copy->memory;
}

/* What a kernel writes is newer on the device. */
static inline bool lib_written(lib_run *run, const lib_kernel_array *array, const void *address) {
    if (!array->is_written)
        return true;
    lib_copy *copy = lib_copy_at(run, address);
    copy->on_device = true;
    copy->on_host = false;
    return array->length == 0 || lib_read(run, address);
}

static inline bool lib_has_failed(lib_run *run, bool *failed) {
    int32_t mark = 0;
    const lib_opencl *cl = &lib_device.cl;
    int32_t status =
        cl->EnqueueReadBuffer(lib_device.queue, lib_device.failed, 1, 0, sizeof mark, &mark, 0, NULL, NULL);
    *failed = mark != 0;
    mark = 0;
    if (status == 0 && *failed)
        status = cl->EnqueueWriteBuffer(lib_device.queue, lib_device.failed, 1, 0, sizeof mark, &mark, 0, NULL, NULL);
    return lib_did(run, status, "a kernel", 0);
}

static inline bool lib_start(lib_run *run, int number, const aplc_array *arguments, bool *failed) {
    const lib_opencl *cl = &lib_device.cl;
    const lib_launch *launch = &run->all->launches[number];
    void *function = run->all->functions[number];
    size_t items[3] = {1, 1, 1}, group[3] = {1, 1, 1};
    for (int axis = 0; axis < launch->axes; axis++)
        items[axis] = (size_t) * (const int64_t *)arguments[axis].data;
    if (launch->group[0] > 0)
        memcpy(group, launch->group, sizeof group);
    else if (items[0] % LIB_GROUP == 0 && !lib_device.is_cpu)
        group[0] = LIB_GROUP;
    const aplc_array *arrays = arguments + launch->axes, *scalars = arrays + launch->arrays;
    uint32_t place = 0;
    int32_t status = 0;
    if (launch->may_fail)
        status = cl->SetKernelArg(function, place++, sizeof(void *), &lib_device.failed);
    for (int k = 0; k < launch->arrays && status == 0; k++) {
        void *memory = lib_given(run, &launch->array[k], arrays[k].data);
        if (memory == NULL)
            return false;
        status = cl->SetKernelArg(function, place++, sizeof memory, &memory);
    }
    for (int k = 0; k < launch->scalars && status == 0; k++)
        status = cl->SetKernelArg(function, place++, (size_t)launch->scalar_bytes[k], scalars[k].data);
    if (status == 0)
        status = cl->EnqueueNDRangeKernel(lib_device.queue, function, (uint32_t)launch->axes, NULL, items, group, 0,
                                          NULL, NULL);
    if (!lib_did(run, status, launch->name, 0))
        return false;
    for (int k = 0; k < launch->arrays; k++)
        if (!lib_written(run, &launch->array[k], arrays[k].data))
            return false;
    *failed = false;
    return !launch->may_fail || lib_has_failed(run, failed);
}

static inline bool lib_answer_here(lib_run *run, int concern, const aplc_array *arguments, aplc_array *results) {
    if (concern >= 0)
        return lib_start(run, concern, arguments, results[0].data);
    const void *address = arguments[0].data;
    if (address == NULL)
        return true;
    switch (concern) {
    case LIB_FRESH:
        return lib_fresh(run, address);
    case LIB_READ:
        return lib_read(run, address);
    case LIB_CHANGE:
        return lib_change(run, address);
    default:
        lib_drop(run, address);
        return true;
    }
}

static int lib_answer(int64_t k, const aplc_array *arguments, aplc_array *results) {
    lib_run *run = (lib_run *)lib_here;
    pthread_mutex_lock(&lib_device.lock);
    const bool is_answered = lib_answer_here(run, run->function->concerns[k], arguments, results);
    pthread_mutex_unlock(&lib_device.lock);
    return is_answered ? 0 : 1;
}

/* Run a function, with a device if the caller has chosen none yet. */
static int lib_run_on_device(const lib_kernels *all, const lib_function *function, const aplc_array *in,
                             aplc_array *out) {
    int code = lib_init(all, NULL);
    if (code != 0)
        return code;
    lib_run run = {.session.ask = lib_answer, .all = all, .function = function, .in = in};
    lib_here = &run.session;
    code = (function->is_recursive ? lib_run_deep : lib_run_here)(function->entry, in, out, function->failures);
    lib_here = NULL;
    pthread_mutex_lock(&lib_device.lock);
    for (size_t k = 0; k < run.count; k++)
        if (run.copies[k].memory != NULL)
            lib_device.cl.ReleaseMemObject(run.copies[k].memory);
    for (int k = 0; k < LIB_SPARE; k++)
        if (run.spare[k].memory != NULL)
            lib_device.cl.ReleaseMemObject(run.spare[k].memory);
    pthread_mutex_unlock(&lib_device.lock);
    (free)(run.copies);
    if (run.code != 0) {
        memcpy(lib_text, run.text, sizeof lib_text);
        code = run.code;
    }
    return code;
}

#endif
