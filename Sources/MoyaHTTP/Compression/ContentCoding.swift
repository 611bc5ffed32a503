import Foundation

/// A supported content coding (RFC 9110, section 8.4.1).
public enum ContentCoding: String, CaseIterable, Hashable, Sendable {
    /// The gzip file format (RFC 1952); its obsolete name is `x-gzip`.
    case gzip
    /// The zlib format (RFC 1950), or raw deflate data (RFC 1951), which some servers send under this name.
    case deflate

    /// The maximum number of codings of a body.
    ///
    /// Each one multiplies the possible size.
    static let maximumCount = 5

    /// Parses the values of all `Content-Encoding` fields of a message (RFC 9110, section 8.4).
    ///
    /// Names are case-insensitive. Empty elements (RFC 9110, section 5.6.1.2) and `identity` are skipped.
    ///
    /// - Returns: The codings in the order in which they were applied, so that the last one is decoded first; `nil`
    ///   if one of them is unknown, in which case the body is not decoded.
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

    /// Returns whether the fields contain a coding, supported or not.
    static func isCoded(_ values: [String]) -> Bool {
        elements(of: values).contains { $0.lowercased() != "identity" }
    }

    /// Returns the first coding that is not supported and that the request did not accept.
    ///
    /// - Parameters:
    ///   - values: The values of the response's `Content-Encoding` fields.
    ///   - accepted: The values of the request's `Accept-Encoding` fields (RFC 9110, section 12.5.3).
    /// - Returns: The name of the coding, if any.
    static func unsupported(in values: [String], accepting accepted: [String]) -> String? {
        let unknown = elements(of: values).filter { (try? list([$0])) == nil }
        guard !unknown.isEmpty else { return nil }
        let names = Set(elements(of: accepted).compactMap { acceptedName($0) })
        return unknown.first { !names.contains($0.lowercased()) && !names.contains("*") }
    }

    /// Returns the coding of an element such as `br;q=0.5`; `nil` if its weight is zero, which means not
    /// acceptable.
    private static func acceptedName(_ element: String) -> String? {
        let parts = element.split(separator: ";").map { String($0).withoutOptionalWhitespace.lowercased() }
        guard let name = parts.first else { return nil }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
        return weight == 0 ? nil : name
    }

    /// Returns the list elements without optional whitespace (RFC 9110, section 5.6.3).
    private static func elements(of values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }
            .map { $0.withoutOptionalWhitespace }
            .filter { !$0.isEmpty }
    }
}
