import Foundation

// On Linux, in optimized builds, a `JSONDecoder` with the default strategies and without user information decodes by
// `JSONValueDecoder`, and such a `JSONEncoder` encodes by `JSONValueEncoder`; both take a fraction of the time of Foundation's
// coders. The decoder throws Foundation's errors to types that catch them. If an error ends the decoding, Foundation decodes the
// whole value again, so that the caller gets Foundation's error. Foundation also decodes again if only Foundation can determine
// the result, for example after a kept decoder, a repeated name or a number of over 38 digits. So `init(from:)` and
// `encode(to:)` may be called twice. `JSONAttempts` limits the cost: after a failure Foundation codes the next values of the
// type immediately. Tests compare the results with Foundation's, and `scripts/bench/run json` fails if an input takes over 1.2
// times Foundation's time.
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
