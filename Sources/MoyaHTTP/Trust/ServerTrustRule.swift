import Foundation

/// A rule of a ``ServerTrustManager``.
struct ServerTrustRule: Sendable {
    /// The pattern that the host matched; `nil` for the default rule.
    var pattern: String?
    let evaluator: any ServerTrustEvaluating

    /// Checks that the required verification has been performed, and calls the evaluator.
    ///
    /// If the TLS engine could not verify the host name, it is verified here.
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

    /// Returns an error with this rule.
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
