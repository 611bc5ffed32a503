#if canImport(Darwin)
    import os
#endif

/// A value that is protected by a lock.
///
/// Copies share the value. ``InlineLocked`` is the one for objects that each request creates.
///
/// The closure of ``withLock(_:)`` must be short and must not call closures of other code: return such closures from it, and call
/// them after the lock is released.
public struct Locked<Value: Sendable>: Sendable {
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
        let storage: Storage

        /// Creates a value that is protected by a lock.
        @inlinable
        public init(_ value: Value) {
            storage = Storage(value)
        }

        /// Calls the closure with the value while the lock is held.
        @inlinable
        public func withLock<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
            try storage.lock.withLock { _ in try body(&storage.value) }
        }

        @usableFromInline
        final class Storage: Sendable {
            @usableFromInline
            let lock = InlineLocked(false)
            // The value is accessed only under the lock. It is not in it, because this class is generic: see InlineLocked.
            @usableFromInline
            @exclusivity(unchecked)
            nonisolated(unsafe) var value: Value

            @inlinable
            init(_ value: Value) { self.value = value }

            // Inlined, so that the compiler can create an object that does not leave a function on its stack.
            @inlinable
            deinit {}
        }
    #endif
}
