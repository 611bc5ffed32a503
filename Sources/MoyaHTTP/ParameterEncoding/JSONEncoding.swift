import Foundation

/// A parameter encoding that writes JSON (RFC 8259) into the body.
///
/// It sets `Content-Type: application/json` unless the request has a content type. The order of keys is
/// unspecified.
///
/// Parameters can be strings, finite numbers, Booleans, `nil` and `NSNull`, arrays, and dictionaries with string keys. Other
/// types, which ``URLEncoding`` writes as text, cause an error that names the parameter: a date, `Data` or an `Encodable` type has
/// several forms in JSON, and only an encoder defines which one. Send such values with
/// `HTTPTask.requestJSONEncodable` or `HTTPTask.requestCustomJSONEncodable`.
public struct JSONEncoding: ParameterEncoding {
    /// An error for parameters that cannot be encoded as JSON.
    public struct Error: RequestDefinitionError, MaskedError, MatchableError, Sendable {
        /// The parameters contain a value that is not text, a finite number, a Boolean, null, an array or a
        /// dictionary with string keys.
        public static let invalidJSONObject = Error(reason: .invalidJSONObject)
        /// Arrays and dictionaries are nested more than 512 levels deep.
        public static let nestedTooDeeply = Error(reason: .nestedTooDeeply)

        private enum Reason { case invalidJSONObject, nestedTooDeeply }

        /// A value that JSON cannot represent, for the error text.
        ///
        /// It does not affect equality.
        private struct Value: Sendable {
            var path: ParameterPath
            let type: String
            let isNumber: Bool
        }

        private let reason: Reason
        private var value: Value?
        package var origin = ErrorOrigin()

        /// A sentence that describes the problem and a remedy.
        public var errorDescription: String? {
            switch reason {
            case .invalidJSONObject where value != nil:
                text(valueText)
            case .invalidJSONObject:
                text(
                    "The parameters have a value that JSON cannot represent: send strings, finite numbers, Booleans, "
                        + "NSNull, arrays and dictionaries."
                )
            case .nestedTooDeeply:
                text(AnyParameter.tooDeep)
            }
        }

        /// Returns whether the reasons are equal; the parameter is not compared.
        public static func == (lhs: Error, rhs: Error) -> Bool { lhs.reason == rhs.reason }

        private var valueText: String {
            guard let value else { return "" }
            let parameter = value.path.isEmpty ? "The value" : "The parameter \(value.path.text)"
            if value.isNumber {
                return "\(parameter) is a number that is NaN or infinite: send a finite number, or a string."
            }
            return
                "\(parameter) is of the type \(value.type), which JSON cannot represent: send a string, a finite number, "
                + "a Boolean, NSNull, an array or a dictionary, or send the whole body with requestJSONEncodable, which encodes "
                + "every Encodable type."
        }

        private init(reason: Reason) { self.reason = reason }

        /// Creates an error for a value that JSON cannot represent, equal to ``invalidJSONObject``.
        init(unsupported value: Any, at path: ParameterPath = ParameterPath()) {
            reason = .invalidJSONObject
            self.value = Value(path: path, type: "\(type(of: value))", isNumber: !AnyParameter.isFinite(value))
        }

        /// Returns the error for a value that is nested in another one.
        func inside(_ step: ParameterPath.Step) -> Error {
            var error = self
            error.value?.path.prepend(step)
            return error
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

    private func data(_ value: Any) throws -> Data {
        #if canImport(Darwin)
        try JSONFoundationWriter.data(value, options: options)
        #else
        try JSONParameterWriter.data(value, options: options)
        #endif
    }
}
