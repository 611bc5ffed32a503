import Foundation
import FoundationNetworking
import Security
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

/// The tests run one at a time, because they replace the system's roots, which are shared in the process.
@Suite("The rule of a host decides the response to the challenge for its certificate", .serialized)
struct URLSessionTrustTests {
    typealias Disposition = URLSessionTrust.Disposition

    private static let host = "api.example.com"
    private static let url = URL(string: "https://api.example.com/")

    private static func settings(_ manager: ServerTrustManager?) throws -> URLSessionSettings {
        try URLSessionSettings(
            TransportConfiguration(serverTrustManager: manager),
            of: .ephemeral,
            writingTo: .ephemeral
        )
    }

    private static func trust(
        names: [String] = [host],
        server: String = ChainFixtures.server,
        isRevoked: Bool = false
    ) throws -> SecTrust {
        SecTrust(
            host: host,
            names: names,
            presented: [try ChainFixtures.certificate(server).der],
            root: try ChainFixtures.certificate(ChainFixtures.root).der,
            isRevoked: isRevoked
        )
    }

    private static func disposition(_ trust: SecTrust, _ manager: ServerTrustManager?) async throws -> Disposition {
        let space = URLProtectionSpace(
            host: host,
            port: 443,
            protocol: "https",
            realm: nil,
            authenticationMethod: "NSURLAuthenticationMethodServerTrust"
        )
        AssociatedValues.trusts[space] = trust
        return await Challenges.disposition(space, try settings(manager), url: url)
    }

    private static func manager(_ evaluator: any ServerTrustEvaluating) -> ServerTrustManager {
        ServerTrustManager(evaluators: [host: evaluator])
    }

    private static func isAccepted(_ disposition: Disposition, _ trust: SecTrust) -> Bool {
        guard case .use(let credential) = disposition else { return false }
        return AssociatedValues.trusts[credential] === trust
    }

    private static func reason(_ disposition: Disposition) -> ServerTrustError.Reason? {
        guard case .refuse(let error?) = disposition else { return nil }
        #expect(error.code == .serverCertificateUntrusted)
        #expect(error.serverTrustError?.certificate != nil)
        return error.serverTrustError?.reason
    }

    private static func withRoots<R>(_ roots: [String], _ body: () async throws -> R) async throws -> R {
        FakeSecurity.systemRoots = Set(try roots.map { try ChainFixtures.certificate($0).der })
        defer { FakeSecurity.systemRoots = [] }
        return try await body()
    }

    @Test("URLSession handles a host without a rule, and the host is refused if every host must have a rule")
    func noRule() async throws {
        let trust = try Self.trust()
        for manager in [nil, ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:])] {
            guard case .performDefaultHandling = try await Self.disposition(trust, manager) else {
                Issue.record("URLSession does not decide")
                continue
            }
        }
        guard
            case .refuse(let error) = try await Self.disposition(
                trust,
                ServerTrustManager(evaluators: ["other.example.com": DefaultTrustEvaluator()])
            )
        else {
            Issue.record("a host without a rule is accepted")
            return
        }
        #expect(error?.serverTrustError?.reason == .noEvaluator)
        #expect(trust.evaluations == 0)
    }

    @Test("the default rule trusts the system's roots, and keeps the policies of the trust")
    func systemRoots() async throws {
        let manager = Self.manager(DefaultTrustEvaluator())
        try await Self.withRoots([ChainFixtures.root]) {
            let trust = try Self.trust()
            #expect(Self.isAccepted(try await Self.disposition(trust, manager), trust))
            #expect(trust.policies.map(\.kind) == [.ssl(host: Self.host), .pinnedDomains])
            #expect(trust.anchors == nil)
        }
        #expect(Self.reason(try await Self.disposition(Self.trust(), manager)) == .notTrusted("is not trusted"))
    }

    @Test("the error for a certificate of another host has the names of the certificate")
    func otherHost() async throws {
        try await Self.withRoots([ChainFixtures.root]) {
            let trust = try Self.trust(names: ["other.example.com"])
            let disposition = try await Self.disposition(trust, Self.manager(DefaultTrustEvaluator()))
            // The certificate itself has this name; the trust object makes Security refuse the host.
            #expect(Self.reason(disposition) == .hostNotInCertificate(names: [Self.host]))
        }
    }

    @Test("a rule that does not validate the host replaces the policies with one without a host name")
    func anyHost() async throws {
        try await Self.withRoots([ChainFixtures.root]) {
            let trust = try Self.trust(names: ["other.example.com"])
            let manager = Self.manager(DefaultTrustEvaluator(validateHost: false))
            #expect(Self.isAccepted(try await Self.disposition(trust, manager), trust))
            #expect(trust.policies.map(\.kind) == [.ssl(host: nil)])
        }
    }

    @Test("private roots are anchors in addition to the system's roots or instead of them", arguments: [true, false])
    func privateRoots(includesSystemRoots: Bool) async throws {
        let root = try ChainFixtures.certificate(ChainFixtures.root)
        let other = try ChainFixtures.certificate(KeyFixtures.ecCertificate)
        func manager(_ roots: [Certificate]) -> ServerTrustManager {
            ServerTrustManager(trustedRoots: roots, includesSystemRoots: includesSystemRoots)
        }
        let trust = try Self.trust()
        #expect(Self.isAccepted(try await Self.disposition(trust, manager([root])), trust))
        #expect(trust.anchors?.map(\.der) == [root.der])
        #expect(trust.trustsAnchorsOnly == !includesSystemRoots)

        try await Self.withRoots([ChainFixtures.root]) {
            let trust = try Self.trust()
            let disposition = try await Self.disposition(trust, manager([other]))
            #expect(Self.isAccepted(disposition, trust) == includesSystemRoots)
        }
    }

    @Test("a pin is compared with the chain that Security has validated")
    func pins() async throws {
        let root = try ChainFixtures.certificate(ChainFixtures.root)
        let server = try ChainFixtures.certificate(ChainFixtures.server)
        let other = try ChainFixtures.certificate(KeyFixtures.ecCertificate)
        try await Self.withRoots([ChainFixtures.root]) {
            for pinned in [root, server] {
                let trust = try Self.trust()
                let manager = Self.manager(PublicKeysTrustEvaluator(certificates: [pinned]))
                #expect(Self.isAccepted(try await Self.disposition(trust, manager), trust))
            }
            let refused = try await Self.disposition(
                Self.trust(),
                Self.manager(PublicKeysTrustEvaluator(certificates: [other]))
            )
            #expect(
                Self.reason(refused) == .publicKeyNotPinned(presented: [server.publicKeyPin, root.publicKeyPin])
            )
        }
        // A pin does not replace the validation of the chain.
        let untrusted = try await Self.disposition(
            Self.trust(),
            Self.manager(PublicKeysTrustEvaluator(certificates: [server]))
        )
        #expect(Self.reason(untrusted) == .notTrusted("is not trusted"))
    }

    @Test("a weak certificate is refused even if Security trusts it")
    func weak() async throws {
        try await Self.withRoots([ChainFixtures.root]) {
            let evaluator = DefaultTrustEvaluator(validateHost: false)
            let disposition = try await Self.disposition(
                Self.trust(server: KeyFixtures.rsaCertificate),
                Self.manager(evaluator)
            )
            guard case .weakCertificate = Self.reason(disposition) else {
                Issue.record("accepted")
                return
            }
            let trust = try Self.trust(server: KeyFixtures.rsaCertificate)
            let accepting = Self.manager(WeakCertificatesTrustEvaluator(evaluator))
            #expect(Self.isAccepted(try await Self.disposition(trust, accepting), trust))
        }
    }

    @Test("a rule without verification accepts the certificate without an evaluation by Security")
    func disabled() async throws {
        let trust = try Self.trust(names: [])
        #expect(Self.isAccepted(try await Self.disposition(trust, Self.manager(DisabledTrustEvaluator())), trust))
        #expect(trust.evaluations == 0)
    }

    @Test("a check for revoked certificates adds a policy", arguments: [false, true])
    func revocation(isRevoked: Bool) async throws {
        try await Self.withRoots([ChainFixtures.root]) {
            let trust = try Self.trust(isRevoked: isRevoked)
            let evaluator = RevocationCheckTrustEvaluator(check: [.ocsp, .requiresPositiveResponse])
            let disposition = try await Self.disposition(trust, Self.manager(evaluator))
            #expect(trust.policies.map(\.kind) == [.ssl(host: Self.host), .pinnedDomains, .revocation(1 | 8)])
            #expect(Self.isAccepted(disposition, trust) == !isRevoked)
            if isRevoked { #expect(Self.reason(disposition) == .notTrusted("is revoked")) }
        }
    }
}
