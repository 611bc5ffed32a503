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
        let part: JSONPart
        if let keyPath {
            part = try self.part(atKeyPath: keyPath, failsOnEmptyData: failsOnEmptyData)
        } else {
            part = .document(data)
        }
        do {
            switch part {
            case .document(let data) where data.isEmpty && !failsOnEmptyData:
                if let value = try? decoder.decode(type, from: Data("{}".utf8)) { return value }
                if let value = try? decoder.decode(type, from: Data("[{}]".utf8)) { return value }
                return try decoder.decode(type, from: data)
            case .document(let data):
                return try decoder.decode(type, from: data)
            case .wrapped(let data):
                return try decoder.decode(Wrapped<D>.self, from: data).value
            }
        } catch {
            throw MoyaError.objectMapping(error, self)
        }
    }

    private func part(atKeyPath keyPath: String, failsOnEmptyData: Bool) throws -> JSONPart {
        guard let value = JSONKeyPath(keyPath).value(in: try mapJSON(failsOnEmptyData: failsOnEmptyData)) else {
            guard failsOnEmptyData else { return .document(data) }
            throw MoyaError.jsonMapping(self)
        }
        do {
            // JSONDecoder wants a document, and some values are none by themselves.
            if value is [String: Any] || value is [Any] {
                return .document(try JSONSerialization.data(withJSONObject: value))
            }
            return .wrapped(try JSONSerialization.data(withJSONObject: ["value": value]))
        } catch {
            throw MoyaError.jsonMapping(self)
        }
    }

    private enum JSONPart {
        case document(Data)
        case wrapped(Data)
    }

    private struct Wrapped<Value: Decodable>: Decodable {
        let value: Value
    }
}
