#if AsyncHTTPClient && !canImport(Darwin)
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOSSL

    /// What a client says and wants in a TLS handshake, and whom it asks after that.
    struct AsyncHTTPClientTLS: Sendable {
        private let minimumVersion: NIOSSL.TLSVersion
        private let identity: (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey)?

        init(minimumVersion: NIOSSL.TLSVersion) {
            self.minimumVersion = minimumVersion
            identity = nil
        }

        init(_ configuration: TransportConfiguration) throws(TransportConfigurationError) {
            minimumVersion =
                switch configuration.minimumTLSVersion ?? .tls12 {
                case .tls10: .tlsv1
                case .tls11: .tlsv11
                case .tls12: .tlsv12
                case .tls13: .tlsv13
                }
            if let clientIdentity = configuration.clientIdentity {
                identity = try Self.identity(clientIdentity.source)
            } else {
                identity = nil
            }
            for evaluator in (configuration.serverTrustManager?.evaluators ?? [:]).values {
                guard case .anchors(let anchors, _) = evaluator.verification else { continue }
                do {
                    _ = try Self.certificates(anchors)
                } catch {
                    throw .invalid(.serverTrustManager, reason: "A certificate to be trusted cannot be read.")
                }
            }
        }

        /// The handshake as it is whatever is verified in it.
        var configuration: TLSConfiguration {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = minimumVersion
            if let identity {
                configuration.certificateChain = identity.chain.map { .certificate($0) }
                configuration.privateKey = .privateKey(identity.key)
            }
            return configuration
        }

        /// The handshake that a rule asks for.
        func configuration(verifying verification: ServerTrustVerification) throws -> TLSConfiguration {
            var configuration = configuration
            configuration.certificateVerification =
                switch verification {
                case .nothing: .none
                case .systemRoots(let validatesHost), .anchors(_, let validatesHost):
                    validatesHost ? .fullVerification : .noHostnameVerification
                }
            if case .anchors(let anchors, _) = verification {
                configuration.trustRoots = .certificates(try Self.certificates(anchors))
            }
            return configuration
        }

        /// Asks a rule about a connection whose handshake is done, and closes it if the rule refuses.
        ///
        /// The answer must be there at once, so the rule is asked on the event loop: the client traps on a connection that
        /// is closed before the answer.
        static func check(
            _ channel: any Channel,
            for host: String,
            rule: ServerTrustRule,
            verification: ServerTrustVerification
        ) -> EventLoopFuture<Void> {
            do {
                let presented = try channel.pipeline.syncOperations.nioSSL_peerCertificate()
                var certificates: [Certificate] = []
                if let presented {
                    guard let certificate = try? Certificate(der: Data(presented.toDERBytes())) else {
                        throw rule.refusal(of: host, .malformedCertificate)
                    }
                    certificates = [certificate]
                }
                try rule.evaluate(ServerTrust(host: host, certificates: certificates, verification: verification))
                return channel.eventLoop.makeSucceededVoidFuture()
            } catch {
                // The client leaves the connection open, and must have heard of the refusal when it closes.
                channel.eventLoop.execute { channel.close(promise: nil) }
                return channel.eventLoop.makeFailedFuture(error)
            }
        }

        private static func certificates(_ certificates: [Certificate]) throws -> [NIOSSLCertificate] {
            try certificates.map { try NIOSSLCertificate(bytes: Array($0.der), format: .der) }
        }

        private static func identity(
            _ source: ClientIdentity.Source
        ) throws(TransportConfigurationError) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
            switch source {
            case .pkcs12(let data, let passphrase):
                guard let bundle = try? NIOSSLPKCS12Bundle(buffer: Array(data), passphrase: passphrase?.utf8),
                    !bundle.certificateChain.isEmpty
                else {
                    throw .invalid(
                        .clientIdentity,
                        reason: "The PKCS#12 archive is damaged, empty, or has another passphrase."
                    )
                }
                return (bundle.certificateChain, bundle.privateKey)
            case .certificates(let certificates, let bytes, let format, let passphrase):
                guard !certificates.isEmpty, let chain = try? Self.certificates(certificates) else {
                    throw .invalid(.clientIdentity, reason: "There is no certificate, or one cannot be read.")
                }
                guard
                    let key = try? NIOSSLPrivateKey(
                        bytes: Array(bytes),
                        format: format == .pem ? .pem : .der,
                        passphraseCallback: { $0(Array((passphrase ?? "").utf8)) }
                    )
                else {
                    throw .invalid(
                        .clientIdentity,
                        reason: "The private key is damaged, of an unknown kind, or has another passphrase."
                    )
                }
                return (chain, key)
            }
        }
    }
#endif
