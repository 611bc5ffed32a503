#if canImport(Darwin)
import os
#else
import Synchronization
#endif

/// A value that is protected by a lock, and that has its place in the object that owns it.
///
/// It is for objects that each request creates, and that few threads use at the same time: on Linux its creation allocates nothing,
/// but it can't be copied. Do not use it in a generic class or with an empty value: the layout of the class would be found at run
/// time, which costs more than an allocation, and the thread sanitizer takes the address of an empty value for the next property.
/// ``Locked`` has no such limits.
///
/// The closure of ``withLock(_:)`` must be short and must not call closures of other code: return such closures from it, and call
/// them after the lock is released.
public struct InlineLocked<Value: Sendable>: ~Copyable, Sendable {
    #if canImport(Darwin)
    // Mutex requires macOS 15 and iOS 18.
    @usableFromInline
    let lock: OSAllocatedUnfairLock<Value>

    /// Creates a value that is protected by a lock.
    @inlinable
    public init(_ value: Value) {
        lock = OSAllocatedUnfairLock(initialState: value)
    }

    /// Calls the closure with the value while the lock is held.
    @inlinable
    public borrowing func withLock<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
        try lock.withLockUnchecked(body)
    }
    #else
    /// Orders the holders of the mutex for the thread sanitizer, which does not see the kernel's part of Mutex.
    @usableFromInline
    let order = Atomic(false)
    @usableFromInline
    let mutex: Mutex<Value>

    /// Creates a value that is protected by a lock.
    @inlinable
    public init(_ value: Value) {
        mutex = Mutex(value)
    }

    /// Calls the closure with the value while the lock is held.
    @inlinable
    public borrowing func withLock<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
        try mutex.withLock { value in
            _ = order.load(ordering: .acquiring)
            defer { order.store(false, ordering: .releasing) }
            return try body(&value)
        }
    }
    #endif
}
