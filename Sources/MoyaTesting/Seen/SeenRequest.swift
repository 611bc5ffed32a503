import Foundation
import Moya
import MoyaHAR

/// A request as a transport saw it, with the target that caused it.
///
///     let request = try transport.requests.expect(.post("/users"))
///     #expect(request.target as? GitHub == .create)
///     #expect(request.query["page"] == "2")
///     #expect(try request.json(as: NewUser.self) == NewUser(name: "Ann"))
///
/// Each exchange is a request of its own: redirects, retries and answers to challenges have the target of the request that
/// they belong to. Values are there in full, to be compared; the description and the errors of checks mask secrets.
public struct SeenRequest: Sendable {
    /// The place among all requests that the log has seen, from 0.
    public let number: Int
    /// What caused it, if a provider did: the target itself, where it came in a `MultiTarget`.
    public let target: (any TargetType)?
    /// The method.
    public let method: HTTPMethod
    /// The absolute URL.
    public let url: URL
    /// The headers, without those that the connection adds: `Host`, `Content-Length`.
    public let headers: HTTPFields
    /// When the transport got it.
    public let date: Date
    /// Whether it is over, or has at least left as a whole: what a body has in it is known only then.
    public let isSent: Bool
    /// The status that it was answered with, if it has been. An answer whose body breaks off counts.
    public let status: Int?
    /// What it failed with, in place of an answer.
    public let error: (any Error)?

    let captured: CapturedBody?
    let secrets: HARSecrets
}

extension SeenRequest {
    /// The body, decoded where it was sent in gzip; `nil` if there is none.
    ///
    /// Of one that is longer than what the log keeps it is the first part: see ``isCut``.
    public var body: Data? {
        captured.map { $0.decoded(contentEncoding: headers[.contentEncoding]) ?? $0.kept }
    }

    /// How many bytes the body had, as it was sent.
    public var bodySize: Int64 { captured?.size ?? 0 }

    /// Whether only the first part of the body was kept: ``RequestLog/bodyLimit``.
    public var isCut: Bool { captured?.isCut ?? false }

    /// The body as text; `nil` if it is not in UTF-8.
    public var text: String? { body.flatMap { String(data: $0, encoding: .utf8) } }

    /// The parameters of the URL's query.
    public var query: NamedValues {
        let text = url.absoluteString.prefix { $0 != "#" }
        return NamedValues(String(text.drop { $0 != "?" }.dropFirst()), secrets: secrets)
    }

    /// The fields of a body that is `application/x-www-form-urlencoded`; none if it is something else.
    public var form: NamedValues {
        let isForm = MediaType(headers[.contentType] ?? "").isForm
        return NamedValues(isForm ? text ?? "" : "", secrets: secrets)
    }

    /// Reads the body as JSON, whatever its content type.
    ///
    /// - Throws: ``SeenBodyError`` if there is no body, or not all of it was kept; `DecodingError` if it is something else.
    public func json<Value: Decodable>(as type: Value.Type, using decoder: JSONDecoder = JSONDecoder()) throws -> Value
    {
        guard let body else { throw SeenBodyError.missing }
        if isCut { throw SeenBodyError.cut(kept: body.count, size: bodySize) }
        return try decoder.decode(type, from: body)
    }
}

/// A body that can't be read, because it is not there.
public enum SeenBodyError: Error, Equatable, Sendable, LocalizedError {
    /// The request has no body.
    case missing
    /// Only the first bytes of the body were kept.
    case cut(kept: Int, size: Int64)

    /// What is missing, and what to do.
    public var errorDescription: String? {
        switch self {
        case .missing: "The request has no body."
        case .cut(let kept, let size):
            "Only \(kept) of the \(size) bytes of the request's body were kept: give the log a larger bodyLimit."
        }
    }
}
