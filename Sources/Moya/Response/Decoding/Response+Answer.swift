import Foundation

extension Response {
    /// The body as a value of the type: of no bytes too, where that says something.
    ///
    ///     let user = try response.answer(User?.self)  // nil for a 204
    ///
    /// A body of no bytes is `nil` as an `Optional`. Without a key path `Data` is the body as it is, and `String` its text in
    /// UTF-8. Everything else is decoded.
    ///
    /// - Parameters:
    ///   - type: The type, which the context may say.
    ///   - keyPath: Where in the body the value is: names separated by dots; the whole body if there is none.
    ///   - decoder: Decodes the body.
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the decoder's error, as `map(_:atKeyPath:using:)` does; with a key
    ///   path and a `JSONDecoder` also ``MoyaError/jsonMapping(_:)``; for text that is not in UTF-8
    ///   ``MoyaError/stringMapping(_:)``.
    public func answer<Answer: Decodable>(
        _ type: Answer.Type = Answer.self,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) throws(MoyaError) -> Answer {
        // This can be cast to every type of optionals, and to no other.
        if data.isEmpty, let nothing = Never?.none as? Answer { return nothing }
        if keyPath == nil, let body = try body(as: type) { return body }
        return try decode(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: true)
    }

    /// The body undecoded, if that is what the type, or an optional one, is for.
    private func body<Body>(as type: Body.Type) throws(MoyaError) -> Body? {
        if let data = data as? Body { return data }
        guard "" is Body else { return nil }
        guard let text = String(data: data, encoding: .utf8) else { throw .stringMapping(self) }
        return text as? Body
    }
}
