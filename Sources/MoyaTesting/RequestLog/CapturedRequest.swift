import Foundation
import Moya
import MoyaHAR

/// A request as a transport received it, with the target from which it was created.
///
///     let request = try transport.requests.expect(.post("/users"))
///     #expect(request.target as? GitHub == .create)
///     #expect(request.query["page"] == "2")
///     #expect(try request.json(as: NewUser.self) == NewUser(name: "Ann"))
///
/// Each exchange is a separate request: redirects, retries and responses to challenges have the target of the original request. Its
/// properties contain the values unmasked, for comparison; the description and the errors of checks mask secrets.
public struct CapturedRequest: Sendable {
    /// The position among all requests in the log, from 0.
    public let number: Int
    /// The target of a provider's request, unwrapped from a `MultiTarget`; `nil` for other requests.
    public let target: (any TargetType)?
    /// The method.
    public let method: HTTPMethod
    /// The absolute URL.
    public let url: URL
    /// The headers, without those that the connection adds: `Host`, `Content-Length`.
    public let headers: HTTPFields
    /// The time at which the transport received the request.
    public let date: Date
    /// Whether the request has been sent completely or has ended; its body is complete only then.
    public let isSent: Bool
    /// The status of the response, also if its body is incomplete; `nil` before the response.
    public let status: Int?
    /// The error of a request without a response.
    public let error: (any Error)?

    let captured: CapturedBody?
    let secrets: HARSecrets
}

extension CapturedRequest {
    /// The body, decompressed if it was sent with gzip; `nil` if there is none.
    ///
    /// Only the first part of a body that exceeds the log's limit is kept: see ``isCut``.
    public var body: Data? {
        captured.map { $0.decoded(contentEncoding: headers[.contentEncoding]) ?? $0.kept }
    }

    /// The number of bytes of the body as sent.
    public var bodySize: Int64 { captured?.size ?? 0 }

    /// Whether only the first part of the body was kept because of ``RequestLog/bodyLimit``.
    public var isCut: Bool { captured?.isCut ?? false }

    /// The body as text; `nil` if it is not UTF-8.
    public var text: String? { body.flatMap { String(data: $0, encoding: .utf8) } }

    /// The parameters of the URL's query.
    public var query: NamedValues {
        let text = url.absoluteString.prefix { $0 != "#" }
        return NamedValues(String(text.drop { $0 != "?" }.dropFirst()), secrets: secrets)
    }

    /// The fields of an `application/x-www-form-urlencoded` body; empty for other bodies.
    public var form: NamedValues {
        let isForm = MediaType(headers[.contentType] ?? "").isForm
        return NamedValues(isForm ? text ?? "" : "", secrets: secrets)
    }

    /// Decodes the body as JSON, regardless of its content type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - decoder: The decoder.
    /// - Returns: The value.
    /// - Throws: ``CapturedBodyError`` if there is no body or it is incomplete; `DecodingError` if it cannot be
    ///   decoded.
    public func json<Value: Decodable>(as type: Value.Type, using decoder: JSONDecoder = JSONDecoder()) throws -> Value
    {
        guard let body else { throw CapturedBodyError.missing }
        if isCut { throw CapturedBodyError.cut(kept: body.count, size: bodySize) }
        return try decoder.decode(type, from: body)
    }
}

/// The error for a missing or incomplete body.
public enum CapturedBodyError: Error, Equatable, Sendable, MaskedError {
    /// The request has no body.
    case missing
    /// Only the first bytes of the body were kept.
    case cut(kept: Int, size: Int64)

    /// The missing part, and how to resolve the error.
    public var errorDescription: String? {
        switch self {
        case .missing: "The request has no body."
        case .cut(let kept, let size):
            "Only \(kept) of the \(size) bytes of the request's body were kept: give the log a larger bodyLimit."
        }
    }
}

extension CapturedRequest {
    /// A part of a `multipart/form-data` body (RFC 7578).
    public struct Part: Sendable {
        /// The name of the field.
        public let name: String
        /// The file name that was sent.
        public let fileName: String?
        /// The content's media type.
        public let contentType: String?
        /// The content.
        public let data: Data

        /// The content as text; `nil` if it is not UTF-8.
        public var text: String? { String(data: data, encoding: .utf8) }
    }

    /// The parts of a multipart body; empty for other bodies.
    ///
    /// If the body is cut, the last part may also be cut.
    ///
    ///     #expect(request.parts.first { $0.name == "title" }?.text == "Milk")
    public var parts: [Part] {
        guard let boundary = MediaType(headers[.contentType] ?? "").multipartBoundary, let body else { return [] }
        return MultipartParts(body, boundary: boundary).parts.map { part in
            Part(
                name: part.name ?? "",
                fileName: part.fileName,
                contentType: part.contentType,
                data: Data(body[part.content])
            )
        }
    }
}

extension CapturedRequest.Part: CustomStringConvertible, CustomReflectable {
    /// The name and the length of the content.
    public var description: String {
        "part \(name.debugDescription), \(data.count == 1 ? "1 byte" : "\(data.count) bytes")"
    }

    /// An empty mirror, which hides secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CapturedRequest: CustomStringConvertible, CustomReflectable {
    /// The request in one line, such as `POST https://api.example.com/users, 14 bytes (GitHub.create) → 201`, with
    /// secrets masked.
    public var description: String {
        var text = "\(method.rawValue) \(Self.short(FieldMask(secrets).url(url.absoluteString)))"
        if captured != nil { text += bodySize == 1 ? ", 1 byte" : ", \(bodySize) bytes" }
        if let target { text += " (\(TargetName(target)))" }
        if let status {
            text += " → \(status)"
        } else if let error {
            text += " → \(Self.name(of: error))"
        }
        return text
    }

    /// An empty mirror, which hides secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Shortens a URL; differences are printed separately.
    private static func short(_ url: String) -> String { url.count > 160 ? "\(url.prefix(160))…" : url }

    /// Returns the error's type and code without its content.
    private static func name(of error: any Error) -> String {
        switch error {
        case let error as URLError: "URLError \(error.code.rawValue)"
        default: "\(type(of: error))"
        }
    }
}
