import Foundation
import MoyaHAR

/// One way in which a request differs from what was expected. Secrets in it are masked.
public struct RequestDifference: Hashable, Sendable {
    /// The part of a request that differs.
    public enum Place: Hashable, Sendable {
        /// What caused it.
        case target
        /// The method.
        case method
        /// Scheme, host and port.
        case origin
        /// The path.
        case path
        /// A parameter in the query.
        case query(String)
        /// A header, in lower case.
        case header(String)
        /// A form's field.
        case field(String)
        /// A part of a form of several.
        case part(String)
        /// The name of the file in a part.
        case fileName(part: String)
        /// A value in JSON: `$.user.roles[2]`.
        case json(String)
        /// A line of text, from 1.
        case line(Int)
        /// The body as a whole.
        case body
    }

    /// The part that differs.
    public let place: Place
    /// What was expected there, as it is shown; `nil` if nothing was.
    public let expected: String?
    /// What was asked there, as it is shown; `nil` if nothing was.
    public let asked: String?

    init(_ place: Place, _ expected: String?, _ asked: String?) {
        self.place = place
        self.expected = expected
        // Masked, or cut, they may look the same.
        self.asked = asked != nil && asked == expected ? asked.map { "\($0) (another value)" } : asked
    }

    /// How much it takes away from the likeness.
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
    /// The place: `query "page"`.
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
        // A name may have anything in it.
        case .json(let path): String(HARDifference.short(path).debugDescription.dropFirst().dropLast())
        case .line(let number): "body, line \(number)"
        case .body: "body"
        }
    }

    /// The difference in lines: `- query "page"  "1"` and `+ query "page"  "2"`.
    public var description: String { Self.text(of: [self]) }

    /// Differences, one below the other.
    static func text(of differences: [RequestDifference]) -> String {
        let labels = differences.map(\.label)
        // One long place must not push all others to the right.
        let width = labels.prefix(limit).map(\.count).filter { $0 <= 40 }.max() ?? 0
        let lines = zip(labels, differences).prefix(limit).flatMap { label, difference in
            let space = String(repeating: " ", count: max(0, width - label.count) + 2)
            return [
                difference.expected.map { "- \(label)\(space)\($0)" },
                difference.asked.map { "+ \(label)\(space)\($0)" },
            ].compactMap(\.self)
        }
        let rest = differences.count > limit ? ["… and \(differences.count - limit) more differences"] : []
        return (lines + rest).joined(separator: "\n")
    }

    /// Errors are for reading.
    private static let limit = 30
}
