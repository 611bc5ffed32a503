#if NIO && !canImport(Darwin)
    import Foundation
    import NIOCore
    import NIOSSL

    extension ServerTrustRule {
        /// Evaluates the rule for a connection after the handshake of ``TLSHandshake``.
        ///
        /// It runs on the event loop, since the result is needed before the first request is sent.
        ///
        /// - Throws: ``ServerTrustError``.
        func check(_ channel: any Channel, host: String) throws {
            var certificates: [Certificate] = []
            if let presented = try channel.pipeline.syncOperations.nioSSL_peerCertificate() {
                guard let certificate = try? Certificate(der: Data(presented.toDERBytes())) else {
                    throw refusal(of: host, .malformedCertificate)
                }
                certificates = [certificate]
            }
            let verification = evaluator.verification.validatingHost(false)
            try evaluate(ServerTrust(host: host, certificates: certificates, verification: verification))
        }
    }
#endif
