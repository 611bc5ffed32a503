import Foundation
import MoyaHTTP

/// The body of an archive: text unchanged, other data in base64.
struct BodyText: Equatable, Sendable {
    let text: String
    /// `base64`, or `nil` for text.
    let encoding: String?
    /// The number of the body's bytes that the text contains.
    let size: Int

    /// Creates the text of a body; one that is cut may end inside of a character.
    init(_ data: Data, mimeType: String, isCut: Bool = false) {
        let bytes = isCut ? data.withoutCutCharacter : data
        if let text = Self.plain(bytes, MediaType(mimeType)) {
            (self.text, encoding, size) = (text, nil, bytes.count)
        } else {
            (text, encoding, size) = (data.base64EncodedString(), "base64", data.count)
        }
    }

    /// Returns the body's bytes; `nil` if the encoding is unknown or the text is invalid in it.
    static func data(of text: String, encoding: String?, mimeType: String) -> Data? {
        switch encoding?.lowercased() {
        case "base64": return Data(lenientBase64: text)
        case nil, "": break
        default: return nil
        }
        // The program that wrote the archive has decoded the text.
        switch MediaType(mimeType).charset {
        case "iso-8859-1", "latin1", "windows-1252":
            return text.data(using: .windowsCP1252) ?? text.data(using: .isoLatin1) ?? Data(text.utf8)
        default: return Data(text.utf8)
        }
    }

    /// Returns the body of text that a program wrote byte by byte as Latin-1, as mitmproxy does for a body without a
    /// charset.
    ///
    /// Such text has as many characters as the body has bytes. The result is text or base64; `nil` if the text was
    /// not written in this way.
    static func readingBytes(of text: String, mimeType: String, sizes: [Int64]) -> BodyText? {
        // ASCII text has one byte per character, and masked text no longer has its original length.
        guard !sizes.contains(Int64(text.utf8.count)), MediaType(mimeType).charset == nil,
            sizes.contains(Int64(text.unicodeScalars.count)), !text.contains(HARSecrets.placeholder),
            let bytes = text.data(using: .isoLatin1)
        else { return nil }
        return BodyText(bytes, mimeType: mimeType)
    }

    private static func plain(_ data: Data, _ type: MediaType) -> String? {
        // Not String(data:encoding:), which drops a byte order mark.
        guard let text = String(validUTF8: data) else { return nil }
        // By bytes, as iterating over Characters is slow.
        let isReadable = data.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
        // In another charset, bytes from 0x80 have another meaning.
        return isReadable && (type.isUnicode || data.allSatisfy { $0 < 0x80 }) ? text : nil
    }
}

extension Data {
    /// The data without an incomplete UTF-8 character at the end.
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
