import Foundation

/// Which rule holds for which host: the server trust of a transport.
///
///     let manager = ServerTrustManager(evaluators: [
///         "api.example.com": try PublicKeysTrustEvaluator(hashes: ["sha256/…", "sha256/…"]),
///         "*.example.com": DefaultTrustEvaluator(),
///     ])
///     let transport = try NIOTransport(configuration: TransportConfiguration(serverTrustManager: manager))
///
/// A host is looked up by its name, and then with its first label replaced by `*`: so `*.example.com` is for
/// `api.example.com`, and neither for `example.com` nor for `a.api.example.com` (as RFC 9525, section 6.3, has it for
/// certificates). Case and a last dot don't matter. An IP address is looked up as it is, whatever its spelling. Ports
/// don't count. Names beyond ASCII are written as they are in a URL (`xn--…`).
///
/// It is about `https` only. Requests over plain `http` go to any host.
public struct ServerTrustManager: Sendable {
    /// Whether a host without a rule is refused. Otherwise it is treated as with no manager.
    public let allHostsMustBeEvaluated: Bool
    /// The rules as they were given.
    public let evaluators: [String: any ServerTrustEvaluating]

    /// The patterns that can match no host, and those that say the same as another one. A transport refuses a manager
    /// that has any, as what they were meant for would go without a rule.
    public let invalidPatterns: [String]

    private let rules: [String: ServerTrustRule]

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - allHostsMustBeEvaluated: Whether a host without a rule is refused.
    ///   - evaluators: The rule for each host, or pattern like `*.example.com`.
    public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = evaluators
        var rules: [String: ServerTrustRule] = [:]
        var invalid: [String] = []
        for (text, evaluator) in evaluators {
            let rule = ServerTrustRule(pattern: text, evaluator: evaluator)
            guard let pattern = HostName.Pattern(text), rules.updateValue(rule, forKey: pattern.text) == nil else {
                invalid.append(text)
                continue
            }
        }
        self.rules = rules
        invalidPatterns = invalid.sorted()
    }

    /// The evaluator for a host, or `nil` for one that needs none.
    ///
    /// - Throws: ``ServerTrustError`` for a host without one, where each must have one.
    public func serverTrustEvaluator(
        forHost host: String
    ) throws(ServerTrustError) -> (any ServerTrustEvaluating)? {
        try rule(forHost: host)?.evaluator
    }

    /// The rule for a host, or `nil` for one that needs none.
    func rule(forHost host: String) throws(ServerTrustError) -> ServerTrustRule? {
        let name = HostName(host)
        if let rule = rules[name.text] ?? name.wildcard.flatMap({ rules[$0] }) { return rule }
        guard !allHostsMustBeEvaluated else { throw ServerTrustError(host: host, reason: .noEvaluator) }
        return nil
    }
}
