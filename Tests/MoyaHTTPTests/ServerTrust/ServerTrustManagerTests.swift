import Foundation
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("A trust manager selects the rule for a host, and the rule requires a verification")
struct ServerTrustManagerTests {
    private struct Named: ServerTrustEvaluating {
        let name: String
        func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
    }

    private let manager = ServerTrustManager(evaluators: [
        "example.com": Named(name: "exact"), "*.example.com": Named(name: "wildcard"),
        "api.example.com": Named(name: "api"), "127.0.0.1": Named(name: "address"), "[::1]": Named(name: "six"),
    ])

    @Test(
        "the rule of the most specific host pattern is used",
        arguments: [
            ("example.com", "exact"), ("EXAMPLE.com.", "exact"), ("www.example.com", "wildcard"),
            ("api.example.com", "api"), ("API.EXAMPLE.COM", "api"), ("127.0.0.1", "address"), ("::1", "six"),
            ("[0:0::1]", "six"),
        ]
    )
    func lookup(_ host: String, _ name: String) throws {
        #expect((try manager.serverTrustEvaluator(forHost: host) as? Named)?.name == name)
    }

    @Test(
        "an unlisted host is refused by a trust manager, or has no rule",
        arguments: ["a.b.example.com", "example.org", "", "127.0.0.2"]
    )
    func unlisted(_ host: String) throws {
        #expect(throws: ServerTrustError(host: host, reason: .noEvaluator)) {
            try manager.serverTrustEvaluator(forHost: host)
        }
        let lenient = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: manager.evaluators)
        #expect(try lenient.serverTrustEvaluator(forHost: host) == nil)
    }

    @Test("host patterns that match no host, and duplicate patterns, are reported")
    func invalid() {
        #expect(manager.invalidPatterns == [])
        let broken = ServerTrustManager(evaluators: ["*.com": DisabledTrustEvaluator(), "a.b": DefaultTrustEvaluator()])
        #expect(broken.invalidPatterns == ["*.com"])
        let twice = ServerTrustManager(evaluators: ["a.b": DisabledTrustEvaluator(), "A.b.": DefaultTrustEvaluator()])
        #expect(twice.invalidPatterns.count == 1)
    }

    @Test("Alamofire's initializers of a trust manager compile, and reject every server without certificates")
    func initializers() throws {
        let manager = ServerTrustManager(evaluators: ["example.com": PinnedCertificatesTrustEvaluator()])
        let rule = try #require(try manager.rule(forHost: "example.com"))
        let certificate = try Certificate(der: TestAuthority().issue(names: ["example.com"]).certificate)
        let trust = ServerTrust(
            host: "example.com",
            certificates: [certificate],
            verification: .systemRoots(validatesHost: true)
        )
        #expect(
            throws: ServerTrustError(
                host: "example.com",
                rule: "example.com",
                evaluator: "PinnedCertificatesTrustEvaluator",
                reason: .nothingToCompareWith
            )
        ) { try rule.evaluate(trust) }
        #expect(throws: ServerTrustError(host: "h", reason: .nothingToCompareWith)) {
            try PublicKeysTrustEvaluator().evaluate(trust, forHost: "h")
        }
        #expect(throws: ServerTrustError(host: "h", reason: .nothingToCompareWith)) {
            try CompositeTrustEvaluator(evaluators: []).evaluate(trust, forHost: "h")
        }
    }

    @Test("evaluators of server trust declare the verification that they require")
    func verification() throws {
        let certificate = try Certificate(der: TestAuthority().root)
        let anchored = PinnedCertificatesTrustEvaluator(
            certificates: [certificate],
            acceptSelfSignedCertificates: true,
            validateHost: false
        )
        let pinned = PublicKeysTrustEvaluator(certificates: [certificate], performDefaultValidation: false)
        #expect(DefaultTrustEvaluator().verification == .systemRoots(validatesHost: true))
        #expect(DefaultTrustEvaluator(validateHost: false).verification == .systemRoots(validatesHost: false))
        #expect(DisabledTrustEvaluator().verification == .nothing)
        #expect(anchored.verification == .anchors([certificate], validatesHost: false))
        #expect(pinned.verification == .nothing)
        func both(_ evaluators: any ServerTrustEvaluating...) -> ServerTrustVerification {
            CompositeTrustEvaluator(evaluators: evaluators).verification
        }
        #expect(both(pinned, anchored) == .anchors([certificate], validatesHost: false))
        #expect(both(anchored, DefaultTrustEvaluator()) == .anchors([certificate], validatesHost: true))
        #expect(both(DisabledTrustEvaluator(), pinned) == .nothing)
    }

    @Test("a verification includes another verification if it trusts no additional root")
    func includes() throws {
        let (own, other) = (try Certificate(der: TestAuthority().root), try Certificate(der: TestAuthority().root))
        typealias Verification = ServerTrustVerification
        // Boolean n of a row is true if the row's verification includes the verification of row n.
        let rows: [(Verification, [Bool])] = [
            (.anchors([own], validatesHost: false), [true, true, false, true, true]),
            (.anchors([own, other], validatesHost: false), [false, true, false, false, true]),
            (.systemRoots(validatesHost: false), [false, false, true, true, true]),
            (.systemRootsAndAnchors([own], validatesHost: false), [false, false, false, true, true]),
            (.nothing, [false, false, false, false, true]),
        ]
        for (one, expected) in rows {
            #expect(rows.map { one.includes($0.0) } == expected)
            #expect(rows.map { one.validatingHost(true).includes($0.0) } == expected)
            #expect(rows.map { one.includes($0.0.validatingHost(true)) } == [false, false, false, false, true])
        }
        let roots = RootCertificatesTrustEvaluator(certificates: [own])
        #expect(roots.verification == .systemRootsAndAnchors([own], validatesHost: true))
        #expect(throws: ServerTrustError(host: "h", reason: .nothingToCompareWith)) {
            try RootCertificatesTrustEvaluator(certificates: [], includesSystemRoots: false).evaluate(
                ServerTrust(host: "h", certificates: [own], verification: .anchors([], validatesHost: true)),
                forHost: "h"
            )
        }
    }

    @Test("an evaluator rejects the server if the engine has verified less than the evaluator requires")
    func notVerified() throws {
        let authority = try TestAuthority()
        let root = try Certificate(der: authority.root)
        let leaf = try Certificate(der: authority.issue(names: ["h"]).certificate)
        let anchored = PinnedCertificatesTrustEvaluator(certificates: [root], acceptSelfSignedCertificates: true)
        let evaluators: [any ServerTrustEvaluating] = [
            DefaultTrustEvaluator(), anchored, PublicKeysTrustEvaluator(certificates: [leaf]),
            CompositeTrustEvaluator(evaluators: [anchored, DefaultTrustEvaluator()]),
        ]
        let verified: [ServerTrustVerification] = [
            .nothing, .systemRoots(validatesHost: true), .nothing, .anchors([root], validatesHost: true),
        ]
        for (evaluator, verification) in zip(evaluators, verified) {
            let trust = ServerTrust(host: "h", certificates: [leaf], verification: verification)
            #expect(throws: ServerTrustError(host: "h", reason: .notVerified)) {
                try evaluator.evaluate(trust, forHost: "h")
            }
        }
    }

    @Test("any certificate of a validated chain can match a pin, but only the first of the presented certificates can")
    func chain() throws {
        let authority = try TestAuthority()
        let issuer = try Certificate(der: authority.intermediate)
        let leaf = try Certificate(der: authority.issue(names: ["h"]).certificate)
        func evaluate(
            _ verification: ServerTrustVerification,
            validated: [Certificate] = [],
            _ evaluator: any ServerTrustEvaluating
        ) throws {
            let trust = ServerTrust(
                host: "h",
                certificates: [leaf, issuer],
                validatedChain: validated,
                verification: verification
            )
            try evaluator.evaluate(trust, forHost: "h")
        }
        let system = ServerTrustVerification.systemRoots(validatesHost: true)
        let root = try Certificate(der: authority.root)
        for pinned in [leaf, issuer, root] {
            let validated = [leaf, issuer, root]
            try evaluate(system, validated: validated, PublicKeysTrustEvaluator(certificates: [pinned]))
            try evaluate(system, validated: validated, PinnedCertificatesTrustEvaluator(certificates: [pinned]))
        }
        for validated in [[], [leaf, root]] {
            let compared = (validated.isEmpty ? [leaf] : validated).map(\.publicKeyPin)
            #expect(throws: ServerTrustError(host: "h", reason: .publicKeyNotPinned(presented: compared))) {
                try evaluate(system, validated: validated, PublicKeysTrustEvaluator(certificates: [issuer]))
            }
            #expect(throws: ServerTrustError(host: "h", reason: .certificateNotPinned(presented: compared))) {
                try evaluate(system, validated: validated, PinnedCertificatesTrustEvaluator(certificates: [issuer]))
            }
        }
        // A validated chain is ignored if the engine has verified nothing.
        let own = [leaf.publicKeyPin]
        #expect(throws: ServerTrustError(host: "h", reason: .publicKeyNotPinned(presented: own))) {
            try evaluate(
                .nothing,
                validated: [leaf, issuer],
                PublicKeysTrustEvaluator(certificates: [issuer], performDefaultValidation: false)
            )
        }
        #expect(throws: ServerTrustError(host: "h", reason: .certificateNotPinned(presented: own))) {
            try evaluate(
                .nothing,
                validated: [leaf, issuer],
                PinnedCertificatesTrustEvaluator(certificates: [issuer], performDefaultValidation: false)
            )
        }
    }

    @Test("a server without a certificate is rejected, except by an evaluator that requires none")
    func noCertificate() throws {
        let certificate = try Certificate(der: TestAuthority().root)
        let nobody = ServerTrust(host: "h", certificates: [], verification: .systemRoots(validatesHost: true))
        let evaluators: [any ServerTrustEvaluating] = [
            DefaultTrustEvaluator(), PinnedCertificatesTrustEvaluator(certificates: [certificate]),
            PublicKeysTrustEvaluator(certificates: [certificate]),
        ]
        for evaluator in evaluators {
            #expect(throws: ServerTrustError(host: "h", reason: .noCertificate)) {
                try evaluator.evaluate(nobody, forHost: "h")
            }
        }
    }
}
