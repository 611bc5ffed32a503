import Foundation

/// Decodes the body of a response, in any format.
///
/// `JSONDecoder` and `PropertyListDecoder` do. A decoder of another package that has the usual method, as XMLCoder's
/// `XMLDecoder` and Yams' `YAMLDecoder` have, takes one line:
///
///     extension XMLDecoder: @retroactive ResponseDecoder {}
///
///     let user = try response.map(User.self, using: XMLDecoder())
///
/// Messages that decode themselves and are not `Decodable`, as SwiftProtobuf's, need no decoder: see
/// `Response.map(_:using:)`.
public protocol ResponseDecoder {
    /// Decodes data as a type.
    ///
    /// - Throws: Any error; it ends up in ``MoyaError/objectMapping(_:_:)``.
    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T

    /// The part of the data that is at a key path, as data that ``decode(_:from:)`` takes; `nil` if nothing is there.
    ///
    /// Without an implementation of it a key path is an error.
    ///
    /// - Parameter keyPath: Names separated by dots, of what is nested in what.
    /// - Throws: Any error, such as for data that is not in the decoder's format.
    func part(of data: Data, atKeyPath keyPath: String) throws -> Data?

    /// What a body of no bytes may stand for where it is no error: the first that decodes is taken.
    ///
    /// Without an implementation of it there are none, and the decoder gets the body of no bytes.
    var emptyBodies: [Data] { get }
}

extension ResponseDecoder {
    /// Refuses the key path.
    ///
    /// - Throws: ``UnsupportedKeyPath``.
    public func part(of data: Data, atKeyPath keyPath: String) throws -> Data? {
        throw UnsupportedKeyPath(keyPath: keyPath, decoder: "\(Self.self)")
    }

    /// None.
    public var emptyBodies: [Data] { [] }
}

/// A body was to be decoded at a key path, by a decoder that has no key paths.
public struct UnsupportedKeyPath: Error, Equatable, LocalizedError {
    /// The key path.
    public let keyPath: String
    /// The name of the decoder's type.
    public let decoder: String

    /// What went wrong, and what to do.
    public var errorDescription: String? {
        """
        \(decoder) has no key paths, so nothing can be decoded at "\(keyPath)". Decode the whole body, or implement \
        part(of:atKeyPath:) for the decoder.
        """
    }
}
