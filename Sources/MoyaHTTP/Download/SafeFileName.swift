import Foundation

/// Makes one part of a path out of any text: a name that stays in its folder, is no hidden file and shows as what it is.
enum SafeFileName {
    /// What file systems allow.
    static let maximumLength = 255

    /// The safe name, or `nil` if nothing remains.
    ///
    /// - Takes the last part of a path, whichever slash parts it.
    /// - Leaves out control characters, line separators, and those that turn the direction of writing: with them
    ///   `fdp.exe` shows as `exe.pdf`.
    /// - Cuts off dots and spaces at the beginning, and dots and spaces at the end.
    /// - Shortens to ``maximumLength`` bytes of UTF-8, and keeps the extension.
    static func make(from text: String) -> String? {
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter { !isUnwanted($0) }))
        let parts = visible.unicodeScalars.split { $0 == "/" || $0 == "\\" }
        guard let part = parts.last else { return nil }
        let name = trimmed(Substring(part))
        guard !name.isEmpty else { return nil }
        return shortened(String(name), to: maximumLength)
    }

    /// The beginning of a text, in whole characters, with no more bytes of UTF-8 than the limit.
    ///
    /// A character may be made of any number of code points; one that is too long is cut between them.
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
        // What has more bytes than this is no extension that anybody looks at.
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
