#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// The allocations of the process while counting was on.
typedef struct {
    /// The number of calls that allocate, including realloc.
    uint64_t allocations;
    /// The number of bytes that these calls requested.
    uint64_t bytes;
    /// The number of calls that free.
    uint64_t frees;
} allocation_counts;

/// Whether the counter can replace this platform's allocation functions.
bool allocation_counter_works(void);

/// Turns counting on or off for all threads. It is off at first, and then costs almost nothing.
void allocation_counter_set(bool on);

/// Returns the counts so far.
allocation_counts allocation_counter_read(void);

/// Returns free memory to the system if the allocator supports it.
void allocator_trim(void);

#endif
