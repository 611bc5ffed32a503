/// A value that contains a secret, which descriptions, dumps and mirrors do not show.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { "\(type(of: self))(\(SecretMask.placeholder))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
