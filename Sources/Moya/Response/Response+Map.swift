import Foundation
import MoyaJSON

extension Response {
    /// Returns the data as a JSON value: a dictionary, array, text, number, Boolean or `NSNull`.
    ///
    /// - Parameter failsOnEmptyData: Whether an empty body is an error; otherwise it returns `NSNull`.
    /// - Returns: The value.
    /// - Throws: ``MoyaError/jsonMapping(_:)``.
    public func mapJSON(failsOnEmptyData: Bool = true) throws(MoyaError) -> Any {
        if data.isEmpty, !failsOnEmptyData { return NSNull() }
        do {
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch {
            throw .jsonMapping(self)
        }
    }

    /// Returns the data as text, or the text at a key path of a JSON object.
    ///
    /// The data is decoded in the charset of the `Content-Type` (RFC 9110, section 8.3.2), such as
    /// `text/plain; charset=ISO-8859-1`, and as UTF-8 if there is no charset, if Foundation does not know it, or if the data is
    /// not text in it.
    ///
    /// - Parameter keyPath: Names of nested objects, separated by dots.
    /// - Returns: The text.
    /// - Throws: ``MoyaError/stringMapping(_:)``; with a key path also ``MoyaError/jsonMapping(_:)`` if the data is
    ///   not JSON.
    public func mapString(atKeyPath keyPath: String? = nil) throws(MoyaError) -> String {
        guard let keyPath else {
            guard let text else { throw .stringMapping(withoutText) }
            return text
        }
        let part: Data?
        do {
            part = try JSONKeyPath(keyPath).part(of: data)
        } catch {
            throw .jsonMapping(self)
        }
        guard let part else { throw .stringMapping(missingValue(at: keyPath)) }
        guard let text = try? JSONDecoder().decodeBody(String.self, from: part) else {
            throw .stringMapping(
                Response(self, mappingProblem: "The value at the key path \"\(keyPath)\" is not a string.")
            )
        }
        return text
    }

    /// Decodes the data, or the part at a key path, as a type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - keyPath: Names of nested objects, separated by dots. For an array the rest of the path is applied to each
    ///     element.
    ///   - decoder: Decodes the data.
    ///   - failsOnEmptyData: Whether an empty body is an error. Otherwise it is decoded as `{}`, then as `[{}]`; and
    ///     if there is no value at the key path, the whole body is decoded.
    /// - Returns: The value.
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the decoder's error; with a key path also
    ///   ``MoyaError/jsonMapping(_:)`` if the data is not JSON or has no value there.
    public func map<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) throws(MoyaError) -> D {
        try decode(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
    }

    /// Decodes the data, or the part at a key path, as a type, with any decoder.
    ///
    ///     let settings = try response.map(Settings.self, using: PropertyListDecoder())
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - keyPath: Names of nested dictionaries, separated by dots, for decoders that support key paths.
    ///   - decoder: Decodes the data; see ``ResponseDecoder`` for using decoders of other packages.
    ///   - failsOnEmptyData: Whether an empty body is an error. Otherwise it is decoded as one of the decoder's
    ///     ``ResponseDecoder/emptyBodies``; and if there is no value at the key path, the whole body is decoded.
    /// - Returns: The value.
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the decoder's error, with ``UnsupportedKeyPath``, or with a
    ///   `DecodingError.valueNotFound` if there is no value at the key path; for a `JSONDecoder` also
    ///   ``MoyaError/jsonMapping(_:)``, as the method that takes a `JSONDecoder` does.
    public func map<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: some ResponseDecoder,
        failsOnEmptyData: Bool = true
    ) throws(MoyaError) -> D {
        try decode(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
    }

    /// Returns the result of a function of the data, such as the decoding of a type that decodes itself.
    ///
    ///     let book = try response.map(Book.self) { try Book(serializedBytes: $0) }
    ///
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the function's error.
    public func map<Value>(
        _ type: Value.Type = Value.self,
        using decode: (Data) throws -> Value
    ) throws(MoyaError) -> Value {
        do {
            return try decode(data)
        } catch {
            throw .objectMapping(error, self)
        }
    }

    /// Decodes the data, or the part at a key path; implements the `map` methods.
    func decode<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String?,
        using decoder: some ResponseDecoder,
        failsOnEmptyData: Bool
    ) throws(MoyaError) -> D {
        let (part, isAtKeyPath) = try part(
            atKeyPath: keyPath,
            for: type,
            using: decoder,
            failsOnEmptyData: failsOnEmptyData
        )
        do {
            if part.isEmpty, !failsOnEmptyData {
                for empty in decoder.emptyBodies {
                    if let value = try? decoder.decodeBody(type, from: empty) { return value }
                }
            }
            return try decoder.decodeBody(type, from: part)
        } catch {
            var error = (decoder as? JSONDecoder)?.locating(error, decoding: type, from: part) ?? error
            if isAtKeyPath, let keyPath, let failure = error as? DecodingError {
                error = failure.prefixed(byKeyPath: keyPath)
            }
            throw .objectMapping(error, self)
        }
    }

    /// Returns this response with the reason for an error: the value at the key path is missing.
    private func missingValue(at keyPath: String) -> Response {
        Response(self, mappingProblem: "Nothing is at the key path \"\(keyPath)\".")
    }

    /// Returns the data to decode, and whether it is the part at the key path.
    private func part<D: Decodable>(
        atKeyPath keyPath: String?,
        for type: D.Type,
        using decoder: some ResponseDecoder,
        failsOnEmptyData: Bool
    ) throws(MoyaError) -> (data: Data, isAtKeyPath: Bool) {
        guard let keyPath, failsOnEmptyData || !data.isEmpty else { return (data, false) }
        let part: Data?
        do {
            part = try decoder.part(of: data, atKeyPath: keyPath)
        } catch {
            throw decoder is JSONDecoder ? .jsonMapping(self) : .objectMapping(error, self)
        }
        if let part { return (part, true) }
        guard failsOnEmptyData else { return (data, false) }
        let response = missingValue(at: keyPath)
        guard !(decoder is JSONDecoder) else { throw .jsonMapping(response) }
        let context = DecodingError.Context(
            codingPath: [],
            debugDescription: response.mappingProblem ?? ""
        )
        throw .objectMapping(DecodingError.valueNotFound(type, context), response)
    }
}

extension Response {
    /// Returns the data as an image: `UIImage` or `NSImage` where the platform has one, otherwise ``Image``.
    ///
    /// - Throws: ``MoyaError/imageMapping(_:)`` if the data is not an image; with Moya's own ``Image`` also if it is
    ///   cut off or inconsistent.
    public func mapImage() throws(MoyaError) -> Image {
        guard let image = Image(data: data) else { throw .imageMapping(self) }
        return image
    }
}
