/// Trusts every server: whoever can get between can read and change everything. For development only.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
    /// Nothing.
    public var verification: ServerTrustVerification { .nothing }

    /// Makes an evaluator.
    public init() {}

    /// Accepts everything.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}
