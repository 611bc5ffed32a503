import Foundation
import HTTPTypes

/// Keys by which a server recognizes a request that it gets again (the `Idempotency-Key` header, draft-ietf-httpapi-idempotency-key-header).
///
///     var resilience = Resilience()
///     resilience.idempotencyKeys = IdempotencyKeys()
///     let session = Session(interceptor: RetryPolicy(), resilience: resilience)
///
/// Each POST and PATCH gets one key, which its retries, resends and redirects keep, and which no other request has. A redirect that
/// changes the method to GET removes it. A request that has the header keeps its value. Requests with the header count as repeatable: ``RetryPolicy`` retries them like a PUT, and they
/// are sent again after the loss of an idle connection. Use the keys only for servers that support them.
public struct IdempotencyKeys: Sendable {
    /// How a key is written.
    public enum Format: Equatable, Sendable {
        /// In quotes, as the draft requires it (a string of RFC 9651).
        case quoted
        /// Without quotes, as Stripe and others document it.
        case bare
    }

    /// How keys are written.
    public var format: Format
    private let makeKey: @Sendable () -> String

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - format: How keys are written.
    ///   - makeKey: Returns a new key of visible ASCII characters and spaces; by default a random UUID. A request whose key is empty
    ///     or has other characters fails with ``RequestValidationError/invalidHeaderValue(name:)``, and is not sent.
    @preconcurrency
    public init(
        format: Format = .quoted,
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) {
        self.format = format
        self.makeKey = makeKey
    }

    /// The name of the header.
    static let fieldName = "Idempotency-Key"

    /// Returns whether a request with this method gets a key.
    static func apply(to method: HTTPMethod) -> Bool { method == .post || method == .patch }

    /// Returns a new key as the value of the header.
    ///
    /// - Throws: ``RequestValidationError/invalidHeaderValue(name:)`` for a key that is empty or cannot be sent unchanged.
    func makeValue() throws(RequestValidationError) -> String {
        let key = makeKey()
        // A string of RFC 9651 is ASCII; spaces at the ends of a bare key would be lost.
        guard key.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), key.utf8.contains(where: { $0 != 0x20 }),
            format == .quoted || !key.hasPrefix(" ") && !key.hasSuffix(" ")
        else { throw .invalidHeaderValue(name: Self.fieldName) }
        switch format {
        case .bare: return key
        case .quoted:
            // RFC 9651, section 4.1.6.
            let escaped = key.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\"\(escaped)\""
        }
    }
}

extension HTTPFields {
    /// Whether the header with an idempotency key is there.
    var hasIdempotencyKey: Bool { HTTPField.Name(IdempotencyKeys.fieldName).map { contains($0) } ?? false }
}

extension URLRequest {
    /// Whether the request has an idempotency key.
    var hasIdempotencyKey: Bool { value(forHTTPHeaderField: IdempotencyKeys.fieldName) != nil }
}
