import Foundation
import FoundationNetworking
import Network
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

@Suite("A transport writes its settings to the configuration of URLSession")
struct URLSessionSettingsTests {
    private static func written(
        to configuration: URLSessionConfiguration = .ephemeral,
        _ change: (inout TransportConfiguration) -> Void
    ) throws -> URLSessionConfiguration {
        var connection = TransportConfiguration()
        change(&connection)
        _ = try URLSessionSettings(connection, of: .ephemeral, writingTo: configuration)
        return configuration
    }

    @Test("the minimum version of TLS is the higher of the setting and the configuration, and at least 1.2")
    func minimumVersion() throws {
        #expect(try Self.written { _ in }.tlsMinimumSupportedProtocolVersion == .TLSv12)
        #expect(try Self.written { $0.minimumTLSVersion = .tls13 }.tlsMinimumSupportedProtocolVersion == .TLSv13)
        let configured = URLSessionConfiguration.ephemeral
        configured.tlsMinimumSupportedProtocolVersion = .TLSv13
        let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:])
        _ = try Self.written(to: configured) { $0.serverTrustManager = manager }
        #expect(configured.tlsMinimumSupportedProtocolVersion == .TLSv13)

        let plain = URLSessionConfiguration.ephemeral
        _ = URLSessionSettings(of: .ephemeral, writingTo: plain)
        #expect(plain.tlsMinimumSupportedProtocolVersion == .TLSv12)
    }

    @Test("the configuration keeps its number of connections if the setting is nil")
    func connections() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 3
        _ = try Self.written(to: configuration) { _ in }
        #expect(configuration.httpMaximumConnectionsPerHost == 3)
        _ = try Self.written(to: configuration) { $0.maximumConnectionsPerHost = 6 }
        #expect(configuration.httpMaximumConnectionsPerHost == 6)
    }

    @Test("an HTTP proxy is written for both schemes")
    func httpProxy() throws {
        let proxies = try Self.written { $0.proxy = .http(host: "proxy", port: 3_128) }.connectionProxyDictionary
        #expect(proxies?["HTTPEnable"] as? Int == 1)
        #expect(proxies?["HTTPSEnable"] as? Int == 1)
        for scheme in ["HTTP", "HTTPS"] {
            #expect(proxies?["\(scheme)Proxy"] as? String == "proxy")
            #expect(proxies?["\(scheme)Port"] as? Int == 3_128)
        }
    }

    @Test(
        "a SOCKS proxy with a login is written as a proxy configuration, and one without a login is written to the dictionary"
    )
    func socksProxy() throws {
        let plain = try Self.written { $0.proxy = .socks(host: "proxy", port: 1_080) }
        #expect(plain.connectionProxyDictionary?["SOCKSProxy"] as? String == "proxy")
        #expect(plain.connectionProxyDictionary?["SOCKSPort"] as? Int == 1_080)
        #expect(plain.proxyConfigurations.isEmpty)

        let login = try Self.written {
            $0.proxy = .socks(host: "proxy", port: 1_080, credential: .init(user: "ash", password: "secret"))
        }
        let values = try #require(login.proxyConfigurations.first?.values)
        let port = try #require(NWEndpoint.Port(rawValue: 1_080))
        #expect(values.endpoint == .hostPort(host: NWEndpoint.Host("proxy"), port: port))
        #expect(values.credential == ["ash", "secret"])
    }

    @Test("without system proxies the dictionary is empty, unless the application has set a dictionary")
    func systemProxies() throws {
        #expect(try Self.written { _ in }.connectionProxyDictionary == nil)
        #expect(try Self.written { $0.usesSystemProxies = false }.connectionProxyDictionary?.isEmpty == true)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = ["HTTPEnable": 1]
        _ = try Self.written(to: configuration) { $0.usesSystemProxies = false }
        #expect(configuration.connectionProxyDictionary?.count == 1)
    }

    @Test("the error for a setting that URLSession does not support names the setting")
    func refused() {
        #expect {
            _ = try Self.written { $0.connectTimeout = .seconds(3) }
        } throws: { error in
            guard case .unsupported(.connectTimeout, _, _)? = error as? TransportConfigurationError else {
                return false
            }
            return true
        }
    }
}
