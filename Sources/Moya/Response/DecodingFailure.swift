import Foundation
import MoyaJSON

extension DecodingError {
    /// Returns the error with a key path before its coding path, so that the path begins at the root of the body.
    func prefixed(byKeyPath keyPath: String) -> DecodingError {
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map {
            KeyPathKey(stringValue: String($0))
        }
        func moved(_ context: Context) -> Context {
            Context(
                codingPath: keys + context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: context.underlyingError
            )
        }
        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, moved(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, moved(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, moved(context))
        case .dataCorrupted(let context): .dataCorrupted(moved(context))
        @unknown default: self
        }
    }

    /// Returns a sentence with the place and the text of a value that does not have the expected form.
    ///
    /// The sentence masks secrets. It is `nil` if the body as a whole is at fault.
    func summary(in response: Response) -> String? {
        switch self {
        case .keyNotFound(let key, let context):
            let names = DecodedValue(at: context.codingPath, in: response)?.names
            return "\(Self.place(context.codingPath + [key])) is missing\(names.map { ": \($0)" } ?? "")."
        case .valueNotFound(_, let context):
            let isNull = DecodedValue(at: context.codingPath, in: response) != nil
            return "\(Self.place(context.codingPath)) is \(isNull ? "null" : "null or missing")."
        case .typeMismatch(let type, let context):
            let expected = "of the type \(type)"
            guard let value = DecodedValue(at: context.codingPath, in: response) else {
                return "\(Self.place(context.codingPath)) is not \(expected)."
            }
            return "\(Self.place(context.codingPath)) is \(value.text), and not \(expected)."
        case .dataCorrupted(let context):
            guard !context.codingPath.isEmpty else { return nil }
            guard let value = DecodedValue(at: context.codingPath, in: response) else {
                return "\(Self.place(context.codingPath)) is not valid."
            }
            return "\(Self.place(context.codingPath)) is \(value.text), which is not valid for its type."
        @unknown default:
            return nil
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        let names = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
        return names.isEmpty ? "The value" : "The value at \(names.joined(separator: "."))"
    }
}

/// A name in a key path, which is looked up in each element of an array.
private struct KeyPathKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A value in the body of a response, with secrets masked, for error texts.
private struct DecodedValue {
    private static let maximumSize = 1_048_576
    private static let maximumNames = 8
    private static let maximumLength = 60

    private let json: Any

    /// Finds a value; `nil` if the body is not JSON, or has no value at the path because the decoder converts names.
    init?(at path: [any CodingKey], in response: Response) {
        guard response.data.count <= Self.maximumSize,
            let whole = try? JSONSerialization.jsonObject(with: response.maskedBody(), options: .fragmentsAllowed)
        else { return nil }
        let keyPath = path.prefix { $0 is KeyPathKey }.map(\.stringValue)
        var value: Any? = keyPath.isEmpty ? whole : JSONKeyPath(keyPath.joined(separator: ".")).value(in: whole)
        for key in path.dropFirst(keyPath.count) {
            if let index = key.intValue, let array = value as? [Any] {
                value = array.indices.contains(index) ? array[index] : nil
            } else {
                value = (value as? [String: Any])?[key.stringValue]
            }
        }
        guard let value else { return nil }
        json = value
    }

    var text: String {
        switch json {
        case let text as String:
            text.count > Self.maximumLength ? "\"\(text.prefix(Self.maximumLength))…\"" : "\"\(text)\""
        case let object as [String: Any]: object.isEmpty ? "an empty object" : "an object with \(Self.list(object))"
        case let array as [Any]: "an array with \(array.count) element\(array.count == 1 ? "" : "s")"
        case is NSNull: "null"
        default: AnyParameter.boolean(json).map { "\($0)" } ?? "\(json)"
        }
    }

    /// The names of an object, as a clause; `nil` for other values.
    var names: String? {
        guard let object = json as? [String: Any] else { return nil }
        return object.isEmpty ? "the object is empty" : "the object has \(Self.list(object))"
    }

    private static func list(_ object: [String: Any]) -> String {
        let names = object.keys.sorted().prefix(maximumNames).joined(separator: ", ")
        return object.count > maximumNames ? "\(names), …" : names
    }
}

extension MoyaError {
    /// Returns a sentence that says why a body does not decode; `nil` if the body as a whole is at fault.
    static func problem(_ error: any Swift.Error, in response: Response) -> String? {
        if let error = error as? DecodingError { return error.summary(in: response) }
        let name = response.request == nil ? nil : "The decoder failed with \(type(of: error))."
        return (error as? any LocalizedError)?.errorDescription ?? name
    }

    /// Returns the sentences that say why the body of a rejected response is not an error of this type.
    ///
    /// The decoding of the body has thrown this error.
    func problem(decoding failure: any Swift.Error.Type) -> String {
        let cause: String? =
            switch self {
            case .objectMapping(let error, let response):
                response.mappingProblem ?? Self.problem(error, in: response)
            default: response?.mappingProblem
            }
        guard response?.data.isEmpty != true else { return "The body is empty, and does not decode as \(failure)." }
        return ["The body does not decode as \(failure).", cause].compactMap { $0 }.joined(separator: " ")
    }
}
