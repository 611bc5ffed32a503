// swift-format-ignore-file
import Foundation
import FoundationNetworking

public enum NWEndpoint: Equatable, Sendable {
    public struct Host: Equatable, Sendable {
        public let text: String
        public init(_ string: String) { text = string }
    }
    public struct Port: RawRepresentable, Equatable, Sendable {
        public let rawValue: UInt16
        public init?(rawValue: UInt16) { self.rawValue = rawValue }
    }
    case hostPort(host: Host, port: Port)
}

public struct ProxyConfiguration: Sendable {
    /// The values of the configuration, which the tests read.
    public final class Values: @unchecked Sendable {
        public let endpoint: NWEndpoint
        public var credential: [String] = []
        init(_ endpoint: NWEndpoint) { self.endpoint = endpoint }
    }
    public let values: Values

    public init(socksv5Proxy proxyEndpoint: NWEndpoint) { values = Values(proxyEndpoint) }
    public func applyCredential(username: String, password: String) { values.credential = [username, password] }
}

nonisolated(unsafe) private var configurations: [ObjectIdentifier: [ProxyConfiguration]] = [:]

extension URLSessionConfiguration {
    public var proxyConfigurations: [ProxyConfiguration] {
        get { configurations[ObjectIdentifier(self)] ?? [] }
        set { configurations[ObjectIdentifier(self)] = newValue }
    }
}
