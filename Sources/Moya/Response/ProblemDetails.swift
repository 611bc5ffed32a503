import Foundation
import MoyaHTTP
import MoyaJSON

/// The problem details of a rejected response (RFC 9457, `application/problem+json`).
///
///     do {
///         try await provider.request(.pay, orThrow: ProblemDetails.self)
///     } catch MoyaError.underlying(let problem as ProblemDetails, _) {
///         print(problem.type, problem.detail ?? "")
///     }
///
/// A member with a value of a wrong type is ignored (section 3.1). A body of another JSON type, such as `application/json`, counts as a
/// problem only if it has one of the members `type`, `title`, `status` and `detail`. XML is not supported.
public struct ProblemDetails: Decodable, Error, Equatable, Sendable {
    /// A URI reference that identifies the type of the problem; `about:blank`, if there is none, for a problem without a meaning
    /// beyond its status (section 4.2.1).
    public let type: String
    /// A short text about the type of the problem.
    public let title: String?
    /// The status that the server has created; intermediaries may have changed the status of the response.
    public let status: Int?
    /// A text about this occurrence of the problem.
    public let detail: String?
    /// A URI reference that identifies this occurrence of the problem.
    public let instance: String?
    /// The other members (section 3.2).
    public let extensions: ExtensionMembers
    /// Whether the body has a member that tells a problem from other JSON objects.
    private let hasOwnMember: Bool

    /// Decodes a JSON object.
    ///
    /// - Throws: `DecodingError` for other JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: NameKey.self)
        func member<Value: Decodable>(_ name: String, as _: Value.Type = Value.self) -> Value? {
            try? container.decode(Value.self, forKey: NameKey(stringValue: name))
        }
        let type = member("type", as: String.self)
        (title, status, detail, instance) = (member("title"), member("status"), member("detail"), member("instance"))
        self.type = type ?? Self.defaultType
        hasOwnMember = type != nil || title != nil || status != nil || detail != nil
        extensions = try ExtensionMembers(
            from: decoder,
            except: ["type", "title", "status", "detail", "instance"]
        )
    }

    /// The type of a problem without a type: `about:blank`.
    public static let defaultType = "about:blank"
}

extension ProblemDetails: MaskedError {
    /// The title and the detail; without both, the type.
    public var errorDescription: String? {
        let texts = [title, detail].compactMap { $0 }.filter { !$0.isEmpty }
        return texts.isEmpty ? type : texts.joined(separator: ": ")
    }
}

extension ProblemDetails: ResponseErrorBody {
    func describes(_ response: Response) -> Bool {
        if hasOwnMember { return true }
        return response.headers["Content-Type"].map { MediaType($0).name == "application/problem+json" } ?? false
    }
}
