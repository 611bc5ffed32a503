import Foundation

extension Response {
    /// The data as a JSON value: a dictionary, an array, or a text, number, Boolean or `NSNull` by itself.
    ///
    /// - Parameter failsOnEmptyData: Whether a body of no bytes is an error; if not, it gives `NSNull`.
    /// - Throws: ``MoyaError/jsonMapping(_:)``.
    public func mapJSON(failsOnEmptyData: Bool = true) throws -> Any {
        if data.isEmpty, !failsOnEmptyData { return NSNull() }
        do {
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch {
            throw MoyaError.jsonMapping(self)
        }
    }

    /// The data as text in UTF-8, or the text at a key path of a JSON object.
    ///
    /// - Parameter keyPath: Names of nested objects, separated by dots.
    /// - Throws: ``MoyaError/stringMapping(_:)``; with a key path also ``MoyaError/jsonMapping(_:)`` if the data is no
    ///   JSON.
    public func mapString(atKeyPath keyPath: String? = nil) throws -> String {
        guard let keyPath else {
            guard let text = String(data: data, encoding: .utf8) else { throw MoyaError.stringMapping(self) }
            return text
        }
        guard let text = JSONKeyPath(keyPath).value(in: try mapJSON()) as? String else {
            throw MoyaError.stringMapping(self)
        }
        return text
    }

    /// The data, or the part at a key path, decoded as a type.
    ///
    /// - Parameters:
    ///   - keyPath: Names of nested objects, separated by dots; an array on the way gives the array of what its
    ///     elements have there.
    ///   - failsOnEmptyData: Whether a body of no bytes is an error. If not, it is decoded as `{}`, then as `[{}]`; and
    ///     where nothing is at the key path, the whole body is decoded.
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the decoder's error; with a key path also
    ///   ``MoyaError/jsonMapping(_:)`` if the data is no JSON or has nothing there.
    public func map<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) throws -> D {
        try decode(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
    }

    /// The data, or the part at a key path, decoded as a type by any decoder.
    ///
    ///     let settings = try response.map(Settings.self, using: PropertyListDecoder())
    ///
    /// - Parameters:
    ///   - keyPath: Names of nested dictionaries, separated by dots, for decoders that have key paths.
    ///   - decoder: See ``ResponseDecoder`` for how to make one of another package's.
    ///   - failsOnEmptyData: Whether a body of no bytes is an error. If not, it is decoded as what it may stand for in
    ///     the decoder's format; and where nothing is at the key path, the whole body is decoded.
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the decoder's error, with ``UnsupportedKeyPath``, or with a
    ///   `DecodingError.valueNotFound` if nothing is at the key path; for a `JSONDecoder` also
    ///   ``MoyaError/jsonMapping(_:)``, as its own method does.
    public func map<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: some ResponseDecoder,
        failsOnEmptyData: Bool = true
    ) throws -> D {
        try decode(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
    }

    /// The data as whatever a function makes of it, such as a type that decodes itself.
    ///
    ///     let book = try response.map(Book.self) { try Book(serializedBytes: $0) }
    ///
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the function's error.
    public func map<Value>(_ type: Value.Type = Value.self, using decode: (Data) throws -> Value) throws -> Value {
        do {
            return try decode(data)
        } catch {
            throw MoyaError.objectMapping(error, self)
        }
    }

    /// The data, or the part at a key path, decoded: what `map` promises, for any decoder.
    func decode<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String?,
        using decoder: some ResponseDecoder,
        failsOnEmptyData: Bool
    ) throws(MoyaError) -> D {
        let part = try part(atKeyPath: keyPath, for: type, using: decoder, failsOnEmptyData: failsOnEmptyData)
        do {
            if part.isEmpty, !failsOnEmptyData {
                for empty in decoder.emptyBodies {
                    if let value = try? decoder.decode(type, from: empty) { return value }
                }
            }
            return try decoder.decode(type, from: part)
        } catch {
            throw .objectMapping(error, self)
        }
    }

    private func part<D: Decodable>(
        atKeyPath keyPath: String?,
        for type: D.Type,
        using decoder: some ResponseDecoder,
        failsOnEmptyData: Bool
    ) throws(MoyaError) -> Data {
        guard let keyPath, failsOnEmptyData || !data.isEmpty else { return data }
        do {
            if let part = try decoder.part(of: data, atKeyPath: keyPath) { return part }
            guard failsOnEmptyData else { return data }
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(codingPath: [], debugDescription: "Nothing is at the key path \"\(keyPath)\".")
            )
        } catch {
            throw decoder is JSONDecoder ? .jsonMapping(self) : .objectMapping(error, self)
        }
    }
}
