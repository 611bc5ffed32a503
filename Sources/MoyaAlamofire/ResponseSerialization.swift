import Foundation
import HTTPTypes
import Moya
import MoyaHTTP

/// A type with a value for a response that has no body.
public protocol EmptyResponse: Sendable {
    /// Returns the value.
    static func emptyValue() -> Self
}

/// The value of a response that has no body.
public struct Empty: Codable, EmptyResponse {
    /// The value.
    public static let value = Empty()

    /// Returns ``value``.
    public static func emptyValue() -> Empty { value }
}

extension SessionResponse {
    /// Returns the body as text in an encoding; without one, in the charset of `Content-Type`, or in UTF-8.
    func text(in encoding: String.Encoding?) throws(AlamofireError) -> String {
        let encoding = encoding ?? headers[.contentType].flatMap { MediaType($0).encoding } ?? .utf8
        guard let text = String(data: data, encoding: encoding) else {
            throw AlamofireError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: encoding))
        }
        return text
    }

    /// Returns the decoded body, or for a response without a body the empty value of the type.
    func decoded<Value: Decodable>(_ type: Value.Type, with decoder: JSONDecoder) throws(AlamofireError) -> Value {
        guard data.isEmpty else {
            do {
                return try decoder.decode(type, from: data)
            } catch {
                throw AlamofireError.responseSerializationFailed(reason: .decodingFailed(error: error))
            }
        }
        guard [204, 205].contains(statusCode) || request.httpMethod == "HEAD" else {
            throw AlamofireError.responseSerializationFailed(reason: .inputDataNilOrZeroLength)
        }
        guard let empty = (type as? any EmptyResponse.Type)?.emptyValue() as? Value else {
            throw AlamofireError.responseSerializationFailed(reason: .invalidEmptyResponse(type: "\(type)"))
        }
        return empty
    }
}

extension MediaType {
    /// The encoding of the charset; `nil` if there is no charset, or Foundation does not have it.
    fileprivate var encoding: String.Encoding? {
        // ASCII is read as UTF-8, because servers that declare ASCII also send other characters.
        isUnicode ? .utf8 : charset.flatMap { String.Encoding(charset: $0) }
    }
}
