import Foundation

extension Response {
    /// Returns the body as a value of the type, also if the body is empty and the type allows it.
    ///
    ///     let user = try response.output(User?.self)  // nil for a 204
    ///
    /// An empty body is `nil` for an `Optional`. Without a key path, a result of type `Data` is the unchanged body, and a
    /// `String` is its text in UTF-8. Every other type is decoded.
    ///
    /// - Parameters:
    ///   - type: The type, which can be inferred.
    ///   - keyPath: The location of the value in the body: names separated by dots; `nil` for the whole body.
    ///   - decoder: Decodes the body.
    /// - Returns: The value.
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the decoder's error, as `map(_:atKeyPath:using:)` does; with
    ///   a key path and a `JSONDecoder` also ``MoyaError/jsonMapping(_:)``; for text that is not UTF-8
    ///   ``MoyaError/stringMapping(_:)``.
    public func output<Output: Decodable>(
        _ type: Output.Type = Output.self,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) throws(MoyaError) -> Output {
        // The cast succeeds for optional types only.
        if data.isEmpty, let nothing = Never?.none as? Output { return nothing }
        if keyPath == nil, let body = try body(as: type) { return body }
        return try decode(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: true)
    }

    /// Returns the undecoded body if the type is `Data`, `String` or an `Optional` of these.
    private func body<Body>(as type: Body.Type) throws(MoyaError) -> Body? {
        if let data = data as? Body { return data }
        guard "" is Body else { return nil }
        guard let text else { throw .stringMapping(withoutText) }
        return text as? Body
    }
}
