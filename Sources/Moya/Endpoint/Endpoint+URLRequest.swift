import Foundation

extension Endpoint {
    /// Creates the request.
    ///
    /// - Throws: ``MoyaError/requestMapping(_:)`` with ``url`` if it is not a valid URL,
    ///   ``MoyaError/encodableMapping(_:)`` if a value cannot be encoded, ``MoyaError/parameterEncoding(_:)`` if the
    ///   parameters cannot be encoded.
    public func urlRequest() throws -> URLRequest { try urlRequest(sending: task) }

    /// Creates the request with a task that replaces the endpoint's own.
    func urlRequest(sending task: HTTPTask) throws -> URLRequest {
        guard let requestURL = URL(strictly: url) else {
            throw MoyaError.requestMapping(url)
        }
        var request = URLRequest(url: requestURL)
        // A new request has these defaults already; setting them again costs as much as creating the request, on
        // Linux.
        if method != .get { request.httpMethod = method.rawValue }
        if let httpHeaderFields { request.allHTTPHeaderFields = httpHeaderFields }
        try task.encode(into: &request)
        return request
    }
}

extension URL {
    /// Creates a URL from text that is already escaped; current Foundation would escape invalid characters instead of
    /// failing.
    package init?(strictly text: String) {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            // Older systems have no other initializer.
            self.init(string: text)
        }
    }
}
