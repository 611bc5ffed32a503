import Foundation

/// A ``TransportConfiguration`` that a transport doesn't accept: nothing that is set is ever ignored.
public enum TransportConfigurationError: Error, Equatable, Sendable {
    /// The transport can't do what the setting says. Another one may.
    case unsupported(Setting, transport: String, reason: String)
    /// The setting makes no sense, whatever the transport.
    case invalid(Setting, reason: String)

    /// A property of ``TransportConfiguration``, or the whole of a `URLSessionConfiguration`.
    public enum Setting: String, CaseIterable, Sendable {
        /// ``TransportConfiguration/serverTrustManager``.
        case serverTrustManager
        /// ``TransportConfiguration/clientIdentity``.
        case clientIdentity
        /// ``TransportConfiguration/minimumTLSVersion``.
        case minimumTLSVersion
        /// ``TransportConfiguration/httpVersion``.
        case httpVersion
        /// ``TransportConfiguration/maximumConnectionsPerHost``.
        case maximumConnectionsPerHost
        /// ``TransportConfiguration/connectTimeout``.
        case connectTimeout
        /// ``TransportConfiguration/idleConnectionTimeout``.
        case idleConnectionTimeout
        /// ``TransportConfiguration/proxy``.
        case proxy
        /// ``TransportConfiguration/unixSocketPath``.
        case unixSocketPath
        /// ``TransportConfiguration/dnsOverride``.
        case dnsOverride
        /// The `URLSessionConfiguration` that a ``URLSessionTransport`` is made with.
        case sessionConfiguration
    }
}

extension TransportConfigurationError: LocalizedError {
    /// Which setting, and what is wrong with it.
    public var errorDescription: String? {
        switch self {
        case .unsupported(let setting, let transport, let reason):
            "\(transport) cannot honour the setting \"\(setting.rawValue)\": \(reason)"
        case .invalid(let setting, let reason):
            "The setting \"\(setting.rawValue)\" is not valid: \(reason)"
        }
    }
}
