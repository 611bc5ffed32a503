import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Something that a `URLRequest` can be made from.
///
/// `URLRequest` itself is one; let your own request types conform to hand them to ``Session`` or a ``ParameterEncoding``.
@preconcurrency
public protocol URLRequestConvertible: Sendable {
    /// Makes the request, or throws what stands in the way.
    func asURLRequest() throws -> URLRequest
}

extension URLRequestConvertible {
    /// The request, or `nil` where none can be made.
    public var urlRequest: URLRequest? { try? asURLRequest() }
}

extension URLRequest: URLRequestConvertible {
    /// The request itself.
    public func asURLRequest() throws -> URLRequest { self }
}
