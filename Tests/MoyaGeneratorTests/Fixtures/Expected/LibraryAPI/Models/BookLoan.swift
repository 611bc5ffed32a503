struct BookLoan: Codable, Hashable, Sendable {
    var kind: String
    var book: Book
    var due: UnixTime
}
