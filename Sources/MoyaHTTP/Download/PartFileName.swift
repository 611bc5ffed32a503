import Foundation

/// How the files are called that stand beside a destination while its download runs. Pure.
///
/// They begin with a dot, so that they are hidden, and fit what file systems allow.
enum PartFileName {
    /// `.name.part`: of a download that can be continued.
    static func resumable(for name: String) -> String { "." + shortened(name, for: 1 + 5 + 5) + ".part" }

    /// `.name.part.json`: what the former is a part of.
    static func state(for name: String) -> String { resumable(for: name) + ".json" }

    /// `.name.<random>.part`: of any other download.
    static func unique(for name: String, using random: inout some RandomNumberGenerator) -> String {
        ".\(shortened(name, for: 1 + 17 + 5)).\(hexadecimal(random.next())).part"
    }

    /// `.name.<random>.part`, and the like for a state file on its way.
    static func unique(for name: String) -> String {
        var random = SystemRandomNumberGenerator()
        return unique(for: name, using: &random)
    }

    /// A name that is too long is cut; its hash keeps names apart that begin alike.
    private static func shortened(_ name: String, for rest: Int) -> String {
        let limit = SafeFileName.maximumLength - rest
        guard name.utf8.count > limit else { return name }
        return SafeFileName.prefix(of: name, bytes: limit - 17) + "~" + hexadecimal(hash(of: name))
    }

    /// FNV-1a: the same in every process, unlike Swift's.
    private static func hash(of name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
