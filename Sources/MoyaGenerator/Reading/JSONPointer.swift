import Foundation

/// A path to a value of a document (RFC 6901).
package struct JSONPointer: Hashable, Sendable {
    package var tokens: [String]

    package init(_ tokens: [String] = []) { self.tokens = tokens }

    /// Reads the fragment of a reference, without its `#`; `nil` for a fragment that is no pointer.
    package init?(fragment: some StringProtocol) {
        guard fragment.isEmpty || fragment.hasPrefix("/") else { return nil }
        let text = String(fragment).removingPercentEncoding ?? String(fragment)
        tokens = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { token in
            String(token).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    package func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer with its `#`.
    package var description: String {
        "#" + tokens.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }
}
