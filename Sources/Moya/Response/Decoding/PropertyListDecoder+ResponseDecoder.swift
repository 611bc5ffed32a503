import Foundation

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
