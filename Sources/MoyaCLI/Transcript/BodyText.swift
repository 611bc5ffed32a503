import Foundation

/// A body in one line.
struct BodyText: CustomStringConvertible, Equatable {
    let description: String

    init(_ data: Data) {
        guard let text = String(data: data, encoding: .utf8) else {
            description = "(\(data.count) bytes)"
            return
        }
        let line = text.replacingOccurrences(of: "\n", with: " ")
        description = line.count > Self.limit ? "\(line.prefix(Self.limit))…" : line
    }

    private static let limit = 200
}
