/// The names of the files beside a destination during its download.
///
/// The names start with a dot, so that the files are hidden, and respect the length limit of file systems.
package enum PartFileName {
    /// Returns `.name.part`, for a download that can be resumed.
    package static func resumable(for name: String) -> String { "." + shortened(name, for: 1 + 5 + 5) + ".part" }

    /// Returns `.name.part.json`, for the state of a download that can be resumed.
    package static func state(for name: String) -> String { resumable(for: name) + ".json" }

    /// Returns `.name.<random>.part`, for a download that cannot be resumed.
    static func unique(for name: String, using random: inout some RandomNumberGenerator) -> String {
        ".\(shortened(name, for: 1 + 17 + 5)).\(hexadecimal(random.next())).part"
    }

    /// Returns `.name.<random>.part`, for a download that cannot be resumed, or for a temporary state file.
    package static func unique(for name: String) -> String {
        var random = SystemRandomNumberGenerator()
        return unique(for: name, using: &random)
    }

    /// Truncates a name that is too long; a hash distinguishes names with the same prefix.
    private static func shortened(_ name: String, for rest: Int) -> String {
        let limit = SafeFileName.maximumLength - rest
        guard name.utf8.count > limit else { return name }
        return SafeFileName.prefix(of: name, bytes: limit - 17) + "~" + hexadecimal(hash(of: name))
    }

    /// Returns the FNV-1a hash, which is the same in every process, unlike Swift's.
    private static func hash(of name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
