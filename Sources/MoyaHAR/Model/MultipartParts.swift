import Foundation
import MoyaHTTP

/// The parts of a multipart form (RFC 7578), which may be cut or malformed.
package struct MultipartParts: Sendable {
    package struct Part: Sendable {
        /// The range of the content in the form.
        package let content: Range<Data.Index>
        private let section: MultipartSections.Section

        fileprivate init(_ section: MultipartSections.Section) {
            self.section = section
            content = section.content
        }

        /// The name of the field.
        package var name: String? { disposition?.name.map(Self.unescaped) }

        /// The file name that was sent.
        package var fileName: String? { disposition?.fileNames.first.map(Self.unescaped) }

        /// The content's media type.
        package var contentType: String? { section.header("content-type") }

        private var disposition: ContentDisposition? {
            section.header("content-disposition").map { ContentDisposition($0) }
        }

        /// Decodes names that are escaped by the multipart/form-data encoding algorithm of the WHATWG HTML standard.
        private static func unescaped(_ name: String) -> String {
            name.replacingOccurrences(of: "%22", with: "\"").replacingOccurrences(of: "%0D", with: "\r")
                .replacingOccurrences(of: "%0A", with: "\n")
        }
    }

    package let parts: [Part]

    package init(_ data: Data, boundary: String) {
        parts = MultipartSections(data, boundary: boundary).sections.map { Part($0) }
    }
}
