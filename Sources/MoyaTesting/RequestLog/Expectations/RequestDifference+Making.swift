import Foundation
import MoyaHAR

extension RequestDifference {
    /// Creates a difference with secrets masked; `nil` if the expected value is the mask, which matches any secret.
    init?(_ difference: HARDifference, secrets: HARSecrets) {
        let mask = FieldMask(secrets)
        switch difference {
        case .method(let expected, let actual): self.init(.method, expected, actual)
        case .origin(let expected, let actual): self.init(.origin, expected, actual)
        case .path(let expected, let actual): self.init(.path, mask.url(expected), mask.url(actual))
        case .query(let name, let expected, let actual):
            self.init(.query(name), expected, actual) { mask.value($0, of: name) }
        case .field(let name, let expected, let actual):
            self.init(.field(name), expected, actual) { mask.value($0, of: name) }
        case .header(let name, let expected, let actual):
            self.init(.header(name), expected, actual) { mask.header(HAR.Field(name: name, value: $0)).value }
        case .json(let path, let expected, let actual):
            let isSecret = secrets.hides(in: path)
            let texts = [expected, actual].map { $0.map { isSecret ? HARSecrets.placeholder : $0 } }
            self.init(.json(path), texts[0], texts[1])
        case .bytes(let offset): self.init(.body, nil, "different from byte \(offset) on")
        case .length(let expected, let actual): self.init(.body, "\(expected) bytes", "\(actual) bytes")
        }
    }

    private init?(_ place: Place, _ expected: [String], _ actual: [String], mask: (String) -> String) {
        let masked = actual.map(mask)
        if expected.map({ ExactText($0) }) == masked.map({ ExactText($0) }) { return nil }
        let pairs = zip(expected.map(mask), masked).map { HARDifference.short($0, $1) }
        let (old, new) = (pairs.map(\.0), pairs.map(\.1))
        self.init(
            place,
            Self.list(old + expected.map(mask).dropFirst(pairs.count).map { HARDifference.short($0) }),
            Self.list(new + masked.dropFirst(pairs.count).map { HARDifference.short($0) })
        )
    }

    private static func list(_ values: [String]) -> String? {
        values.isEmpty ? nil : values.map(\.debugDescription).joined(separator: ", ")
    }

    /// Returns the difference between unequal bytes.
    static func bytes(_ place: Place, _ expected: Data, _ actual: Data) -> RequestDifference {
        let from = expected.firstDifference(from: actual).map { ", different from byte \($0) on" } ?? ""
        return RequestDifference(place, count(expected.count), count(actual.count) + from)
    }

    static func count(_ count: some BinaryInteger) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

    /// Returns the first different line of two texts, masked.
    static func line(_ expected: Data, _ actual: Data, secrets: HARSecrets) -> RequestDifference {
        let old = expected.split(separator: 0x0A, omittingEmptySubsequences: false)
        let new = actual.split(separator: 0x0A, omittingEmptySubsequences: false)
        let shared = zip(old, new).prefix { $0 == $1 }.count
        guard shared < max(old.count, new.count) else {
            return RequestDifference(.body, HARSecrets.placeholder, HARSecrets.placeholder)
        }
        let mask = FieldMask(secrets)
        let text = { (lines: [Data]) in
            shared < lines.count ? mask.text(String(decoding: lines[shared], as: UTF8.self)) : nil
        }
        guard let expected = text(old), let actual = text(new) else {
            return RequestDifference(
                .line(shared + 1),
                text(old).map { HARDifference.short($0).debugDescription },
                text(new).map { HARDifference.short($0).debugDescription }
            )
        }
        let (first, second) = HARDifference.short(expected, actual)
        return RequestDifference(.line(shared + 1), first.debugDescription, second.debugDescription)
    }
}

extension HARSecrets {
    /// Returns whether a place in JSON is inside of a member whose value is masked.
    fileprivate func hides(in path: String) -> Bool {
        path.split(separator: ".").dropFirst().contains { hides(String($0.prefix { $0 != "[" })) }
    }
}
