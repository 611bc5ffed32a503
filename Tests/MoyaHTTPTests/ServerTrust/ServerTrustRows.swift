#if NIO && !canImport(Darwin)
import Foundation
import MoyaHTTP
import TestServers
import Testing

/// A server's certificate, a rule, and the outcome.
struct ServerTrustRow: Sendable, CustomTestStringConvertible {
    enum Outcome: Equatable, Sendable {
        case accepted
        /// The engine did not accept the certificate.
        case refusedByEngine(ServerTrustError.Reason)
        case refused(ServerTrustError.Reason)
    }

    /// The parts of the rows: an authority, another authority, and two keys of the server.
    struct Parts: Sendable {
        let authority: TestAuthority
        let stranger: TestAuthority
        let key = TestKey()
        let backup = TestKey()

        init() throws {
            authority = try TestAuthority()
            stranger = try TestAuthority(name: "Stranger")
        }

        /// An evaluator that requires a chain to the authority.
        var root: PinnedCertificatesTrustEvaluator {
            get throws { Self.pinned([try Certificate(der: authority.root)]) }
        }

        /// Returns an evaluator whose roots are the certificates.
        static func pinned(
            _ certificates: [Certificate],
            validateHost: Bool = true
        ) -> PinnedCertificatesTrustEvaluator {
            PinnedCertificatesTrustEvaluator(
                certificates: certificates,
                acceptSelfSignedCertificates: true,
                validateHost: validateHost
            )
        }

        /// Returns an evaluator that requires a chain to the authority, and one of the keys.
        func root(and hashes: [String]) throws -> any ServerTrustEvaluating {
            CompositeTrustEvaluator(evaluators: [
                try root,
                try PublicKeysTrustEvaluator(hashes: hashes, performDefaultValidation: false),
            ])
        }
    }

    let testDescription: String
    let identity: @Sendable (Parts) throws -> TestIdentity
    let evaluator: @Sendable (Parts, TestIdentity) throws -> any ServerTrustEvaluating
    let outcome: @Sendable (TestIdentity) throws -> Outcome

    init(
        _ description: String,
        _ identity: @escaping @Sendable (Parts) throws -> TestIdentity,
        _ evaluator: @escaping @Sendable (Parts, TestIdentity) throws -> any ServerTrustEvaluating,
        _ outcome: @escaping @Sendable (TestIdentity) throws -> Outcome
    ) {
        testDescription = description
        self.identity = identity
        self.evaluator = evaluator
        self.outcome = outcome
    }
}

extension ServerTrustRow {
    private static let good: @Sendable (Parts) throws -> TestIdentity = { try $0.authority.issue(key: $0.key) }
    private static let accepted: @Sendable (TestIdentity) throws -> Outcome = { _ in .accepted }
    private static let selfSigned: @Sendable (TestIdentity) throws -> Outcome = { _ in
        .refusedByEngine(.selfSigned)
    }
    private static let unknownIssuer: @Sendable (TestIdentity) throws -> Outcome = { _ in
        .refusedByEngine(.unknownIssuer)
    }
    /// The outcome for a validated chain without a pinned key.
    private static let wrongKey: @Sendable (TestIdentity) throws -> Outcome = { identity in
        let chain = [identity.certificate, identity.issuers[0]] + [identity.root].compactMap(\.self)
        return .refused(.publicKeyNotPinned(presented: try chain.map { try Certificate(der: $0).publicKeyPin }))
    }
    private static let wrongHost: @Sendable (TestIdentity) throws -> Outcome = { _ in
        .refused(.hostNotInCertificate(names: ["other.example"]))
    }

    static let chains: [ServerTrustRow] = [
        .init("right root", good, { parts, _ in try parts.root }, accepted),
        .init(
            "expired",
            { try $0.authority.issue(validity: .past) },
            { parts, _ in try parts.root },
            { .refusedByEngine(.expired(try #require(Certificate(der: $0.certificate).notAfter))) }
        ),
        .init(
            "not yet valid",
            { try $0.authority.issue(validity: .future) },
            { parts, _ in try parts.root },
            { .refusedByEngine(.notYetValid(try #require(Certificate(der: $0.certificate).notBefore))) }
        ),
        .init(
            "wrong host",
            { try $0.authority.issue(names: ["other.example"], addresses: []) },
            { parts, _ in try parts.root },
            wrongHost
        ),
        .init(
            "wrong host, but right address",
            { try $0.authority.issue(names: ["other.example"]) },
            { parts, _ in try parts.root },
            { _ in .refused(.hostNotInCertificate(names: ["other.example", "127.0.0.1"])) }
        ),
        .init(
            "no host but the common name",
            { try $0.authority.issue(names: [], addresses: [], commonName: "localhost") },
            { parts, _ in try parts.root },
            { _ in .refused(.hostNotInCertificate(names: [])) }
        ),
        .init(
            "wrong host, not looked at",
            { try $0.authority.issue(names: ["other.example"]) },
            { parts, _ in Parts.pinned([try Certificate(der: parts.authority.root)], validateHost: false) },
            accepted
        ),
        .init("self-signed", { _ in try TestAuthority.selfSigned() }, { parts, _ in try parts.root }, selfSigned),
        .init("unknown root", { try $0.stranger.issue() }, { parts, _ in try parts.root }, unknownIssuer),
        .init("root that the system doesn't know", good, { _, _ in DefaultTrustEvaluator() }, unknownIssuer),
        .init(
            "missing intermediate",
            { parts in
                var identity = try parts.authority.issue()
                identity.issuers = []
                return identity
            },
            { parts, _ in try parts.root },
            unknownIssuer
        ),
        .init(
            "expired intermediate",
            { _ in try TestAuthority(issuerValidity: .past).issue() },
            { parts, identity in Parts.pinned([try Certificate(der: try #require(identity.root))]) },
            { .refusedByEngine(.expired(try #require(Certificate(der: $0.issuers[0]).notAfter))) }
        ),
        .init(
            "an intermediate that is not valid yet",
            { _ in try TestAuthority(issuerValidity: .future).issue() },
            { parts, identity in Parts.pinned([try Certificate(der: try #require(identity.root))]) },
            { .refusedByEngine(.notYetValid(try #require(Certificate(der: $0.issuers[0]).notBefore))) }
        ),
        .init(
            "an intermediate of the right name, but with another key",
            { parts in
                var identity = try parts.authority.issue()
                identity.issuers = [try TestAuthority().intermediate]
                return identity
            },
            { parts, _ in try parts.root },
            { _ in .refusedByEngine(.notTrusted("a signature or a constraint in its chain is invalid")) }
        ),
        .init(
            "a required policy that the chain has",
            { _ in try TestAuthority(requiresPolicy: true).issue(hasPolicy: true) },
            { parts, identity in Parts.pinned([try Certificate(der: try #require(identity.root))]) },
            accepted
        ),
        .init(
            "a required policy that the chain lacks",
            { _ in try TestAuthority(requiresPolicy: true).issue() },
            { parts, identity in Parts.pinned([try Certificate(der: try #require(identity.root))]) },
            { _ in
                .refusedByEngine(
                    .notTrusted(
                        "its chain requires a certificate policy, and has policy mappings or none in common"
                    )
                )
            }
        ),
        .init(
            "nothing is verified",
            { _ in try TestAuthority.selfSigned(names: ["other.example"]) },
            { _, _ in DisabledTrustEvaluator() },
            accepted
        ),
    ]

    /// The rows for custom roots, with and without the system's roots.
    static let roots: [ServerTrustRow] = [false, true].flatMap { system -> [ServerTrustRow] in
        let name = system ? "own and system's roots" : "own roots only"
        @Sendable func roots(_ certificates: Data...) throws -> RootCertificatesTrustEvaluator {
            let certificates = try certificates.map { try Certificate(der: $0) }
            return RootCertificatesTrustEvaluator(certificates: certificates, includesSystemRoots: system)
        }
        return [
            .init("\(name)", good, { parts, _ in try roots(parts.authority.root) }, accepted),
            .init(
                "\(name): one of two",
                good,
                { parts, _ in try roots(parts.stranger.root, parts.authority.root) },
                accepted
            ),
            .init("\(name): unknown", good, { parts, _ in try roots(parts.stranger.root) }, unknownIssuer),
            .init(
                "\(name): self-signed",
                { _ in try TestAuthority.selfSigned() },
                { _, identity in try roots(identity.certificate) },
                accepted
            ),
            .init(
                "\(name): another one is self-signed",
                { _ in try TestAuthority.selfSigned() },
                { _, _ in try roots(TestAuthority.selfSigned().certificate) },
                selfSigned
            ),
            .init(
                "\(name): wrong host",
                { try $0.authority.issue(names: ["other.example"], addresses: []) },
                { parts, _ in try roots(parts.authority.root) },
                wrongHost
            ),
            .init(
                "\(name): expired",
                { try $0.authority.issue(validity: .past) },
                { parts, _ in try roots(parts.authority.root) },
                { .refusedByEngine(.expired(try #require(Certificate(der: $0.certificate).notAfter))) }
            ),
            .init("\(name): none", good, { _, _ in try roots() }, unknownIssuer),
        ]
    }

    static let certificates: [ServerTrustRow] = [
        .init(
            "self-signed and pinned",
            { _ in try TestAuthority.selfSigned() },
            { _, identity in Parts.pinned([try Certificate(der: identity.certificate)]) },
            accepted
        ),
        .init(
            "self-signed and pinned, for another host",
            { _ in try TestAuthority.selfSigned(names: ["other.example"]) },
            { _, identity in Parts.pinned([try Certificate(der: identity.certificate)]) },
            wrongHost
        ),
        .init(
            "self-signed and pinned, without accepting it as a root",
            { _ in try TestAuthority.selfSigned() },
            { _, identity in
                PinnedCertificatesTrustEvaluator(certificates: [try Certificate(der: identity.certificate)])
            },
            selfSigned
        ),
        .init(
            "another certificate is pinned",
            good,
            { parts, _ in
                PinnedCertificatesTrustEvaluator(
                    certificates: [try Certificate(der: parts.authority.issue().certificate)],
                    performDefaultValidation: false
                )
            },
            { .refused(.certificateNotPinned(presented: [try PublicKeyPin($0.key.pin)])) }
        ),
        .init(
            "expired and pinned, the chain not looked at",
            { try $0.authority.issue(validity: .past) },
            { _, identity in
                PinnedCertificatesTrustEvaluator(
                    certificates: [try Certificate(der: identity.certificate)],
                    performDefaultValidation: false
                )
            },
            accepted
        ),
        .init(
            "pinned for another host, the chain not looked at",
            { try $0.authority.issue(names: ["other.example"], addresses: []) },
            { _, identity in
                PinnedCertificatesTrustEvaluator(
                    certificates: [try Certificate(der: identity.certificate)],
                    performDefaultValidation: false
                )
            },
            wrongHost
        ),
        .init(
            "a pinned intermediate of the validated chain",
            good,
            { parts, _ in
                CompositeTrustEvaluator(evaluators: [
                    try parts.root,
                    PinnedCertificatesTrustEvaluator(
                        certificates: [try Certificate(der: parts.authority.intermediate)],
                        performDefaultValidation: false
                    ),
                ])
            },
            accepted
        ),
        .init(
            "a pinned issuer proves nothing where the chain is not looked at",
            good,
            { parts, _ in
                PinnedCertificatesTrustEvaluator(
                    certificates: [try Certificate(der: parts.authority.intermediate)],
                    performDefaultValidation: false
                )
            },
            { .refused(.certificateNotPinned(presented: [try PublicKeyPin($0.key.pin)])) }
        ),
    ]

    static let keys: [ServerTrustRow] = [
        .init(
            "right root and right pin",
            good,
            { parts, _ in try parts.root(and: ["sha256/\(parts.key.pin)"]) },
            accepted
        ),
        .init(
            "right root but wrong pin",
            good,
            { parts, _ in try parts.root(and: ["pin-sha256=\"\(parts.backup.pin)\""]) },
            wrongKey
        ),
        .init(
            "rotated to the backup pin",
            { try $0.authority.issue(key: $0.backup) },
            { parts, _ in try parts.root(and: [parts.key.pin, parts.backup.pin]) },
            accepted
        ),
        .init(
            "the key of the intermediate",
            good,
            { parts, _ in
                try parts.root(and: [Certificate(der: parts.authority.intermediate).publicKeyPin.description])
            },
            accepted
        ),
        .init(
            "the key of the root, which the server does not present",
            good,
            { parts, _ in try parts.root(and: [Certificate(der: parts.authority.root).publicKeyPin.description]) },
            accepted
        ),
        .init(
            "the key of a certificate that the server presents besides its chain",
            { parts in
                var identity = try parts.authority.issue()
                identity.issuers.append(parts.stranger.intermediate)
                return identity
            },
            { parts, _ in
                try parts.root(and: [Certificate(der: parts.stranger.intermediate).publicKeyPin.description])
            },
            wrongKey
        ),
        .init(
            "the key of a certificate with the name of the intermediate, which the server presents, too",
            { parts in
                var identity = try parts.authority.issue()
                identity.issuers.append(try TestAuthority().intermediate)
                return identity
            },
            { parts, identity in
                try parts.root(and: [Certificate(der: identity.issuers[1]).publicKeyPin.description])
            },
            wrongKey
        ),
        .init(
            "the key of the intermediate, the chain not looked at",
            good,
            { parts, _ in
                PublicKeysTrustEvaluator(
                    certificates: [try Certificate(der: parts.authority.intermediate)],
                    performDefaultValidation: false
                )
            },
            { .refused(.publicKeyNotPinned(presented: [try PublicKeyPin($0.key.pin)])) }
        ),
        .init(
            "right pin but unknown root",
            { try $0.stranger.issue(key: $0.key) },
            { parts, _ in try parts.root(and: [parts.key.pin]) },
            unknownIssuer
        ),
        .init(
            "right pin, the chain not looked at",
            { try $0.stranger.issue(key: $0.key) },
            { parts, _ in
                try PublicKeysTrustEvaluator(hashes: [parts.key.pin], performDefaultValidation: false)
            },
            accepted
        ),
        .init(
            "right pin for another host, the chain not looked at",
            { try $0.stranger.issue(names: ["other.example"], addresses: [], key: $0.key) },
            { parts, _ in
                try PublicKeysTrustEvaluator(hashes: [parts.key.pin], performDefaultValidation: false)
            },
            wrongHost
        ),
        .init(
            "no pins at all",
            good,
            { parts, _ in PublicKeysTrustEvaluator(keys: [], performDefaultValidation: false) },
            { _ in .refused(.nothingToCompareWith) }
        ),
        .init(
            "an evaluator of the application's own",
            good,
            { parts, _ in OwnEvaluator(anchors: try parts.root.certificates) },
            { _ in .refused(.refused("not on Sundays")) }
        ),
    ]

    private struct OwnEvaluator: ServerTrustEvaluating {
        let anchors: [Certificate]

        struct Refusal: LocalizedError {
            var errorDescription: String? { "not on Sundays" }
        }

        var verification: ServerTrustVerification { .anchors(anchors, validatesHost: true) }

        func evaluate(_ trust: ServerTrust, forHost host: String) throws { throw Refusal() }
    }
}
#endif
