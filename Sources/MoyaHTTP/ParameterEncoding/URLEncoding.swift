import Foundation

/// A parameter encoding that writes `name=value` pairs into the query of the URL, or into the body as a form
/// (`application/x-www-form-urlencoded`).
///
/// Pairs are sorted by name. All characters are percent-encoded in UTF-8, except the unreserved characters of RFC
/// 3986 (section 2.3) and `/` and `?`, which are allowed in a query (section 3.4). `nil` and `NSNull` are omitted. Other values are
/// written as follows; no standard defines a form for collections and Booleans.
///
/// - Arrays and Booleans have the style of ``ArrayEncoding`` and ``BoolEncoding``, and dictionaries are written as
///   `name[key]=value`. Sets are written as arrays, sorted by the text of their elements.
/// - `Data` is written in Base64 (RFC 4648, section 4), a date in ISO 8601 (RFC 3339), and an enumeration as its case.
/// - Whole numbers have no fraction: `100.0` is written as `100` on every platform, like Foundation does on Apple's.
/// - A value that conforms to `CustomStringConvertible` is written as its description, and any other `Encodable` value as
///   ``URLEncodedFormEncoder`` writes it. All other values, and numbers that are not finite, cause an error.
///
/// For other styles, use ``URLEncodedFormEncoder``.
public struct URLEncoding: ParameterEncoding {
    /// The destination of the pairs.
    public enum Destination: Sendable {
        /// The query for GET, HEAD and DELETE, the body otherwise.
        case methodDependent
        /// The query, after existing pairs.
        case queryString
        /// The body.
        case httpBody

        func isQuery(for method: String?) -> Bool {
            switch self {
            case .methodDependent: ["GET", "HEAD", "DELETE"].contains(method ?? "GET")
            case .queryString: true
            case .httpBody: false
            }
        }
    }

    /// An error for parameters that cannot be encoded.
    public struct Error: RequestDefinitionError, MaskedError, MatchableError, Sendable {
        /// Arrays and dictionaries are nested more than 512 levels deep.
        public static let nestedTooDeeply = Error(reason: .nestedTooDeeply)

        /// Creates an error for a parameter whose type has no text and is not `Encodable`.
        public static func unsupportedValue(name: String, type: String) -> Error {
            Error(reason: .unsupportedValue(name: name, type: type))
        }

        /// Creates an error for a parameter that is NaN or infinite, which has no common text.
        public static func nonFiniteNumber(name: String) -> Error { Error(reason: .nonFiniteNumber(name: name)) }

        private enum Reason: Equatable {
            case nestedTooDeeply
            case nonFiniteNumber(name: String)
            case unsupportedValue(name: String, type: String)
        }

        private let reason: Reason
        package var origin = ErrorOrigin()

        /// A sentence that describes the problem and a remedy.
        public var errorDescription: String? {
            switch reason {
            case .nestedTooDeeply:
                text(AnyParameter.tooDeep)
            case .nonFiniteNumber(let name):
                text("The parameter \(name) is a number that is NaN or infinite: pass a finite number, or a string.")
            case .unsupportedValue(let name, let type):
                text(
                    "The parameter \(name) is of the type \(type), which has no text: make it Encodable, or pass a string."
                )
            }
        }

        private init(reason: Reason) { self.reason = reason }
    }

    /// The style for the names of array elements.
    public enum ArrayEncoding: Sendable {
        /// Empty brackets: `name[]=1&name[]=2`.
        case brackets
        /// No brackets: `name=1&name=2`.
        case noBrackets
        /// The index in brackets: `name[0]=1&name[1]=2`.
        case indexInBrackets
        /// A function of the name of the array and the index of the element.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)

        func name(for key: String, at index: Int) -> String {
            switch self {
            case .brackets: "\(key)[]"
            case .noBrackets: key
            case .indexInBrackets: "\(key)[\(index)]"
            case .custom(let name): name(key, index)
            }
        }
    }

    /// The style for Booleans.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal

        func text(for value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// An encoding whose destination depends on the method, with brackets for arrays, and Booleans as numbers.
    public static var `default`: URLEncoding { URLEncoding() }
    /// An encoding that always writes into the query.
    public static var queryString: URLEncoding { URLEncoding(destination: .queryString) }
    /// An encoding that always writes into the body.
    public static var httpBody: URLEncoding { URLEncoding(destination: .httpBody) }

    /// The destination of the pairs.
    public let destination: Destination
    /// The style for the names of array elements.
    public let arrayEncoding: ArrayEncoding
    /// The style for Booleans.
    public let boolEncoding: BoolEncoding

    /// Creates an encoding.
    public init(
        destination: Destination = .methodDependent,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// Writes the parameters into the query or the body.
    ///
    /// For a body, it sets `Content-Type: application/x-www-form-urlencoded; charset=utf-8` unless the request has
    /// a content type.
    ///
    /// - Throws: ``Error``; ``URLEncodedFormEncoder/Error`` or the error of `encode(to:)` for an `Encodable` value;
    ///   ``RequestValidationError/invalidURL(_:)`` if the request has no URL.
    @preconcurrency
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
        -> URLRequest
    {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        var form = FormText(escaping: FormEscaping(rule: .rfc3986, space: .percentEscaped))
        for pair in try pairs.pairs(parameters) { form.append(name: pair.name, value: pair.value) }
        try request.putForm(form.text, into: destination)
        return request
    }

    /// Returns the escaped pairs of a value with a name; empty if it cannot be encoded.
    public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
        let pairs = try? self.pairs.pairs(name: key, value: value)
        return pairs?.map { (escape($0.name), escape($0.value)) } ?? []
    }

    /// Returns a text percent-encoded for a query or a form.
    public func escape(_ string: String) -> String { string.percentEncodedForQuery }

    private var pairs: ParameterPairs { ParameterPairs(arrayEncoding: arrayEncoding, boolEncoding: boolEncoding) }
}
