package import MoyaLocks

// The types are in a separate module, where they can be public and thus be inlined and specialized in other
// modules, which the compiler does not do for package declarations. Applications do not see them in this module.

package typealias Locked<Value: Sendable> = MoyaLocks.Locked<Value>
package typealias Promise<Value: Sendable> = MoyaLocks.Promise<Value>
package typealias CancellationState = MoyaLocks.CancellationState
package typealias LazyValue<Value: Sendable> = MoyaLocks.LazyValue<Value>
