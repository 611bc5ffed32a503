import Foundation
import MoyaHTTP

/// The parts of a form (RFC 7578). The form may be cut, or wrong. Pure.
package struct MultipartParts: Sendable {
    package struct Part: Sendable {
        /// Where the content is in the form.
        package let content: Range<Data.Index>
        /// By name in lower case.
        private let headers: [String: String]

        fileprivate init(head: Data, content: Range<Data.Index>) {
            self.content = content
            headers = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").reduce(into: [:]) {
                guard let colon = $1.firstIndex(of: ":") else { return }
                $0[$1[..<colon].lowercased()] = $1[$1.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
        }

        /// The field's name.
        package var name: String? { disposition?.name.map(Self.unescaped) }

        /// The name of the file that was sent.
        package var fileName: String? { disposition?.fileNames.first.map(Self.unescaped) }

        /// The content's media type.
        package var contentType: String? { headers["content-type"] }

        private var disposition: ContentDisposition? { headers["content-disposition"].map { ContentDisposition($0) } }

        /// As the multipart/form-data encoding algorithm of the WHATWG's HTML standard escapes them.
        private static func unescaped(_ name: String) -> String {
            name.replacingOccurrences(of: "%22", with: "\"").replacingOccurrences(of: "%0D", with: "\r")
                .replacingOccurrences(of: "%0A", with: "\n")
        }
    }

    package let parts: [Part]

    package init(_ data: Data, boundary: String) {
        let delimiter = Data("--\(boundary)".utf8)
        let end = Data("\r\n".utf8) + delimiter
        var parts: [Part] = []
        var rest = data[...]
        while let found = rest.range(of: delimiter) {
            rest = rest[found.upperBound...]
            guard let blank = rest.range(of: Self.endOfHead) else { break }
            let content = rest[blank.upperBound...]
            let contentEnd = content.range(of: end)?.lowerBound ?? content.endIndex
            parts.append(Part(head: rest[..<blank.lowerBound], content: blank.upperBound..<contentEnd))
            rest = rest[contentEnd...]
        }
        self.parts = parts
    }

    private static let endOfHead = Data("\r\n\r\n".utf8)
}
