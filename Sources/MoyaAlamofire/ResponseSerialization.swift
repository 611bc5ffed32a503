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
    /// Returns the body as text in an encoding, or else in the charset of `Content-Type`, or else in UTF-8.
    func text(in encoding: String.Encoding?) throws(AlamofireError) -> String {
        let charset = headers[.contentType].flatMap { MediaType($0).charset }
        let encoding = encoding ?? charset.flatMap { String.Encoding(charset: $0) } ?? .utf8
        guard let text = String(data: data, encoding: encoding) else {
            throw AlamofireError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: encoding))
        }
        return text
    }

    /// Returns the decoded body, or the value of a type that has one for a response without a body.
    func decoded<Value: Decodable>(with decoder: JSONDecoder) throws(AlamofireError) -> Value {
        guard data.isEmpty else {
            do {
                return try decoder.decode(Value.self, from: data)
            } catch {
                throw AlamofireError.responseSerializationFailed(reason: .decodingFailed(error: error))
            }
        }
        guard [204, 205].contains(statusCode) || request.httpMethod == "HEAD" else {
            throw AlamofireError.responseSerializationFailed(reason: .inputDataNilOrZeroLength)
        }
        guard let empty = (Value.self as? any EmptyResponse.Type)?.emptyValue() as? Value else {
            throw AlamofireError.responseSerializationFailed(reason: .invalidEmptyResponse(type: "\(Value.self)"))
        }
        return empty
    }
}

extension String.Encoding {
    /// Creates the encoding of a charset's name in lowercase (IANA's registry of character sets); `nil` for other ones.
    init?(charset: String) {
        switch charset {
        // ASCII is a subset, and servers send other characters all the same.
        case "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
        case "utf-16": self = .utf16
        case "utf-16be": self = .utf16BigEndian
        case "utf-16le": self = .utf16LittleEndian
        case "utf-32": self = .utf32
        case "utf-32be": self = .utf32BigEndian
        case "utf-32le": self = .utf32LittleEndian
        case "iso-8859-1", "iso8859-1", "latin1": self = .isoLatin1
        case "iso-8859-2", "iso8859-2", "latin2": self = .isoLatin2
        case "windows-1250", "cp1250": self = .windowsCP1250
        case "windows-1251", "cp1251": self = .windowsCP1251
        case "windows-1252", "cp1252": self = .windowsCP1252
        case "windows-1253", "cp1253": self = .windowsCP1253
        case "windows-1254", "cp1254": self = .windowsCP1254
        case "shift_jis", "shift-jis", "windows-31j": self = .shiftJIS
        case "euc-jp": self = .japaneseEUC
        case "iso-2022-jp": self = .iso2022JP
        case "macintosh": self = .macOSRoman
        default: return nil
        }
    }
}
