import Foundation
import MoyaHTTP

/// A body as an archive holds it: text as it is, all else in base64.
struct BodyText: Equatable, Sendable {
    let text: String
    /// `base64`, or `nil` for text.
    let encoding: String?
    /// How many of the body's bytes are in the text.
    let size: Int

    /// - Parameter isCut: Whether it may end inside of a character.
    init(_ data: Data, mimeType: String, isCut: Bool = false) {
        let bytes = isCut ? data.withoutCutCharacter : data
        if let text = Self.plain(bytes, MediaType(mimeType)) {
            (self.text, encoding, size) = (text, nil, bytes.count)
        } else {
            (text, encoding, size) = (data.base64EncodedString(), "base64", data.count)
        }
    }

    /// The body's bytes.
    ///
    /// - Returns: `nil` if the encoding is not known, or the text is not in it.
    static func data(of text: String, encoding: String?, mimeType: String) -> Data? {
        switch encoding?.lowercased() {
        case "base64": return Data(lenientBase64: text)
        case nil, "": break
        default: return nil
        }
        // The text was decoded by whoever wrote the archive.
        switch MediaType(mimeType).charset {
        case "iso-8859-1", "latin1", "windows-1252":
            return text.data(using: .windowsCP1252) ?? text.data(using: .isoLatin1) ?? Data(text.utf8)
        default: return Data(text.utf8)
        }
    }

    /// Text that a program wrote byte by byte, as Latin-1, since the body names no charset (mitmproxy does): it has as many
    /// characters as the body has bytes.
    ///
    /// - Returns: The text of these bytes, or base64 where they are none; `nil` if it was not written so.
    static func readingBytes(of text: String, mimeType: String, sizes: [Int64]) -> BodyText? {
        // Most texts have one byte for each character, and a masked one has lost its length.
        guard !sizes.contains(Int64(text.utf8.count)), MediaType(mimeType).charset == nil,
            sizes.contains(Int64(text.unicodeScalars.count)), !text.contains(HARSecrets.placeholder),
            let bytes = text.data(using: .isoLatin1)
        else { return nil }
        return BodyText(bytes, mimeType: mimeType)
    }

    private static func plain(_ data: Data, _ type: MediaType) -> String? {
        // Not String(data:encoding:), which drops a byte order mark.
        guard let text = String(validUTF8: data) else { return nil }
        // Not Character by Character: that takes its time.
        let isReadable = data.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
        // In another charset the bytes mean something else.
        return isReadable && (type.isUnicode || data.allSatisfy { $0 < 0x80 }) ? text : nil
    }
}

extension Data {
    /// Without the beginning of a character of UTF-8 at the end.
    fileprivate var withoutCutCharacter: Data {
        let tail = suffix(3)
        guard let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return self }
        let length =
            switch self[start] {
            case 0xC0..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0...: 4
            default: 1
            }
        return endIndex - start < length ? self[..<start] : self
    }
}
