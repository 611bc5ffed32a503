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

    /// The expectation for JSON, if this is one.
    var expectedJSON: ExpectedJSON? { if case .json(let json) = self { json } else { nil } }

    /// The expectation for the fields of a form, if this is one.
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
        case .json(let expected):
            guard let actual = JSONValue(body) else {
                return [RequestDifference(.body, description, "\(RequestDifference.count(body.count)), no JSON")]
            }
            return expected.value.differences(to: expected.compared(actual)) {
                ExpectedPart.masked($0, secrets)
            }.compactMap { RequestDifference($0, secrets: secrets) }
        case .form(let expected):
            guard MediaType(seen.headers[.contentType] ?? "").isForm else {
                return [RequestDifference(.body, description, "\(RequestDifference.count(body.count)), not a form")]
            }
            return MatchedBody.form(MatchedValues(expected.items))
                .differences(to: .form(MatchedValues(expected.compared(seen.form.texts))))
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

/// The expectation for a part of a multipart form.
struct ExpectedPart: Sendable {
    let name: String
    let data: Data
    /// The file name; `nil` if it is not compared.
    let fileName: String?

    /// Returns the differences from a request's parts; parts with the same name are compared in order.
    static func differences(_ expected: [ExpectedPart], from seen: CapturedRequest) -> [RequestDifference] {
        var actual = Dictionary(grouping: seen.parts) { ExactText($0.name) }.mapValues { $0[...] }
        return expected.flatMap { $0.differences(from: actual[ExactText($0.name)]?.popFirst(), secrets: seen.secrets) }
    }

    private func differences(from actual: CapturedRequest.Part?, secrets: HARSecrets) -> [RequestDifference] {
        let isSecret = secrets.hides(name)
        guard let actual else {
            let shown = isSecret ? HARSecrets.placeholder : Self.shown(data, secrets)
            return [RequestDifference(.part(name), shown, nil)]
        }
        var found: [RequestDifference] = []
        if let fileName, !(actual.fileName?.isExactly(fileName) ?? false) {
            found.append(
                RequestDifference(
                    .fileName(part: name),
                    fileName.debugDescription,
                    actual.fileName.map { HARDifference.short($0).debugDescription }
                )
            )
        }
        if data != actual.data, data != Data(HARSecrets.placeholder.utf8) {
            found.append(isSecret ? Self.secret(name) : difference(from: actual.data, secrets))
        }
        return found
    }

    private static func secret(_ name: String) -> RequestDifference {
        RequestDifference(.part(name), HARSecrets.placeholder, HARSecrets.placeholder)
    }

    private func difference(from actual: Data, _ secrets: HARSecrets) -> RequestDifference {
        guard let old = String(data: data, encoding: .utf8), let new = String(data: actual, encoding: .utf8) else {
            return .bytes(.part(name), data, actual)
        }
        let mask = { (text: String) in Self.masked(text, secrets) }
        let (first, second) = HARDifference.short(mask(old), mask(new))
        return RequestDifference(.part(name), first.debugDescription, second.debugDescription)
    }

    private static func shown(_ data: Data, _ secrets: HARSecrets) -> String {
        String(data: data, encoding: .utf8).map { HARDifference.short(masked($0, secrets)).debugDescription }
            ?? RequestDifference.count(data.count)
    }

    /// Masks secrets in a part's text, which may be JSON or a URL.
    static func masked(_ text: String, _ secrets: HARSecrets) -> String {
        let body = BodyMask(secrets, mimeType: "").data(Data(text.utf8))
        return FieldMask(secrets).url(String(decoding: body, as: UTF8.self))
    }
}

/// A JSON value that can be written as a literal.
///
///     .json(["name": "Ann", "age": 36, "roles": ["admin"], "manager": nil, "id": JSONLiteral(user.id)])
public struct JSONLiteral: Sendable, Hashable {
    let value: JSONValue

    private init(_ value: JSONValue) { self.value = value }

    /// Creates a text.
    public init(_ text: String) { self.init(.text(ExactText(text))) }

    /// Creates a number.
    public init(_ number: Int) { self.init(.number(JSONNumber(number))) }

    /// Creates a number.
    public init(_ number: Double) { self.init(floatLiteral: number) }

    /// Creates a Boolean.
    public init(_ value: Bool) { self.init(.bool(value)) }
}

extension JSONLiteral: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Creates a text.
    public init(stringLiteral value: String) { self.init(.text(ExactText(value))) }

    /// Creates a number.
    public init(integerLiteral value: Int64) { self.init(.number(JSONNumber(value))) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self.init(.number(JSONNumber(value))) }

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self.init(.bool(value)) }

    /// Creates `null`.
    public init(nilLiteral: ()) { self.init(.null) }
}

extension JSONLiteral: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONLiteral...) { self.init(.list(elements.map(\.value))) }

    /// Creates an object; of several members with the same name the last one is used.
    public init(dictionaryLiteral elements: (String, JSONLiteral)...) {
        self.init(.object(elements.reduce(into: [:]) { $0[ExactText($1.0)] = $1.1.value }))
    }
}
