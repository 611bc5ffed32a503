#include "AllocationCounter.h"

#include <stdatomic.h>

static atomic_bool is_on;
static atomic_uint_fast64_t allocations;
static atomic_uint_fast64_t bytes;
static atomic_uint_fast64_t frees;

void allocation_counter_set(bool on) { atomic_store(&is_on, on); }

allocation_counts allocation_counter_read(void) {
    return (allocation_counts){atomic_load(&allocations), atomic_load(&bytes), atomic_load(&frees)};
}

#if defined(__GLIBC__) || (defined(__linux__) && __has_include(<gnu/libc-version.h>))

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

// A program can replace malloc and its relatives of glibc. The replacements call glibc's functions by these names.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

bool allocation_counter_works(void) { return true; }

void allocator_trim(void) { malloc_trim(0); }

static inline void count(size_t size) {
    if (!atomic_load_explicit(&is_on, memory_order_relaxed)) return;
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count(size);
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    count(size);
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}

void free(void *memory) {
    if (memory != NULL && atomic_load_explicit(&is_on, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&frees, 1, memory_order_relaxed);
    }
    __libc_free(memory);
}

#else

bool allocation_counter_works(void) { return false; }

void allocator_trim(void) {}

#endif
