/// An evaluator that trusts a server if all of its evaluators do.
///
/// Without evaluators it rejects every server.
/// The evaluators must agree on the root certificates, since the TLS engine verifies a chain once. If they require
/// different roots, those of the later evaluators are not verified, and the server is rejected.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
    /// The evaluators, in the order in which they are called.
    public let evaluators: [any ServerTrustEvaluating]

    /// The verification of the first evaluator that requires a verified chain, including the host name if any
    /// evaluator requires it.
    public let verification: ServerTrustVerification

    /// Creates an evaluator from several.
    public init(evaluators: [any ServerTrustEvaluating]) {
        self.evaluators = evaluators
        let wanted = evaluators.map(\.verification)
        verification = (wanted.first(where: \.validatesChain) ?? .nothing)
            .validatingHost(wanted.contains(where: \.validatesHost))
    }

    /// Calls the evaluators in order.
    ///
    /// - Throws: The error of the first evaluator that rejects the server; ``ServerTrustError`` if there are no
    ///   evaluators.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !evaluators.isEmpty else { throw ServerTrustError(host: host, reason: .nothingToCompareWith) }
        for evaluator in evaluators {
            try trust.check(evaluator.verification)
            try evaluator.evaluate(trust, forHost: host)
        }
    }
}
