import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Encodes parameters as `name=value` pairs, into the URL's query or into the body as a form
/// (`application/x-www-form-urlencoded`).
///
/// Pairs are sorted by name. Everything is percent-encoded in UTF-8 except the unreserved characters of RFC 3986
/// (section 2.3) and `/` and `?`, which a query may hold as they are (section 3.4). There is no published rule for
/// collections, so ``ArrayEncoding`` and ``BoolEncoding`` choose one; dictionaries become `name[key]=value`. Sets are
/// arrays in the order of their elements' texts; `Data` is written in base 64 (RFC 4648, section 4), anything else as
/// its description. `nil` and `NSNull` are left out. For `Encodable` values and other styles there is
/// ``URLEncodedFormEncoder``.
public struct URLEncoding: ParameterEncoding {
    /// Where the pairs go.
    public enum Destination: Sendable {
        /// Into the query for GET, HEAD and DELETE, into the body otherwise.
        case methodDependent
        /// Into the query, after what it has already.
        case queryString
        /// Into the body.
        case httpBody

        func isQuery(for method: String?) -> Bool {
            switch self {
            case .methodDependent: ["GET", "HEAD", "DELETE"].contains(method ?? "GET")
            case .queryString: true
            case .httpBody: false
            }
        }
    }

    /// Why parameters could not be encoded.
    public struct Error: RequestMistake, LocalizedError, Equatable, Sendable {
        /// Arrays and dictionaries lie more than 512 levels deep in each other.
        public static let nestedTooDeeply = Error()

        package var origin: ErrorOrigin?

        /// What is wrong, and what to send instead.
        public var errorDescription: String? {
            text("The parameters are nested more than \(AnyParameter.deepestLevel) levels deep: send flatter ones.")
        }

        /// True: there is one reason.
        public static func == (lhs: Self, rhs: Self) -> Bool { true }

        /// Whether another error is this one, so that it can stand in a `case` or a `catch`.
        public static func ~= (pattern: Self, error: any Swift.Error) -> Bool { error as? Self == pattern }
    }

    /// How the name of an array's element is written.
    public enum ArrayEncoding: Sendable {
        /// `name[]=1&name[]=2`
        case brackets
        /// `name=1&name=2`
        case noBrackets
        /// `name[0]=1&name[1]=2`
        case indexInBrackets
        /// As the function says, given the array's name and the element's index.
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

    /// How a Boolean is written.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal

        func text(for value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// Method-dependent, arrays in brackets, Booleans as numbers.
    public static var `default`: URLEncoding { URLEncoding() }
    /// Always into the query.
    public static var queryString: URLEncoding { URLEncoding(destination: .queryString) }
    /// Always into the body.
    public static var httpBody: URLEncoding { URLEncoding(destination: .httpBody) }

    /// Where the pairs go.
    public let destination: Destination
    /// How arrays are written.
    public let arrayEncoding: ArrayEncoding
    /// How Booleans are written.
    public let boolEncoding: BoolEncoding

    /// Makes an encoding.
    public init(
        destination: Destination = .methodDependent,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// Puts the parameters into the query or the body.
    ///
    /// A body gets `Content-Type: application/x-www-form-urlencoded; charset=utf-8` unless the request has a content
    /// type already.
    ///
    /// - Throws: ``Error/nestedTooDeeply``; ``RequestValidationError/invalidURL(_:)`` if the request has no URL.
    @preconcurrency
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        var form = FormText(escaping: FormEscaping(rule: .rfc3986, space: .percentEscaped))
        for pair in try pairs.pairs(parameters) { form.append(name: pair.name, value: pair.value) }
        try request.putForm(form.text, into: destination)
        return request
    }

    /// The escaped pairs that a value gives under a name; none if it has more than 512 levels.
    public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
        let pairs = try? self.pairs.pairs(name: key, value: value)
        return pairs?.map { (escape($0.name), escape($0.value)) } ?? []
    }

    /// Percent-encodes a text for a query or a form.
    public func escape(_ string: String) -> String { string.percentEncodedForQuery }

    private var pairs: ParameterPairs { ParameterPairs(arrayEncoding: arrayEncoding, boolEncoding: boolEncoding) }
}
