/// The response to "reader loans".
public struct ReaderLoansResponse: Codable, Hashable, Sendable {
    /// The value of `loans`.
    public var loans: [Loan]
    /// The value of `next_cursor`.
    public var nextCursor: String?

    /// Creates a value.
    public init(loans: [Loan], nextCursor: String? = nil) {
        self.loans = loans
        self.nextCursor = nextCursor
    }

    private enum CodingKeys: String, CodingKey {
        case loans, nextCursor = "next_cursor"
    }
}
