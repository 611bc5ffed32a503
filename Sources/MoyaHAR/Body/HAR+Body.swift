import Foundation
import MoyaHTTP

extension HAR.PostData {
    /// A body that was sent, decoded if it was in gzip.
    init(_ body: CapturedBody, mimeType: String, contentEncoding: String? = nil) {
        let data = body.decoded(contentEncoding: contentEncoding) ?? body.kept
        let text = BodyText(data, mimeType: mimeType, isCut: body.isCut)
        self.init(mimeType: mimeType, text: text.text, encoding: text.encoding)
        guard body.isCut else { return }
        keptSize = Int64(text.size)
        comment = HAR.noteOfCut(text.size, of: body.size)
    }

    /// The body's bytes, those of a form from its fields if they are all there is.
    ///
    /// - Returns: `nil` if they are not in the file, or in no encoding that is known.
    public var data: Data? {
        if let text { return BodyText.data(of: text, encoding: encoding, mimeType: mimeType) }
        guard !params.isEmpty, MediaType(mimeType).isForm, params.allSatisfy({ $0.fileName == nil }) else { return nil }
        let pairs = params.map { "\(Self.escape($0.name))=\(Self.escape($0.value ?? ""))" }
        return Data(pairs.joined(separator: "&").utf8)
    }

    /// Some programs write fields decoded, others as they were sent: what looks sent stays.
    private static func escape(_ text: String) -> String {
        let isSent = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !text.contains { "&=".contains($0) }
        return isSent ? text : text.percentEncoded(keeping: .unreserved)
    }
}

extension HAR.Content {
    /// A body that was received.
    init(_ body: CapturedBody, mimeType: String) {
        let text = BodyText(body.kept, mimeType: mimeType, isCut: body.isCut)
        self.init(size: body.size, mimeType: mimeType, text: text.text, encoding: text.encoding)
        if body.size == 0 { (self.text, encoding) = (nil, nil) }
        guard body.isCut else { return }
        keptSize = Int64(text.size)
        comment = HAR.noteOfCut(text.size, of: body.size)
    }

    /// The body's bytes, the first of them where ``keptSize`` says so.
    ///
    /// - Returns: `nil` if they are not in the file, or in no encoding that is known.
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
