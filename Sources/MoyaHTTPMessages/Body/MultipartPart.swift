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

/// Media types by file extension, the same on every platform.
package enum MIMEType {
    /// Returns the media type for a file extension, ignoring case; `application/octet-stream` if it is unknown.
    package static func forExtension(_ pathExtension: String) -> String {
        byExtension[pathExtension.lowercased()] ?? "application/octet-stream"
    }

    /// The names registered with IANA, where there are any.
    private static let byExtension = [
        "apng": "image/apng", "avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic",
        "heif": "image/heif", "ico": "image/vnd.microsoft.icon", "jpe": "image/jpeg", "jpeg": "image/jpeg",
        "jpg": "image/jpeg", "jxl": "image/jxl", "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff",
        "tiff": "image/tiff", "webp": "image/webp",

        "aac": "audio/aac", "aif": "audio/x-aiff", "aiff": "audio/x-aiff", "flac": "audio/flac", "m4a": "audio/mp4",
        "mid": "audio/midi", "midi": "audio/midi", "mp3": "audio/mpeg", "oga": "audio/ogg", "ogg": "audio/ogg",
        "opus": "audio/ogg", "wav": "audio/vnd.wave", "weba": "audio/webm",

        "3gp": "video/3gpp", "avi": "video/x-msvideo", "m4v": "video/x-m4v", "mkv": "video/matroska",
        "mov": "video/quicktime", "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "ogv": "video/ogg",
        "webm": "video/webm",

        "css": "text/css", "csv": "text/csv", "htm": "text/html", "html": "text/html", "ics": "text/calendar",
        "js": "text/javascript", "log": "text/plain", "markdown": "text/markdown", "md": "text/markdown",
        "mjs": "text/javascript", "rtf": "application/rtf", "tsv": "text/tab-separated-values", "txt": "text/plain",
        "vcf": "text/vcard", "vtt": "text/vtt",

        "atom": "application/atom+xml", "cbor": "application/cbor", "geojson": "application/geo+json",
        "json": "application/json", "jsonld": "application/ld+json", "pdf": "application/pdf",
        "plist": "application/x-plist", "ps": "application/postscript", "rss": "application/rss+xml",
        "sql": "application/sql", "wasm": "application/wasm", "webmanifest": "application/manifest+json",
        "xhtml": "application/xhtml+xml", "xml": "application/xml", "yaml": "application/yaml",
        "yml": "application/yaml",

        "7z": "application/x-7z-compressed", "bz2": "application/x-bzip2", "gz": "application/gzip",
        "jar": "application/java-archive", "rar": "application/vnd.rar", "tar": "application/x-tar",
        "tgz": "application/gzip", "xz": "application/x-xz", "zip": "application/zip", "zst": "application/zstd",

        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "odp": "application/vnd.oasis.opendocument.presentation",
        "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",

        "otf": "font/otf", "ttc": "font/collection", "ttf": "font/ttf", "woff": "font/woff", "woff2": "font/woff2",
    ]
}
