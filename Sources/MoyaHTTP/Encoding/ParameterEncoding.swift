import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Parameters of a request, by name.
public typealias Parameters = [String: any Sendable]

/// Puts parameters into a request.
///
/// ``URLEncoding``, ``JSONEncoding``, ``PropertyListEncoding`` and ``EncodableFormEncoding`` are ready-made. Write your
/// own for another format:
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
    /// Makes the request that has the parameters in it.
    ///
    /// - Parameters:
    ///   - urlRequest: The request so far, headers included.
    ///   - parameters: What to put in; `nil` asks for the request as it is.
    /// - Throws: Whatever stands in the way; callers of a provider get it in `MoyaError.parameterEncoding`.
    @preconcurrency
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest
}
