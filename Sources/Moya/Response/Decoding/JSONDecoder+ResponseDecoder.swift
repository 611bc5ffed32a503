import Foundation

extension JSONDecoder: ResponseDecoder {
    /// The part of a JSON text that is at a key path; `nil` if nothing is there.
    ///
    /// Names on the way are as they are sent: the decoder's strategy for keys has no part in it.
    ///
    /// - Throws: Foundation's error if the data is no JSON.
    public func part(of data: Data, atKeyPath keyPath: String) throws -> Data? {
        let json = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        return try JSONKeyPath(keyPath).value(in: json).map {
            try JSONSerialization.data(withJSONObject: $0, options: .fragmentsAllowed)
        }
    }

    /// An object without members, and an array of one such object.
    public var emptyBodies: [Data] { ["{}", "[{}]"].map { Data($0.utf8) } }
}
