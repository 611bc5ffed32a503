import Foundation
import MoyaHTTP
import MoyaJSON

/// A value of any type that is encoded as JSON: dictionaries and arrays element by element, other values by their `Encodable`
/// conformance.
struct UntypedJSON: Encodable {
    private let value: Any

    init(_ value: Any) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        switch AnyParameter.unwrapped(value) {
        case let object as [String: Any]:
            var container = encoder.container(keyedBy: NameKey.self)
            for (name, value) in object { try container.encode(UntypedJSON(value), forKey: NameKey(stringValue: name)) }
        case let list as [Any]:
            var container = encoder.unkeyedContainer()
            for element in list { try container.encode(UntypedJSON(element)) }
        case let value:
            var container = encoder.singleValueContainer()
            guard let value, !(value is NSNull) else { return try container.encodeNil() }
            try container.encode(Self.encodable(value, at: encoder.codingPath))
        }
    }

    /// Converts an object of Foundation, which is not `Encodable`, to a value that is; returns any other `Encodable` value unchanged.
    private static func encodable(_ value: Any, at path: [any CodingKey]) throws -> any Encodable {
        if let number = AnyParameter.numberObject(value) {
            switch NumberKind(number) {
            case .boolean: return number.boolValue
            case .signedInteger: return number.int64Value
            case .unsignedInteger: return number.uint64Value
            case .float, .double: return number.doubleValue
            case .decimal, nil: return number.decimalValue
            }
        }
        if let encodable = value as? any Encodable { return encodable }
        if let text = value as? NSString { return text.description }
        throw EncodingError.invalidValue(
            value,
            EncodingError.Context(codingPath: path, debugDescription: "JSON cannot represent the type.")
        )
    }

    /// Returns the type and the place of the value that caused an error, such as `Photo in "user.photo"`.
    func name(of error: any Error) -> String {
        guard case EncodingError.invalidValue(let invalid, let context) = error else { return "\(type(of: value))" }
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return path.isEmpty ? "\(type(of: invalid))" : "\(type(of: invalid)) in \(path.debugDescription)"
    }
}
