/// The verification of a server's certificate that a TLS engine performs before a ``ServerTrustEvaluating`` is
/// called.
public enum ServerTrustVerification: Equatable, Sendable {
    /// The chain must be valid now and lead to a system root; if `validatesHost` is true, the certificate must
    /// contain the host name.
    case systemRoots(validatesHost: Bool)
    /// The same, with these certificates as the only roots.
    case anchors([Certificate], validatesHost: Bool)
    /// Only that the server has the private key of its certificate.
    case nothing

    /// Returns whether this verification is at least as strict as the wanted one.
    ///
    /// A chain to custom roots does not include one to system roots, nor vice versa.
    public func includes(_ wanted: ServerTrustVerification) -> Bool {
        switch (self, wanted) {
        case (_, .nothing): true
        case (.systemRoots(let host), .systemRoots(let wantsHost)): host || !wantsHost
        case (.anchors(let anchors, let host), .anchors(let wanted, let wantsHost)):
            Set(anchors).isSubset(of: wanted) && (host || !wantsHost)
        case (.systemRoots, .anchors), (.anchors, .systemRoots), (.nothing, _): false
        }
    }

    /// Whether the chain is verified.
    public var validatesChain: Bool { self != .nothing }

    /// Whether the host name is verified.
    public var validatesHost: Bool {
        switch self {
        case .systemRoots(let validatesHost), .anchors(_, let validatesHost): validatesHost
        case .nothing: false
        }
    }

    /// Returns the verification with or without the host name.
    func validatingHost(_ validatesHost: Bool) -> ServerTrustVerification {
        switch self {
        case .systemRoots: .systemRoots(validatesHost: validatesHost)
        case .anchors(let anchors, _): .anchors(anchors, validatesHost: validatesHost)
        case .nothing: .nothing
        }
    }
}
