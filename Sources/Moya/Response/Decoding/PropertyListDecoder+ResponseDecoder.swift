import Foundation

extension PropertyListDecoder: ResponseDecoder {
    /// The part of a property list that is at a key path; `nil` if nothing is there.
    ///
    /// - Throws: Foundation's error if the data is no property list.
    public func part(of data: Data, atKeyPath keyPath: String) throws -> Data? {
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        return try JSONKeyPath(keyPath).value(in: list).map {
            try PropertyListSerialization.data(fromPropertyList: $0, format: .binary, options: 0)
        }
    }

    /// A dictionary without entries, and an array of one such dictionary.
    public var emptyBodies: [Data] {
        let lists: [Any] = [[String: String](), [[String: String]()]]
        return lists.compactMap { try? PropertyListSerialization.data(fromPropertyList: $0, format: .xml, options: 0) }
    }
}
