import Moya

@main
struct Octo {
    static func main() async throws {
        let provider = MoyaProvider<GitHub>()
        let response = try await provider.request(.user(login: "ashfurrow"))
        print(response.statusCode)
    }
}
