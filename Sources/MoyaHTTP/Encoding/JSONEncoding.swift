import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Encodes parameters as JSON (RFC 8259) into the body, with `Content-Type: application/json` unless the request has a
/// content type already. The order of keys is not specified.
public struct JSONEncoding: ParameterEncoding {
    /// Why parameters could not become JSON.
    public struct Error: RequestMistake, LocalizedError, Equatable, Sendable {
        /// Something in the parameters is neither text, number, Boolean, null, array nor a dictionary by text; a
        /// number is not finite.
        public static let invalidJSONObject = Error(reason: .invalidJSONObject)
        /// Arrays and dictionaries lie more than 512 levels deep in each other.
        public static let nestedTooDeeply = Error(reason: .nestedTooDeeply)

        private enum Reason { case invalidJSONObject, nestedTooDeeply }

        private let reason: Reason
        package var origin: ErrorOrigin?

        /// What is wrong, and what to send instead.
        public var errorDescription: String? {
            switch reason {
            case .invalidJSONObject:
                text(
                    "The parameters hold a value that JSON has no form for: send texts, finite numbers, Booleans, "
                        + "NSNull, arrays and dictionaries."
                )
            case .nestedTooDeeply:
                text("The parameters are nested more than \(AnyParameter.deepestLevel) levels deep: send flatter ones.")
            }
        }

        /// Whether the reasons are the same.
        public static func == (lhs: Self, rhs: Self) -> Bool { lhs.reason == rhs.reason }

        /// Whether another error is this one, so that it can stand in a `case` or a `catch`.
        public static func ~= (pattern: Self, error: any Swift.Error) -> Bool { error as? Self == pattern }
    }

    /// Compact.
    public static var `default`: JSONEncoding { JSONEncoding() }
    /// With line breaks and indentation.
    public static var prettyPrinted: JSONEncoding { JSONEncoding(options: .prettyPrinted) }

    /// What `JSONSerialization` is told.
    public let options: JSONSerialization.WritingOptions

    /// Makes an encoding.
    public init(options: JSONSerialization.WritingOptions = []) { self.options = options }

    /// Puts the parameters into the body as a JSON object.
    ///
    /// - Throws: ``Error/invalidJSONObject`` or ``Error/nestedTooDeeply``.
    @preconcurrency
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        try encode(urlRequest, withJSONObject: parameters)
    }

    /// Puts any JSON value into the body: an object, an array, or a text, a number, a Boolean or `NSNull` by itself.
    /// `nil` leaves the request as it is.
    ///
    /// - Throws: ``Error/invalidJSONObject`` or ``Error/nestedTooDeeply``; ``RequestValidationError/invalidURL(_:)`` if the request has no URL.
    public func encode(
        _ urlRequest: any URLRequestConvertible,
        withJSONObject jsonObject: Any? = nil
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let jsonObject else { return request }
        // On Linux to change a request without a URL ends the process.
        guard request.url != nil else { throw RequestValidationError.invalidURL("") }
        var tree = FoundationTree<Error>(tooDeep: .nestedTooDeeply, leaf: Self.checked)
        let object = try tree.rebuilt(jsonObject)
        request.httpBody = try JSONSerialization.data(withJSONObject: object, options: options.union(.fragmentsAllowed))
        request.setContentTypeIfAbsent("application/json")
        return request
    }

    /// A leaf that JSON has a form for. Foundation is asked about the odd ones only: on Linux it takes longer to look at a tree
    /// than to write it.
    private static func checked(_ leaf: Any?, _ path: ParameterPath) throws(Error) -> Any {
        guard let leaf else { return NSNull() }
        // Of the usual ones only a Double may have none.
        if AnyParameter.isUsual(leaf), type(of: leaf) != Double.self { return leaf }
        // An array around the value asks whether the value itself is valid: alone, only collections are.
        guard JSONSerialization.isValidJSONObject([leaf]) else { throw .invalidJSONObject }
        return leaf
    }
}
