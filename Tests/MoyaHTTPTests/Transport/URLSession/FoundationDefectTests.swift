import Foundation
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Requests that can crash URLSession are refused")
struct FoundationDefectTests {
    private class HandlingProtocol: URLProtocol {
        override static func canInit(with request: URLRequest) -> Bool { request.url?.host == "handled" }

        override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    }

    private static func refusal(_ url: String, _ classes: [AnyClass]?) throws -> TransportConfigurationError? {
        FoundationDefect.refusal(of: URLRequest(url: try #require(URL(string: url))), handledBy: classes)
    }

    @Test("requests that can crash URLSession are refused unless a URL protocol of the application handles them")
    func refusal() throws {
        let own = URLSessionConfiguration.ephemeral.protocolClasses ?? []
        #expect(try Self.refusal("http://handled/", own) != nil)
        #expect(try Self.refusal("http://handled/", nil) != nil)
        #expect(try Self.refusal("https://handled/", [HandlingProtocol.self] + own) == nil)
        #expect(try Self.refusal("https://other/", [HandlingProtocol.self] + own) != nil)
        #expect(try Self.refusal("https://other/", [HandlingProtocol.self]) != nil)
    }

    #if os(Linux)
    @Test(
        "requests that can crash URLSession fail with a reason unless the application consents, and the process continues"
    )
    func withoutConsent() async {
        await #expect(processExitsWith: .success) {
            URLSessionTransport.acceptsTermination = false
            let server = try await MisbehavingServer()
            let transport = URLSessionTransport()
            let request = TransportRequest(method: .get, url: server.url(.closesInHead))
            do {
                _ = try await transport.send(request)
                exit(1)
            } catch {
                let isRefused = error is TransportConfigurationError
                guard isRefused, error.localizedDescription.contains("package trait NIO") else { exit(2) }
            }
            await transport.shutdown()
            try await server.shutDown()
        }
    }
    #endif
}
