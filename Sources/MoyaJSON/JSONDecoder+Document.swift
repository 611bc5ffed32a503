import Foundation

extension JSONDecoder {
    /// Decodes like ``decode(_:from:)``, but faster if neither the decoder nor the text is unusual.
    package func quicklyDecode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        #if canImport(Darwin) || DEBUG
            // Without optimization the library's decoder is slower than Foundation's, which is always optimized.
            return try decode(type, from: data)
        #else
            return try decode(type, from: data, attempts: .decoding)
        #endif
    }

    #if !canImport(Darwin)
        /// Decodes without Foundation if that is likely to succeed.
        package func decode<Value: Decodable>(
            _ type: Value.Type,
            from data: Data,
            attempts: JSONAttempts
        ) throws -> Value {
            guard JSONDocument.canBegin(data), hasDefaultStrategies, attempts.begin(type) else {
                return try decode(type, from: data)
            }
            if let document = JSONDocument(data) {
                do {
                    let value = try document.value(type)
                    attempts.end(type, isSuccess: !document.isSlow)
                    return value
                } catch {
                    // Foundation's decoder determines the error.
                }
            }
            attempts.end(type, isSuccess: false)
            return try decode(type, from: data)
        }

        /// Whether the decoder has the settings of a new one.
        ///
        /// User information must be empty: with it, `init(from:)` may have side effects, and a decoding may call it twice.
        var hasDefaultStrategies: Bool {
            guard type(of: self) == JSONDecoder.self, !allowsJSON5, !assumesTopLevelDictionary, userInfo.isEmpty,
                case .deferredToDate = dateDecodingStrategy, case .base64 = dataDecodingStrategy,
                case .throw = nonConformingFloatDecodingStrategy, case .useDefaultKeys = keyDecodingStrategy
            else { return false }
            return true
        }
    #endif
}
