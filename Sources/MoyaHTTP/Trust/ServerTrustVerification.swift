/// What an engine verifies of a server's certificate by itself, before a ``ServerTrustEvaluating`` is asked.
public enum ServerTrustVerification: Equatable, Sendable {
    /// The chain must lead to a root that the system trusts, and hold today; the host's name is in the certificate, if
    /// that is wanted.
    case systemRoots(validatesHost: Bool)
    /// The same, with these certificates as the only roots.
    case anchors([Certificate], validatesHost: Bool)
    /// Nothing but that the server holds the private key of the certificate that it presents.
    case nothing

    /// Whether what was verified is at least what was wanted.
    ///
    /// A chain to given roots is not one to the system's, nor the other way round.
    public func includes(_ wanted: ServerTrustVerification) -> Bool {
        switch (self, wanted) {
        case (_, .nothing): true
        case (.systemRoots(let host), .systemRoots(let wantsHost)): host || !wantsHost
        case (.anchors(let anchors, let host), .anchors(let wanted, let wantsHost)):
            Set(anchors).isSubset(of: wanted) && (host || !wantsHost)
        case (.systemRoots, .anchors), (.anchors, .systemRoots), (.nothing, _): false
        }
    }

    /// Whether the chain was verified.
    public var validatesChain: Bool { self != .nothing }

    /// Whether the host's name was verified.
    public var validatesHost: Bool {
        switch self {
        case .systemRoots(let validatesHost), .anchors(_, let validatesHost): validatesHost
        case .nothing: false
        }
    }

    /// The same, with or without the host's name.
    func validatingHost(_ validatesHost: Bool) -> ServerTrustVerification {
        switch self {
        case .systemRoots: .systemRoots(validatesHost: validatesHost)
        case .anchors(let anchors, _): .anchors(anchors, validatesHost: validatesHost)
        case .nothing: .nothing
        }
    }
}
