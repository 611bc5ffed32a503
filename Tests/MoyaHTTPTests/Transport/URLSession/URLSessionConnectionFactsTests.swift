import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSession's metrics supply the facts about a connection")
struct URLSessionConnectionFactsTests {
    private static func facts(
        _ name: String? = nil,
        remote: (String?, Int?) = (nil, nil),
        local: (String?, Int?) = (nil, nil),
        isReused: Bool = false
    ) -> URLSessionConnectionFacts {
        URLSessionConnectionFacts(protocolName: name, remote: remote, local: local, isReused: isReused)
    }

    @Test(
        "the HTTP version follows from the ALPN name (RFC 7301, section 6)",
        arguments: [
            ("http/1.0", "HTTP/1.0"), ("http/1.1", "HTTP/1.1"), ("h2", "HTTP/2"), ("h2c", "HTTP/2"), ("h3", "HTTP/3"),
            ("h3-29", "HTTP/3"), ("H2", "HTTP/2"), ("spdy/3", nil), ("", nil), (nil, nil),
        ] as [(String?, String?)]
    )
    func version(_ name: String?, _ version: String?) {
        #expect(Self.facts(name).connection.httpVersion == version)
    }

    @Test("a remote address needs an IP address and a port")
    func addresses() {
        let known = Self.facts(remote: ("2001:db8::1", 443), local: ("192.0.2.7", 50_000))
        #expect(known.connection.remoteAddress?.description == "[2001:db8::1]:443")
        #expect(known.connection.localAddress?.description == "192.0.2.7:50000")
        let unknown = Self.facts(remote: (nil, 443), local: ("192.0.2.7", nil))
        #expect(unknown.connection.remoteAddress == nil)
        #expect(unknown.connection.localAddress == nil)
    }

    @Test("the error of a lost reused connection is marked and keeps its cause, and other errors stay unchanged")
    func errors() throws {
        let lost = URLError.make(.networkConnectionLost, url: nil, cause: URLError(.unknown))
        let reused = Self.facts(isReused: true).error(lost)
        #expect(reused.code == .networkConnectionLost)
        #expect(reused.allowsResend)
        #expect(String(describing: try #require(reused.userInfo[NSUnderlyingErrorKey])).contains("URLError"))
        #expect(!Self.facts(isReused: false).error(lost).allowsResend)
        #expect(!Self.facts(isReused: true).error(URLError(.timedOut)).allowsResend)
    }
}
