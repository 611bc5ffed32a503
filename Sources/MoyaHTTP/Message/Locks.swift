package import MoyaLocks

// In a module of their own, where they can be public, and so inlined into other modules and made for each type there, which
// the compiler does not do for what is package; and without being names of this module that applications see.

package typealias Locked<Value: Sendable> = MoyaLocks.Locked<Value>
package typealias OneShot<Value: Sendable> = MoyaLocks.OneShot<Value>
