import Foundation
import MoyaHTTP
import TestServers
import Testing

@Suite("A transport supports a setting, or refuses the configuration")
struct TransportConfigurationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let setting: TransportConfigurationError.Setting
        let change: @Sendable (inout TransportConfiguration) -> Void

        init(
            _ setting: TransportConfigurationError.Setting,
            _ description: String,
            _ change: @escaping @Sendable (inout TransportConfiguration) -> Void
        ) {
            (self.setting, testDescription, self.change) = (setting, "\(setting): \(description)", change)
        }

        var configuration: TransportConfiguration {
            var configuration = TransportConfiguration()
            change(&configuration)
            return configuration
        }
    }

    private static let senseless: [Row] = [
        Row(.serverTrustManager, "pattern") {
            $0.serverTrustManager = ServerTrustManager(evaluators: ["*": DisabledTrustEvaluator()])
        },
        Row(.maximumConnectionsPerHost, "zero") { $0.maximumConnectionsPerHost = 0 },
        Row(.usesAlternativeServices, "with HTTP/1.1 only") {
            $0.usesAlternativeServices = true
            $0.httpVersion = .http1Only
        },
        Row(.usesAlternativeServices, "with renegotiation") {
            $0.usesAlternativeServices = true
            $0.allowsRenegotiation = true
        },
        Row(.usesAlternativeServices, "with a unix socket") {
            $0.usesAlternativeServices = true
            $0.unixSocketPath = "/socket"
        },
        Row(.maximumIdleConnections, "negative") { $0.maximumIdleConnections = -1 },
        Row(.connectionPoolTimeout, "zero") { $0.connectionPoolTimeout = .zero },
        Row(.connectTimeout, "zero") { $0.connectTimeout = .zero },
        Row(.idleConnectionTimeout, "negative") { $0.idleConnectionTimeout = .seconds(-1) },
        Row(.proxy, "no host") { $0.proxy = .http(host: "", port: 80) },
        Row(.proxy, "a URL") { $0.proxy = .http(host: "http://proxy", port: 80) },
        Row(.proxy, "port 0") { $0.proxy = .http(host: "proxy", port: 0) },
        Row(.proxy, "port 65536") { $0.proxy = .socks(host: "proxy", port: 65_536) },
        Row(.proxy, "user with a colon") {
            $0.proxy = .http(host: "proxy", port: 80, credential: .init(user: "a:b", password: "secret"))
        },
        Row(.proxy, "a password with a line break") {
            $0.proxy = .http(host: "proxy", port: 80, credential: .init(user: "a", password: "secret\n"))
        },
        Row(.proxy, "a user with a NUL") {
            $0.proxy = .http(host: "proxy", port: 80, credential: .init(user: "a\0", password: "secret"))
        },
        Row(.proxy, "with a unix socket") {
            $0.proxy = .http(host: "proxy", port: 80)
            $0.unixSocketPath = "/socket"
        },
        Row(.localAddress, "a name") { $0.localAddress = "localhost" },
        Row(.localAddress, "empty") { $0.localAddress = "" },
        Row(.localAddress, "with a unix socket") {
            $0.localAddress = "127.0.0.1"
            $0.unixSocketPath = "/socket"
        },
        Row(.unixSocketPath, "empty") { $0.unixSocketPath = "" },
        Row(.unixSocketPath, "too long") { $0.unixSocketPath = String(repeating: "x", count: 104) },
        Row(.unixSocketPath, "with a zero") { $0.unixSocketPath = "/a\0b" },
        Row(.dnsOverride, "with a unix socket") {
            $0.dnsOverride = ["a": "b"]
            $0.unixSocketPath = "/socket"
        },
        Row(.dnsOverride, "to nothing") { $0.dnsOverride = ["a": ""] },
        Row(.dnsOverride, "to a port") { $0.dnsOverride = ["a": "127.0.0.1:80"] },
        Row(.hostResolver, "with a unix socket") {
            $0.hostResolver = SystemHostResolver()
            $0.unixSocketPath = "/socket"
        },
        Row(.hostCachePolicy, "with a unix socket") {
            $0.hostCachePolicy = nil
            $0.unixSocketPath = "/socket"
        },
        Row(.hostCachePolicy, "negative") { $0.hostCachePolicy?.notFoundLifetime = .seconds(-1) },
        Row(.dnsOverride, "of a pattern") { $0.dnsOverride = ["*.example.com": "127.0.0.1"] },
    ]

    @Test("every transport refuses invalid settings", arguments: senseless)
    func invalid(_ row: Row) {
        expect(row, isInvalid: true) { _ = try URLSessionTransport(connection: row.configuration) }
        #if NIO && !canImport(Darwin)
        expect(row, isInvalid: true) { _ = try NIOTransport(connection: row.configuration) }
        #endif
    }

    private static let identity = ClientIdentity(pkcs12: Data("not PKCS#12".utf8), passphrase: "secret")

    private static let beyondURLSession: [Row] = {
        var rows = [
            Row(.httpVersion, "HTTP/1.1") { $0.httpVersion = .http1Only },
            Row(.usesAlternativeServices, "true") { $0.usesAlternativeServices = true },
            Row(.maximumIdleConnections, "any") { $0.maximumIdleConnections = 10 },
            Row(.connectionPoolTimeout, "any") { $0.connectionPoolTimeout = .seconds(1) },
            Row(.connectTimeout, "any") { $0.connectTimeout = .seconds(1) },
            Row(.idleConnectionTimeout, "any") { $0.idleConnectionTimeout = .seconds(1) },
            Row(.requiresCloseNotify, "any") { $0.requiresCloseNotify = true },
            Row(.unixSocketPath, "any") { $0.unixSocketPath = "/socket" },
            Row(.dnsOverride, "any") { $0.dnsOverride = ["a": "127.0.0.1"] },
            Row(.localAddress, "any") { $0.localAddress = "127.0.0.1" },
            Row(.hostResolver, "any") { $0.hostResolver = SystemHostResolver() },
            Row(.hostCachePolicy, "none") { $0.hostCachePolicy = nil },
            Row(.allowsRenegotiation, "true") { $0.allowsRenegotiation = true },
        ]
        #if !canImport(Security)
        rows += [
            Row(.serverTrustManager, "any") {
                $0.serverTrustManager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:])
            },
            Row(.clientIdentity, "any") { $0.clientIdentity = identity },
            Row(.minimumTLSVersion, "1.2") { $0.minimumTLSVersion = .tls12 },
            Row(.minimumTLSVersion, "1.3") { $0.minimumTLSVersion = .tls13 },
            Row(.usesSystemProxies, "false") { $0.usesSystemProxies = false },
            Row(.usesSystemCredentials, "true") { $0.usesSystemCredentials = true },
            Row(.proxy, "SOCKS with credentials") {
                $0.proxy = .socks(host: "proxy", credential: .init(user: "u", password: "secret"))
            },
            Row(.proxy, "HTTP") { $0.proxy = .http(host: "proxy", port: 80) },
        ]
        #endif
        return rows
    }()

    @Test("URLSessionTransport refuses settings that URLSession does not support", arguments: beyondURLSession)
    func unsupportedByURLSession(_ row: Row) {
        expect(row, isInvalid: false) { _ = try URLSessionTransport(connection: row.configuration) }
    }

    #if NIO && !canImport(Darwin)
    @Test("NIOTransport refuses to use the ticket of the user who is logged in to the system")
    func ticket() {
        let row = Row(.usesSystemCredentials, "true") { $0.usesSystemCredentials = true }
        expect(row, isInvalid: false) { _ = try NIOTransport(connection: row.configuration) }
    }
    #endif

    @Test("every transport accepts the default configuration")
    func plain() async throws {
        await (try URLSessionTransport(connection: TransportConfiguration())).shutdown()
        #if NIO && !canImport(Darwin)
        await (try NIOTransport(connection: TransportConfiguration())).shutdown()
        #endif
    }

    private func expect(_ row: Row, isInvalid: Bool, _ make: () throws -> Void) {
        let error = #expect(throws: TransportConfigurationError.self) { try make() }
        switch error {
        case .invalid(let setting, _): #expect(isInvalid && setting == row.setting)
        case .unsupported(let setting, _, _): #expect(!isInvalid && setting == row.setting)
        case .unsafe: Issue.record("The setting is not the reason.")
        case nil: break
        }
        #expect(error?.localizedDescription.contains(row.setting.rawValue) == true)
        #expect(error?.localizedDescription.contains("secret") == false)
    }

    @Test("no description of a configuration shows credentials or keys")
    func secrets() {
        let credential = TransportProxy.Credential(user: "u", password: "secret")
        let key = ClientIdentity(certificates: [], privateKey: Data("secret".utf8), passphrase: "secret")
        var configuration = TransportConfiguration()
        configuration.proxy = .http(host: "h", port: 1, credential: credential)
        configuration.clientIdentity = key
        var dump = ""
        Swift.dump(configuration, to: &dump)
        Swift.dump(Self.identity, to: &dump)
        for text in ["\(configuration)", String(reflecting: configuration), "\(key)", String(reflecting: key), dump] {
            #expect(!text.contains("secret"))
            #expect(!text.contains("\(Array("secret".utf8))"))
        }
    }

    #if NIO && !canImport(Darwin)
    @Test("SOCKS credentials have 1 to 255 bytes each (RFC 1929, section 2)")
    func socks() async throws {
        func row(_ user: String, _ password: String) -> Row {
            Row(.proxy, "SOCKS") {
                $0.proxy = .socks(host: "proxy", credential: .init(user: user, password: password))
            }
        }
        let long = String(repeating: "a", count: 256)
        for bad in [row("", "p"), row("u", ""), row(long, "p"), row("u", long)] {
            expect(bad, isInvalid: true) { _ = try NIOTransport(connection: bad.configuration) }
        }
        await (try NIOTransport(connection: row("u:v", "secret").configuration)).shutdown()
    }

    @Test("an unusable client identity is refused, and the error shows neither key nor passphrase")
    func identities() throws {
        let good = try TestAuthority().issue()
        let chain = try Certificate.certificates(pem: good.pem)
        let identities = [
            Self.identity, ClientIdentity(pkcs12: Data(), passphrase: nil),
            ClientIdentity(certificates: [], privateKey: Data(good.key.pem.utf8)),
            ClientIdentity(certificates: chain, privateKey: Data("secret".utf8)),
            ClientIdentity(certificates: chain, privateKey: Data("secret".utf8), format: .der),
            ClientIdentity(pkcs12: PKCS12.archive, passphrase: "secret"),
            ClientIdentity(certificates: chain, privateKey: PKCS12.encryptedKey, passphrase: "secret"),
            ClientIdentity(certificates: chain, privateKey: PKCS12.encryptedKey),
        ]
        for identity in identities {
            let row = Row(.clientIdentity, "damaged") { $0.clientIdentity = identity }
            expect(row, isInvalid: true) { _ = try NIOTransport(connection: row.configuration) }
        }
    }
    #endif
}
