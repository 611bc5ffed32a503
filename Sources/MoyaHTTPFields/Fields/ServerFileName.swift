import Foundation
import MoyaJSON

/// The sanitized name that a server suggests for a download.
package enum ServerFileName {
    /// Returns the name in `Content-Disposition`, or the last path component of the URL, or `download` with the
    /// extension of a common media type.
    ///
    /// Names are not decoded: encoded words (RFC 2047) and percent-encoding in `filename` are kept (RFC 6266,
    /// appendix C).
    static func suggested(contentDisposition: String?, url: URL?, contentType: String?) -> String {
        let names = contentDisposition.map { ContentDisposition($0).fileNames } ?? []
        for name in names {
            if let name = SafeFileName.make(from: name) { return name }
        }
        if let name = url.flatMap(lastPathComponent(of:)).flatMap(SafeFileName.make(from:)) { return name }
        return "download" + (contentType.flatMap(fileExtension(for:)).map { ".\($0)" } ?? "")
    }

    /// Returns the name for the body of a response.
    package static func suggested(by response: HTTPURLResponse) -> String {
        suggested(
            contentDisposition: response.headers["Content-Disposition"],
            url: response.url,
            contentType: response.headers["Content-Type"]
        )
    }

    private static func lastPathComponent(of url: URL) -> String? {
        // The path is split before it is decoded, so that a percent-encoded slash is not a separator.
        guard let last = url.path(percentEncoded: true).split(separator: "/").last else { return nil }
        return last.removingPercentEncoding ?? String(last)
    }

    private static func fileExtension(for contentType: String) -> String? {
        let mediaType = contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return extensions[mediaType]
    }

    private static let extensions = [
        "application/gzip": "gz",
        "application/json": "json",
        "application/pdf": "pdf",
        "application/xml": "xml",
        "application/zip": "zip",
        "audio/mpeg": "mp3",
        "image/gif": "gif",
        "image/jpeg": "jpg",
        "image/png": "png",
        "image/svg+xml": "svg",
        "image/webp": "webp",
        "text/css": "css",
        "text/csv": "csv",
        "text/html": "html",
        "text/plain": "txt",
        "text/xml": "xml",
        "video/mp4": "mp4",
    ]
}

/// A sanitizer that converts any text into a file name that stays in its folder, is not hidden and is not
/// misleading.
package enum SafeFileName {
    /// The maximum length of a file name in bytes.
    package static let maximumLength = 255

    /// Returns the safe name, or `nil` if nothing remains.
    ///
    /// - The last component of a path is used, with either kind of slash.
    /// - Control characters, line separators and bidirectional formatting characters are removed: a bidirectional character could
    ///   display `fdp.exe` as `exe.pdf`.
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
    package static func prefix(of text: some StringProtocol, bytes limit: Int) -> String {
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
        // A longer suffix is probably not an extension, so it may be cut.
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

/// The parameters of a `Content-Disposition` header (RFC 6266) or of a form part (RFC 7578, section 4.2).
///
/// The parser is lenient: malformed parameters are skipped.
package struct ContentDisposition: Equatable, Sendable {
    /// The file names by preference: `filename*` (RFC 8187) before `filename` (RFC 6266, section 4.3).
    ///
    /// The names are not sanitized, so they are not safe to use as paths.
    package let fileNames: [String]
    /// The name of a form field.
    package let name: String?

    package init(_ value: String) {
        var field: String?
        var plain: String?
        var extended: String?
        // Duplicate parameters are an error of the server; the first one is used.
        for (name, value) in ParameterizedField(value).parameters {
            switch name {
            case "filename": plain = plain ?? value
            case "name": field = field ?? value
            case "filename*": extended = extended ?? Self.decode(extendedValue: value)
            default: break
            }
        }
        fileNames = [extended, plain].compactMap(\.self)
        name = field
    }

    /// Decodes `charset'language'percent-encoded` (RFC 8187, section 3.2) in UTF-8, or in ISO-8859-1, which older servers send.
    private static func decode(extendedValue value: String) -> String? {
        let parts = Array(value.utf8)
            .split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = percentDecode(parts[2]) else { return nil }
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "utf-8": return String(bytes: bytes, encoding: .utf8)
        case "iso-8859-1": return String(bytes: bytes, encoding: .isoLatin1)
        default: return nil
        }
    }

    private static func percentDecode(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            guard byte < 0x80 else { return nil }
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else {
                return nil
            }
            decoded.append(high << 4 | low)
        }
        return decoded
    }
}
