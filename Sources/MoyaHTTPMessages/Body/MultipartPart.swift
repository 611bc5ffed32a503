import Foundation
import HTTPTypes

extension MultipartBody {
    /// A part: its headers and its content.
    public struct Part: Sendable, Hashable {
        private enum Head: Sendable, Hashable {
            case formData(name: String, fileName: String?, mimeType: String?)
            case headers(HTTPHeaders)
        }

        private let head: Head
        /// The content.
        public let body: HTTPBody

        /// Creates a part of a form.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - fileName: The file name, which marks the part as a file; omitted if `nil`.
        ///   - mimeType: The media type; omitted if `nil` or empty.
        ///   - body: The content.
        public init(name: String, fileName: String? = nil, mimeType: String? = nil, body: HTTPBody) {
            head = .formData(name: name, fileName: fileName, mimeType: mimeType)
            self.body = body
        }

        /// Creates a part from a file, with the name of the file and the media type of its extension.
        ///
        /// - Throws: ``MultipartError/noFileName(part:file:)`` if the URL does not end with a name and an
        ///   extension.
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

        /// Creates a part with exactly the given headers.
        ///
        /// The parts of a form need a `Content-Disposition: form-data; name="…"` header (RFC 7578, section 4.2).
        public init(headers: HTTPHeaders, body: HTTPBody) {
            head = .headers(headers)
            self.body = body
        }

        /// The name of the field; `nil` for a part created with headers.
        public var name: String? {
            if case .formData(let name, _, _) = head { name } else { nil }
        }

        /// The escaped properties of the form field; `nil` for a part created with headers.
        package var formField: (name: String, fileName: String?, mimeType: String?)? {
            guard case .formData(let name, let fileName, let mimeType) = head else { return nil }
            return (Self.escaped(name), fileName.map(Self.escaped), mimeType.flatMap { $0.isEmpty ? nil : $0 })
        }

        /// Returns the header lines, without the empty line that ends them.
        func headerLines(name: String) throws(MultipartError) -> String {
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

        /// Escapes a name as in the multipart/form-data encoding algorithm of the WHATWG HTML standard.
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
