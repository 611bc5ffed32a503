import Foundation
import MoyaHAR

/// The expectation for a request's body.
enum ExpectedBody: Sendable {
    /// Any body; it is not compared.
    case any
    case none
    case json(ExpectedJSON)
    case form(ExpectedValues)
    /// A multipart form with these parts, and possibly others.
    case parts([ExpectedPart])
    case text(String)
    case data(Data)

    /// The expectation for JSON; `nil` for other expectations.
    var expectedJSON: ExpectedJSON? { if case .json(let json) = self { json } else { nil } }

    /// The expectation for the fields of a form; `nil` for other expectations.
    var expectedForm: ExpectedValues? { if case .form(let fields) = self { fields } else { nil } }

    /// A short description; empty if the body is not compared.
    var description: String {
        switch self {
        case .any: ""
        case .none: "no body"
        case .json(let json): "JSON (\(Self.kind(of: json.value)))"
        case .form: "a form"
        case .parts(let parts): "a form with \(parts.map(\.name.debugDescription).joined(separator: ", "))"
        case .text: "text"
        case .data(let data): RequestDifference.count(data.count)
        }
    }

    /// Returns the kind of a value; the value itself may be a secret.
    private static func kind(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .text: "a text"
        case .list, .object: value.description
        }
    }

    /// Returns the differences from a request's body.
    func differences(from request: CapturedRequest) -> [RequestDifference] {
        let secrets = request.secrets
        if case .any = self { return [] }
        guard request.isSent else {
            return [
                RequestDifference(
                    .body,
                    expected: description,
                    actual: "\(request.bodySize) bytes so far: wait until it is sent"
                )
            ]
        }
        switch self {
        case .none:
            return request.bodySize == 0
                ? [] : [RequestDifference(.body, expected: "none", actual: RequestDifference.count(request.bodySize))]
        default:
            break
        }
        guard request.captured != nil, let body = request.body else {
            if case .data(let data) = self, data.isEmpty { return [] }
            if case .text("") = self { return [] }
            return [RequestDifference(.body, expected: description, actual: "none")]
        }
        if request.isCut {
            return [
                RequestDifference(
                    .body,
                    expected: description,
                    actual:
                        "\(request.bodySize) bytes, of which only \(body.count) were kept: give the log a larger bodyLimit"
                )
            ]
        }
        switch self {
        case .any, .none:
            return []
        case .json(let expected):
            guard let actual = JSONValue(body) else {
                return [
                    RequestDifference(
                        .body,
                        expected: description,
                        actual: "\(RequestDifference.count(body.count)), no JSON"
                    )
                ]
            }
            return expected.value.differences(to: expected.comparedPart(of: actual)) {
                ExpectedPart.masked($0, secrets)
            }.compactMap { RequestDifference($0, secrets: secrets) }
        case .form(let expected):
            guard MediaType(request.headers[.contentType] ?? "").isForm else {
                return [
                    RequestDifference(
                        .body,
                        expected: description,
                        actual: "\(RequestDifference.count(body.count)), not a form"
                    )
                ]
            }
            return MatchedBody.form(MatchedValues(expected.items))
                .differences(to: .form(MatchedValues(expected.comparedValues(of: request.form.texts))))
                .compactMap { RequestDifference($0, secrets: secrets) }
        case .parts(let expected):
            guard MediaType(request.headers[.contentType] ?? "").multipartBoundary != nil else {
                return [
                    RequestDifference(
                        .body,
                        expected: description,
                        actual: "\(RequestDifference.count(body.count)), no multipart form"
                    )
                ]
            }
            return ExpectedPart.differences(expected, from: request)
        case .text(let expected):
            return Self.differences(of: request, expected: Data(expected.utf8), actual: body, isText: true)
        case .data(let expected):
            return Self.differences(of: request, expected: expected, actual: body, isText: false)
        }
    }

    private static func differences(
        of request: CapturedRequest,
        expected: Data,
        actual: Data,
        isText: Bool
    ) -> [RequestDifference] {
        if expected == actual { return [] }
        if isText, request.text != nil {
            let mask = BodyMask(request.secrets, mimeType: request.headers[.contentType] ?? "")
            return [.line(expected: mask.data(expected), actual: mask.data(actual), secrets: request.secrets)]
        }
        return [.bytes(.body, expected: expected, actual: actual)]
    }
}
