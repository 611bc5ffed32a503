import Foundation
import HTTPTypes

extension MultipartBody {
    /// One part: its headers, and its content.
    public struct Part: Sendable, Hashable {
        private enum Head: Sendable, Hashable {
            case formData(name: String, fileName: String?, mimeType: String?)
            case headers(HTTPHeaders)
        }

        private let head: Head
        /// The content.
        public let body: HTTPBody

        /// Makes a part of a form.
        ///
        /// - Parameters:
        ///   - name: The field's name.
        ///   - fileName: Makes the part a file for the receiver; left out if `nil`.
        ///   - mimeType: Left out if `nil` or empty.
        ///   - body: The content.
        public init(name: String, fileName: String? = nil, mimeType: String? = nil, body: HTTPBody) {
            head = .formData(name: name, fileName: fileName, mimeType: mimeType)
            self.body = body
        }

        /// Makes a part of a file, with its own name and the media type that belongs to its extension.
        ///
        /// - Throws: ``MultipartError/noFileName(part:file:)`` if the URL does not end with a name and an extension.
        public init(name: String, file: URL) throws(MultipartError) {
            guard !file.lastPathComponent.isEmpty, !file.pathExtension.isEmpty else {
                throw .noFileName(part: name, file: file)
            }
            self.init(
                name: name,
                fileName: file.lastPathComponent,
                mimeType: MIMEType.forExtension(file.pathExtension),
                body: .file(file)
            )
        }

        /// Makes a part with headers of your own; nothing is added to them.
        ///
        /// A form's parts have a `Content-Disposition: form-data; name="…"` (RFC 7578, section 4.2).
        public init(headers: HTTPHeaders, body: HTTPBody) {
            head = .headers(headers)
            self.body = body
        }

        /// The field's name, if it was given as such.
        public var name: String? {
            if case .formData(let name, _, _) = head { name } else { nil }
        }

        /// The form's field as it is written, with what must be escaped escaped; `nil` where the headers were given.
        var formField: (name: String, fileName: String?, mimeType: String?)? {
            guard case .formData(let name, let fileName, let mimeType) = head else { return nil }
            return (Self.escaped(name), fileName.map(Self.escaped), mimeType.flatMap { $0.isEmpty ? nil : $0 })
        }

        /// The lines before the content, without the empty one that ends them.
        func head(name: String) throws(MultipartError) -> String {
            switch head {
            case .formData(let fieldName, let fileName, let mimeType):
                guard !fieldName.utf8.contains(0) else { throw .invalidName(part: name) }
                var line = "Content-Disposition: form-data; name=\"\(Self.escaped(fieldName))\""
                if let fileName {
                    guard !fileName.utf8.contains(0) else { throw .invalidFileName(part: name) }
                    line += "; filename=\"\(Self.escaped(fileName))\""
                }
                guard let mimeType, !mimeType.isEmpty else { return "\(line)\r\n" }
                guard HTTPField.isValidValue(mimeType) else { throw .invalidMIMEType(part: name) }
                return "\(line)\r\nContent-Type: \(mimeType)\r\n"
            case .headers(let headers):
                var lines = ""
                for header in headers {
                    guard HTTPField.Name(header.name) != nil, HTTPField.isValidValue(header.value) else {
                        throw .invalidHeader(part: name, header: header.name)
                    }
                    lines += "\(header.name): \(header.value)\r\n"
                }
                return lines
            }
        }

        /// As in the multipart/form-data encoding algorithm of the WHATWG's HTML standard.
        private static func escaped(_ name: String) -> String {
            var scalars = String.UnicodeScalarView()
            for scalar in name.unicodeScalars {
                switch scalar {
                case "\"": scalars.append(contentsOf: "%22".unicodeScalars)
                case "\r": scalars.append(contentsOf: "%0D".unicodeScalars)
                case "\n": scalars.append(contentsOf: "%0A".unicodeScalars)
                default: scalars.append(scalar)
                }
            }
            return String(scalars)
        }
    }
}
