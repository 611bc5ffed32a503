import Foundation

/// Masks the contents of parts in a form (RFC 7578) by their names. The form may be cut.
struct MultipartMask: Sendable {
    private let names: Set<String>
    private let boundary: String

    /// - Parameter names: In lower case.
    init(names: Set<String>, boundary: String) {
        self.names = names
        self.boundary = boundary
    }

    func masking(_ data: Data) -> Data {
        var output = Data()
        var copied = data.startIndex
        for part in MultipartParts(data, boundary: boundary).parts {
            guard let name = part.name, names.contains(name.lowercased()) else { continue }
            output += data[copied..<part.content.lowerBound] + Data(HARSecrets.placeholder.utf8)
            copied = part.content.upperBound
        }
        return output + data[copied...]
    }
}
