/// A book loan.
public struct BookLoan: Codable, Hashable, Sendable {
    /// The value of `kind`.
    public var kind: String
    /// The value of `book`.
    public var book: Book
    /// The value of `due`.
    public var due: UnixTime

    /// Creates a value.
    public init(kind: String, book: Book, due: UnixTime) {
        self.kind = kind
        self.book = book
        self.due = due
    }
}
