#if canImport(Darwin)
    import os
#else
    import Synchronization
#endif

/// A value behind a lock, for the few places where state is shared between threads.
///
/// The closure must be short and must not call out: take what is to be called out of the state, and call it after the
/// unlock.
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
    // Synchronization's Mutex would serve on Apple's platforms too, but asks for macOS 15 and iOS 18.
    #if canImport(Darwin)
        private let lock: OSAllocatedUnfairLock<Value>

        package init(_ value: Value) {
            lock = OSAllocatedUnfairLock(initialState: value)
        }

        package borrowing func withLock<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
            try lock.withLockUnchecked(body)
        }
    #else
        private let lock: Mutex<Value>

        package init(_ value: Value) {
            lock = Mutex(value)
        }

        package borrowing func withLock<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
            try lock.withLock { value in try body(&value) }
        }
    #endif
}
