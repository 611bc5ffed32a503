import Foundation
import Moya
import MoyaHAR

extension ExpectedRequest {
    /// Expects a request that was created from a target.
    public func target(_ target: some TargetType & Equatable) -> Self {
        changing { $0.target = ExpectedTarget(target) }
    }

    // MARK: Query and headers

    /// Expects a query parameter with these values, in order; other parameters are allowed.
    public func query(_ name: String, _ values: String...) -> Self { changing { $0.query[ExactText(name)] = values } }

    /// Expects these query parameters and no others.
    public func query(exactly parameters: NamedValues) -> Self {
        changing { expected in
            expected.query = parameters.items.reduce(into: [:]) { $0[ExactText($1.name), default: []].append($1.value) }
            expected.isWholeQuery = true
        }
    }

    /// Expects a query without the parameter.
    public func without(query name: String) -> Self { changing { $0.query[ExactText(name)] = [] } }

    /// Expects a header; other headers are allowed.
    public func header(_ name: String, _ value: String) -> Self { changing { $0.headers[name.lowercased()] = [value] } }

    /// Expects a request without the header.
    public func without(header name: String) -> Self { changing { $0.headers[name.lowercased()] = [] } }

    // MARK: Body

    /// Expects a JSON body with the structure of this value.
    ///
    /// - Parameters:
    ///   - value: The value, which is encoded immediately. White space and the order of members are not compared.
    ///   - encoder: The encoder; use the application's if it has special settings.
    /// - Returns: The expectation.
    public func json(_ value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) -> Self {
        json(encoding: value, encoder, isWhole: true)
    }

    /// Expects a JSON body with the structure of a literal.
    public func json(_ literal: JSONLiteral) -> Self { changing { $0.body = .json(literal.value, isWhole: true) } }

    /// Expects a JSON body whose objects have the members of this value; other members are allowed.
    public func json(including value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) -> Self {
        json(encoding: value, encoder, isWhole: false)
    }

    /// Expects a JSON body whose objects have the members of a literal; other members are allowed.
    public func json(including literal: JSONLiteral) -> Self {
        changing { $0.body = .json(literal.value, isWhole: false) }
    }

    /// Expects a JSON body with the structure of this text.
    public func json(text: String) -> Self { json(Data(text.utf8), isWhole: true) }

    /// Expects a form with these fields and no others.
    public func form(_ fields: NamedValues) -> Self { changing { $0.body = .form(fields.texts) } }

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
            if case .parts(let before) = expected.body { parts = before }
            expected.body = .parts(parts + [ExpectedPart(name: name, data: data, fileName: fileName)])
        }
    }

    /// Expects a body with this text.
    public func text(_ text: String) -> Self { changing { $0.body = .text(text) } }

    /// Expects a body with these bytes.
    public func body(_ data: Data) -> Self { changing { $0.body = .data(data) } }

    /// Expects an empty body or none.
    public func withoutBody() -> Self { changing { $0.body = .none } }

    private func json(encoding value: some Encodable, _ encoder: JSONEncoder, isWhole: Bool) -> Self {
        do {
            return json(try encoder.encode(value), isWhole: isWhole)
        } catch {
            // Only the type of the error, as the error may contain values.
            return changing { $0.mistake = "\(type(of: value)) can't be encoded as JSON (\(type(of: error)))" }
        }
    }

    private func json(_ data: Data, isWhole: Bool) -> Self {
        changing { expected in
            if let value = JSONValue(data) {
                expected.body = .json(value, isWhole: isWhole)
            } else {
                expected.mistake = "the expected body is not JSON, or is nested too deeply"
            }
        }
    }
}
