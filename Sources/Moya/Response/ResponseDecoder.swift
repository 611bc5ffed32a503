import Foundation
import MoyaJSON

/// A decoder for the body of a response, in any format.
///
/// `JSONDecoder` and `PropertyListDecoder` conform. A decoder of another package with the usual method, such as
/// XMLCoder's `XMLDecoder` and Yams' `YAMLDecoder`, needs one line:
///
///     extension XMLDecoder: @retroactive ResponseDecoder {}
///
///     let user = try response.map(User.self, using: XMLDecoder())
///
/// Types that decode themselves and are not `Decodable`, such as SwiftProtobuf's messages, need no decoder: see
/// `Response.map(_:using:)`.
public protocol ResponseDecoder {
    /// Decodes data as a type.
    ///
    /// - Throws: Any error; it is wrapped in ``MoyaError/objectMapping(_:_:)``.
    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T

    /// Returns the part of the data at a key path, as data for ``decode(_:from:)``; `nil` if there is none.
    ///
    /// The default implementation throws ``UnsupportedKeyPath``.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - keyPath: Names of nested values, separated by dots.
    /// - Returns: The part.
    /// - Throws: Any error, for example if the data is not in the decoder's format.
    func part(of data: Data, atKeyPath keyPath: String) throws -> Data?

    /// The bodies to decode in place of an empty body, where that is allowed; the first that decodes is used.
    ///
    /// Empty by default; then the decoder receives the empty body.
    var emptyBodies: [Data] { get }
}

extension ResponseDecoder {
    /// Throws because the decoder does not support key paths.
    ///
    /// - Throws: ``UnsupportedKeyPath``.
    public func part(of data: Data, atKeyPath keyPath: String) throws -> Data? {
        throw UnsupportedKeyPath(keyPath: keyPath, decoder: "\(Self.self)")
    }

    /// No bodies.
    public var emptyBodies: [Data] { [] }

    /// Decodes a body as `decode(_:from:)` does; for a `JSONDecoder` it calls a faster implementation.
    func decodeBody<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        guard let decoder = self as? JSONDecoder else { return try decode(type, from: data) }
        return try decoder.quicklyDecode(type, from: data)
    }
}

/// A body cannot be decoded at a key path because the decoder does not support key paths.
public struct UnsupportedKeyPath: Error, Equatable, MaskedError {
    /// The key path.
    public let keyPath: String
    /// The name of the decoder's type.
    public let decoder: String

    /// The problem, and how to resolve it.
    public var errorDescription: String? {
        """
        \(decoder) has no key paths, so nothing can be decoded at "\(keyPath)". Decode the whole body, or implement \
        part(of:atKeyPath:) for the decoder.
        """
    }
}

extension JSONDecoder: ResponseDecoder {
    /// Returns the part of a JSON text at a key path; `nil` if there is none.
    ///
    /// The key path has the names in the text; the decoder's key decoding strategy is not applied to them.
    ///
    /// - Throws: Foundation's error if the data is not JSON.
    public func part(of data: Data, atKeyPath keyPath: String) throws -> Data? {
        try JSONKeyPath(keyPath).part(of: data)
    }

    /// An object without members, and an array with one such object.
    public var emptyBodies: [Data] { ["{}", "[{}]"].map { Data($0.utf8) } }
}

extension PropertyListDecoder: ResponseDecoder {
    /// Returns the part of a property list at a key path; `nil` if there is none.
    ///
    /// - Throws: Foundation's error if the data is not a property list.
    public func part(of data: Data, atKeyPath keyPath: String) throws -> Data? {
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        return try JSONKeyPath(keyPath).value(in: list).map {
            try PropertyListSerialization.data(fromPropertyList: $0, format: .binary, options: 0)
        }
    }

    /// A dictionary without entries, and an array with one such dictionary.
    public var emptyBodies: [Data] {
        let lists: [Any] = [[String: String](), [[String: String]()]]
        return lists.compactMap { try? PropertyListSerialization.data(fromPropertyList: $0, format: .xml, options: 0) }
    }
}
