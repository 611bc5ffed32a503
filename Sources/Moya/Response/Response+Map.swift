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
    /// - Parameter keyPath: As in ``map(_:atKeyPath:using:failsOnEmptyData:)``.
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
        let part = try keyPath.map { try self.part(atKeyPath: $0, failsOnEmptyData: failsOnEmptyData) } ?? data
        do {
            if part.isEmpty, !failsOnEmptyData {
                for empty in ["{}", "[{}]"] {
                    if let value = try? decoder.decode(type, from: Data(empty.utf8)) { return value }
                }
            }
            return try decoder.decode(type, from: part)
        } catch {
            throw MoyaError.objectMapping(error, self)
        }
    }

    private func part(atKeyPath keyPath: String, failsOnEmptyData: Bool) throws -> Data {
        guard let value = JSONKeyPath(keyPath).value(in: try mapJSON(failsOnEmptyData: failsOnEmptyData)) else {
            guard failsOnEmptyData else { return data }
            throw MoyaError.jsonMapping(self)
        }
        do {
            return try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
        } catch {
            throw MoyaError.jsonMapping(self)
        }
    }
}
