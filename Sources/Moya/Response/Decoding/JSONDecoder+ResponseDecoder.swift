import Foundation

extension JSONDecoder: ResponseDecoder {
    /// Returns the part of a JSON text at a key path; `nil` if there is none.
    ///
    /// The names are those in the text: the decoder's key decoding strategy is not applied to them.
    ///
    /// - Throws: Foundation's error if the data is not JSON.
    public func part(of data: Data, atKeyPath keyPath: String) throws -> Data? {
        let json = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        return try JSONKeyPath(keyPath).value(in: json).map {
            try JSONSerialization.data(withJSONObject: $0, options: .fragmentsAllowed)
        }
    }

    /// An object without members, and an array with one such object.
    public var emptyBodies: [Data] { ["{}", "[{}]"].map { Data($0.utf8) } }
}
