import Foundation
import MoyaHTTP

extension HAR.PostData {
    /// Creates the body of a request, decompressed if it was sent with gzip.
    init(_ body: CapturedBody, mimeType: String, contentEncoding: String? = nil) {
        let data = body.decoded(contentEncoding: contentEncoding) ?? body.kept
        let text = BodyText(data, mimeType: mimeType, isCut: body.isCut)
        self.init(mimeType: mimeType, text: text.text, encoding: text.encoding)
        guard body.isCut else { return }
        keptSize = Int64(text.size)
        comment = HAR.noteOfCut(text.size, of: body.size)
    }

    /// The body's bytes; if there is no text, the encoded fields of a form.
    ///
    /// It is `nil` if the file does not contain them or their encoding is unknown.
    public var data: Data? {
        if let text { return BodyText.data(of: text, encoding: encoding, mimeType: mimeType) }
        guard !params.isEmpty, MediaType(mimeType).isForm, params.allSatisfy({ $0.fileName == nil }) else { return nil }
        let pairs = params.map { "\(Self.escape($0.name))=\(Self.escape($0.value ?? ""))" }
        return Data(pairs.joined(separator: "&").utf8)
    }

    /// Escapes a field's name or value unless it is escaped already, because some programs write decoded fields.
    private static func escape(_ text: String) -> String {
        let isSent = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !text.contains { "&=".contains($0) }
        return isSent ? text : text.percentEncoded(keeping: .unreserved)
    }
}

extension HAR.Content {
    /// Creates the body of a response.
    init(_ body: CapturedBody, mimeType: String) {
        let text = BodyText(body.kept, mimeType: mimeType, isCut: body.isCut)
        self.init(size: body.size, mimeType: mimeType, text: text.text, encoding: text.encoding)
        if body.size == 0 { (self.text, encoding) = (nil, nil) }
        guard body.isCut else { return }
        keptSize = Int64(text.size)
        comment = HAR.noteOfCut(text.size, of: body.size)
    }

    /// The body's bytes; only the first ``keptSize`` bytes if the body is cut.
    ///
    /// It is `nil` if the file does not contain them or their encoding is unknown.
    public var data: Data? {
        guard let text else { return size <= 0 ? Data() : nil }
        return BodyText.data(of: text, encoding: encoding, mimeType: mimeType)
    }
}

extension HAR {
    fileprivate static func noteOfCut(_ kept: Int, of size: Int64) -> String {
        "The body is cut: the first \(kept) of \(size) bytes are here."
    }
}

/// The body of an archive: text unchanged, other data in base64.
struct BodyText: Equatable, Sendable {
    let text: String
    /// `base64`, or `nil` for text.
    let encoding: String?
    /// The number of the body's bytes that the text represents.
    let size: Int

    /// Creates the text of a body, which may end within a character if it is cut.
    init(_ data: Data, mimeType: String, isCut: Bool = false) {
        let bytes = isCut ? data.withoutCutCharacter : data
        if let text = Self.plain(bytes, MediaType(mimeType)) {
            (self.text, encoding, size) = (text, nil, bytes.count)
        } else {
            (text, encoding, size) = (data.base64EncodedString(), "base64", data.count)
        }
    }

    /// Returns the body's bytes; `nil` if the encoding is unknown or cannot decode the text.
    static func data(of text: String, encoding: String?, mimeType: String) -> Data? {
        switch encoding?.lowercased() {
        case "base64": return Data(lenientBase64: text)
        case nil, "": break
        default: return nil
        }
        // The program that wrote the archive decoded the text from this charset, so the text is encoded again.
        switch MediaType(mimeType).charset {
        case "iso-8859-1", "latin1", "windows-1252":
            return text.data(using: .windowsCP1252) ?? text.data(using: .isoLatin1) ?? Data(text.utf8)
        default: return Data(text.utf8)
        }
    }

    /// Restores a body that a program wrote to the file as Latin-1, one character for each byte, as mitmproxy does for a body without
    /// a charset.
    ///
    /// The number of characters of such text equals the size of the body. The result is `nil` if the text was not written in this way.
    static func latin1Bytes(of text: String, mimeType: String, sizes: [Int64]) -> BodyText? {
        // ASCII text has one byte per character, and masked text no longer has its original length.
        guard !sizes.contains(Int64(text.utf8.count)), MediaType(mimeType).charset == nil,
            sizes.contains(Int64(text.unicodeScalars.count)), !text.contains(SecretMask.placeholder),
            let bytes = text.data(using: .isoLatin1)
        else { return nil }
        return BodyText(bytes, mimeType: mimeType)
    }

    private static func plain(_ data: Data, _ type: MediaType) -> String? {
        // String(data:encoding:) would drop a byte order mark.
        guard let text = String(validUTF8: data) else { return nil }
        // Bytes are checked, because iterating over Characters is slow.
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
