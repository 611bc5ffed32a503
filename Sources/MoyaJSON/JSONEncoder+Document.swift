import Foundation

extension JSONEncoder {
    /// Encodes like ``encode(_:)``, but faster if neither the encoder nor the value is unusual.
    ///
    /// Unless the encoder sorts names, they are in the order in which the value encodes them.
    package func quicklyEncode(_ value: some Encodable) throws -> Data {
        #if canImport(Darwin) || DEBUG
        // Without optimization the library's encoder is slower than Foundation's, which is always optimized.
        return try encode(value)
        #else
        return try encode(value, attempts: .encoding)
        #endif
    }

    #if !canImport(Darwin)
    /// Encodes without Foundation if that is likely to succeed.
    package func encode<Value: Encodable>(_ value: Value, attempts: JSONAttempts) throws -> Data {
        guard hasDefaultStrategies, attempts.begin(Value.self) else { return try encode(value) }
        let text = JSONDocumentWriter(outputFormatting).text(of: value)
        attempts.end(Value.self, isSuccess: text != nil)
        return try text ?? encode(value)
    }

    /// Whether the encoder has the settings of a new one, except the order of names and the escaping of slashes.
    ///
    /// User information must be empty: with it, `encode(to:)` may have side effects, and an encoding may call it twice.
    var hasDefaultStrategies: Bool {
        guard type(of: self) == JSONEncoder.self, userInfo.isEmpty,
            outputFormatting.isSubset(of: [.sortedKeys, .withoutEscapingSlashes]),
            case .deferredToDate = dateEncodingStrategy, case .base64 = dataEncodingStrategy,
            case .throw = nonConformingFloatEncodingStrategy, case .useDefaultKeys = keyEncodingStrategy
        else { return false }
        return true
    }
    #endif
}
