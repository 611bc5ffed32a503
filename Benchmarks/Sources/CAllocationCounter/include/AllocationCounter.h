#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// What has been allocated while counting was on.
typedef struct {
    /// Calls that allocate, a realloc among them.
    uint64_t allocations;
    /// What they asked for.
    uint64_t bytes;
    /// Calls that free.
    uint64_t frees;
} allocation_counts;

/// Whether this platform's allocator can be stood in front of.
bool allocation_counter_works(void);

/// Turns counting on or off, for all threads. Off, as it is at first, it costs next to nothing.
void allocation_counter_set(bool on);

/// What has been counted so far.
allocation_counts allocation_counter_read(void);

/// Gives back to the system what is free, where the allocator can.
void allocator_trim(void);

#endif
