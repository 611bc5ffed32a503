import Foundation

/// The extensions of a certificate that are about certificate policies (RFC 5280, sections 4.2.1.4, 4.2.1.5, 4.2.1.11 and
/// 4.2.1.14).
package struct CertificatePolicies: Equatable {
    /// The object identifiers of the policies that the certificate is issued under, except `anyPolicy`.
    var named: Set<Data> = []
    /// Whether the certificate is issued under `anyPolicy`.
    var hasAny = false
    /// Whether the certificate requires a policy under which all certificates of its chain are issued.
    var requiresPolicy = false
    var hasMappings = false
    var inhibitsAny = false

    /// Creates the policies of a certificate without such extensions.
    init() {}

    /// Reads the extensions; `nil` if they cannot be parsed.
    package init?(_ certificate: Certificate) {
        do throws(DERReader.Malformed) {
            for one in try certificate.fields.extensions() {
                var reader = DERReader(one.value)
                switch [UInt8](one.identifier) {
                case [0x55, 0x1D, 0x20]:
                    var list = DERReader(try reader.next(DERReader.Tag.sequence).content)
                    while !list.isAtEnd {
                        var policy = DERReader(try list.next(DERReader.Tag.sequence).content)
                        let name = try policy.next(DERReader.Tag.objectIdentifier).content
                        if name.elementsEqual([0x55, 0x1D, 0x20, 0x00]) {
                            hasAny = true
                        } else {
                            named.insert(Data(name))
                        }
                    }
                case [0x55, 0x1D, 0x24]:
                    let fields = DERReader(try reader.next(DERReader.Tag.sequence).content)
                    requiresPolicy = fields.nextTag == DERReader.Tag.context(0, isConstructed: false)
                case [0x55, 0x1D, 0x21]: hasMappings = true
                case [0x55, 0x1D, 0x36]: inhibitsAny = true
                default: break
                }
            }
        } catch {
            return nil
        }
    }

    /// Returns whether no certificate of a chain requires a policy, or all of them are issued under the same one.
    ///
    /// The chain has the certificates below the trust anchor, the highest one first. The rule is stricter than RFC 5280,
    /// section 6.1: if a policy is required, a chain with policy mappings has no common policy.
    package static func hasCommonPolicy(_ chain: [CertificatePolicies]) -> Bool {
        guard chain.contains(where: \.requiresPolicy) else { return true }
        guard !chain.contains(where: \.hasMappings) else { return false }
        var inhibitsAny = false
        // `nil` stands for any policy.
        var common: Set<Data>?
        for certificate in chain {
            if !certificate.hasAny || inhibitsAny {
                common = common.map { $0.intersection(certificate.named) } ?? certificate.named
            }
            inhibitsAny = inhibitsAny || certificate.inhibitsAny
        }
        return common.map { !$0.isEmpty } ?? true
    }
}
