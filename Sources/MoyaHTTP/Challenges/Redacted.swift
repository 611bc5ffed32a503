/// A value that holds a secret: descriptions, debug descriptions, dumps and mirrors show only what it chooses to.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { "\(type(of: self))(\(SecretMask.placeholder))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
