import Foundation
import MoyaHTTP

/// Masks what stands in a body: the fields and parts of forms, members of JSON objects wherever JSON is, and URLs.
package struct BodyMask {
    private let mask: SecretMask
    private let mimeType: String
    private let found: FoundSecrets?

    /// - Parameter found: Gets the values that are masked.
    package init(_ secrets: HARSecrets, mimeType: String, found: FoundSecrets? = nil) {
        mask = secrets.mask
        self.mimeType = mimeType
        self.found = found
    }

    /// Text and encoding of a body in an archive.
    func text(_ text: String?, _ encoding: String?) -> (text: String?, encoding: String?) {
        text.map { (Self.text($0, encoding, changing: data), encoding) } ?? (text, encoding)
    }

    /// A body's bytes.
    package func data(_ data: Data) -> Data { mask.body(data, contentType: mimeType, found: found) }

    /// The text of a body in an archive, with its bytes changed.
    static func text(_ text: String, _ encoding: String?, changing change: (Data) -> Data) -> String {
        guard encoding?.lowercased() == "base64" else {
            return String(decoding: change(Data(text.utf8)), as: UTF8.self)
        }
        guard let data = Data(lenientBase64: text) else { return text }
        let changed = change(data)
        return changed == data ? text : changed.base64EncodedString()
    }
}
