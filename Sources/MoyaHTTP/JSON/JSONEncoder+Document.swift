import Foundation

extension JSONEncoder {
    /// Encodes as ``encode(_:)`` does, in less time if this encoder and the value have nothing unusual.
    ///
    /// Names that are not sorted are in the order in which the value encodes them.
    package func quicklyEncode(_ value: some Encodable) throws -> Data {
        #if !canImport(Darwin)
            if hasDefaultStrategies, let text = JSONDocumentWriter(outputFormatting).text(of: value) { return text }
        #endif
        return try encode(value)
    }

    #if !canImport(Darwin)
        /// Whether all settings are those of a new encoder, except the order of names and the escaping of slashes.
        ///
        /// User information may hold what `encode(to:)` writes into, which may be called twice.
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
