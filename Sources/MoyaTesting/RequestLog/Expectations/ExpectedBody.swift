import Foundation
import MoyaHAR

/// The expectation for a request's body.
enum ExpectedBody: Sendable {
    /// Any body; it is not compared.
    case any
    case none
    /// JSON, whose objects may have additional members unless `isWhole`.
    case json(JSONValue, isWhole: Bool)
    case form([URLText.Item])
    /// A multipart form with these parts, and possibly others.
    case parts([ExpectedPart])
    case text(String)
    case data(Data)

    /// A short description; empty if the body is not compared.
    var description: String {
        switch self {
        case .any: ""
        case .none: "no body"
        case .json(let value, _): "JSON (\(Self.kind(of: value)))"
        case .form: "a form"
        case .parts(let parts): "a form with \(parts.map(\.name.debugDescription).joined(separator: ", "))"
        case .text: "text"
        case .data(let data): RequestDifference.count(data.count)
        }
    }

    /// Returns the kind of a value, as the value may be a secret.
    private static func kind(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .text: "a text"
        case .list, .object: value.description
        }
    }

    func differences(from seen: CapturedRequest) -> [RequestDifference] {
        let secrets = seen.secrets
        if case .any = self { return [] }
        guard seen.isSent else {
            return [RequestDifference(.body, description, "\(seen.bodySize) bytes so far: wait until it is sent")]
        }
        switch self {
        case .none:
            return seen.bodySize == 0 ? [] : [RequestDifference(.body, "none", RequestDifference.count(seen.bodySize))]
        default:
            break
        }
        guard seen.captured != nil, let body = seen.body else {
            if case .data(let data) = self, data.isEmpty { return [] }
            if case .text("") = self { return [] }
            return [RequestDifference(.body, description, "none")]
        }
        if seen.isCut {
            return [
                RequestDifference(
                    .body,
                    description,
                    "\(seen.bodySize) bytes, of which only \(body.count) were kept: give the log a larger bodyLimit"
                )
            ]
        }
        switch self {
        case .any, .none:
            return []
        case .json(let expected, let isWhole):
            guard let actual = JSONValue(body) else {
                return [RequestDifference(.body, description, "\(RequestDifference.count(body.count)), no JSON")]
            }
            return expected.differences(to: isWhole ? actual : actual.keepingMembers(of: expected)) {
                ExpectedPart.masked($0, secrets)
            }.compactMap { RequestDifference($0, secrets: secrets) }
        case .form(let expected):
            guard MediaType(seen.headers[.contentType] ?? "").isForm else {
                return [RequestDifference(.body, description, "\(RequestDifference.count(body.count)), not a form")]
            }
            return MatchedBody.form(MatchedValues(expected)).differences(to: .form(MatchedValues(seen.form.texts)))
                .compactMap { RequestDifference($0, secrets: secrets) }
        case .parts(let expected):
            guard MediaType(seen.headers[.contentType] ?? "").multipartBoundary != nil else {
                return [
                    RequestDifference(.body, description, "\(RequestDifference.count(body.count)), no multipart form")
                ]
            }
            return ExpectedPart.differences(expected, from: seen)
        case .text(let expected):
            return Self.differences(Data(expected.utf8), body, of: seen, isText: true)
        case .data(let expected):
            return Self.differences(expected, body, of: seen, isText: false)
        }
    }

    private static func differences(
        _ expected: Data,
        _ actual: Data,
        of seen: CapturedRequest,
        isText: Bool
    ) -> [RequestDifference] {
        if expected == actual { return [] }
        if isText, seen.text != nil {
            let mask = BodyMask(seen.secrets, mimeType: seen.headers[.contentType] ?? "")
            return [.line(mask.data(expected), mask.data(actual), secrets: seen.secrets)]
        }
        return [.bytes(.body, expected, actual)]
    }
}
