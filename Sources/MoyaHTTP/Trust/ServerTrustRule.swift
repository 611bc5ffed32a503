import Foundation

/// One line of a ``ServerTrustManager``.
struct ServerTrustRule: Sendable {
    /// What the host matched; `nil` for what holds where there is no rule.
    var pattern: String?
    let evaluator: any ServerTrustEvaluating

    /// Checks that what the evaluator builds on has been verified, and asks it.
    ///
    /// Where the engine could not check the host's name it is checked here.
    func evaluate(_ trust: ServerTrust) throws(ServerTrustError) {
        do {
            let verification = evaluator.verification
            try trust.check(verification)
            let trust = ServerTrust(host: trust.host, certificates: trust.certificates, verification: verification)
            try evaluator.evaluate(trust, forHost: trust.host)
        } catch let error as ServerTrustError {
            throw refusal(of: trust.host, error.reason, cause: error.underlyingError)
        } catch {
            throw refusal(of: trust.host, .refused(error.localizedDescription), cause: error)
        }
    }

    /// Says that it was this rule that refused.
    func refusal(of host: String, _ reason: ServerTrustError.Reason, cause: (any Error)? = nil) -> ServerTrustError {
        ServerTrustError(
            host: host,
            rule: pattern,
            evaluator: pattern == nil ? nil : String(describing: type(of: evaluator)),
            reason: reason,
            underlyingError: cause
        )
    }
}
