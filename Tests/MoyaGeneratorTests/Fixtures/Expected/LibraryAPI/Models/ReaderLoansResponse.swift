/// The response to "reader loans".
struct ReaderLoansResponse: Codable, Hashable, Sendable {
    var loans: [Loan]
    var nextCursor: String?

    private enum CodingKeys: String, CodingKey {
        case loans, nextCursor = "next_cursor"
    }
}
