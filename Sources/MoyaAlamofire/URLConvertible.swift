import Foundation
import Moya
import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A type that can be converted to a URL.
public protocol URLConvertible: Sendable {
    /// Returns the URL, or throws ``AlamofireError/invalidURL(url:)``.
    func asURL() throws -> URL
}

extension String: URLConvertible {
    /// Creates a URL from the text, which must be a valid URL.
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
    /// Changes a request before it is sent.
    @preconcurrency
    public typealias RequestModifier = @Sendable (inout URLRequest) throws -> Void

    /// Creates a request with parameters.
    ///
    /// Reading its value throws the errors of the URL, of the encoding and of the modifier.
    @preconcurrency
    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: any Sendable]? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> Request {
        request(
            RequestParts(
                url: convertible,
                method: method,
                headers: headers,
                parameters: parameters,
                encoding: encoding,
                modifier: requestModifier
            ),
            interceptor: interceptor
        )
    }

    /// Creates a request that sends a form; the function adds the parts.
    public func upload(
        multipartFormData: (RequestMultipartFormData) -> Void,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil
    ) -> Request {
        upload(
            multipartFormData: multipartFormData,
            with: RequestParts(url: url, method: method, headers: headers),
            interceptor: interceptor
        )
    }

    /// Creates a request that sends a form; the function adds the parts.
    public func upload(
        multipartFormData: (RequestMultipartFormData) -> Void,
        with request: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil
    ) -> Request {
        let form = RequestMultipartFormData()
        multipartFormData(form)
        return upload(multipartFormData: form, with: request, interceptor: interceptor)
    }

    /// Not supported: downloads are tasks of targets.
    @available(*, unavailable, message: "Write a target with the task .downloadDestination(_:).")
    @_disfavoredOverload
    @preconcurrency
    public func download(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: any Sendable]? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> Request { request(convertible) }
}

extension Session {
    /// Not supported: the body of a response is an async sequence.
    @available(
        *,
        unavailable,
        message: "Write `let (response, body) = try await session.stream(for: request)`, or provider.stream(_:)."
    )
    public func streamRequest(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        headers: HTTPHeaders? = nil,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> Request { request(convertible) }
}

/// The parts from which a request is created.
struct RequestParts: URLRequestConvertible {
    let url: any URLConvertible
    let method: HTTPMethod
    let headers: HTTPHeaders?
    var parameters: [String: any Sendable]?
    var encoding: any ParameterEncoding = URLEncoding.default
    var modifier: Session.RequestModifier?

    func asURLRequest() throws -> URLRequest {
        var request = try URLRequest(url: url, method: method, headers: headers)
        try modifier?(&request)
        return try encoding.encode(request, with: parameters)
    }
}
