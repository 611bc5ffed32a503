import Foundation
import MoyaHTTP

/// Masks form fields and parts, JSON members and URLs in bodies.
package struct BodyMask {
    private let mask: SecretMask
    private let mimeType: String
    private let found: FoundSecrets?

    /// Creates a mask; `found` collects the masked values.
    package init(_ secrets: HARSecrets, mimeType: String, found: FoundSecrets? = nil) {
        mask = secrets.mask
        self.mimeType = mimeType
        self.found = found
    }

    /// Returns the masked text of a body in an archive, with its encoding.
    func text(_ text: String?, _ encoding: String?) -> (text: String?, encoding: String?) {
        text.map { (Self.text($0, encoding, changing: data), encoding) } ?? (text, encoding)
    }

    /// Returns the masked bytes of a body.
    package func data(_ data: Data) -> Data { mask.body(data, contentType: mimeType, found: found) }

    /// Returns the text of a body in an archive, with its bytes passed through a function.
    static func text(_ text: String, _ encoding: String?, changing change: (Data) -> Data) -> String {
        guard encoding?.lowercased() == "base64" else {
            return String(decoding: change(Data(text.utf8)), as: UTF8.self)
        }
        guard let data = Data(lenientBase64: text) else { return text }
        let changed = change(data)
        return changed == data ? text : changed.base64EncodedString()
    }
}
