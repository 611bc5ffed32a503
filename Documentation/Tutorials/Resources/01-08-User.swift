struct User: Decodable {
    var login: String
    var name: String?
}
