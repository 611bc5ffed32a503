import Moya

@main
struct Octo {
    static func main() async throws {
        let provider = MoyaProvider<GitHub>()
        let response = try await provider.request(.user(login: "ashfurrow"))
        let user = try response.map(User.self)
        print(user.login, user.name ?? "without a name", separator: ": ")
    }
}
