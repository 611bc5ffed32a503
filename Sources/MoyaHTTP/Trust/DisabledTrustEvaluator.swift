/// An evaluator that trusts every server, for development only.
///
/// A man in the middle can read and change everything.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
    /// No verification.
    public var verification: ServerTrustVerification { .nothing }

    /// Creates an evaluator.
    public init() {}

    /// Accepts every server.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}
