import Foundation
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("Weak keys and signatures of certificates are rejected")
struct CertificateWeaknessTests {
    @Test(
        "a weak key is reported before a weak signature; RSA keys of 2048 bits, curves of 224 bits and SHA-256 are strong",
        arguments: [
            (WeaknessFixtures.rsa512, .rsaKey(bits: 512)), (WeaknessFixtures.rsa1024, .rsaKey(bits: 1_024)),
            (WeaknessFixtures.rsa2047, .rsaKey(bits: 2_047)), (WeaknessFixtures.p192, .ellipticCurveKey(bits: 192)),
            (WeaknessFixtures.md5, .signature(hash: "MD5")), (WeaknessFixtures.sha1, .signature(hash: "SHA-1")),
            (WeaknessFixtures.curveSHA1, .signature(hash: "SHA-1")),
            (WeaknessFixtures.pssSHA1, .signature(hash: "SHA-1")), (WeaknessFixtures.pssSHA256, nil),
            (WeaknessFixtures.p224, nil), (WeaknessFixtures.ed25519, nil),
        ] as [(String, CertificateWeakness?)]
    )
    func weakness(_ pem: String, _ expected: CertificateWeakness?) throws {
        let certificate = try #require(try Certificate.certificates(pem: pem).first)
        #expect(CertificateWeakness(certificate) == expected)
    }

    @Test("keys and signatures of common certificates count as strong", arguments: TestCertificate.Key.allCases)
    func strong(_ key: TestCertificate.Key) throws {
        let certificate = try Certificate(der: TestCertificate("Strong", key: key).der)
        #expect(CertificateWeakness(certificate) == nil)
    }

    @Test("a certificate with a damaged RSA key does not crash the process", arguments: 0..<400)
    func damaged(_ index: Int) throws {
        var der = try #require(try Certificate.certificates(pem: WeaknessFixtures.rsa1024).first).der
        guard index < der.count else { return }
        der[der.startIndex + index] ^= 0xFF
        guard let certificate = try? Certificate(der: der) else { return }
        _ = CertificateWeakness(certificate)
        _ = CertificateConstraints(certificate)
    }

    /// A chain with one weak certificate, and whether a rule accepts it.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        /// The place of the weak certificate in a chain of three; `nil` for none.
        let weak: Int?
        let evaluator: @Sendable ([Certificate]) -> any ServerTrustEvaluating
        let isAccepted: Bool
    }

    private static let rows: [Row] = [
        Row(
            testDescription: "nothing is weak",
            weak: nil,
            evaluator: { _ in DefaultTrustEvaluator() },
            isAccepted: true
        ),
        Row(testDescription: "the server", weak: 0, evaluator: { _ in DefaultTrustEvaluator() }, isAccepted: false),
        Row(testDescription: "an issuer", weak: 1, evaluator: { _ in DefaultTrustEvaluator() }, isAccepted: false),
        Row(testDescription: "the root", weak: 2, evaluator: { _ in DefaultTrustEvaluator() }, isAccepted: true),
        Row(
            testDescription: "the server, by a private root",
            weak: 0,
            evaluator: { RootCertificatesTrustEvaluator(certificates: [$0[2]]) },
            isAccepted: false
        ),
        Row(
            testDescription: "the server, by a pin",
            weak: 0,
            evaluator: { PublicKeysTrustEvaluator(certificates: $0) },
            isAccepted: false
        ),
        Row(
            testDescription: "the server, which is named as trusted",
            weak: 0,
            evaluator: { PinnedCertificatesTrustEvaluator(certificates: [$0[0]], acceptSelfSignedCertificates: true) },
            isAccepted: true
        ),
        Row(
            testDescription: "an issuer above one that is named as trusted",
            weak: 1,
            evaluator: { RootCertificatesTrustEvaluator(certificates: [$0[0], $0[2]]) },
            isAccepted: true
        ),
        Row(
            testDescription: "the server below an issuer that is named as trusted",
            weak: 0,
            evaluator: { RootCertificatesTrustEvaluator(certificates: [$0[1]]) },
            isAccepted: false
        ),
        Row(
            testDescription: "a pin without verification",
            weak: 0,
            evaluator: { PublicKeysTrustEvaluator(certificates: $0, performDefaultValidation: false) },
            isAccepted: true
        ),
        Row(
            testDescription: "nothing is verified",
            weak: 0,
            evaluator: { _ in DisabledTrustEvaluator() },
            isAccepted: true
        ),
        Row(
            testDescription: "the option",
            weak: 0,
            evaluator: { _ in WeakCertificatesTrustEvaluator() },
            isAccepted: true
        ),
        Row(
            testDescription: "the option around a root",
            weak: 1,
            evaluator: { WeakCertificatesTrustEvaluator(RootCertificatesTrustEvaluator(certificates: [$0[2]])) },
            isAccepted: true
        ),
        Row(
            testDescription: "the option among several",
            weak: 1,
            evaluator: {
                CompositeTrustEvaluator(evaluators: [
                    WeakCertificatesTrustEvaluator(), PublicKeysTrustEvaluator(certificates: $0),
                ])
            },
            isAccepted: true
        ),
        Row(
            testDescription: "the option of a root",
            weak: 1,
            evaluator: { RootCertificatesTrustEvaluator(certificates: [$0[2]], acceptsWeakCertificates: true) },
            isAccepted: true
        ),
    ]

    @Test(
        "certificates below the trust anchor must be strong unless the rule accepts weak certificates",
        arguments: rows
    )
    func chain(_ row: Row) throws {
        let strong = try Certificate.certificates(
            pem: [WeaknessFixtures.p224, WeaknessFixtures.ed25519].joined(separator: "\n")
        )
        let weak = try Certificate.certificates(pem: WeaknessFixtures.rsa1024)
        var chain = try strong + [Certificate(der: TestAuthority().root)]
        if let place = row.weak { chain[place] = weak[0] }
        let evaluator = row.evaluator(chain)
        let trust = ServerTrust(
            host: "h",
            certificates: [chain[0]],
            validatedChain: chain,
            verification: evaluator.verification
        )
        // The certificates are not for the host, so its name is not verified.
        let rule = ServerTrustRule(pattern: nil, evaluator: Nameless(evaluator: evaluator))
        if row.isAccepted {
            try rule.evaluate(trust)
        } else {
            let error = #expect(throws: ServerTrustError.self) { try rule.evaluate(trust) }
            #expect(error?.reason == .weakCertificate(.rsaKey(bits: 1_024)))
            #expect(error?.certificate == chain[0])
            #expect(error?.rejectedCertificate == weak[0])
            #expect(
                error?.errorDescription?.contains("has an RSA key of 1024 bits, with fewer than 2048. ") == true
            )
        }
    }

    @Test("the server's certificate is checked for weakness if a transport reports no chain")
    func withoutChain() throws {
        let weak = try Certificate.certificates(pem: WeaknessFixtures.rsa1024)
        let rule = ServerTrustRule(pattern: nil, evaluator: DefaultTrustEvaluator(validateHost: false))
        let trust = ServerTrust(host: "h", certificates: weak, verification: .systemRoots(validatesHost: false))
        let error = #expect(throws: ServerTrustError.self) { try rule.evaluate(trust) }
        #expect(error?.reason == .weakCertificate(.rsaKey(bits: 1_024)))
    }

    @Test(
        "a trust manager with trusted roots rejects weak certificates unless it accepts them",
        arguments: [false, true]
    )
    func manager(isAccepted: Bool) throws {
        let manager =
            isAccepted
            ? ServerTrustManager(trustedRoots: [], acceptsWeakCertificates: true) : ServerTrustManager(trustedRoots: [])
        let rule = try #require(try manager.rule(forHost: "h"))
        #expect(rule.evaluator.acceptsWeakCertificates == isAccepted)
    }

    /// The verification of another evaluator, without the host name.
    private struct Nameless: ServerTrustEvaluating {
        let evaluator: any ServerTrustEvaluating

        var verification: ServerTrustVerification { evaluator.verification.validatingHost(false) }
        var acceptsWeakCertificates: Bool { evaluator.acceptsWeakCertificates }

        func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
    }
}
