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

    init(_ place: Place, expected: String?, actual: String?) {
        self.place = place
        self.expected = expected
        // Different values may look equal after masking or shortening.
        self.actual = actual != nil && actual == expected ? actual.map { "\($0) (another value)" } : actual
    }

    /// The weight of the difference; the request with the smallest sum of weights is the most similar one.
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
        case .query(let name): "query \(name.shortened.debugDescription)"
        case .header(let name): "header \(name.shortened.debugDescription)"
        case .field(let name): "form field \(name.shortened.debugDescription)"
        case .part(let name): "part \(name.shortened.debugDescription)"
        case .fileName(let name): "part \(name.shortened.debugDescription), file name"
        // A member's name may contain any characters.
        case .json(let path): String(path.shortened.debugDescription.dropFirst().dropLast())
        case .line(let number): "body, line \(number)"
        case .body: "body"
        }
    }

    /// The difference in two lines, such as `- query "page" "1"` and `+ query "page" "2"`.
    public var description: String { Self.text(of: [self]) }

    /// Returns the differences, one below the other.
    static func text(of differences: [RequestDifference]) -> String {
        let labels = differences.map(\.label)
        // A long label must not widen the column of the others.
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

extension RequestDifference {
    /// Creates a difference with secrets masked; `nil` if the expected value is the mask, which matches any secret.
    init?(_ difference: HARDifference, secrets: HARSecrets) {
        let mask = FieldMask(secrets)
        switch difference {
        case .method(let expected, let actual): self.init(.method, expected: expected, actual: actual)
        case .origin(let expected, let actual): self.init(.origin, expected: expected, actual: actual)
        case .path(let expected, let actual): self.init(.path, expected: mask.url(expected), actual: mask.url(actual))
        case .query(let name, let expected, let actual):
            self.init(.query(name), expected: expected, actual: actual) { mask.value($0, of: name) }
        case .field(let name, let expected, let actual):
            self.init(.field(name), expected: expected, actual: actual) { mask.value($0, of: name) }
        case .header(let name, let expected, let actual):
            self.init(.header(name), expected: expected, actual: actual) {
                mask.header(HAR.Field(name: name, value: $0)).value
            }
        case .json(let path, let expected, let actual):
            let isSecret = secrets.isSecret(in: path)
            let texts = [expected, actual].map { $0.map { isSecret ? HARSecrets.placeholder : $0 } }
            self.init(.json(path), expected: texts[0], actual: texts[1])
        case .bytes(let offset): self.init(.body, expected: nil, actual: "different from byte \(offset) on")
        case .length(let expected, let actual):
            self.init(.body, expected: "\(expected) bytes", actual: "\(actual) bytes")
        }
    }

    private init?(_ place: Place, expected: [String], actual: [String], mask: (String) -> String) {
        let masked = actual.map(mask)
        if expected.map({ ExactText($0) }) == masked.map({ ExactText($0) }) { return nil }
        let pairs = zip(expected.map(mask), masked).map { $0.shortened(beside: $1) }
        let (old, new) = (pairs.map(\.0), pairs.map(\.1))
        self.init(
            place,
            expected: Self.list(old + expected.map(mask).dropFirst(pairs.count).map { $0.shortened }),
            actual: Self.list(new + masked.dropFirst(pairs.count).map { $0.shortened })
        )
    }

    private static func list(_ values: [String]) -> String? {
        values.isEmpty ? nil : values.map(\.debugDescription).joined(separator: ", ")
    }

    /// Returns the difference between unequal bytes.
    static func bytes(_ place: Place, expected: Data, actual: Data) -> RequestDifference {
        let from = expected.firstDifference(from: actual).map { ", different from byte \($0) on" } ?? ""
        return RequestDifference(place, expected: count(expected.count), actual: count(actual.count) + from)
    }

    /// Returns a number of bytes in words.
    static func count(_ count: some BinaryInteger) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

    /// Returns the first different line of two texts, masked.
    static func line(expected: Data, actual: Data, secrets: HARSecrets) -> RequestDifference {
        let old = expected.split(separator: 0x0A, omittingEmptySubsequences: false)
        let new = actual.split(separator: 0x0A, omittingEmptySubsequences: false)
        let shared = zip(old, new).prefix { $0 == $1 }.count
        guard shared < max(old.count, new.count) else {
            return RequestDifference(.body, expected: HARSecrets.placeholder, actual: HARSecrets.placeholder)
        }
        let mask = FieldMask(secrets)
        let text = { (lines: [Data]) in
            shared < lines.count ? mask.text(String(decoding: lines[shared], as: UTF8.self)) : nil
        }
        guard let expected = text(old), let actual = text(new) else {
            return RequestDifference(
                .line(shared + 1),
                expected: text(old).map { $0.shortened.debugDescription },
                actual: text(new).map { $0.shortened.debugDescription }
            )
        }
        let (first, second) = expected.shortened(beside: actual)
        return RequestDifference(
            .line(shared + 1),
            expected: first.debugDescription,
            actual: second.debugDescription
        )
    }
}

extension HARSecrets {
    /// Returns whether a JSON path leads through a member whose value is masked.
    fileprivate func isSecret(in path: String) -> Bool {
        path.split(separator: ".").dropFirst().contains { isSecret(String($0.prefix { $0 != "[" })) }
    }
}
