/// A value that is created when it is first needed.
///
/// The value is created outside of the lock, because its creation may take long, wait for the user, or need the value's owner. If
/// several threads need the value at the same moment, each of them creates one; all of them use the first, and release the others.
public struct LazyValue<Value: Sendable>: Sendable {
    @usableFromInline
    let storage: Locked<Value?>

    /// Creates a value that does not exist yet.
    @inlinable
    public init() { storage = Locked(nil) }

    /// The value, if it exists.
    @inlinable
    public var current: Value? { storage.withLock { $0 } }

    /// Returns the value, and creates it by the function if it does not exist.
    @inlinable
    public func value(creating create: () throws -> Value) rethrows -> Value {
        if let current { return current }
        let new = try create()
        return storage.withLock { value in
            if let value { return value }
            value = new
            return new
        }
    }
}
