import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A parameter encoding that writes JSON (RFC 8259) into the body.
///
/// It sets `Content-Type: application/json` unless the request has a content type. The order of keys is
/// unspecified.
public struct JSONEncoding: ParameterEncoding {
    /// An error for parameters that cannot be encoded as JSON.
    public struct Error: RequestDefinitionError, MaskedError, MatchableError, Sendable {
        /// The parameters contain a value that is not text, a finite number, a Boolean, null, an array or a
        /// dictionary with string keys.
        public static let invalidJSONObject = Error(reason: .invalidJSONObject)
        /// Arrays and dictionaries are nested more than 512 levels deep.
        public static let nestedTooDeeply = Error(reason: .nestedTooDeeply)

        private enum Reason { case invalidJSONObject, nestedTooDeeply }

        private let reason: Reason
        package var origin = ErrorOrigin()

        /// A sentence that describes the problem and a remedy.
        public var errorDescription: String? {
            switch reason {
            case .invalidJSONObject:
                text(
                    "The parameters have a value that JSON cannot represent: send strings, finite numbers, Booleans, "
                        + "NSNull, arrays and dictionaries."
                )
            case .nestedTooDeeply:
                text(AnyParameter.tooDeep)
            }
        }
    }

    /// An encoding that writes compact JSON.
    public static var `default`: JSONEncoding { JSONEncoding() }
    /// An encoding that writes JSON with line breaks and indentation.
    public static var prettyPrinted: JSONEncoding { JSONEncoding(options: .prettyPrinted) }

    /// The options for `JSONSerialization`.
    public let options: JSONSerialization.WritingOptions

    /// Creates an encoding.
    public init(options: JSONSerialization.WritingOptions = []) { self.options = options }

    /// Writes the parameters into the body as a JSON object.
    ///
    /// - Throws: ``Error/invalidJSONObject`` or ``Error/nestedTooDeeply``.
    @preconcurrency
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
        -> URLRequest
    {
        try encode(urlRequest, withJSONObject: parameters)
    }

    /// Writes a JSON value into the body: an object, an array, text, a number, a Boolean or `NSNull`.
    ///
    /// With `nil`, the request is returned unchanged.
    ///
    /// - Throws: ``Error/invalidJSONObject`` or ``Error/nestedTooDeeply``;
    ///   ``RequestValidationError/invalidURL(_:)`` if the request has no URL.
    public func encode(
        _ urlRequest: any URLRequestConvertible,
        withJSONObject jsonObject: Any? = nil
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let jsonObject else { return request }
        // On Linux, modifying a request without a URL crashes.
        guard request.url != nil else { throw RequestValidationError.invalidURL("") }
        request.httpBody = try data(jsonObject)
        request.setContentTypeIfAbsent("application/json")
        return request
    }

    #if canImport(Darwin)
        private func data(_ value: Any) throws -> Data {
            var tree = FoundationTree<Error>(tooDeep: .nestedTooDeeply, leaf: Self.checked)
            let object = try tree.rebuilt(value)
            return try JSONSerialization.data(withJSONObject: object, options: options.union(.fragmentsAllowed))
        }

        /// Returns a leaf if JSON can represent it.
        private static func checked(_ leaf: Any?, _ path: ParameterPath) throws(Error) -> Any {
            guard let leaf else { return NSNull() }
            // Of the common types, only a Double may be invalid.
            if AnyParameter.isUsual(leaf), type(of: leaf) != Double.self { return leaf }
            // Wrapped in an array, since JSONSerialization validates only collections.
            guard JSONSerialization.isValidJSONObject([leaf]) else { throw .invalidJSONObject }
            return leaf
        }
    #else
        private func data(_ value: Any) throws -> Data { try JSONParameterWriter.data(value, options: options) }
    #endif
}
