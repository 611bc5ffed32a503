/// A value whose descriptions, dumps and mirrors do not show its secret.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { "\(type(of: self))(\(SecretMask.placeholder))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
