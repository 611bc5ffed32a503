import Foundation

extension CertificateFields.Names {
    /// Whether the certificate is for a host (RFC 9525, section 6): the common name doesn't count, and a wildcard
    /// stands for the whole of the leftmost label.
    func match(host: String) -> Bool {
        let host = HostName(host)
        if let address = host.address { return addresses.contains(address) }
        return dns.contains { HostName.Pattern($0)?.matches(host) == true }
    }

    /// For error texts.
    var texts: [String] {
        dns
            + addresses.map { address in
                HostName.text(ofAddress: address) ?? address.map { String($0, radix: 16) }.joined(separator: ":")
            }
    }
}
