/// The form of the request "search".
struct SearchForm: Codable, Hashable, Sendable {
    var query: String
    var limit: Int?
}
