import Foundation
import MoyaHTTP

/// Masks what stands in a body: the fields of forms, and members of JSON objects wherever JSON is.
package struct BodyMask: Sendable {
    private let secrets: HARSecrets
    private let mimeType: String
    private let type: MediaType

    package init(_ secrets: HARSecrets, mimeType: String) {
        self.secrets = secrets
        self.mimeType = mimeType
        type = MediaType(mimeType)
    }

    /// Text and encoding of a body in an archive. What is in base64 and yet a text becomes one, if something in it is
    /// masked.
    func text(_ text: String?, _ encoding: String?) -> (text: String?, encoding: String?) {
        guard let text, !secrets.isOff, !secrets.names.isEmpty else { return (text, encoding) }
        guard encoding?.lowercased() == "base64" else {
            return (String(decoding: data(Data(text.utf8)), as: UTF8.self), encoding)
        }
        guard let data = Data(lenientBase64: text) else { return (text, encoding) }
        let masked = self.data(data)
        return masked == data ? (text, encoding) : (masked.base64EncodedString(), encoding)
    }

    /// A body's bytes.
    package func data(_ data: Data) -> Data {
        guard !secrets.isOff, !secrets.names.isEmpty, !data.isEmpty else { return data }
        if type.isForm { return secrets.mask.body(data, contentType: mimeType) }
        if let boundary = type.multipartBoundary {
            return MultipartMask(names: secrets.names, boundary: boundary).masking(data)
        }
        // Whatever it is called: JSON also stands in event streams, lines and pages.
        return JSONMask(names: secrets.names).masking(data)
    }
}
