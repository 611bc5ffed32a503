import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Problem details are decoded (RFC 9457)")
struct ProblemDetailsTests {
    private func response(_ body: String, type: String?, status: Int = 403) throws -> Response {
        let url = try #require(URL(string: "https://a.example"))
        let head = HTTPURLResponse(
            url: url,
            statusCode: status,
            httpVersion: nil,
            headerFields: type.map { ["Content-Type": $0] } ?? [:]
        )
        return Response(statusCode: status, data: Data(body.utf8), response: head)
    }

    private func problem(_ body: String, type: String? = "application/problem+json") throws -> ProblemDetails? {
        let response = try response(body, type: type)
        do throws(MoyaError) {
            try response.filterSuccessfulStatusCodes(orThrow: ProblemDetails.self)
            return nil
        } catch {
            if case .underlying(let problem as ProblemDetails, _) = error { return problem }
            #expect(error.name == "statusCode")
            return nil
        }
    }

    @Test("the example of section 3 has all members and its extensions")
    func example() throws {
        let problem = try #require(
            try problem(
                """
                {"type":"https://example.com/probs/out-of-credit","title":"You do not have enough credit.","status":403,
                "detail":"Your current balance is 30, but that costs 50.","instance":"/account/12345/msgs/abc",
                "balance":30,"accounts":["/account/12345","/account/67890"]}
                """
            )
        )
        #expect(problem.type == "https://example.com/probs/out-of-credit")
        #expect(problem.title == "You do not have enough credit.")
        #expect(problem.status == 403)
        #expect(problem.detail == "Your current balance is 30, but that costs 50.")
        #expect(problem.instance == "/account/12345/msgs/abc")
        #expect(problem.extensions.names == ["accounts", "balance"])
        #expect(problem.extensions.value("balance", as: Int.self) == 30)
        #expect(problem.extensions.value("accounts") == ["/account/12345", "/account/67890"])
        #expect(problem.extensions.value("balance", as: String.self) == nil)
        #expect(
            problem.errorDescription
                == "You do not have enough credit.: Your current balance is 30, but that costs 50."
        )
    }

    @Test(
        "members of a wrong type are ignored, and the type is about:blank (3.1)",
        arguments: [
            "{}", #"{"type":7,"title":[],"status":"403","detail":null,"instance":{}}"#,
        ]
    )
    func wrongTypes(body: String) throws {
        let problem = try #require(try problem(body))
        #expect(problem.type == "about:blank")
        #expect(problem.title == nil && problem.status == nil && problem.detail == nil && problem.instance == nil)
        #expect(problem.extensions.isEmpty)
        #expect(problem.errorDescription == "about:blank")
    }

    @Test(
        "a body of another JSON type is a problem if it has a member of a problem",
        arguments: [
            (#"{"title":"t"}"#, "application/json", true), (#"{"status":403}"#, "application/json", true),
            (#"{"message":"m"}"#, "application/json", false), ("{}", "application/json", false),
            (#"{"title":7}"#, nil, false), (#"{"detail":"d"}"#, nil, true),
            ("{}", "Application/Problem+JSON; charset=utf-8", true), ("[]", "application/problem+json", false),
            ("<html>", "text/html", false), ("", nil, false),
        ] as [(String, String?, Bool)]
    )
    func mediaTypes(body: String, type: String?, isProblem: Bool) throws {
        #expect(try (problem(body, type: type) != nil) == isProblem)
    }

    @Test("extensions keep values of every JSON type")
    func values() throws {
        struct Values: Codable, Equatable {
            var flag: Bool
            var none: Int?
            var large: Int64
            var exact: Decimal
            var text: String
            var list: [Int]
            var object: [String: [Bool]]
        }
        let body =
            #"{"type":"t","flag":true,"none":null,"large":-9007199254740993,"exact":30.10,"text":"é\u0000","list":[1],"object":{"a":[false]}}"#
        let extensions = try #require(try problem(body)).extensions
        let expected = Values(
            flag: true,
            large: -9_007_199_254_740_993,
            exact: Decimal(string: "30.10") ?? 0,
            text: "é\u{0}",
            list: [1],
            object: ["a": [false]]
        )
        #expect(try extensions.decode(Values.self) == expected)
    }

    @Test("a typed target throws its problem")
    func target() async throws {
        struct Pay: TypedTargetType {
            typealias Output = [String]
            typealias ErrorBody = ProblemDetails
            var baseURL: URL { URL(string: "https://a.example") ?? URL(fileURLWithPath: "/") }
            var path: String { "/pay" }
            var method: Moya.Method { .post }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
        }
        let provider = MoyaProvider<Pay>(session: Session(FakeTransport.body(#"{"title":"no"}"#, status: 402)))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(Pay()) as [String] }
        guard case .underlying(let problem as ProblemDetails, let response?)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.title == "no")
        #expect(response.statusCode == 402)
    }

    @Test("errors of JSON:API have their members")
    func jsonAPI() throws {
        let body = """
            {"errors":[{"id":"1","status":"422","code":"c","title":"Invalid","detail":"Too short.",
            "source":{"pointer":"/data/attributes/name"},"meta":{"a":1}},{"source":{"parameter":"include"}}]}
            """
        let error = #expect(throws: MoyaError.self) {
            try response(body, type: "application/vnd.api+json", status: 422)
                .filterSuccessfulStatusCodes(orThrow: JSONAPIErrors.self)
        }
        guard case .underlying(let failure as JSONAPIErrors, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.errors.map(\.code) == ["c", nil])
        #expect(failure.errors[0].source?.pointer == "/data/attributes/name")
        #expect(failure.errors[0].meta?.value("a") == 1)
        #expect(failure.errors[1].source?.parameter == "include")
        #expect(failure.errorDescription == "Invalid: Too short.")
    }

    @Test(
        "a document without errors is no error of JSON:API and of GraphQL",
        arguments: ["{}", #"{"errors":[]}"#, "[]"]
    )
    func noErrors(body: String) throws {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONAPIErrors.self, from: Data(body.utf8)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(GraphQLErrors.self, from: Data(body.utf8)) }
    }
}
