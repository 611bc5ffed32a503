import Foundation
import MoyaHAR

/// One difference between a request and an expectation, with secrets masked.
public struct RequestDifference: Hashable, Sendable {
    /// The part of a request that differs.
    public enum Place: Hashable, Sendable {
        /// The target.
        case target
        /// The method.
        case method
        /// Scheme, host and port.
        case origin
        /// The path.
        case path
        /// A parameter in the query.
        case query(String)
        /// A header, by lowercase name.
        case header(String)
        /// A form field.
        case field(String)
        /// A part of a multipart form.
        case part(String)
        /// The file name of a part.
        case fileName(part: String)
        /// A value in JSON: `$.user.roles[2]`.
        case json(String)
        /// A line of a text body, from 1.
        case line(Int)
        /// The body as a whole.
        case body
    }

    /// The part that differs.
    public let place: Place
    /// The expected value for display; `nil` if nothing was expected.
    public let expected: String?
    /// The actual value for display; `nil` if there is none.
    public let actual: String?

    init(_ place: Place, _ expected: String?, _ actual: String?) {
        self.place = place
        self.expected = expected
        // Masked or shortened values may look equal.
        self.actual = actual != nil && actual == expected ? actual.map { "\($0) (another value)" } : actual
    }

    /// The contribution to a request's dissimilarity.
    var weight: Int {
        switch place {
        case .path, .target: 40
        case .method, .origin: 20
        case .query, .line, .body: 4
        case .header, .field, .part, .fileName, .json: 2
        }
    }
}

extension RequestDifference: CustomStringConvertible {
    /// The name of the place for display: `query "page"`.
    var label: String {
        switch place {
        case .target: "target"
        case .method: "method"
        case .origin: "server"
        case .path: "path"
        case .query(let name): "query \(HARDifference.short(name).debugDescription)"
        case .header(let name): "header \(HARDifference.short(name).debugDescription)"
        case .field(let name): "form field \(HARDifference.short(name).debugDescription)"
        case .part(let name): "part \(HARDifference.short(name).debugDescription)"
        case .fileName(let name): "part \(HARDifference.short(name).debugDescription), file name"
        // A member's name may contain any characters.
        case .json(let path): String(HARDifference.short(path).debugDescription.dropFirst().dropLast())
        case .line(let number): "body, line \(number)"
        case .body: "body"
        }
    }

    /// The difference in lines: `- query "page"  "1"` and `+ query "page"  "2"`.
    public var description: String { Self.text(of: [self]) }

    /// Returns the differences, one below the other.
    static func text(of differences: [RequestDifference]) -> String {
        let labels = differences.map(\.label)
        // Long labels do not widen the column.
        let width = labels.prefix(limit).map(\.count).filter { $0 <= 40 }.max() ?? 0
        let lines = zip(labels, differences).prefix(limit).flatMap { label, difference in
            let space = String(repeating: " ", count: max(0, width - label.count) + 2)
            return [
                difference.expected.map { "- \(label)\(space)\($0)" },
                difference.actual.map { "+ \(label)\(space)\($0)" },
            ].compactMap(\.self)
        }
        let rest = differences.count > limit ? ["… and \(differences.count - limit) more differences"] : []
        return (lines + rest).joined(separator: "\n")
    }

    /// The maximum number of differences in a text.
    private static let limit = 30
}
