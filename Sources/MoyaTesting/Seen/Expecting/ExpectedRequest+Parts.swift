import Foundation
import Moya
import MoyaHAR

extension ExpectedRequest {
    /// Expects that a target caused it.
    public func target(_ target: some TargetType & Equatable) -> Self {
        changing { $0.target = ExpectedTarget(target) }
    }

    // MARK: Query and headers

    /// Expects a parameter in the query, with these values, in their order. Other parameters may be there.
    public func query(_ name: String, _ values: String...) -> Self { changing { $0.query[ExactText(name)] = values } }

    /// Expects these parameters in the query, and no others.
    public func query(exactly parameters: NamedValues) -> Self {
        changing { expected in
            expected.query = parameters.items.reduce(into: [:]) { $0[ExactText($1.name), default: []].append($1.value) }
            expected.isWholeQuery = true
        }
    }

    /// Expects that a parameter is not in the query.
    public func without(query name: String) -> Self { changing { $0.query[ExactText(name)] = [] } }

    /// Expects a header. Other headers may be there.
    public func header(_ name: String, _ value: String) -> Self { changing { $0.headers[name.lowercased()] = [value] } }

    /// Expects that a header is not there.
    public func without(header name: String) -> Self { changing { $0.headers[name.lowercased()] = [] } }

    // MARK: Body

    /// Expects a body of JSON with the structure of this value.
    ///
    /// - Parameters:
    ///   - value: Encoded now, and compared by its structure: neither spaces nor the order of members matter.
    ///   - encoder: The one that the application sends with, if it is a special one.
    public func json(_ value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) -> Self {
        json(encoding: value, encoder, isWhole: true)
    }

    /// Expects a body of JSON with the structure of a literal.
    public func json(_ literal: JSONLiteral) -> Self { changing { $0.body = .json(literal.value, isWhole: true) } }

    /// Expects a body of JSON whose objects have these members, with these values. They may have others.
    public func json(including value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) -> Self {
        json(encoding: value, encoder, isWhole: false)
    }

    /// Expects a body of JSON whose objects have the members of a literal, with these values. They may have others.
    public func json(including literal: JSONLiteral) -> Self {
        changing { $0.body = .json(literal.value, isWhole: false) }
    }

    /// Expects a body of JSON with the structure of this text.
    public func json(text: String) -> Self { json(Data(text.utf8), isWhole: true) }

    /// Expects a form with these fields, and no others.
    public func form(_ fields: NamedValues) -> Self { changing { $0.body = .form(fields.texts) } }

    /// Expects a part with this text in a `multipart/form-data` body. Other parts may be there; of several with the same name,
    /// the first that is expected is compared with the first that is there.
    public func part(_ name: String, _ text: String, fileName: String? = nil) -> Self {
        part(name, Data(text.utf8), fileName: fileName)
    }

    /// Expects a part with these bytes in a `multipart/form-data` body. Other parts may be there.
    ///
    /// - Parameter fileName: The name of the file, if that is to be compared.
    public func part(_ name: String, _ data: Data, fileName: String? = nil) -> Self {
        changing { expected in
            var parts: [ExpectedPart] = []
            if case .parts(let before) = expected.body { parts = before }
            expected.body = .parts(parts + [ExpectedPart(name: name, data: data, fileName: fileName)])
        }
    }

    /// Expects a body that is this text.
    public func text(_ text: String) -> Self { changing { $0.body = .text(text) } }

    /// Expects a body of these bytes.
    public func body(_ data: Data) -> Self { changing { $0.body = .data(data) } }

    /// Expects that there is no body, or an empty one.
    public func withoutBody() -> Self { changing { $0.body = .none } }

    private func json(encoding value: some Encodable, _ encoder: JSONEncoder, isWhole: Bool) -> Self {
        do {
            return json(try encoder.encode(value), isWhole: isWhole)
        } catch {
            // Not the error: it may show values.
            return changing { $0.mistake = "\(type(of: value)) can't be encoded as JSON (\(type(of: error)))" }
        }
    }

    private func json(_ data: Data, isWhole: Bool) -> Self {
        changing { expected in
            if let value = JSONValue(data) {
                expected.body = .json(value, isWhole: isWhole)
            } else {
                expected.mistake = "the body that is expected is no JSON, or nested too deep"
            }
        }
    }
}
