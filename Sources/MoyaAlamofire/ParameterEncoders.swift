import Foundation
import Moya
import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A type that writes an `Encodable` value into a request.
public protocol ParameterEncoder: Sendable {
    /// Returns the request with the value; for `nil`, the unchanged request.
    func encode<Parameters: Encodable & Sendable>(_ parameters: Parameters?, into request: URLRequest) throws
        -> URLRequest
}

/// An encoder that writes JSON into the body.
public struct JSONParameterEncoder: ParameterEncoder {
    /// An encoder with the default settings.
    public static var `default`: JSONParameterEncoder { JSONParameterEncoder() }
    /// An encoder with line breaks and indentation.
    public static var prettyPrinted: JSONParameterEncoder { JSONParameterEncoder(formatting: .prettyPrinted) }
    /// An encoder with sorted names.
    public static var sortedKeys: JSONParameterEncoder { JSONParameterEncoder(formatting: .sortedKeys) }

    /// The encoder of the value.
    public let encoder: JSONEncoder

    /// Creates an encoder.
    public init(encoder: JSONEncoder = JSONEncoder()) { self.encoder = encoder }

    private init(formatting: JSONEncoder.OutputFormatting) {
        encoder = JSONEncoder()
        encoder.outputFormatting = formatting
    }

    /// Writes the value into the body, with `Content-Type: application/json` unless the request has a content type.
    ///
    /// - Throws: ``AlamofireError/parameterEncodingFailed(reason:)``.
    public func encode<Parameters: Encodable & Sendable>(_ parameters: Parameters?, into request: URLRequest) throws
        -> URLRequest
    {
        guard let parameters else { return request }
        var request = request
        do {
            request.httpBody = try encoder.encode(parameters)
        } catch {
            throw AlamofireError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
        }
        request.setContentTypeIfAbsent("application/json")
        return request
    }
}

/// An encoder that writes `name=value` pairs into the query or the body.
public struct URLEncodedFormParameterEncoder: ParameterEncoder {
    /// The destination of the pairs.
    public typealias Destination = URLEncoding.Destination

    /// An encoder with the default styles.
    public static var `default`: URLEncodedFormParameterEncoder { URLEncodedFormParameterEncoder() }

    /// The encoder of the value.
    public let encoder: URLEncodedFormEncoder
    /// The destination of the pairs.
    public let destination: Destination

    /// Creates an encoder.
    public init(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: Destination = .methodDependent
    ) {
        self.encoder = encoder
        self.destination = destination
    }

    /// Writes the value as `EncodableFormEncoding` does.
    public func encode<Parameters: Encodable & Sendable>(_ parameters: Parameters?, into request: URLRequest) throws
        -> URLRequest
    {
        guard let parameters else { return request }
        return try EncodableFormEncoding(parameters, encoder: encoder, destination: destination)
            .encode(request, with: nil)
    }
}

extension ParameterEncoder where Self == JSONParameterEncoder {
    /// An encoder that writes JSON.
    public static var json: JSONParameterEncoder { JSONParameterEncoder() }

    /// Returns an encoder that writes JSON.
    public static func json(encoder: JSONEncoder) -> JSONParameterEncoder { JSONParameterEncoder(encoder: encoder) }
}

extension ParameterEncoder where Self == URLEncodedFormParameterEncoder {
    /// An encoder that writes into the query or the body, as the method requires.
    public static var urlEncodedForm: URLEncodedFormParameterEncoder { URLEncodedFormParameterEncoder() }

    /// Returns an encoder that writes into the query or the body.
    public static func urlEncodedForm(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: URLEncodedFormParameterEncoder.Destination = .methodDependent
    ) -> URLEncodedFormParameterEncoder {
        URLEncodedFormParameterEncoder(encoder: encoder, destination: destination)
    }
}

extension Session {
    /// Creates a request with an `Encodable` value.
    ///
    /// Reading its value throws the errors of the URL, of the encoder and of the modifier.
    @_disfavoredOverload
    @preconcurrency
    public func request<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters?,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> Request {
        request(
            EncodedParts(
                parts: RequestParts(url: convertible, method: method, headers: headers, modifier: requestModifier),
                parameters: parameters,
                encoder: encoder
            ),
            interceptor: interceptor
        )
    }
}

/// A request that an encoder writes a value into.
private struct EncodedParts<Parameters: Encodable & Sendable>: URLRequestConvertible {
    let parts: RequestParts
    let parameters: Parameters?
    let encoder: any ParameterEncoder

    func asURLRequest() throws -> URLRequest { try encoder.encode(parameters, into: parts.asURLRequest()) }
}
