import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("Evaluators combine their checks for revoked certificates")
struct RevocationCheckTests {
    /// An evaluator that requires a check, on every platform.
    private struct Checking: RevocationChecking {
        let requiredCheck: RevocationCheck?

        func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
    }

    @Test("the options of the revocation check have the values of Security's flags (SecPolicy.h)")
    func values() {
        let values: [(RevocationCheck, UInt)] = [
            (.ocsp, 1), (.crl, 2), (.prefersCRL, 4), (.requiresPositiveResponse, 8), (.withoutNetwork, 16), (.any, 3),
        ]
        for (check, value) in values { #expect(check.rawValue == value) }
    }

    @Test("several revocation checks become the strictest check, which uses the network if one of them does")
    func strictest() {
        #expect(RevocationCheck.strictest(of: []) == nil)
        #expect(RevocationCheck.strictest(of: [.crl]) == .crl)
        #expect(
            RevocationCheck.strictest(of: [[.ocsp, .withoutNetwork], [.crl, .requiresPositiveResponse]])
                == [.ocsp, .crl, .requiresPositiveResponse]
        )
        #expect(
            RevocationCheck.strictest(of: [[.ocsp, .withoutNetwork], [.crl, .withoutNetwork]])
                == [.ocsp, .crl, .withoutNetwork]
        )
    }

    @Test("a composite evaluator requires the revocation check if one of its evaluators requires it")
    func nested() {
        #expect(DefaultTrustEvaluator().revocationCheck == nil)
        #expect(WeakCertificatesTrustEvaluator().revocationCheck == nil)
        let checking = Checking(requiredCheck: .any)
        #expect(WeakCertificatesTrustEvaluator(checking).revocationCheck == .any)
        #expect(CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator()]).revocationCheck == nil)
        let nested = CompositeTrustEvaluator(evaluators: [
            DefaultTrustEvaluator(), WeakCertificatesTrustEvaluator(checking),
        ])
        #expect(nested.revocationCheck == .any)
    }
}
