import Foundation
import Moya
import MoyaHAR

/// The expectation of a test for a request; only the named parts are compared.
///
///     .get("/users")                                          // the path, and any query
///     .get("https://api.example.com/users?page=2")            // the server, and the whole query, too
///     .post("/users").header("X-Draft", "1").json(["name": "Ann", "age": 36])
///     .put("/users/1").json(including: ["name": "Ann"])       // other members are allowed
///     .target(GitHub.zen)
///
/// The query, the headers, a form and a JSON object each have four functions: they expect the value of one name, of several names
/// (`including:`), of these names and no others (`exactly:`), or that a name is missing (`without`). Calls can be combined: `exactly:`
/// replaces earlier expectations of the same kind, and the other functions add to them.
///
/// Queries and forms are compared by name, headers by case-insensitive name, and JSON by structure. The value `***`
/// matches any value. Texts are compared by their bytes, so a composed and a decomposed `é` differ; JSON numbers are
/// compared by their exact value, so 1 and 1.0 are equal.
public struct ExpectedRequest: Sendable {
    var method: HTTPMethod?
    /// The URL or path, with a leading slash.
    var url: String?
    /// The expected query.
    var queryValues = ExpectedValues()
    /// The expected headers, by lowercase name.
    var headerValues = ExpectedValues()
    var expectedBody = ExpectedBody.any
    var expectedTarget: ExpectedTarget?
    /// The reason why the expectation is invalid.
    var mistake: String?

    /// Creates an expectation for a method and a URL.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for any.
    ///   - url: An absolute URL or a path; `nil` for any. If it has a query, the whole query is compared.
    public init(_ method: HTTPMethod? = nil, _ url: String? = nil) {
        self.method = method
        guard let url else { return }
        let isWhole = url.contains("://") || url.hasPrefix("/")
        self.url = isWhole ? url : "/" + url
        queryValues = ExpectedValues(URLParts(of: url).items, isWhole: url.contains("?"))
    }

    /// Expects a GET request.
    public static func get(_ url: String? = nil) -> Self { Self(.get, url) }
    /// Expects a HEAD request.
    public static func head(_ url: String? = nil) -> Self { Self(.head, url) }
    /// Expects a POST request.
    public static func post(_ url: String? = nil) -> Self { Self(.post, url) }
    /// Expects a PUT request.
    public static func put(_ url: String? = nil) -> Self { Self(.put, url) }
    /// Expects a PATCH request.
    public static func patch(_ url: String? = nil) -> Self { Self(.patch, url) }
    /// Expects a DELETE request.
    public static func delete(_ url: String? = nil) -> Self { Self(.delete, url) }
    /// Expects any request.
    public static var any: Self { Self() }
    /// Expects a request that was created from a target.
    public static func target(_ target: some TargetType & Equatable) -> Self { any.target(target) }

    func changing(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension ExpectedRequest: CustomStringConvertible, CustomReflectable {
    /// A description in one line, such as `POST /users?page=2, JSON (an object of 2)`, with common secrets masked.
    public var description: String { text(masking: .standard) }

    /// Returns the description with secrets masked.
    func text(masking secrets: HARSecrets) -> String {
        let mask = FieldMask(secrets)
        let names = queryValues.names
        let items = queryValues.items.map { "\($0.name)=\(mask.value($0.value, of: $0.name, beside: names))" }
        let place = url.map { url in String(mask.url(url).prefix { !"?#".contains($0) }) } ?? ""
        let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
        let words = [method?.rawValue ?? "", (place + query).shortened].filter { !$0.isEmpty }
        let parts = [
            words.joined(separator: " "), expectedTarget?.name ?? "", expectedBody.description,
            headerValues.names.isEmpty ? "" : "with \(headerValues.names.joined(separator: ", "))",
        ]
        let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        return text.isEmpty ? "any request" : text
    }

    /// An empty mirror, which hides secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The target of an expectation.
struct ExpectedTarget: Sendable {
    let name: String
    let isSame: @Sendable (any TargetType) -> Bool

    init<Target: TargetType & Equatable>(_ target: Target) {
        name = "\(TargetName(target))"
        let wanted = target.innermost
        isSame = { wanted.isSame(as: $0) }
    }
}

extension ExpectedRequest {
    /// Expects a request that was created from a target.
    public func target(_ target: some TargetType & Equatable) -> Self {
        changing { $0.expectedTarget = ExpectedTarget(target) }
    }

    // MARK: Query and headers

    /// Expects a query parameter with these values, in order; other parameters are allowed.
    public func query(_ name: String, _ values: String...) -> Self { changing { $0.queryValues.set(name, values) } }

    /// Expects these query parameters; others are allowed.
    public func query(including parameters: NamedValues) -> Self {
        changing { $0.queryValues.include(parameters.texts) }
    }

    /// Expects these query parameters and no others.
    public func query(exactly parameters: NamedValues) -> Self {
        changing { $0.queryValues = ExpectedValues(parameters.texts, isWhole: true) }
    }

    /// Another name for an exact query.
    @available(*, unavailable, renamed: "query(exactly:)")
    public func query(_ parameters: NamedValues) -> Self { query(exactly: parameters) }

    /// Expects a query without the parameter.
    public func without(query name: String) -> Self { changing { $0.queryValues.set(name, []) } }

    /// Expects a header; other headers are allowed.
    public func header(_ name: String, _ value: String) -> Self {
        changing { $0.headerValues.set(name.lowercased(), [value]) }
    }

    /// Expects these headers; others are allowed.
    public func headers(including headers: NamedValues) -> Self {
        changing { $0.headerValues.include(headers.lowercasedTexts) }
    }

    /// Expects these headers and no others.
    ///
    /// Headers that a session adds, such as `User-Agent`, are compared; headers that a connection adds, such as `Host`, are not.
    public func headers(exactly headers: NamedValues) -> Self {
        changing { $0.headerValues = ExpectedValues(headers.lowercasedTexts, isWhole: true) }
    }

    /// Expects a request without the header.
    public func without(header name: String) -> Self { changing { $0.headerValues.set(name.lowercased(), []) } }

    // MARK: JSON

    /// Expects a JSON object with this member; other members are allowed.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - value: The value, which is encoded immediately.
    ///   - encoder: The encoder; use the application's if it has special settings.
    /// - Returns: The expectation.
    public func json(_ name: String, _ value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) -> Self {
        changing(encoding: value, encoder) { $0.includeJSON(.object([ExactText(name): $1])) }
    }

    /// Expects a JSON object with this member, whose value is a literal; other members are allowed.
    public func json(_ name: String, _ literal: JSONLiteral) -> Self {
        changing { $0.includeJSON(.object([ExactText(name): literal.value])) }
    }

    /// Expects a JSON body with the structure of this value.
    ///
    /// - Parameters:
    ///   - value: The value, which is encoded immediately. White space and the order of members are not compared.
    ///   - encoder: The encoder; use the application's if it has special settings.
    /// - Returns: The expectation.
    public func json(_ value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) -> Self {
        json(exactly: value, using: encoder)
    }

    /// Expects a JSON body with the structure of a literal.
    public func json(_ literal: JSONLiteral) -> Self { json(exactly: literal) }

    /// Expects a JSON body with the structure of this value.
    ///
    /// - Parameters:
    ///   - value: The value, which is encoded immediately. White space and the order of members are not compared.
    ///   - encoder: The encoder; use the application's if it has special settings.
    /// - Returns: The expectation.
    public func json(exactly value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) -> Self {
        changing(encoding: value, encoder) { $0.expectedBody = .json(ExpectedJSON($1, isWhole: true)) }
    }

    /// Expects a JSON body with the structure of a literal.
    public func json(exactly literal: JSONLiteral) -> Self {
        changing { $0.expectedBody = .json(ExpectedJSON(literal.value, isWhole: true)) }
    }

    /// Expects a JSON body whose objects have the members of this value; other members are allowed.
    public func json(including value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) -> Self {
        changing(encoding: value, encoder) { $0.includeJSON($1) }
    }

    /// Expects a JSON body whose objects have the members of a literal; other members are allowed.
    public func json(including literal: JSONLiteral) -> Self { changing { $0.includeJSON(literal.value) } }

    /// Expects a JSON object without the member.
    public func without(json name: String) -> Self {
        changing { expected in
            var json = expected.expectedBody.expectedJSON ?? ExpectedJSON(.object([:]), isWhole: false)
            json.exclude(ExactText(name))
            expected.expectedBody = .json(json)
        }
    }

    /// Expects a JSON body with the structure of this text.
    public func json(text: String) -> Self {
        changing { $0.setJSON(Data(text.utf8)) { $0.expectedBody = .json(ExpectedJSON($1, isWhole: true)) } }
    }

    // MARK: Forms

    /// Expects a form field with these values, in order; other fields are allowed.
    public func form(_ name: String, _ values: String...) -> Self { changingForm { $0.set(name, values) } }

    /// Expects a form with these fields; others are allowed.
    public func form(including fields: NamedValues) -> Self { changingForm { $0.include(fields.texts) } }

    /// Expects a form with these fields and no others.
    public func form(exactly fields: NamedValues) -> Self {
        changingForm { $0 = ExpectedValues(fields.texts, isWhole: true) }
    }

    /// Expects a form with these fields and no others.
    public func form(_ fields: NamedValues) -> Self { form(exactly: fields) }

    /// Expects a form without the field.
    public func without(form name: String) -> Self { changingForm { $0.set(name, []) } }

    private func changingForm(_ change: (inout ExpectedValues) -> Void) -> Self {
        changing { expected in
            var fields = expected.expectedBody.expectedForm ?? ExpectedValues()
            change(&fields)
            expected.expectedBody = .form(fields)
        }
    }

    // MARK: Other bodies

    /// Expects a part with this text in a `multipart/form-data` body; other parts are allowed.
    ///
    /// Parts with the same name are compared in order.
    public func part(_ name: String, _ text: String, fileName: String? = nil) -> Self {
        part(name, Data(text.utf8), fileName: fileName)
    }

    /// Expects a part with these bytes in a `multipart/form-data` body; other parts are allowed.
    ///
    /// - Parameters:
    ///   - name: The part's name.
    ///   - data: The part's content.
    ///   - fileName: The name of the file; `nil` if it is not compared.
    /// - Returns: The expectation.
    public func part(_ name: String, _ data: Data, fileName: String? = nil) -> Self {
        changing { expected in
            var parts: [ExpectedPart] = []
            if case .parts(let before) = expected.expectedBody { parts = before }
            expected.expectedBody = .parts(parts + [ExpectedPart(name: name, data: data, fileName: fileName)])
        }
    }

    /// Expects a body with this text.
    public func text(_ text: String) -> Self { changing { $0.expectedBody = .text(text) } }

    /// Expects a body with these bytes.
    public func body(_ data: Data) -> Self { changing { $0.expectedBody = .data(data) } }

    /// Expects an empty body or none.
    public func withoutBody() -> Self { changing { $0.expectedBody = .none } }

    /// Encodes a value, and changes a copy with the result.
    private func changing(
        encoding value: some Encodable,
        _ encoder: JSONEncoder,
        _ change: (inout Self, JSONValue) -> Void
    ) -> Self {
        changing { expected in
            do {
                expected.setJSON(try encoder.encode(value), change)
            } catch {
                // The text contains only the type of the error, because the error may contain secret values.
                expected.mistake = "\(type(of: value)) can't be encoded as JSON (\(type(of: error)))"
            }
        }
    }

    private mutating func setJSON(_ data: Data, _ change: (inout Self, JSONValue) -> Void) {
        if let value = JSONValue(data) {
            change(&self, value)
        } else {
            mistake = "the expected body is not JSON, or is nested too deeply"
        }
    }

    private mutating func includeJSON(_ value: JSONValue) {
        var json = expectedBody.expectedJSON ?? ExpectedJSON(value, isWhole: false)
        json.include(value)
        expectedBody = .json(json)
    }
}

extension NamedValues {
    /// The values with lowercase names, because header names are compared in lower case.
    fileprivate var lowercasedTexts: [URLParts.Item] {
        items.map { URLParts.Item(name: $0.name.lowercased(), value: $0.value) }
    }
}
