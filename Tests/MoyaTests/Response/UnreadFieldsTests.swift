import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A request whose caller reads no header creates no fields")
struct UnreadFieldsTests {
    private static let usual =
        "Server: nginx\r\nDate: Fri, 27 Nov 2026 03:12:05 GMT\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        + "Connection: keep-alive\r\n"

    private func scan(_ lines: String) throws -> ResponseFields {
        var end = 0
        let bytes = Array("\(lines)\r\n".utf8)
        return try #require(
            bytes.withUnsafeBytes { ResponseFields(scanning: $0, from: &end, maximumCount: 100) }
        )
    }

    private func request() throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "http://127.0.0.1:9/thing")))
    }

    /// A session with the usual cache, cookies and credentials, whose transport leaves the decoding to the session.
    private func session(_ fields: ResponseFields, _ resilience: Resilience = Resilience()) -> Session {
        Session(
            transport: FakeTransport { _ in
                let body = TransportBody.complete(Data("{}".utf8))
                var response = TransportResponse(status: 200, fields: fields, body: body, trailers: [:])
                response.isDecoded = false
                return response
            },
            resilience: resilience
        )
    }

    @Test("the fields of a response are created when the caller of a provider reads a header, and not before")
    func provider() async throws {
        let fields = try scan(Self.usual)
        let provider = MoyaProvider<SomeTarget>(session: session(fields))
        let response = try await provider.request(SomeTarget(validationType: .successCodes))
        #expect(response.statusCode == 200 && response.data == Data("{}".utf8))
        #expect(fields.byteCount != nil)
        #expect(response.headers["server"] == "nginx")
        #expect(fields.byteCount == nil)
    }

    @Test("the fields of a response are created when the caller of a session reads the headers, and not before")
    func sessionData() async throws {
        let fields = try scan(Self.usual)
        let response = try await session(fields).data(for: request())
        #expect(fields.byteCount != nil)
        #expect(response.headers[.contentType] == "application/json")
        #expect(fields.byteCount == nil)
    }

    @Test("the fields of a response to a POST are created only if one of them names another URL that may be stored")
    func post() async throws {
        for (line, isUnread) in [("", true), ("Location: /other\r\n", false), ("content-location: /other\r\n", false)] {
            let fields = try scan("\(Self.usual)\(line)")
            var request = try request()
            request.httpMethod = "POST"
            _ = try await session(fields).data(for: request)
            #expect((fields.byteCount != nil) == isUnread)
        }
    }

    @Test("a circuit breaker reads the status only, unless the rule of the application reads the headers")
    func circuitBreaker() async throws {
        for (breaker, isUnread) in [
            (CircuitBreaker(), true),
            (
                CircuitBreaker(isFailure: { outcome in
                    if case .success(let response) = outcome { response.headers.isEmpty } else { false }
                }), false
            ),
        ] {
            let fields = try scan(Self.usual)
            var resilience = Resilience()
            resilience.circuitBreaker = breaker
            _ = try await session(fields, resilience).data(for: request())
            #expect((fields.byteCount != nil) == isUnread)
        }
    }

    @Test("the standard parts of resilience read headers only if one of them is about the rate")
    func standardResilience() async throws {
        for (line, isUnread) in [("", true), ("X-RateLimit-Remaining: 5\r\n", false), ("retry-after: 5\r\n", false)] {
            let fields = try scan("\(Self.usual)\(line)")
            _ = try await session(fields, .standard).data(for: request())
            #expect((fields.byteCount != nil) == isUnread)
        }
    }

    @Test(
        "the session creates the fields of a response that sets a cookie, has a lifetime or is coded",
        arguments: ["Set-Cookie: a=b", "cache-control: max-age=60", "ETag: \"1\"", "Content-Encoding: identity"]
    )
    func needed(line: String) async throws {
        let fields = try scan("\(Self.usual)\(line)\r\n")
        _ = try await session(fields).data(for: request())
        #expect(fields.byteCount == nil)
    }
}
