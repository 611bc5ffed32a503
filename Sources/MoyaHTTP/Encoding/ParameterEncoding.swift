import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The parameters of a request, by name.
public typealias Parameters = [String: any Sendable]

/// A type that writes parameters into a request.
///
/// The library provides ``URLEncoding``, ``JSONEncoding``, ``PropertyListEncoding`` and ``EncodableFormEncoding``.
/// Implement the protocol for another format:
///
///     struct CSVEncoding: ParameterEncoding {
///         func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
///             var request = try urlRequest.asURLRequest()
///             let names = (parameters ?? [:]).keys.sorted()
///             request.httpBody = Data(names.joined(separator: ",").utf8)
///             return request
///         }
///     }
@preconcurrency
public protocol ParameterEncoding: Sendable {
    /// Returns the request with the parameters.
    ///
    /// - Parameters:
    ///   - urlRequest: The request without the parameters, including its headers.
    ///   - parameters: The parameters; with `nil`, the request is returned unchanged.
    /// - Returns: The request with the parameters.
    /// - Throws: Any error. A provider wraps it in `MoyaError.parameterEncoding`.
    @preconcurrency
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest
}
