import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A type that can be converted to a URL.
public protocol URLConvertible: Sendable {
    /// Returns the URL, or throws ``AlamofireError/invalidURL(url:)``.
    func asURL() throws -> URL
}

extension String: URLConvertible {
    /// Creates a URL from the text, which must be one.
    public func asURL() throws -> URL {
        guard let url = URL(strictly: self) else {
            throw AlamofireError.invalidURL(url: self)
        }
        return url
    }
}

extension URL: URLConvertible {
    /// Returns the URL itself.
    public func asURL() throws -> URL { self }
}

extension URLComponents: URLConvertible {
    /// Returns the URL of the components.
    public func asURL() throws -> URL {
        guard let url else { throw AlamofireError.invalidURL(url: self) }
        return url
    }
}

extension URLRequest {
    /// Creates a request with a method and headers.
    ///
    /// - Throws: ``AlamofireError/invalidURL(url:)``.
    public init(url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders? = nil) throws {
        self.init(url: try url.asURL())
        httpMethod = method.rawValue
        allHTTPHeaderFields = headers?.dictionary
    }
}

extension Session {
    /// Prepares a request with parameters.
    ///
    /// Reading its value throws the errors of the URL and of the encoding.
    @preconcurrency
    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: any Sendable]? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil
    ) -> Request {
        request(
            RequestParts(
                url: convertible,
                method: method,
                parameters: parameters,
                encoding: encoding,
                headers: headers
            ),
            interceptor: interceptor
        )
    }
}

/// What a request is created from.
private struct RequestParts: URLRequestConvertible {
    let url: any URLConvertible
    let method: HTTPMethod
    let parameters: [String: any Sendable]?
    let encoding: any ParameterEncoding
    let headers: HTTPHeaders?

    func asURLRequest() throws -> URLRequest {
        try encoding.encode(URLRequest(url: url, method: method, headers: headers), with: parameters)
    }
}
