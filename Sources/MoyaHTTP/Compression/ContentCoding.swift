import Foundation

/// A content coding that is decoded here (RFC 9110, section 8.4.1).
public enum ContentCoding: String, CaseIterable, Hashable, Sendable {
    /// The gzip file format (RFC 1952); its older name is `x-gzip`.
    case gzip
    /// The zlib format (RFC 1950), or bare deflate data (RFC 1951), which some servers send under this name.
    case deflate

    /// A body has no more codings than this: each one is another factor for the size that it can grow to.
    static let maximumCount = 5

    /// Reads the values of all `Content-Encoding` fields of a message (RFC 9110, section 8.4).
    ///
    /// Names are compared without regard to case. Empty elements are skipped (RFC 9110, section 5.6.1.2), and so is
    /// `identity`, which changes nothing.
    ///
    /// - Returns: The codings in the order in which they were applied, so the last is to be undone first; `nil` if one
    ///   of them is unknown, so that the body has to be taken as it is.
    /// - Throws: ``ContentDecodingError/tooManyCodings``.
    static func list(_ values: [String]) throws(ContentDecodingError) -> [ContentCoding]? {
        var codings: [ContentCoding] = []
        for element in elements(of: values) {
            switch element.lowercased() {
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            case "identity": break
            default: return nil
            }
        }
        guard codings.count <= maximumCount else { throw .tooManyCodings }
        return codings
    }

    /// Whether the fields name a coding, known or not.
    static func isCoded(_ values: [String]) -> Bool {
        elements(of: values).contains { $0.lowercased() != "identity" }
    }

    /// Returns the first coding that is not decoded here and that a request did not ask for.
    ///
    /// - Parameters:
    ///   - values: The values of the response's `Content-Encoding` fields.
    ///   - accepted: The values of the request's `Accept-Encoding` fields (RFC 9110, section 12.5.3).
    static func unsupported(in values: [String], accepting accepted: [String]) -> String? {
        let unknown = elements(of: values).filter { (try? list([$0])) == nil }
        guard !unknown.isEmpty else { return nil }
        let names = Set(elements(of: accepted).compactMap { acceptedName($0) })
        return unknown.first { !names.contains($0.lowercased()) && !names.contains("*") }
    }

    /// The coding of an element such as `br;q=0.5`; `nil` for a weight of zero, which refuses it.
    private static func acceptedName(_ element: String) -> String? {
        let parts = element.split(separator: ";").map { String($0).withoutOptionalWhitespace.lowercased() }
        guard let name = parts.first else { return nil }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
        return weight == 0 ? nil : name
    }

    /// Optional white space is spaces and tabs (RFC 9110, section 5.6.3).
    private static func elements(of values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }
            .map { $0.withoutOptionalWhitespace }
            .filter { !$0.isEmpty }
    }
}
