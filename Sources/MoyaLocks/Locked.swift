#if canImport(Darwin)
    import os
#else
    import Foundation
#endif

// Unchecked because the storage is a buffer of raw memory; the value in it is Sendable and touched only under the lock.

/// A value behind a lock, for the few places where state is shared between threads.
///
/// The closure must be short and must not call out: take what is to be called out of the state, and call it after the
/// unlock.
public struct Locked<Value: Sendable>: @unchecked Sendable {
    // Synchronization's Mutex would be checked. But it asks for macOS 15 and iOS 18, and on Linux the thread sanitizer
    // does not see it, so that everything behind it would be reported.
    #if canImport(Darwin)
        @usableFromInline
        let lock: OSAllocatedUnfairLock<Value>

        /// Puts a value behind a lock.
        @inlinable
        public init(_ value: Value) {
            lock = OSAllocatedUnfairLock(initialState: value)
        }

        /// Does something with the value, alone.
        @inlinable
        public func withLock<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
            try lock.withLockUnchecked(body)
        }
    #else
        @usableFromInline
        let storage: ManagedBuffer<Value, pthread_mutex_t>

        /// Puts a value behind a lock.
        @inlinable
        public init(_ value: Value) {
            storage = Storage.create(minimumCapacity: 1) { buffer in
                _ = buffer.withUnsafeMutablePointerToElements { pthread_mutex_init($0, nil) }
                return value
            }
        }

        /// Does something with the value, alone.
        @inlinable
        public func withLock<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
            try storage.withUnsafeMutablePointers { value, mutex in
                pthread_mutex_lock(mutex)
                defer { pthread_mutex_unlock(mutex) }
                return try body(&value.pointee)
            }
        }

        @usableFromInline
        final class Storage: ManagedBuffer<Value, pthread_mutex_t> {
            @inlinable
            deinit {
                _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
            }
        }
    #endif
}
