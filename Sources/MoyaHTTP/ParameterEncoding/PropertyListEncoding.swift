import Foundation

/// A parameter encoding that writes a property list into the body.
///
/// It sets `Content-Type: application/x-plist` unless the request has a content type. Property lists contain text,
/// numbers, Booleans, dates, `Data`, arrays and dictionaries with string keys, but no null.
public struct PropertyListEncoding: ParameterEncoding {
    /// An encoding in the XML format.
    public static var `default`: PropertyListEncoding { PropertyListEncoding() }
    /// An encoding in the XML format.
    public static var xml: PropertyListEncoding { PropertyListEncoding(format: .xml) }
    /// An encoding in the binary format, which is smaller.
    public static var binary: PropertyListEncoding { PropertyListEncoding(format: .binary) }

    /// The format, which must be XML or binary.
    public let format: PropertyListSerialization.PropertyListFormat
    /// The options for `PropertyListSerialization`, which has none at present.
    public let options: PropertyListSerialization.WriteOptions

    /// Creates an encoding.
    public init(
        format: PropertyListSerialization.PropertyListFormat = .xml,
        options: PropertyListSerialization.WriteOptions = 0
    ) {
        self.format = format
        self.options = options
    }

    /// Writes the parameters into the body as a property list with a dictionary as its root.
    ///
    /// - Throws: ``Error``; ``RequestValidationError/invalidURL(_:)`` if the request has no URL.
    @preconcurrency
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
        -> URLRequest
    {
        try encode(urlRequest, withPropertyList: parameters)
    }

    /// Writes a property list into the body: a dictionary, an array, or a single value.
    ///
    /// With `nil`, the request is returned unchanged.
    ///
    /// - Throws: ``Error``; ``RequestValidationError/invalidURL(_:)`` if the request has no URL.
    public func encode(
        _ urlRequest: any URLRequestConvertible,
        withPropertyList propertyList: Any? = nil
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let propertyList else { return request }
        // On Linux, modifying a request without a URL crashes.
        guard request.url != nil else { throw RequestValidationError.invalidURL("") }
        guard format == .xml || format == .binary else { throw Error.unsupportedFormat }
        request.httpBody = try data(propertyList)
        request.setContentTypeIfAbsent("application/x-plist")
        return request
    }

    private func data(_ propertyList: Any) throws -> Data {
        var tree = FoundationTree<Error>(tooDeep: .nestedTooDeeply, leaf: leaf, checkKey: check)
        let tidy = try tree.rebuild(propertyList)
        return try PropertyListSerialization.data(fromPropertyList: tidy, format: format, options: options)
    }

    /// Returns a leaf if a property list can represent it and Foundation writes it correctly.
    private func leaf(_ value: Any?, path: ParameterPath) throws(Error) -> Any {
        switch value {
        case let text as String:
            try check(text, path: path)
            return text
        case let date as Date:
            let isWritable = format == .xml ? date.hasFourDigitYear : date.timeIntervalSinceReferenceDate.isFinite
            guard isWritable else { throw Error.unrepresentableDate(path: path.text) }
            return date
        case let data as Data:
            return data
        case let number as NSNumber:
            return number
        default:
            throw Error.invalidValue(path: path.text, type: value.map { "\(type(of: $0))" } ?? "nil")
        }
    }

    /// Checks that a text or key contains only characters that the format can represent.
    private func check(_ text: String, path: ParameterPath) throws(Error) {
        guard format == .binary || text.unicodeScalars.allSatisfy(\.isInXML) else {
            throw Error.invalidText(path: path.text)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a character of XML 1.0 (section 2.2).
    fileprivate var isInXML: Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

extension PropertyListEncoding {
    /// An error for parameters that cannot be encoded as a property list.
    ///
    /// A path identifies the parameter, as in `user.scores[2]`; values are never included.
    public struct Error: RequestDefinitionError, MatchableError, Sendable {
        /// The reason for the error.
        public enum Reason: Hashable, Sendable {
            /// A property list cannot represent a value of this type, such as `nil` and `NSNull`.
            case invalidValue(path: String, type: String)
            /// A text or a key contains a control character, which XML cannot represent.
            case invalidText(path: String)
            /// A date is infinite or NaN, or XML cannot represent its year.
            case unrepresentableDate(path: String)
            /// Arrays and dictionaries are nested more than 512 levels deep.
            case nestedTooDeeply
            /// The format is neither `.xml` nor `.binary`.
            case unsupportedFormat
        }

        /// The reason for the error.
        public let reason: Reason
        package var origin = ErrorOrigin()

        /// Creates an error.
        public init(_ reason: Reason) { self.reason = reason }
    }
}

extension PropertyListEncoding.Error {
    /// Creates an error with ``Reason/invalidValue(path:type:)``.
    public static func invalidValue(path: String, type: String) -> Self { Self(.invalidValue(path: path, type: type)) }
    /// Creates an error with ``Reason/invalidText(path:)``.
    public static func invalidText(path: String) -> Self { Self(.invalidText(path: path)) }
    /// Creates an error with ``Reason/unrepresentableDate(path:)``.
    public static func unrepresentableDate(path: String) -> Self { Self(.unrepresentableDate(path: path)) }
    /// An error with ``Reason/nestedTooDeeply``.
    public static let nestedTooDeeply = Self(.nestedTooDeeply)
    /// An error with ``Reason/unsupportedFormat``.
    public static let unsupportedFormat = Self(.unsupportedFormat)
}

extension PropertyListEncoding.Error: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        switch reason {
        case .invalidValue(let path, let type):
            "The value at \(path) is of type \(type), which a property list cannot represent."
        case .invalidText(let path):
            "The text at \(path) has a control character, which XML cannot represent: use .binary, or send Data."
        case .unrepresentableDate(let path):
            "The date at \(path) is infinite, or its year does not have four digits: a property list cannot hold it."
        case .nestedTooDeeply:
            AnyParameter.tooDeep
        case .unsupportedFormat:
            "The format of a property list must be .xml or .binary."
        }
    }
}
