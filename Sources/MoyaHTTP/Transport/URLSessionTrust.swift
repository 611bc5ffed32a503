#if canImport(Security)
    // Not verified: nothing here has been compiled or run on an Apple platform yet.
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

        static func answer(
            to challenge: URLAuthenticationChallenge,
            _ settings: URLSessionSettings,
            url: URL?
        ) -> Answer {
            let space = challenge.protectionSpace
            if let trust = space.serverTrust {
                do {
                    guard let rule = try settings.serverTrustManager?.rule(forHost: space.host) else {
                        return .byDefault
                    }
                    try evaluate(trust, of: space.host, rule)
                    return .use(URLCredential(trust: trust))
                } catch {
                    return .refuse(
                        .exchange(
                            .serverCertificateUntrusted,
                            url: url,
                            reason: error.localizedDescription,
                            cause: error
                        )
                    )
                }
            }
            if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
                guard let credential = settings.clientCredential else { return .byDefault }
                return .use(credential.credential)
            }
            if space.isProxy(), let credential = settings.proxyCredential {
                guard challenge.previousFailureCount == 0 else { return .refuse(nil) }
                return .use(
                    URLCredential(user: credential.user, password: credential.password, persistence: .forSession)
                )
            }
            return .byDefault
        }

        private static func evaluate(
            _ trust: SecTrust,
            of host: String,
            _ rule: ServerTrustRule
        ) throws(ServerTrustError) {
            // The name is checked with the rule, so that the error can say so.
            let verification = rule.evaluator.verification.validatingHost(false)
            SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, nil))
            if case .anchors(let anchors, _) = verification {
                let roots = anchors.compactMap { SecCertificateCreateWithData(nil, $0.der as CFData) }
                SecTrustSetAnchorCertificates(trust, roots as CFArray)
                SecTrustSetAnchorCertificatesOnly(trust, true)
            }
            var problem: CFError?
            if verification != .nothing, !SecTrustEvaluateWithError(trust, &problem) {
                let words = problem.map { CFErrorCopyDescription($0) as String } ?? ""
                throw rule.refusal(of: host, .notTrusted(words), cause: problem)
            }
            let presented = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
            var certificates: [Certificate] = []
            for certificate in presented {
                guard let readable = try? Certificate(der: SecCertificateCopyData(certificate) as Data) else {
                    throw rule.refusal(of: host, .malformedCertificate)
                }
                certificates.append(readable)
            }
            try rule.evaluate(ServerTrust(host: host, certificates: certificates, verification: verification))
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
            var items: CFArray?
            let options = [kSecImportExportPassphrase as String: passphrase ?? ""]
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
