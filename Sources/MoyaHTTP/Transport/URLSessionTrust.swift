#if canImport(Security)
    // Compiled against stubs on Linux; has not run on Apple's platforms.
    import Foundation
    import Security

    /// The answers to URLSession's challenges that a ``TransportConfiguration`` gives.
    enum URLSessionTrust {
        /// What URLSession is told.
        enum Answer {
            case byDefault
            case use(URLCredential)
            case refuse(URLError?)
        }

        /// To evaluate a chain may use the network. URLSession's own queue serves all exchanges, so that one would hold up
        /// the others.
        private static let queue = DispatchQueue(label: "Moya.URLSessionTrust", attributes: .concurrent)

        /// Finds the answer to a challenge.
        ///
        /// - Parameters:
        ///   - proxyUser: The user that the session names to a proxy.
        ///   - completion: Called once, at once or later, on any thread.
        static func answer(
            to challenge: URLAuthenticationChallenge,
            _ settings: URLSessionSettings,
            proxyUser: UserCredential?,
            url: URL?,
            completion: @escaping @Sendable (Answer) -> Void
        ) {
            let space = challenge.protectionSpace
            if let trust = space.serverTrust {
                answer(to: trust, of: space.host, settings.serverTrustManager, url: url, completion: completion)
            } else if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
                completion(settings.clientCredential.map { .use($0.credential) } ?? .byDefault)
            } else if space.isProxy() {
                switch URLSessionProxyAnswer(to: challenge, configured: settings.proxyCredential, user: proxyUser) {
                case .byDefault:
                    completion(.byDefault)
                case .use(let user):
                    completion(
                        .use(URLCredential(user: user.user, password: user.password, persistence: .forSession))
                    )
                case .refuse:
                    completion(.refuse(.exchange(.userAuthenticationRequired, url: url)))
                }
            } else {
                completion(.byDefault)
            }
        }

        private static func answer(
            to trust: SecTrust,
            of host: String,
            _ manager: ServerTrustManager?,
            url: URL?,
            completion: @escaping @Sendable (Answer) -> Void
        ) {
            do throws(ServerTrustError) {
                guard let rule = try manager?.rule(forHost: host) else { return completion(.byDefault) }
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

    /// The evaluation of one server's chain by a rule.
    // Unchecked for the trust object: nobody else uses it while the challenge is not answered.
    private struct TrustEvaluation: @unchecked Sendable {
        let trust: SecTrust
        let host: String
        let rule: ServerTrustRule

        func run() throws(ServerTrustError) {
            let wanted = rule.evaluator.verification
            // The policies that are there are kept where they can be: they know the application's NSPinnedDomains.
            if !wanted.validatesHost { SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, nil)) }
            if case .anchors(let anchors, _) = wanted {
                let roots = anchors.compactMap { SecCertificateCreateWithData(nil, $0.der as CFData) }
                SecTrustSetAnchorCertificates(trust, roots as CFArray)
                SecTrustSetAnchorCertificatesOnly(trust, true)
            }
            var problem: CFError?
            let isTrusted = wanted == .nothing || SecTrustEvaluateWithError(trust, &problem)
            let certificates = try presented()
            if !isTrusted {
                if let problem, CFErrorGetCode(problem) == Int(errSecHostNameMismatch), let own = certificates.first {
                    let names = own.fields.names.texts
                    throw rule.refusal(of: host, .hostNotInCertificate(names: names), cause: problem)
                }
                let words = problem.map { CFErrorCopyDescription($0) as String } ?? ""
                throw rule.refusal(of: host, .notTrusted(words), cause: problem)
            }
            // The name is also checked with the rule, as on Linux, so that the error can say so.
            let verification = wanted.validatingHost(false)
            try rule.evaluate(ServerTrust(host: host, certificates: certificates, verification: verification))
        }

        /// The server's own certificate. The chain that was evaluated ends with a root that the server need not have
        /// presented, and a pin must not match here what it does not match on Linux.
        private func presented() throws(ServerTrustError) -> [Certificate] {
            guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let first = chain.first else {
                return []
            }
            guard let certificate = try? Certificate(der: SecCertificateCopyData(first) as Data) else {
                throw rule.refusal(of: host, .malformedCertificate)
            }
            return [certificate]
        }
    }

    extension URLError {
        fileprivate static func refused(_ error: ServerTrustError, url: URL?) -> URLError {
            .exchange(.serverCertificateUntrusted, url: url, reason: error.localizedDescription, cause: error)
        }
    }

    /// A client's identity as URLSession takes it.
    struct URLSessionCredential: @unchecked Sendable {
        // Unchecked because URLCredential is not marked, though nothing in it changes.
        let credential: URLCredential

        init(_ identity: ClientIdentity) throws(TransportConfigurationError) {
            guard case .pkcs12(let data, let passphrase) = identity.source else {
                throw .unsupported(
                    .clientIdentity,
                    transport: "URLSessionTransport",
                    reason: "Apple's platforms take a certificate with its key as PKCS#12 only."
                )
            }
            var options: [String: Any] = [kSecImportExportPassphrase as String: passphrase ?? ""]
            #if os(macOS)
                // Otherwise the identity is stored in the user's keychain. Elsewhere it never is.
                if #available(macOS 15, *) { options[kSecImportToMemoryOnly as String] = true }
            #endif
            var items: CFArray?
            guard SecPKCS12Import(data as CFData, options as CFDictionary, &items) == errSecSuccess,
                let first = (items as? [[String: Any]])?.first,
                let found = first[kSecImportItemIdentity as String],
                CFGetTypeID(found as CFTypeRef) == SecIdentityGetTypeID()
            else {
                throw .invalid(
                    .clientIdentity,
                    reason: "The PKCS#12 archive is damaged, empty, or has another passphrase."
                )
            }
            let chain = first[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
            // Its type has been looked at: a conditional cast to a CF type always succeeds, so Swift wants it unconditional.
            credential = URLCredential(
                identity: unsafeDowncast(found as AnyObject, to: SecIdentity.self),
                certificates: Array(chain.dropFirst()),
                persistence: .forSession
            )
        }
    }
#endif
