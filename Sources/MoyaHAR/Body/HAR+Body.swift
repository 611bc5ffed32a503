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

    /// The body's bytes, those of a form from its fields if there is no text.
    ///
    /// It is `nil` if the file does not contain them or their encoding is unknown.
    public var data: Data? {
        if let text { return BodyText.data(of: text, encoding: encoding, mimeType: mimeType) }
        guard !params.isEmpty, MediaType(mimeType).isForm, params.allSatisfy({ $0.fileName == nil }) else { return nil }
        let pairs = params.map { "\(Self.escape($0.name))=\(Self.escape($0.value ?? ""))" }
        return Data(pairs.joined(separator: "&").utf8)
    }

    /// Escapes a field's name or value unless it is escaped already, as some programs write fields decoded.
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

    /// The body's bytes; only the first of them if ``keptSize`` is not `nil`.
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
