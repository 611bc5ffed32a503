#if canImport(Darwin)
import os
#else
import Foundation
#endif

// The conformance is unchecked because the storage is raw memory; the value in it is Sendable and accessed only under the lock.

/// A value that is protected by a lock.
///
/// Copies share the value. ``InlineLocked`` is the one for objects that each request creates.
///
/// The closure of ``withLock(_:)`` must be short and must not call closures of other code: return such closures from it, and call
/// them after the lock is released.
public struct Locked<Value: Sendable>: @unchecked Sendable {
    // Synchronization's Mutex requires macOS 15 and iOS 18. On Linux it passes a contended lock to the thread that has waited longest,
    // which costs several times as much as this one if many threads want it.
    #if canImport(Darwin)
    @usableFromInline
    let lock: OSAllocatedUnfairLock<Value>

    /// Creates a value that is protected by a lock.
    @inlinable
    public init(_ value: Value) {
        lock = OSAllocatedUnfairLock(initialState: value)
    }

    /// Calls the closure with the value while the lock is held.
    @inlinable
    public func withLock<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
        try lock.withLockUnchecked(body)
    }
    #else
    @usableFromInline
    let storage: ManagedBuffer<Value, pthread_mutex_t>

    /// Creates a value that is protected by a lock.
    @inlinable
    public init(_ value: Value) {
        storage = Storage.create(minimumCapacity: 1) { buffer in
            _ = buffer.withUnsafeMutablePointerToElements { pthread_mutex_init($0, nil) }
            return value
        }
    }

    /// Calls the closure with the value while the lock is held.
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
