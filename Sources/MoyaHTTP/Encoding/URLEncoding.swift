import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Encodes parameters as `name=value` pairs, into the URL's query or into the body as a form
/// (`application/x-www-form-urlencoded`).
///
/// Pairs are sorted by name. Everything is percent-encoded in UTF-8 except the unreserved characters of RFC 3986
/// (section 2.3) and `/` and `?`, which a query may hold as they are (section 3.4). There is no published rule for
/// collections, so ``ArrayEncoding`` and ``BoolEncoding`` choose one; dictionaries become `name[key]=value`. `nil` and
/// `NSNull` are left out.
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
    /// - Throws: ``RequestValidationError/invalidURL(_:)`` if the request has no URL.
    @preconcurrency
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        // On Linux to change a request without a URL ends the process.
        guard let url = request.url else { throw RequestValidationError.invalidURL("") }
        if destination.isQuery(for: request.httpMethod) {
            guard !parameters.isEmpty else { return request }
            guard let extended = url.appendingQuery(query(parameters)) else {
                throw RequestValidationError.invalidURL(url.withoutCredentials.absoluteString)
            }
            request.url = extended
        } else {
            request.setContentTypeIfAbsent("application/x-www-form-urlencoded; charset=utf-8")
            request.httpBody = Data(query(parameters).utf8)
        }
        return request
    }

    /// The escaped pairs that a value gives under a name.
    public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
        switch AnyParameter.unwrapped(value) {
        case nil, is NSNull:
            return []
        case let dictionary as [String: Any]:
            return dictionary.sorted { $0.key < $1.key }
                .flatMap { queryComponents(fromKey: "\(key)[\($0.key)]", value: $0.value) }
        case let array as [Any]:
            return array.enumerated().flatMap { index, element in
                queryComponents(fromKey: arrayEncoding.name(for: key, at: index), value: element)
            }
        case let value?:
            let text = AnyParameter.boolean(value).map(boolEncoding.text) ?? "\(value)"
            return [(escape(key), escape(text))]
        }
    }

    /// Percent-encodes a text for a query or a form.
    public func escape(_ string: String) -> String { string.percentEncodedForQuery }

    private func query(_ parameters: Parameters) -> String {
        parameters.sorted { $0.key < $1.key }
            .flatMap { queryComponents(fromKey: $0.key, value: $0.value) }
            .map { "\($0)=\($1)" }
            .joined(separator: "&")
    }
}
