import Foundation

/// Masks the contents of parts in a form (RFC 7578) by their names. The form may be cut.
struct MultipartMask: Sendable {
    private let names: Set<String>
    private let delimiter: Data

    /// - Parameter names: In lower case.
    init(names: Set<String>, boundary: String) {
        self.names = names
        delimiter = Data("--\(boundary)".utf8)
    }

    func masking(_ data: Data) -> Data {
        var output = Data()
        var rest = data[...]
        while let found = rest.range(of: delimiter) {
            output += rest[..<found.upperBound]
            rest = rest[found.upperBound...]
            guard let head = rest.range(of: Self.endOfHead) else { break }
            let isSecret = name(in: rest[..<head.lowerBound]).map { names.contains($0.lowercased()) } ?? false
            output += rest[..<head.upperBound]
            rest = rest[head.upperBound...]
            let end = rest.range(of: Self.lineEnd + delimiter)?.lowerBound ?? rest.endIndex
            output += isSecret ? Data(HARSecrets.placeholder.utf8) : rest[..<end]
            rest = rest[end...]
        }
        return output + rest
    }

    /// The `name` of `Content-Disposition`, which stands before `filename`, or not.
    private func name(in head: Data) -> String? {
        let text = String(decoding: head, as: UTF8.self)
        for line in text.components(separatedBy: "\r\n") where line.lowercased().hasPrefix("content-disposition:") {
            for part in line.components(separatedBy: ";").map({ $0.trimmingCharacters(in: .whitespaces) })
            where part.lowercased().hasPrefix("name=") {
                return part.dropFirst("name=".count).trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            }
        }
        return nil
    }

    private static let lineEnd = Data("\r\n".utf8)
    private static let endOfHead = Data("\r\n\r\n".utf8)
}
