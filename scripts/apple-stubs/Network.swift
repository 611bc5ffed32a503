// swift-format-ignore-file
import Foundation
import FoundationNetworking

public enum NWEndpoint: Sendable {
    public struct Host: Sendable {
        public init(_ string: String) { fatalError() }
    }
    public struct Port: RawRepresentable, Sendable {
        public let rawValue: UInt16
        public init?(rawValue: UInt16) { fatalError() }
    }
    case hostPort(host: Host, port: Port)
}

public struct ProxyConfiguration: Sendable {
    public init(socksv5Proxy proxyEndpoint: NWEndpoint) { fatalError() }
    public func applyCredential(username: String, password: String) { fatalError() }
}

extension URLSessionConfiguration {
    public var proxyConfigurations: [ProxyConfiguration] {
        get { fatalError() }
        set { fatalError() }
    }
}
