struct NewBook: Codable, Hashable, Sendable {
    var title: String
    var weight: Double?
    @NullEncoded var isbn: String?
    var copies: Int64 = 1
}
