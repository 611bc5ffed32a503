/// A place in a file of a document.
package struct SourceLocation: Hashable, Sendable, Comparable {
    /// The path of the file, as the user has named it, or relative to the document.
    package var file: String
    /// The line, from 1.
    package var line: Int
    /// The column, from 1.
    package var column: Int
    /// The JSON pointer (RFC 6901) of the value, with its `#`.
    package var pointer: String

    package init(file: String, line: Int, column: Int, pointer: String) {
        (self.file, self.line, self.column, self.pointer) = (file, line, column, pointer)
    }

    /// Returns whether a location comes first in the order of files, lines and columns.
    package static func < (lhs: SourceLocation, rhs: SourceLocation) -> Bool {
        (lhs.file, lhs.line, lhs.column, lhs.pointer) < (rhs.file, rhs.line, rhs.column, rhs.pointer)
    }
}
