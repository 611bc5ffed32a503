import Foundation
import MoyaHAR

extension CapturedRequest {
    /// A part of a `multipart/form-data` body (RFC 7578).
    public struct Part: Sendable {
        /// The name of the field.
        public let name: String
        /// The file name that was sent.
        public let fileName: String?
        /// The content's media type.
        public let contentType: String?
        /// The content.
        public let data: Data

        /// The content as text; `nil` if it is not UTF-8.
        public var text: String? { String(data: data, encoding: .utf8) }
    }

    /// The parts of a multipart body; empty for other bodies.
    ///
    /// If the body is cut, the last part may be, too.
    ///
    ///     #expect(request.parts.first { $0.name == "title" }?.text == "Milk")
    public var parts: [Part] {
        guard let boundary = MediaType(headers[.contentType] ?? "").multipartBoundary, let body else { return [] }
        return MultipartParts(body, boundary: boundary).parts.map { part in
            Part(
                name: part.name ?? "",
                fileName: part.fileName,
                contentType: part.contentType,
                data: Data(body[part.content])
            )
        }
    }
}

extension CapturedRequest.Part: CustomStringConvertible, CustomReflectable {
    /// The name and the length of the content.
    public var description: String {
        "part \(name.debugDescription), \(data.count == 1 ? "1 byte" : "\(data.count) bytes")"
    }

    /// An empty mirror, which hides secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
