import Foundation

/// An encoder for the body of a request, in any format.
///
/// `JSONEncoder` and `PropertyListEncoder` conform. An encoder of another package needs a small type:
///
///     struct XMLBody: RequestEncoder {
///         let contentType = "application/xml"
///
///         func encode(_ value: some Encodable) throws -> Data { try XMLEncoder().encode(value, withRootKey: "request") }
///     }
public protocol RequestEncoder {
    /// The media type of the body, for a request without a `Content-Type`.
    var contentType: String { get }

    /// Encodes a value.
    ///
    /// - Throws: Any error; it is wrapped in ``MoyaError/encodableMapping(_:)``.
    func encode(_ value: some Encodable) throws -> Data
}

extension JSONEncoder: RequestEncoder {
    /// `application/json`.
    public var contentType: String { "application/json" }
}

extension PropertyListEncoder: RequestEncoder {
    /// `application/x-plist`.
    public var contentType: String { "application/x-plist" }
}

/// The encoding of a body by a ``RequestEncoder``; parameters are written into the URL's query.
struct EncodedBody: ParameterEncoding {
    let value: any Encodable & Sendable
    let encoder: any RequestEncoder & Sendable

    func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws -> URLRequest
    {
        var request = try URLEncoding.queryString.encode(urlRequest, with: parameters)
        do {
            request.httpBody = try encoder.encode(value)
        } catch {
            throw MoyaError.encodableMapping(error)
        }
        request.setContentTypeIfAbsent(encoder.contentType)
        return request
    }
}

extension HTTPTask {
    /// Sends a value in the format of an encoder, with its content type unless the target has one.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder.
    /// - Returns: The task.
    public static func requestEncodable(
        _ value: any Encodable & Sendable,
        encoder: any RequestEncoder & Sendable
    ) -> HTTPTask {
        if let encoder = encoder as? JSONEncoder { return .requestCustomJSONEncodable(value, encoder: encoder) }
        return .requestParameters(parameters: [:], encoding: EncodedBody(value: value, encoder: encoder))
    }
}
