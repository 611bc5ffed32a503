import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Errors in GraphQL responses are thrown")
struct GraphQLTests {
    private struct User: Decodable, Equatable { var login: String }

    private struct Viewer: GraphQLTargetType {
        typealias Output = User
        var outputKeyPath: String? { "viewer" }
        var baseURL: URL { URL(string: "https://a.example") ?? URL(fileURLWithPath: "/") }
        var path: String { "/graphql" }
        var method: Moya.Method { .post }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    private static let data = #"{"data":{"viewer":{"login":"a"}}}"#
    private static let errors = """
        {"data":{"viewer":{"login":"a"}},"errors":[{"message":"m","locations":[{"line":1,"column":2}],
        "path":["viewer",0,"x"],"extensions":{"code":"C"}},{"message":"n","locations":7,"path":null}]}
        """

    private func failure(_ error: MoyaError?) -> GraphQLErrors? {
        if case .underlying(let failure as GraphQLErrors, _)? = error { failure } else { nil }
    }

    @Test("data without errors is decoded, with and without a key path")
    func success() throws {
        let response = Response(statusCode: 200, data: Data(Self.data.utf8))
        #expect(try response.mapGraphQL(User.self, atKeyPath: "viewer") == User(login: "a"))
        #expect(try response.mapGraphQL([String: User].self) == ["viewer": User(login: "a")])
        let nullErrors = Response(statusCode: 200, data: Data(#"{"errors":null,"data":7}"#.utf8))
        #expect(try nullErrors.mapGraphQL(Int.self) == 7)
    }

    @Test("errors of a response with the status 200 are thrown with their members")
    func members() throws {
        let response = Response(statusCode: 200, data: Data(Self.errors.utf8))
        let error = #expect(throws: MoyaError.self) { try response.mapGraphQL(User.self, atKeyPath: "viewer") }
        let failure = try #require(self.failure(error))
        #expect(failure.errors.map(\.message) == ["m", "n"])
        #expect(failure.errors[0].locations?.map(\.column) == [2])
        #expect(failure.errors[0].path == ["viewer", "0", "x"])
        #expect(failure.errors[0].extensions?.value("code") == "C")
        #expect(failure.errors[1].locations == nil && failure.errors[1].path == nil)
        #expect(failure.errorDescription == "m; n")
        #expect(error?.response === response)
    }

    @Test("a target throws errors of any status", arguments: [200, 400])
    func target(status: Int) async throws {
        let failing = MoyaProvider<Viewer>(session: Session(FakeTransport.body(Self.errors, status: status)))
        let error = await #expect(throws: MoyaError.self) { try await failing.request(Viewer()) as User }
        #expect(failure(error)?.errors.count == 2)
        let provider = MoyaProvider<Viewer>(session: Session(FakeTransport.body(Self.data)))
        let user: User = try await provider.request(Viewer())
        #expect(user.login == "a")
    }
}
