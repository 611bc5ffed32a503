#if canImport(Security)
// Tested on Linux with fakes (scripts/data/apple-tests); not tested on Apple platforms.
import Foundation
import Security

/// The responses to URLSession's challenges according to a ``TransportConfiguration``.
enum URLSessionTrust {
    /// The response to a challenge.
    enum Disposition {
        case performDefaultHandling
        case rejectProtectionSpace
        case use(URLCredential)
        case refuse(URLError?)
    }

    /// The queue for evaluations, which may use the network.
    ///
    /// On URLSession's own queue they would block all other exchanges.
    private static let queue = DispatchQueue(label: "Moya.URLSessionTrust", attributes: .concurrent)

    /// Determines the response to a challenge.
    ///
    /// `users` are the credentials of the request for a proxy. `completion` is called once, immediately or later, on any
    /// thread.
    static func respond(
        to challenge: URLAuthenticationChallenge,
        _ settings: URLSessionSettings,
        users: ProxyUsers,
        url: URL?,
        completion: @escaping @Sendable (Disposition) -> Void
    ) {
        let space = challenge.protectionSpace
        if let trust = space.serverTrust {
            respond(to: trust, of: space.host, settings.serverTrustManager, url: url, completion: completion)
        } else if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
            completion(settings.clientCredential.map { .use($0.credential) } ?? .performDefaultHandling)
        } else {
            switch disposition(to: challenge, settings, users: users, url: url) {
            case .performDefaultHandling: completion(.performDefaultHandling)
            case .rejectProtectionSpace: completion(.rejectProtectionSpace)
            case .use(let user):
                completion(
                    .use(URLCredential(user: user.user, password: user.password, persistence: .forSession))
                )
            case .refuse:
                completion(.refuse(.make(.userAuthenticationRequired, url: url)))
            }
        }
    }

    private static func disposition(
        to challenge: URLAuthenticationChallenge,
        _ settings: URLSessionSettings,
        users: ProxyUsers,
        url: URL?
    ) -> URLSessionLoginDisposition {
        let login = URLSessionLoginChallenge(challenge, url: url)
        var users = users
        users.configured = settings.proxyCredential.map { UserCredential(user: $0.user, password: $0.password) }
        if login.isProxy, let stored = settings.credentialStorage?.defaultCredential(for: challenge.protectionSpace) {
            users.stored = RequestCredential(stored)?.user
        }
        return URLSessionLoginDisposition(
            to: login,
            users: users,
            usesSystemCredentials: settings.usesSystemCredentials
        )
    }

    private static func respond(
        to trust: SecTrust,
        of host: String,
        _ manager: ServerTrustManager?,
        url: URL?,
        completion: @escaping @Sendable (Disposition) -> Void
    ) {
        do throws(ServerTrustError) {
            guard let rule = try manager?.rule(forHost: host) else { return completion(.performDefaultHandling) }
            let evaluation = TrustEvaluation(trust: trust, host: host, rule: rule)
            queue.async {
                do throws(ServerTrustError) {
                    try evaluation.run()
                    completion(.use(URLCredential(trust: evaluation.trust)))
                } catch {
                    completion(.refuse(.refused(error, url: url)))
                }
            }
        } catch {
            completion(.refuse(.refused(error, url: url)))
        }
    }
}

/// The evaluation of a server's certificate chain by a rule.
// Unchecked because of the trust object, which is not used elsewhere before the challenge is completed.
private struct TrustEvaluation: @unchecked Sendable {
    let trust: SecTrust
    let host: String
    let rule: ServerTrustRule

    func run() throws(ServerTrustError) {
        let wanted = rule.evaluator.verification
        // Existing policies are kept if possible, since they contain the application's NSPinnedDomains.
        if !wanted.validatesHost { SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, nil)) }
        if wanted.validatesChain, wanted != .systemRoots(validatesHost: wanted.validatesHost) {
            let roots = wanted.anchors.compactMap { SecCertificateCreateWithData(nil, $0.der as CFData) }
            SecTrustSetAnchorCertificates(trust, roots as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, !wanted.trustsSystemRoots)
        }
        if let check = rule.evaluator.revocationCheck { try require(check) }
        var problem: CFError?
        let isTrusted = wanted == .nothing || SecTrustEvaluateWithError(trust, &problem)
        let chain = try evaluatedChain()
        let certificates = Array(chain.prefix(1))
        if !isTrusted {
            if let problem, CFErrorGetCode(problem) == Int(errSecHostNameMismatch), let own = certificates.first {
                let names = own.fields.names.texts
                throw rule.refusal(of: host, .hostNotInCertificate(names: names), certificate: own, cause: problem)
            }
            let words = problem.map { CFErrorCopyDescription($0) as String } ?? ""
            throw rule.refusal(of: host, .notTrusted(words), certificate: certificates.first, cause: problem)
        }
        // The rule also checks the host name, as on Linux, for a specific error.
        let verification = wanted.validatingHost(false)
        try rule.evaluate(
            ServerTrust(
                host: host,
                certificates: certificates,
                validatedChain: wanted.validatesChain ? chain : [],
                verification: verification
            )
        )
    }

    /// Adds a check for revoked certificates to the policies.
    private func require(_ check: RevocationCheck) throws(ServerTrustError) {
        var policies: CFArray?
        guard SecTrustCopyPolicies(trust, &policies) == errSecSuccess, let present = policies as? [SecPolicy],
            let revocation = SecPolicyCreateRevocation(CFOptionFlags(check.rawValue)),
            case let all = present + [revocation],
            SecTrustSetPolicies(trust, all as CFArray) == errSecSuccess
        else {
            throw rule.refusal(of: host, .notVerified)
        }
    }

    /// Returns the chain that Security has evaluated, the server's own certificate first.
    ///
    /// An issuer's certificate that cannot be parsed is left out: no pin matches it.
    private func evaluatedChain() throws(ServerTrustError) -> [Certificate] {
        guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let first = chain.first else {
            return []
        }
        guard let certificate = try? Certificate(der: SecCertificateCopyData(first) as Data) else {
            throw rule.refusal(of: host, .malformedCertificate)
        }
        return [certificate]
            + chain.dropFirst().compactMap { try? Certificate(der: SecCertificateCopyData($0) as Data) }
    }
}

extension URLError {
    fileprivate static func refused(_ error: ServerTrustError, url: URL?) -> URLError {
        .make(.serverCertificateUntrusted, url: url, reason: error.localizedDescription, cause: error)
    }
}
#endif
