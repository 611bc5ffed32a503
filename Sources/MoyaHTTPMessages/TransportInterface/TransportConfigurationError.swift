import Foundation

/// An error for a ``TransportConfiguration`` that a transport does not accept.
///
/// No setting is ignored.
public enum TransportConfigurationError: Error, Equatable, Sendable {
    /// The transport does not support the setting.
    ///
    /// Another transport may support it.
    case unsupported(Setting, transport: String, reason: String)
    /// The setting is invalid for any transport.
    case invalid(Setting, reason: String)
    /// A server could end the process: see ``URLSessionTransport/acceptsTermination``.
    case unsafe(transport: String, reason: String)

    /// A property of ``TransportConfiguration``, or a `URLSessionConfiguration` as a whole.
    public enum Setting: String, CaseIterable, Sendable {
        /// The property ``TransportConfiguration/serverTrustManager``.
        case serverTrustManager
        /// The property ``TransportConfiguration/clientIdentity``.
        case clientIdentity
        /// The property ``TransportConfiguration/minimumTLSVersion``.
        case minimumTLSVersion
        /// The property ``TransportConfiguration/requiresCloseNotify``.
        case requiresCloseNotify
        /// The property ``TransportConfiguration/allowsRenegotiation``.
        case allowsRenegotiation
        /// The property ``TransportConfiguration/httpVersion``.
        case httpVersion
        /// The property ``TransportConfiguration/usesAlternativeServices``.
        case usesAlternativeServices
        /// The property ``TransportConfiguration/maximumConnectionsPerHost``.
        case maximumConnectionsPerHost
        /// The property ``TransportConfiguration/maximumIdleConnections``.
        case maximumIdleConnections
        /// The property ``TransportConfiguration/connectionPoolTimeout``.
        case connectionPoolTimeout
        /// The property ``TransportConfiguration/connectTimeout``.
        case connectTimeout
        /// The property ``TransportConfiguration/idleConnectionTimeout``.
        case idleConnectionTimeout
        /// The property ``TransportConfiguration/expectContinueSize``.
        case expectContinueSize
        /// The property ``TransportConfiguration/expectContinueTimeout``.
        case expectContinueTimeout
        /// The property ``TransportConfiguration/proxy``.
        case proxy
        /// The property ``TransportConfiguration/usesSystemProxies``.
        case usesSystemProxies
        /// The property ``TransportConfiguration/usesSystemCredentials``.
        case usesSystemCredentials
        /// The property ``TransportConfiguration/localAddress``.
        case localAddress
        /// The property ``TransportConfiguration/unixSocketPath``.
        case unixSocketPath
        /// The property ``TransportConfiguration/dnsOverride``.
        case dnsOverride
        /// The property ``TransportConfiguration/hostResolver``.
        case hostResolver
        /// The property ``TransportConfiguration/hostCachePolicy``.
        case hostCachePolicy
        /// The `URLSessionConfiguration` of a ``URLSessionTransport``.
        case sessionConfiguration
    }
}

extension TransportConfigurationError: MaskedError {
    /// A sentence with the setting and the reason.
    public var errorDescription: String? { masked(sentence) }

    private var sentence: String {
        switch self {
        case .unsupported(let setting, let transport, let reason):
            "\(transport) does not support the setting \"\(setting.rawValue)\": \(reason)"
        case .invalid(let setting, let reason):
            "The setting \"\(setting.rawValue)\" is invalid: \(reason)"
        case .unsafe(let transport, let reason):
            "\(transport) is not safe: \(reason)"
        }
    }
}

extension URLError {
    /// Whether the configuration of the transport is wrong, which it reports as a failed connection.
    package var isConfigurationError: Bool { userInfo[NSUnderlyingErrorKey] is TransportConfigurationError }
}
