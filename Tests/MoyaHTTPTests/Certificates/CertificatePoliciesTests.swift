import Foundation
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("The certificates of a chain must agree on a required policy")
struct CertificatePoliciesTests {
    private static func policies(
        _ named: [UInt8] = [],
        any: Bool = false,
        requires: Bool = false,
        maps: Bool = false,
        inhibitsAny: Bool = false
    ) -> CertificatePolicies {
        var policies = CertificatePolicies()
        policies.named = Set(named.map { Data([$0]) })
        (policies.hasAny, policies.requiresPolicy) = (any, requires)
        (policies.hasMappings, policies.inhibitsAny) = (maps, inhibitsAny)
        return policies
    }

    @Test(
        "a required certificate policy must occur in each certificate below the root",
        arguments: [
            ([], true),
            ([policies(), policies()], true),
            ([policies([1]), policies([2])], true),
            ([policies([1], requires: true), policies([1])], true),
            ([policies([1, 2]), policies([2, 3], requires: true), policies([2])], true),
            ([policies([1]), policies([1], requires: true)], true),
            ([policies(any: true, requires: true), policies([1])], true),
            ([policies(any: true, requires: true), policies(any: true)], true),
            ([policies([1]), policies(any: true, requires: true), policies([1])], true),
            ([policies([1], requires: true), policies()], false),
            ([policies(requires: true), policies([1])], false),
            ([policies([1], requires: true), policies([2])], false),
            ([policies([1]), policies([2], requires: true)], false),
            ([policies(), policies(requires: true)], false),
            ([policies([1], requires: true, inhibitsAny: true), policies(any: true)], false),
            ([policies([1], requires: true), policies([1], any: true, inhibitsAny: true), policies([1])], true),
            ([policies([1], requires: true, maps: true), policies([1])], false),
        ] as [([CertificatePolicies], Bool)]
    )
    func agreement(chain: [CertificatePolicies], isAgreed: Bool) {
        #expect(CertificatePolicies.hasCommonPolicy(chain) == isAgreed)
    }

    @Test("the policies of a certificate are read from its extensions")
    func reading() throws {
        let authority = try TestAuthority(requiresPolicy: true)
        let policy = Data([0x2A, 0x03])
        var issuer = CertificatePolicies()
        (issuer.named, issuer.requiresPolicy) = ([policy], true)
        #expect(CertificatePolicies(try Certificate(der: authority.intermediate)) == issuer)
        var leaf = CertificatePolicies()
        leaf.named = [policy]
        #expect(CertificatePolicies(try Certificate(der: authority.issue(hasPolicy: true).certificate)) == leaf)
        #expect(CertificatePolicies(try Certificate(der: authority.root)) == CertificatePolicies())
    }
}
