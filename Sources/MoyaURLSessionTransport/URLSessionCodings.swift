import Foundation
import HTTPTypes

/// The content codings that URLSession requests and decodes (RFC 9110, section 8.4).
///
/// URLSession does not tell which codings it has decoded, and leaves `Content-Encoding` in the response.
struct URLSessionCodings: Sendable {
    /// The codings that are decoded, in lower case.
    private let decoded: Set<String>
    /// The codings that newer systems decode.
    private let perhapsDecoded: Set<String>
    /// The value of `Accept-Encoding` for the session's default; `nil` if URLSession selects the codings.
    private let accepted: String?

    init(_ implementation: URLSessionImplementation = .current) {
        switch implementation {
        case .darwin:
            decoded = ["gzip", "x-gzip", "deflate", "br"]
            perhapsDecoded = ["zstd"]
            accepted = nil
        case .corelibs:
            // libcurl fails for a coding that it was built without, so that all others have been decoded.
            decoded = ["gzip", "x-gzip", "deflate", "br", "zstd"]
            perhapsDecoded = []
            accepted = "gzip, deflate"
        }
    }

    /// Returns the value of `Accept-Encoding` to set.
    ///
    /// - Parameter value: The value in the request.
    /// - Returns: The value; `nil` if URLSession selects the codings.
    func acceptEncoding(for value: String) -> String? {
        // The session's default names the codings of the package, which are not those of URLSession.
        value == HTTPHeader.defaultAcceptEncoding.value ? accepted : value
    }

    /// Returns whether URLSession has decoded a body.
    ///
    /// - Parameters:
    ///   - values: The values of the response's `Content-Encoding` fields.
    ///   - acceptEncoding: The value of the request's `Accept-Encoding`; `nil` if URLSession selects the codings. Then
    ///     it may request and decode the codings of newer systems.
    /// - Returns: Whether all codings of the body have been decoded.
    func decode(_ values: [String], acceptEncoding: String?) -> Bool {
        values.flatMap { $0.split(separator: ",") }
            .map { $0.withoutOptionalWhitespace.lowercased() }
            .allSatisfy { name in
                name.isEmpty || name == "identity" || decoded.contains(name)
                    || acceptEncoding == nil && perhapsDecoded.contains(name)
            }
    }
}
