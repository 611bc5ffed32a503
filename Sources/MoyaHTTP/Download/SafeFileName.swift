import Foundation

/// A sanitizer that converts any text into a file name that stays in its folder, is not hidden and is not
/// misleading.
enum SafeFileName {
    /// The maximum length of a file name in bytes.
    static let maximumLength = 255

    /// Returns the safe name, or `nil` if nothing remains.
    ///
    /// - The last component of a path is used, with either kind of slash.
    /// - Control characters, line separators and bidirectional formatting characters are removed: with the latter,
    ///   `fdp.exe` could be displayed as `exe.pdf`.
    /// - Leading and trailing dots and spaces are removed.
    /// - The name is truncated to ``maximumLength`` bytes of UTF-8, keeping the extension.
    static func make(from text: String) -> String? {
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter { !isUnwanted($0) }))
        let parts = visible.unicodeScalars.split { $0 == "/" || $0 == "\\" }
        guard let part = parts.last else { return nil }
        let name = trimmed(Substring(part))
        guard !name.isEmpty else { return nil }
        return shortened(String(name), to: maximumLength)
    }

    /// Returns a prefix in whole characters with at most `limit` bytes of UTF-8.
    ///
    /// A single character that is too long is cut between its scalars.
    static func prefix(of text: some StringProtocol, bytes limit: Int) -> String {
        guard text.utf8.count > limit else { return String(text) }
        var taken = ""
        var left = limit
        for character in text {
            let count = character.utf8.count
            guard count <= left else {
                if taken.isEmpty { taken = prefix(ofScalars: character.unicodeScalars, bytes: left) }
                break
            }
            taken.append(character)
            left -= count
        }
        return taken
    }

    private static func prefix(ofScalars scalars: Character.UnicodeScalarView, bytes limit: Int) -> String {
        var taken = String.UnicodeScalarView()
        var left = limit
        for scalar in scalars {
            left -= UTF8.width(scalar)
            guard left >= 0 else { break }
            taken.append(scalar)
        }
        return String(taken)
    }

    private static func shortened(_ name: String, to limit: Int) -> String {
        guard name.utf8.count > limit else { return name }
        // A longer suffix is not a real extension.
        if let dot = name.lastIndex(of: "."), name[dot...].utf8.count <= 32 {
            let stem = prefix(of: name[..<dot], bytes: limit - name[dot...].utf8.count)
            return stem + name[dot...]
        }
        return String(trimmed(Substring(prefix(of: name, bytes: limit))))
    }

    private static func trimmed(_ name: Substring) -> Substring {
        var scalars = name.unicodeScalars
        while let first = scalars.first, isDotOrSpace(first) { scalars.removeFirst() }
        while let last = scalars.last, isDotOrSpace(last) { scalars.removeLast() }
        return Substring(scalars)
    }

    private static func isDotOrSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar.properties.isWhitespace
    }

    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl || scalar.properties.isNoncharacterCodePoint || scalar == "\u{FEFF}"
        }
    }
}
