struct BookChange: Codable, Hashable, Sendable {
    var title: String?
    var isbn: Nullable<String>?
}
