import Foundation

extension CertificateFields.Names {
    /// Returns whether the certificate is valid for a host (RFC 9525, section 6).
    ///
    /// The common name is ignored, and a wildcard matches exactly the leftmost label.
    func match(host: String) -> Bool {
        let host = HostName(host)
        if let address = host.address { return addresses.contains(address) }
        return dns.contains { HostName.Pattern($0)?.matches(host) == true }
    }

    /// The names as text, for errors.
    var texts: [String] {
        dns
            + addresses.map { address in
                HostName.text(ofAddress: address) ?? address.map { String($0, radix: 16) }.joined(separator: ":")
            }
    }
}
