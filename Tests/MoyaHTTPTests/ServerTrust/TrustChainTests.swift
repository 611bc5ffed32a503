#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import MoyaHTTP
import NIOSSL
import TestServers
import Testing

@Suite(
    "Unusual certificate chains are accepted, or rejected with their reason, over real TLS",
    .timeLimit(.minutes(5))
)
struct TrustChainTests {
    typealias Extensions = TestCertificate.Extensions

    private func result(
        _ tls: TLSConfiguration,
        _ evaluator: any ServerTrustEvaluating
    ) async throws -> ServerTrustError? {
        let server = try await SecureServer(tls: tls)
        let request = TransportRequest(method: .get, url: server.url("/chain"))
        var refusal: ServerTrustError?
        do {
            let text = try await SecureExchanges.send(request, TransportConfiguration(trusting: evaluator))
            #expect(text == "GET /chain 2")
        } catch let error as URLError {
            refusal = error.serverTrustError
            #expect(refusal != nil, "\(error)")
            let seen = try #require(await server.waitUntilClosed())
            #expect(seen.events == [])
        }
        try await server.shutDown()
        return refusal
    }

    private func roots(_ certificates: TestCertificate...) throws -> RootCertificatesTrustEvaluator {
        RootCertificatesTrustEvaluator(
            certificates: try certificates.map { try Certificate(der: $0.der) },
            includesSystemRoots: false
        )
    }

    private func pinned(_ certificates: TestCertificate...) throws -> PinnedCertificatesTrustEvaluator {
        PinnedCertificatesTrustEvaluator(
            certificates: try certificates.map { try Certificate(der: $0.der) },
            acceptSelfSignedCertificates: true
        )
    }

    // MARK: Weak certificates

    @Test(
        "an RSA key of fewer than 2048 bits is rejected unless the trust rule accepts weak keys",
        arguments: [512, 1_024]
    )
    func weakKey(bits: Int) async throws {
        let roots = RootCertificatesTrustEvaluator(certificates: try Certificate.certificates(pem: WeakKeys.roots))
        let tls = try WeakKeys.serverConfiguration(bits: bits)
        let refusal = try #require(try await result(tls, roots))
        #expect(refusal.reason == .weakCertificate(.rsaKey(bits: bits)))
        #expect(try await result(tls, WeakCertificatesTrustEvaluator(roots)) == nil)
    }

    @Test("a certificate signature with MD5 is always rejected with its reason")
    func md5() async throws {
        let roots = RootCertificatesTrustEvaluator(certificates: try Certificate.certificates(pem: WeakKeys.roots))
        for evaluator in [roots, WeakCertificatesTrustEvaluator(roots)] as [any ServerTrustEvaluating] {
            let refusal = try #require(try await result(WeakKeys.serverConfigurationWithMD5(), evaluator))
            #expect(refusal.reason == .weakCertificate(.signature(hash: "MD5")))
            #expect(refusal.errorDescription?.contains("WeakCertificatesTrustEvaluator accepts") == false)
        }
    }

    @Test(
        "a certificate signature with SHA-1 is rejected at the server or an issuer, but not at the root",
        arguments: 0..<3
    )
    func weakSignature(place: Int) async throws {
        let root = try TestCertificate("Root", key: .rsa, .authority, isSignedWithSHA1: place == 2)
        let issuer = try TestCertificate(
            "Issuer",
            key: .rsa,
            issuer: root,
            .authority,
            isSignedWithSHA1: place == 1
        )
        let server = try TestCertificate("Server", issuer: issuer, isSignedWithSHA1: place == 0)
        let tls = try server.serverConfiguration(issuers: [issuer])
        let refusal = try await result(tls, roots(root))
        if place == 2 {
            #expect(refusal == nil)
        } else {
            #expect(refusal?.reason == .weakCertificate(.signature(hash: "SHA-1")))
            #expect(refusal?.rejectedCertificate == (try Certificate(der: [server, issuer][place].der)))
            #expect(try await result(tls, WeakCertificatesTrustEvaluator(roots(root))) == nil)
        }
    }

    // MARK: Reasons

    @Test("a server's certificate for clients, or with an unknown critical extension, is rejected for that reason")
    func server() async throws {
        let root = try TestCertificate("Root", .authority)
        let rows: [(Extensions, ServerTrustError.Reason)] = [
            (Extensions().with { $0.isForServers = false }, .wrongUsage),
            (Extensions().with { $0.hasUnknownCriticalExtension = true }, .unknownCriticalExtension("1.2.3.4")),
        ]
        for (extensions, reason) in rows {
            let server = try TestCertificate("Server", issuer: root, extensions)
            let refusal = try #require(try await result(server.serverConfiguration(), roots(root)))
            #expect(refusal.reason == reason)
            #expect(refusal.rejectedCertificate == (try Certificate(der: server.der)))
        }
    }

    @Test(
        "an issuer without authority, for another use, or with too short a path length is rejected for that reason"
    )
    func issuer() async throws {
        let root = try TestCertificate("Root", .authority)
        let rows: [(Extensions, ServerTrustError.Reason?)] = [
            (.authority, nil), (Extensions(), .issuerIsNotAuthority),
            (Extensions().with { $0.isAuthority = false }, .issuerIsNotAuthority),
            (.authority.with { $0.isForServers = false }, .wrongUsage),
            (.authority.with { $0.hasUnknownCriticalExtension = true }, .unknownCriticalExtension("1.2.3.4")),
            (.authority.with { $0.pathLength = 0 }, .pathTooLong(maximum: 0)),
            (.authority.with { $0.pathLength = 1 }, nil),
        ]
        for (extensions, reason) in rows {
            let upper = try TestCertificate("Upper", issuer: root, extensions)
            let lower = try TestCertificate("Lower", issuer: upper, .authority)
            let server = try TestCertificate("Server", issuer: lower)
            let tls = try server.serverConfiguration(issuers: [lower, upper])
            let refusal = try await result(tls, roots(root))
            #expect(refusal?.reason == reason)
            #expect(refusal?.rejectedCertificate == (try reason.map { _ in try Certificate(der: upper.der) }))
            #expect(refusal?.certificate == (try reason.map { _ in try Certificate(der: server.der) }))
        }
    }

    @Test("an intermediate with a path length and an unknown root is not rejected because of the path length")
    func unknownRoot() async throws {
        let root = try TestCertificate("Root", .authority)
        let issuer = try TestCertificate("Issuer", issuer: root, .authority.with { $0.pathLength = 0 })
        let tls = try TestCertificate("Server", issuer: issuer).serverConfiguration(issuers: [issuer])
        let refusal = try await result(tls, roots(TestCertificate("Other", .authority)))
        #expect(refusal?.reason == .unknownIssuer)
        #expect(refusal?.rejectedCertificate == (try Certificate(der: issuer.der)))
    }

    @Test("a root that has expired, or is presented but not trusted, is rejected for that reason")
    func root() async throws {
        let expired = try TestCertificate("Root", .authority, validity: .past)
        let tls = try TestCertificate("Server", issuer: expired).serverConfiguration()
        let refusal = try await result(tls, roots(expired))
        #expect(refusal?.reason == .expired(try #require(Certificate(der: expired.der).notAfter)))
        let unknown = try TestCertificate("Unknown", .authority)
        let other = try TestCertificate("Server", issuer: unknown).serverConfiguration(issuers: [unknown])
        let rejection = try #require(try await result(other, roots(expired)))
        #expect(rejection.reason == .unknownIssuer)
        #expect(rejection.rejectedCertificate == (try Certificate(der: unknown.der)))
    }

    // MARK: Trust anchors

    @Test("a trusted server certificate needs no issuer, even if the server presents issuers")
    func trustedServer() async throws {
        let root = try TestCertificate("Root", .authority)
        let issuer = try TestCertificate("Issuer", issuer: root, .authority)
        let server = try TestCertificate("Server", issuer: issuer)
        let other = try TestCertificate("Server", issuer: issuer)
        for presented in [[], [issuer], [issuer, root]] {
            let tls = try server.serverConfiguration(issuers: presented)
            #expect(try await result(tls, pinned(server)) == nil)
            #expect(try await result(tls, roots(other, server)) == nil)
            #expect(try await result(tls, pinned(other))?.reason == .unknownIssuer)
        }
    }

    @Test("a trusted server certificate must be valid now and for the host")
    func trustedServerRules() async throws {
        let root = try TestCertificate("Root", .authority)
        let past = try TestCertificate("Server", issuer: root, validity: .past)
        let end = try #require(Certificate(der: past.der).notAfter)
        #expect(try await result(past.serverConfiguration(), pinned(past))?.reason == .expired(end))
        let future = try TestCertificate("Server", issuer: root, validity: .future)
        let start = try #require(Certificate(der: future.der).notBefore)
        #expect(try await result(future.serverConfiguration(), pinned(future))?.reason == .notYetValid(start))
        let foreign = try TestCertificate("Server", issuer: root, Extensions(names: ["other.example"]))
        #expect(
            try await result(foreign.serverConfiguration(), pinned(foreign))?.reason
                == .hostNotInCertificate(names: ["other.example"])
        )
    }

    @Test(
        "a self-signed certificate that may not sign certificates can be trusted as the certificate of its server"
    )
    func selfSigned() async throws {
        let server = try TestCertificate("Self", Extensions().with { $0.signsCertificates = false })
        #expect(try await result(server.serverConfiguration(), pinned(server)) == nil)
        #expect(try await result(server.serverConfiguration(), roots(server)) == nil)
    }

    @Test("a trusted server certificate cannot issue other certificates")
    func forged() async throws {
        let root = try TestCertificate("Root", .authority)
        for extensions in [Extensions(), Extensions().with { $0.isAuthority = false }] {
            for holder in [
                try TestCertificate("Holder", extensions), try TestCertificate("Holder", issuer: root, extensions),
            ] {
                let forged = try TestCertificate("Forged", issuer: holder)
                for presented in [[], [holder]] {
                    let tls = try forged.serverConfiguration(issuers: presented)
                    for evaluator in [try roots(holder), try roots(holder, root)] {
                        #expect(try await result(tls, evaluator)?.reason == .issuerIsNotAuthority)
                    }
                }
            }
        }
    }

    @Test("a trusted intermediate authority needs no issuer, and its limits apply")
    func trustedIssuer() async throws {
        let root = try TestCertificate("Root", .authority)
        let issuer = try TestCertificate("Issuer", issuer: root, .authority.with { $0.pathLength = 0 })
        let server = try TestCertificate("Server", issuer: issuer)
        for presented in [[], [issuer], [issuer, root]] {
            let tls = try server.serverConfiguration(issuers: presented)
            #expect(try await result(tls, pinned(issuer)) == nil)
            #expect(try await result(tls, roots(issuer)) == nil)
        }
        let lower = try TestCertificate("Lower", issuer: issuer, .authority)
        let deep = try TestCertificate("Deep", issuer: lower)
        let tls = try deep.serverConfiguration(issuers: [lower, issuer])
        #expect(try await result(tls, pinned(issuer))?.reason == .pathTooLong(maximum: 0))
        let late = try TestCertificate("Server", issuer: issuer, validity: .past)
        let end = try #require(Certificate(der: late.der).notAfter)
        #expect(try await result(late.serverConfiguration(), pinned(issuer))?.reason == .expired(end))
        let clients = try TestCertificate("Server", issuer: issuer, Extensions().with { $0.isForServers = false })
        #expect(try await result(clients.serverConfiguration(), pinned(issuer))?.reason == .wrongUsage)
        let old = try TestCertificate("Issuer", issuer: root, .authority, validity: .past)
        let below = try TestCertificate("Server", issuer: old).serverConfiguration(issuers: [old])
        let oldEnd = try #require(Certificate(der: old.der).notAfter)
        #expect(try await result(below, pinned(old))?.reason == .expired(oldEnd))
        // This issuer has the same name and a different key.
        let namesake = try TestCertificate("Issuer", issuer: root, .authority)
        let foreign = try TestCertificate("Server", issuer: namesake).serverConfiguration(issuers: [namesake])
        #expect(try await result(foreign, pinned(issuer)) != nil)
    }

    // MARK: Pins with roots

    @Test("a pin and a private root can be combined in any order")
    func pinAndRoot() async throws {
        let root = try TestCertificate("Root", .authority)
        let issuer = try TestCertificate("Issuer", issuer: root, .authority)
        let server = try TestCertificate("Server", issuer: issuer)
        let other = try TestCertificate("Other", .authority)
        let tls = try server.serverConfiguration(issuers: [issuer])
        for includesSystemRoots in [false, true] {
            func evaluate(_ trusted: TestCertificate, _ pins: [any ServerTrustEvaluating]) async throws
                -> [ServerTrustError.Reason?]
            {
                let own = RootCertificatesTrustEvaluator(
                    certificates: [try Certificate(der: trusted.der)],
                    includesSystemRoots: includesSystemRoots
                )
                var reasons: [ServerTrustError.Reason?] = []
                for evaluators in [[own] + pins, pins + [own], [own, CompositeTrustEvaluator(evaluators: pins)]] {
                    reasons.append(try await result(tls, CompositeTrustEvaluator(evaluators: evaluators))?.reason)
                }
                return reasons
            }
            let (leaf, top) = (try Certificate(der: server.der), try Certificate(der: issuer.der))
            let key = PublicKeysTrustEvaluator(certificates: [leaf])
            let certificate = PinnedCertificatesTrustEvaluator(certificates: [top])
            #expect(try await evaluate(root, [key]) == [nil, nil, nil])
            #expect(try await evaluate(root, [certificate]) == [nil, nil, nil])
            #expect(try await evaluate(root, [key, certificate]) == [nil, nil, nil])
            #expect(try await evaluate(other, [key]) == [.unknownIssuer, .unknownIssuer, .unknownIssuer])
            let wrong = PublicKeysTrustEvaluator(certificates: [try Certificate(der: other.der)])
            let pins = try [server, issuer, root].map { try Certificate(der: $0.der).publicKeyPin }
            let refusal = ServerTrustError.Reason.publicKeyNotPinned(presented: pins)
            #expect(try await evaluate(root, [wrong]) == [refusal, refusal, refusal])
        }
        // The system does not know the root, and two different roots conflict.
        let pin = PublicKeysTrustEvaluator(certificates: [try Certificate(der: server.der)])
        let system = CompositeTrustEvaluator(evaluators: [pin, DefaultTrustEvaluator()])
        #expect(try await result(tls, system)?.reason == .unknownIssuer)
        let both = CompositeTrustEvaluator(evaluators: [try roots(root), DefaultTrustEvaluator(), pin])
        #expect(try await result(tls, both)?.reason == .notVerified)
    }
}
#endif
