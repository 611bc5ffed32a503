import Foundation
import MoyaHAR

extension SeenRequest {
    /// A part of a `multipart/form-data` body (RFC 7578).
    public struct Part: Sendable {
        /// The field's name.
        public let name: String
        /// The name of the file that was sent.
        public let fileName: String?
        /// The content's media type.
        public let contentType: String?
        /// The content.
        public let data: Data

        /// The content as text; `nil` if it is not in UTF-8.
        public var text: String? { String(data: data, encoding: .utf8) }
    }

    /// The parts of a body that is a form of them; none if it is something else. Of a body that is cut the last may be, too.
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

extension SeenRequest.Part: CustomStringConvertible, CustomReflectable {
    /// The name, and how long the content is.
    public var description: String {
        "part \(name.debugDescription), \(data.count == 1 ? "1 byte" : "\(data.count) bytes")"
    }

    /// Nothing: what looks inside must not find secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
