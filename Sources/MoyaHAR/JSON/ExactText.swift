/// A text that is compared by its bytes.
///
/// `String` considers a composed and a decomposed `é` equal (canonical equivalence); servers do not.
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    package let string: String

    package init(_ string: some StringProtocol) { self.string = String(string) }

    package init(stringLiteral value: String) { string = value }

    package static func == (lhs: ExactText, rhs: ExactText) -> Bool { lhs.string.utf8.elementsEqual(rhs.string.utf8) }

    package static func < (lhs: ExactText, rhs: ExactText) -> Bool {
        lhs.string.utf8.lexicographicallyPrecedes(rhs.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in string.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
