import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Connections offer versions of HTTP")
struct OfferedProtocolsTests {
    typealias Row = (
        setting: TransportConfiguration.HTTPVersion, isSecure: Bool, allowsRenegotiation: Bool, isHTTP1Required: Bool,
        offered: OfferedProtocols
    )

    static let rows: [Row] = [
        (.automatic, true, false, false, .http2AndHTTP1),
        (.http1Only, true, false, false, .http1),
        // Without TLS there is no handshake in which HTTP/2 could be negotiated.
        (.automatic, false, false, false, .http1),
        (.automatic, true, true, false, .http1),
        (.automatic, true, false, true, .http1),
        (.http1Only, false, true, true, .http1),
    ]

    @Test(
        "only a connection over TLS without renegotiation offers HTTP/2, unless the origin requires HTTP/1.1",
        arguments: rows
    )
    func offered(_ row: Row) {
        let offered = OfferedProtocols(
            row.setting,
            isSecure: row.isSecure,
            allowsRenegotiation: row.allowsRenegotiation,
            isHTTP1Required: row.isHTTP1Required
        )
        #expect(offered == row.offered)
    }

    @Test("the TLS handshake offers HTTP/2 before HTTP/1.1")
    func names() {
        #expect(OfferedProtocols.http2AndHTTP1.names == ["h2", "http/1.1"])
        #expect(OfferedProtocols.http1.names == ["http/1.1"])
    }
}

#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking

extension OfferedProtocolsTests {
    @Test("a transport offers the versions that its configuration and the origin allow")
    func settings() throws {
        var configuration = TransportConfiguration()
        let secure = try #require(URL(string: "https://h").flatMap { Origin($0) })
        let plain = try #require(URL(string: "http://h").flatMap { Origin($0) })
        let settings = try ConnectionSettings(configuration)
        #expect(settings.offeredProtocols(to: secure) == .http2AndHTTP1)
        #expect(settings.offeredProtocols(to: plain) == .http1)
        settings.recordHTTP1Required(by: secure)
        #expect(settings.offeredProtocols(to: secure) == .http1)
        configuration.allowsRenegotiation = true
        #expect(try ConnectionSettings(configuration).offeredProtocols(to: secure) == .http1)
    }
}
#endif
