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

    /// Returns whether a name is a subdomain of a domain; both must be in canonical form.
    static func isSubdomain(_ name: String, of domain: String) -> Bool {
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

/// An encoder for labels that are not ASCII (RFC 3492).
enum Punycode {
    private static let base: UInt32 = 36
    private static let minimumThreshold: UInt32 = 1
    private static let maximumThreshold: UInt32 = 26

    /// Returns an ASCII label unchanged, and any other as `xn--` and its encoding; `nil` if it is too long for a
    /// label.
    static func aLabel(_ label: some StringProtocol) -> String? {
        if label.utf8.allSatisfy({ $0 < 0x80 }) { return String(label) }
        // The encoding takes quadratic time; labels have at most 63 characters.
        guard label.unicodeScalars.count <= 63, let encoded = encode(String(label)) else { return nil }
        return "xn--" + encoded
    }

    /// Encodes a text (section 6.3); `nil` if a number overflows, which requires a text much longer than a label.
    static func encode(_ text: String) -> String? {
        let input = text.unicodeScalars.map(\.value)
        var output = input.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
        let basicCount = UInt32(output.count)
        if !output.isEmpty { output.append(UInt8(ascii: "-")) }
        var (current, delta, bias) = (UInt32(128), UInt32(0), UInt32(72))
        var handled = basicCount
        while handled < input.count {
            guard let next = input.filter({ $0 >= current }).min() else { return nil }
            let (step, overflows) = (next - current).multipliedReportingOverflow(by: handled + 1)
            guard !overflows, step <= UInt32.max - delta else { return nil }
            delta += step
            current = next
            for value in input {
                if value < current {
                    guard delta < UInt32.max else { return nil }
                    delta += 1
                }
                guard value == current else { continue }
                append(delta, bias: bias, to: &output)
                bias = adaptedBias(delta, points: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            guard delta < UInt32.max else { return nil }
            delta += 1
            current += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends a number as a generalized variable-length integer, least significant digit first.
    private static func append(_ number: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var number = number
        var position = base
        while true {
            let threshold =
                position <= bias ? minimumThreshold : min(position - bias, maximumThreshold)
            guard number >= threshold else { break }
            output.append(digit(threshold + (number - threshold) % (base - threshold)))
            number = (number - threshold) / (base - threshold)
            position += base
        }
        output.append(digit(number))
    }

    /// Returns the digit for a value: `a` to `z` for 0 to 25, and `0` to `9` for 26 to 35.
    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 97 : value + 22)
    }

    /// Returns the adapted bias (section 6.1).
    private static func adaptedBias(_ delta: UInt32, points: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / points
        var position: UInt32 = 0
        while delta > ((base - minimumThreshold) * maximumThreshold) / 2 {
            delta /= base - minimumThreshold
            position += base
        }
        return position + (base - minimumThreshold + 1) * delta / (delta + 38)
    }
}
