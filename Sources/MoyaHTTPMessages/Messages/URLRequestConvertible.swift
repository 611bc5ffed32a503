import Foundation

/// A type that can be converted to a `URLRequest`.
///
/// `URLRequest` itself conforms. Conform custom request types to pass them to ``Session`` or a
/// ``ParameterEncoding``.
@preconcurrency
public protocol URLRequestConvertible: Sendable {
    /// Returns the request, or throws if it cannot be created.
    func asURLRequest() throws -> URLRequest
}

extension URLRequestConvertible {
    /// The request, or `nil` if it cannot be created.
    public var urlRequest: URLRequest? { try? asURLRequest() }
}

extension URLRequest: URLRequestConvertible {
    /// Returns the request itself.
    public func asURLRequest() throws -> URLRequest { self }
}
