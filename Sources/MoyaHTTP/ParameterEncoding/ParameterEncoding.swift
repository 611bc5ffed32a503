import Foundation

/// A type that writes parameters into a request.
///
/// The library provides ``URLEncoding``, ``JSONEncoding``, ``PropertyListEncoding`` and ``EncodableFormEncoding``.
/// Implement the protocol for another format:
///
///     struct CSVEncoding: ParameterEncoding {
///         func encode(
///             _ urlRequest: any URLRequestConvertible,
///             with parameters: [String: any Sendable]?
///         ) throws -> URLRequest {
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
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws -> URLRequest
}

/// A parameter encoding that writes an `Encodable` value as `name=value` pairs into the query of the URL, or into
/// the body as a form (`application/x-www-form-urlencoded`).
///
/// It can be used as any ``ParameterEncoding``. The value is always encoded. Parameters follow after it, in the
/// encoder's styles for arrays, Booleans and escaping. An empty query leaves the URL unchanged.
public struct EncodableFormEncoding: ParameterEncoding {
    /// The value, whose top level must have names: a struct or a dictionary.
    public let value: any Encodable & Sendable
    /// The encoder with the styles.
    public let encoder: URLEncodedFormEncoder
    /// The destination of the pairs.
    public let destination: URLEncoding.Destination

    /// Creates an encoding of a value.
    @preconcurrency
    public init(
        _ value: any Encodable & Sendable,
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: URLEncoding.Destination = .methodDependent
    ) {
        self.value = value
        self.encoder = encoder
        self.destination = destination
    }

    /// Writes the value and the parameters into the query or the body.
    ///
    /// For a body, it sets `Content-Type: application/x-www-form-urlencoded; charset=utf-8` unless the request has
    /// a content type.
    ///
    /// - Throws: ``URLEncodedFormEncoder/Error`` or the error of the value's `encode(to:)`;
    ///   ``URLEncoding/Error/nestedTooDeeply`` for parameters; ``RequestValidationError/invalidURL(_:)`` if the
    ///   request has no URL.
    @preconcurrency
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
        -> URLRequest
    {
        var request = try urlRequest.asURLRequest()
        var form = try encoder.form(of: value)
        let pairs = ParameterPairs(arrayEncoding: encoder.arrayEncoding, boolEncoding: encoder.boolEncoding)
        for pair in try pairs.pairs(parameters ?? [:]) { form.append(name: pair.name, value: pair.value) }
        try request.putForm(form.text, into: destination)
        return request
    }
}
