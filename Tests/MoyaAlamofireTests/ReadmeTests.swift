import Alamofire
import Foundation
import Moya
import Testing

// This file has the lines of the Swift block in Documentation/MigrationFromAlamofire.md, and the test runs them.

@Suite("The documentation's example of Alamofire's names runs")
struct ReadmeTests {
    struct OctocatTransport: HTTPTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(status: 200, body: .complete(Data(#"{"login": "octocat"}"#.utf8)))
        }

        func shutdown() async {}
    }

    struct User: Decodable { var login: String }

    @Test("a request of Alamofire's session is validated and decoded")
    func request() async throws {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let AF = Moya.Session(transport: OctocatTransport())
        let request = AF.request("https://api.github.com/users/octocat").validate()
        let user = try await request.serializingDecodable(User.self).value
        print(user.login)
        #expect(user.login == "octocat")
    }
}
