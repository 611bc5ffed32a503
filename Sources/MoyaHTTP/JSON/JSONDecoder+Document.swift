import Foundation

extension JSONDecoder {
    /// Decodes as ``decode(_:from:)`` does, in less time if this decoder and the text have nothing unusual.
    package func quicklyDecode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        #if canImport(Darwin) || DEBUG
            // Without optimization the library's decoder takes more time than Foundation's, which always is optimized.
            return try decode(type, from: data)
        #else
            return try decode(type, from: data, attempts: .decoding)
        #endif
    }

    #if !canImport(Darwin)
        /// Decodes without Foundation if that probably succeeds.
        package func decode<Value: Decodable>(
            _ type: Value.Type,
            from data: Data,
            attempts: JSONAttempts
        ) throws -> Value {
            guard JSONDocument.mayBegin(data), hasDefaultStrategies, attempts.begin(type) else {
                return try decode(type, from: data)
            }
            if let document = JSONDocument(data) {
                do {
                    let value = try document.value(type)
                    attempts.end(type, isSuccess: !document.isSlow)
                    return value
                } catch {
                    // The error of Foundation's decoder is the result.
                }
            }
            attempts.end(type, isSuccess: false)
            return try decode(type, from: data)
        }

        /// Whether all settings are those of a new decoder.
        ///
        /// User information may hold what `init(from:)` writes into, which may be called twice.
        var hasDefaultStrategies: Bool {
            guard type(of: self) == JSONDecoder.self, !allowsJSON5, !assumesTopLevelDictionary, userInfo.isEmpty,
                case .deferredToDate = dateDecodingStrategy, case .base64 = dataDecodingStrategy,
                case .throw = nonConformingFloatDecodingStrategy, case .useDefaultKeys = keyDecodingStrategy
            else { return false }
            return true
        }
    #endif
}
