/// Trusts a server that each of several evaluators trusts. Without any it trusts nobody.
///
/// They must agree on the roots, as an engine verifies a chain once: where one wants the system's and another its own,
/// or two want different ones, the latter's are not verified, and it refuses.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
    /// The evaluators, in the order in which they are asked.
    public let evaluators: [any ServerTrustEvaluating]

    /// What the first one wants that wants a chain verified, with the host's name if any of them wants that.
    public let verification: ServerTrustVerification

    /// Makes an evaluator of several.
    public init(evaluators: [any ServerTrustEvaluating]) {
        self.evaluators = evaluators
        let wanted = evaluators.map(\.verification)
        verification = (wanted.first(where: \.validatesChain) ?? .nothing)
            .validatingHost(wanted.contains(where: \.validatesHost))
    }

    /// Asks one after the other.
    ///
    /// - Throws: What the first one throws that refuses; ``ServerTrustError``, if there are none.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !evaluators.isEmpty else { throw ServerTrustError(host: host, reason: .nothingToCompareWith) }
        for evaluator in evaluators {
            try trust.check(evaluator.verification)
            try evaluator.evaluate(trust, forHost: host)
        }
    }
}
