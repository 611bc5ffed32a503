package import MoyaLocks

// The types are public in a separate module, because the compiler inlines and specializes public declarations in other modules,
// but not package declarations. Applications do not see the types in this module.

package typealias Locked<Value: Sendable> = MoyaLocks.Locked<Value>
package typealias InlineLocked<Value: Sendable> = MoyaLocks.InlineLocked<Value>
package typealias Promise<Value: Sendable> = MoyaLocks.Promise<Value>
package typealias CancellationState = MoyaLocks.CancellationState
package typealias LazyValue<Value: Sendable> = MoyaLocks.LazyValue<Value>
