import Foundation
import MoyaHTTP
import TestServers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session sends the headers that URLSession adds", .timeLimit(.minutes(2)))
struct SentUnlessSetTests {
    private static let names = ["User-Agent", "Accept", "Accept-Encoding", "Accept-Language"]

    /// Returns the four headers as a server receives them.
    private func sent(
        _ session: (URLSessionConfiguration) -> Session,
        configured: [String: String] = [:],
        requested: [String: String] = [:]
    ) async throws -> [String: String] {
        let server = try await ReactingServer()
        let configuration = URLSessionConfiguration.default
        if !configured.isEmpty { configuration.httpAdditionalHeaders = configured }
        var request = URLRequest(url: server.url())
        request.allHTTPHeaderFields = requested
        _ = try await session(configuration).data(for: request)
        let head = try #require(server.requests.first).head
        await server.shutDown()
        var sent = Dictionary(uniqueKeysWithValues: Self.names.compactMap { name in head[name].map { (name, $0) } })
        #if canImport(Darwin)
        // URLSession selects the codings, and some systems have more.
        if let codings = sent["Accept-Encoding"], codings.hasPrefix("gzip, deflate") {
            sent["Accept-Encoding"] = "gzip, deflate"
        }
        #endif
        return sent
    }

    private static let defaults = [
        "User-Agent": HTTPHeader.defaultUserAgent.value, "Accept": "*/*",
        "Accept-Encoding": "gzip, deflate", "Accept-Language": HTTPHeader.defaultAcceptLanguage.value,
    ]

    @Test("a configuration without headers sends four default headers with each transport")
    func none() async throws {
        #expect(try await sent { Session(configuration: $0) } == Self.defaults)
        #expect(
            try await sent { Session(transport: URLSessionTransport(configuration: $0), configuration: $0) }
                == Self.defaults
        )
    }

    @Test(
        "the configuration's headers replace the defaults, and the request's headers replace both",
        arguments: names
    )
    func applicationsValues(_ name: String) async throws {
        var expected = Self.defaults
        expected[name] = "configured"
        #expect(
            try await sent({ Session(configuration: $0) }, configured: [name.lowercased(): "configured"]) == expected
        )
        expected[name] = "requested"
        #expect(
            try await sent(
                { Session(configuration: $0) },
                configured: [name: "configured"],
                requested: [name.uppercased(): "requested"]
            ) == expected
        )
    }

    @Test("the default configuration adds no headers to a session")
    func sessionHeaders() {
        #expect(Session(configuration: .default).sessionHeaders.isEmpty)
    }
}
