struct NewIssue: Encodable {
    var title: String
    var body: String
}

struct Issue: Decodable {
    var number: Int
    var title: String
}
