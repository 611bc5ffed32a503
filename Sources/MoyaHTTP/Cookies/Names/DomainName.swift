import Foundation

/// Functions for domain names in canonical form.
enum DomainName {
    /// Returns a name in lowercase with A-labels, keeping a trailing dot; `nil` if a label is empty or has an
    /// invalid character.
    ///
    /// Names are mapped to lowercase and NFC only; UTS 46 maps more.
    static func canonical(_ text: String) -> String? {
        let bytes = text.utf8
        guard !bytes.isEmpty else { return nil }
        if bytes.allSatisfy({ $0 < 0x80 }) {
            let lower = text.lowercased()
            return isWellFormed(lower) ? lower : nil
        }
        var labels: [String] = []
        for label in text.precomposedStringWithCanonicalMapping.lowercased().split(
            separator: ".",
            omittingEmptySubsequences: false
        ) {
            guard let encoded = Punycode.aLabel(label) else { return nil }
            labels.append(encoded)
        }
        let name = labels.joined(separator: ".")
        return isWellFormed(name) ? name : nil
    }

    /// Returns whether a name is a subdomain of a domain.
    ///
    /// Both are canonical.
    static func isBelow(_ name: String, _ domain: String) -> Bool {
        let name = name.utf8
        let domain = domain.utf8
        return name.count > domain.count && !domain.isEmpty && name.dropLast(domain.count).last == UInt8(ascii: ".")
            && name.suffix(domain.count).elementsEqual(domain)
    }

    private static func isWellFormed(_ name: String) -> Bool {
        var isInLabel = false
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                isInLabel = true
            case UInt8(ascii: ".") where isInLabel: isInLabel = false
            default: return false
            }
        }
        return true
    }
}
