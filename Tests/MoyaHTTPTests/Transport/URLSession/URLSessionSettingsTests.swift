import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The settings of a URLSessionConfiguration are used")
struct URLSessionSettingsTests {
    /// A configured minimum by its protocol number, the transport's minimum, and the result.
    static let minimums: [(UInt16, MoyaHTTP.TLSVersion?, UInt16)] = [
        (0, nil, 0x0303), (0x0301, nil, 0x0303), (0x0302, nil, 0x0303), (0x0303, nil, 0x0303), (0x0304, nil, 0x0304),
        (0x0301, .tls10, 0x0301), (0x0301, .tls11, 0x0302), (0x0303, .tls10, 0x0303), (0x0304, .tls12, 0x0304),
        (0x0301, .tls13, 0x0304), (0x0304, .tls13, 0x0304),
    ]

    @Test(
        "the minimum TLS version is the higher version of both configurations, and 1.2 if the transport sets none",
        arguments: minimums
    )
    func minimum(_ configured: UInt16, _ version: MoyaHTTP.TLSVersion?, result: UInt16) {
        #expect(TLSVersion.minimumNumber(configured: configured, version) == result)
    }

    @Test(
        "the connection limit comes from the URLSessionConfiguration unless the transport sets one",
        arguments: [nil, 6, 9]
    )
    func connections(_ chosen: Int?) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 3
        let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:])
        var connection = TransportConfiguration(serverTrustManager: manager)
        if let chosen { connection.maximumConnectionsPerHost = chosen }
        connection.takeConnectionLimit(from: configuration)
        #expect(connection.maximumConnectionsPerHost == chosen ?? 3)

        var plain = TransportConfiguration()
        #expect(plain.maximumConnectionsPerHost == 6)
        if let chosen { plain.maximumConnectionsPerHost = chosen }
        let own = URLSessionConfiguration.ephemeral
        own.httpMaximumConnectionsPerHost = 3
        _ = try URLSessionSettings(plain, of: configuration, writingTo: own)
        #expect(own.httpMaximumConnectionsPerHost == chosen ?? 3)
    }

    @Test("a URLSessionConfiguration without connections counts as one with one connection")
    func noConnections() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 0
        var connection = TransportConfiguration()
        connection.takeConnectionLimit(from: configuration)
        #expect(connection.maximumConnectionsPerHost == 1)
    }
}
