import Foundation

extension Endpoint {
    /// Makes the request.
    ///
    /// - Throws: ``MoyaError/requestMapping(_:)`` with ``url`` if that is no URL,
    ///   ``MoyaError/encodableMapping(_:)`` if a value cannot be encoded, ``MoyaError/parameterEncoding(_:)`` if the
    ///   parameters cannot.
    public func urlRequest() throws -> URLRequest { try urlRequest(sending: task) }

    /// Makes the request for a task in place of the endpoint's own.
    func urlRequest(sending task: HTTPTask) throws -> URLRequest {
        guard let requestURL = URL(strictly: url) else {
            throw MoyaError.requestMapping(url)
        }
        var request = URLRequest(url: requestURL)
        // What a new request has already: to say it again costs as much as to make it, on Linux.
        if method != .get { request.httpMethod = method.rawValue }
        if let httpHeaderFields { request.allHTTPHeaderFields = httpHeaderFields }
        try task.encode(into: &request)
        return request
    }
}

extension URL {
    /// A URL from text that is one already: current Foundation would escape what is not.
    package init?(strictly text: String) {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            // Older systems know no other way.
            self.init(string: text)
        }
    }
}
