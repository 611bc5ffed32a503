import Foundation
import MoyaHTTP

/// The rules by which requests are matched with recorded ones.
///
/// Secrets are masked before the comparison; `***` in the file matches any value. Everything else is compared
/// exactly: texts by their bytes, so a composed and a decomposed `é` differ, and JSON numbers by their value, so 1
/// and 1.0 are equal, but 9007199254740993 and 9007199254740992 are not.
public struct HARMatching: Hashable, Sendable {
    /// Parts of a request, except headers, which are selected by name because most of them depend on the machine.
    public struct Parts: OptionSet, Hashable, Sendable {
        /// The bits, one for each part.
        public let rawValue: Int

        /// Creates parts from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The method.
        public static let method = Parts(rawValue: 1 << 0)
        /// Scheme, host and port.
        public static let origin = Parts(rawValue: 1 << 1)
        /// The path.
        public static let path = Parts(rawValue: 1 << 2)
        /// The query parameters by name; values with the same name in order.
        public static let query = Parts(rawValue: 1 << 3)
        /// The body: JSON by structure, forms by name, other bodies by bytes.
        public static let body = Parts(rawValue: 1 << 4)

        /// The whole URL.
        public static let url: Parts = [.origin, .path, .query]
        /// All parts.
        public static let all: Parts = [.method, .url, .body]
    }

    /// The order in which matching entries are used.
    public enum Order: Hashable, Sendable {
        /// The first unused matching entry.
        case any
        /// The first unused entry, which must match: requests must be sent in the order of the recording.
        case recorded
    }

    /// The parts that are compared; all by default.
    public var parts: Parts
    /// The case-insensitive names of headers that are compared; empty by default.
    public var headers: Set<String>
    /// The names of query parameters that are not compared, such as timestamps and random numbers.
    public var ignoredQueryNames: Set<String>
    /// The order in which matching entries are used; by default any order.
    public var order: Order
    /// Whether the last matching entry is used again after all matching ones have been used; false by default.
    public var repeats: Bool

    /// Creates rules, strict ones by default.
    public init(
        parts: Parts = .all,
        headers: Set<String> = [],
        ignoredQueryNames: Set<String> = [],
        order: Order = .any,
        repeats: Bool = false
    ) {
        self.parts = parts
        self.headers = headers
        self.ignoredQueryNames = ignoredQueryNames
        self.order = order
        self.repeats = repeats
    }
}

/// Finds recorded entries for requests, and tracks which entries have been used.
package struct HARMatcher: Sendable {
    private struct Key: Hashable, Sendable {
        let method: String?
        let path: ExactText?
    }

    /// The entries of the recording.
    package let entries: [HAR.Entry]
    private let matching: HARMatching
    private let secrets: HARSecrets
    private let recorded: [MatchedRequest]
    /// The index of entries by method and path, so that a request needs no linear search.
    private let places: [Key: [Int]]
    /// The entries with masked paths, which may match any path.
    private let maskedPaths: [Int]
    private var used: Set<Int> = []
    /// The index before which all entries have been used.
    private var next = 0

    /// Creates a matcher.
    ///
    /// - Parameters:
    ///   - har: The recording.
    ///   - matching: How requests are matched with entries.
    ///   - secrets: What is masked in both before they are compared.
    package init(_ har: HAR, matching: HARMatching = HARMatching(), secrets: HARSecrets = .standard) {
        self.matching = matching
        self.secrets = secrets
        entries = har.entries
        recorded = entries.map { MatchedRequest($0.request.masking(secrets), matching: matching) }
        var places: [Key: [Int]] = [:]
        var masked: [Int] = []
        for (index, request) in recorded.enumerated() {
            if request.url.path.contains(HARSecrets.placeholder) {
                masked.append(index)
            } else {
                places[Self.key(request, matching.parts), default: []].append(index)
            }
        }
        self.places = places
        maskedPaths = masked
    }

    /// The entries that have not been used, masked, with their positions.
    package var unused: [(index: Int, entry: HAR.Entry)] {
        entries.indices.filter { !used.contains($0) }.map { shown($0) }
    }

    /// Returns the entry for a request, and marks it as used.
    ///
    /// - Parameter request: The request.
    /// - Returns: The entry and its position.
    /// - Throws: ``HARMismatch`` if no entry matches.
    package mutating func take(_ request: HAR.Request) throws(HARMismatch) -> (index: Int, entry: HAR.Entry) {
        let request = request.masking(secrets)
        let actual = MatchedRequest(request, matching: matching)
        let index =
            switch matching.order {
            case .any: try takeAny(actual, request)
            case .recorded: try takeNext(actual, request)
            }
        used.insert(index)
        return (index, entries[index])
    }

    /// Returns the positions of all entries that match a request, used or not.
    package func matches(for request: HAR.Request) -> [Int] {
        matches(for: MatchedRequest(request.masking(secrets), matching: matching))
    }

    /// Returns the mismatch for a request that no entry matches.
    package func mismatch(for request: HAR.Request) -> HARMismatch {
        let request = request.masking(secrets)
        return mismatch(.noMatch, MatchedRequest(request, matching: matching), request)
    }

    private func takeAny(_ actual: MatchedRequest, _ request: HAR.Request) throws(HARMismatch) -> Int {
        let places = candidates(for: actual)
        if let index = places.first(where: { !used.contains($0) && isMatch($0, actual) }) { return index }
        guard let last = places.last(where: { isMatch($0, actual) }) else { throw mismatch(.noMatch, actual, request) }
        guard matching.repeats else {
            throw HARMismatch(.usedUp, request: request, nearest: shown(last))
        }
        return last
    }

    private mutating func takeNext(_ actual: MatchedRequest, _ request: HAR.Request) throws(HARMismatch) -> Int {
        if next == entries.count, matching.repeats { next = 0 }
        guard next < entries.count else {
            throw entries.isEmpty
                ? HARMismatch(.empty, request: request) : HARMismatch(.pastTheEnd, request: request)
        }
        let differences = recorded[next].differences(to: actual, in: matching.parts)
        guard differences.isEmpty else {
            throw HARMismatch(
                .outOfOrder,
                request: request,
                nearest: shown(next),
                differences: differences
            )
        }
        defer { next += 1 }
        return next
    }

    private func matches(for actual: MatchedRequest) -> [Int] {
        candidates(for: actual).filter { isMatch($0, actual) }
    }

    /// Returns the positions of entries that may match, in order.
    private func candidates(for actual: MatchedRequest) -> [Int] {
        let places = places[Self.key(actual, matching.parts)] ?? []
        return maskedPaths.isEmpty ? places : (places + maskedPaths).sorted()
    }

    private func isMatch(_ index: Int, _ actual: MatchedRequest) -> Bool {
        recorded[index].differences(to: actual, in: matching.parts).isEmpty
    }

    private func mismatch(_ reason: HARMismatch.Reason, _ actual: MatchedRequest, _ request: HAR.Request) -> HARMismatch
    {
        let likeness = recorded.enumerated().map { index, recorded in
            let differences = recorded.differences(to: actual, in: matching.parts)
            return (index: index, differences: differences, weight: differences.reduce(0) { $0 + $1.weight })
        }
        guard let nearest = likeness.min(by: { $0.weight < $1.weight }) else {
            return HARMismatch(.empty, request: request)
        }
        return HARMismatch(
            reason,
            request: request,
            nearest: shown(nearest.index),
            differences: nearest.differences
        )
    }

    /// Returns an entry with secrets masked, for errors.
    private func shown(_ index: Int) -> (index: Int, entry: HAR.Entry) { (index, entries[index].masking(secrets)) }

    private static func key(_ request: MatchedRequest, _ parts: HARMatching.Parts) -> Key {
        Key(
            method: parts.contains(.method) ? request.method : nil,
            path: parts.contains(.path) ? ExactText(request.url.path) : nil
        )
    }
}

/// A request in the form in which it is compared.
package struct MatchedRequest: Hashable, Sendable {
    let method: String
    let url: URLText
    private let query: MatchedValues
    private let headers: MatchedValues
    private let body: MatchedBody
    /// Whether `***` matches any bytes.
    private let isRecord: Bool

    /// Creates a request; names of headers must be lowercase.
    package init(
        method: String,
        url: URLText,
        query: [URLText.Item],
        headers: [URLText.Item],
        body: MatchedBody = .unknown
    ) {
        (self.method, self.url, self.body) = (method, url, body)
        (self.query, self.headers) = (MatchedValues(query), MatchedValues(headers))
        isRecord = false
    }

    /// Creates a request from a masked one of an archive.
    init(_ request: HAR.Request, matching: HARMatching) {
        method = request.method
        url = URLText(of: request.url)
        let items = url.items.filter { !matching.ignoredQueryNames.contains($0.name) }
        query = MatchedValues(items)
        let names = Set(matching.headers.map { $0.lowercased() })
        headers = MatchedValues(
            request.headers.filter { names.contains($0.name.lowercased()) }
                .map { URLText.Item(name: $0.name.lowercased(), value: $0.value) }
        )
        isRecord = true
        body = matching.parts.contains(.body) ? MatchedBody(request) : .unknown
    }

    package func differences(to actual: MatchedRequest, in parts: HARMatching.Parts) -> [HARDifference] {
        var found: [HARDifference] = []
        if parts.contains(.method), method != actual.method {
            found.append(.method(recorded: method, actual: actual.method))
        }
        if parts.contains(.origin), !isMatch(url.origin, actual.url.origin) {
            found.append(.origin(recorded: url.origin, actual: actual.url.origin))
        }
        if parts.contains(.path), !isMatch(url.path, actual.url.path) {
            found.append(.path(recorded: url.path, actual: actual.url.path))
        }
        if parts.contains(.query) {
            found += query.differences(to: actual.query, isRecord) { .query(name: $0, recorded: $1, actual: $2) }
        }
        found += headers.differences(to: actual.headers, isRecord) { .header(name: $0, recorded: $1, actual: $2) }
        return found + body.differences(to: actual.body, isRecord: isRecord)
    }

    private func isMatch(_ recorded: String, _ actual: String) -> Bool {
        let (recorded, actual) = (ExactText(recorded), ExactText(actual))
        return isRecord ? recorded.isMatched(by: actual) : recorded == actual
    }
}

/// The values of a query, a form or headers by name, which are compared by their bytes.
package struct MatchedValues: Hashable, Sendable {
    private let values: [ExactText: [ExactText]]

    package init(_ items: [URLText.Item]) {
        values = items.reduce(into: [:]) { $0[ExactText($1.name), default: []].append(ExactText($1.value)) }
    }

    /// Returns the differences from requested values; if `isRecord` is true, `***` matches any bytes inside of a
    /// value.
    func differences(
        to actual: MatchedValues,
        _ isRecord: Bool,
        make: (String, [String], [String]) -> HARDifference
    ) -> [HARDifference] {
        if values == actual.values { return [] }
        return Set(values.keys).union(actual.values.keys).sorted().compactMap { name in
            let (old, new) = (values[name] ?? [], actual.values[name] ?? [])
            let isMatch =
                old.count == new.count
                && zip(old, new).allSatisfy { old, new in
                    old == new || old.string == HARSecrets.placeholder || isRecord && old.isMatched(by: new)
                }
            return isMatch ? nil : make(name.string, old.map(\.string), new.map(\.string))
        }
    }
}

/// A request's body in the form in which it is compared.
package enum MatchedBody: Hashable, Sendable {
    /// The body is not in the file or unknown, and is not compared.
    case unknown
    case json(JSONValue)
    case form(MatchedValues)
    /// The first bytes and the total size.
    case bytes(Data, size: Int64)

    init(_ request: HAR.Request) {
        guard let post = request.postData else {
            self = request.bodySize > 0 ? .unknown : .bytes(Data(), size: 0)
            return
        }
        guard let data = post.data else {
            self =
                post.text == nil && post.params.isEmpty && request.bodySize <= 0
                ? .bytes(Data(), size: 0) : .unknown
            return
        }
        let type = MediaType(post.mimeType)
        let isCut = post.keptSize != nil
        if type.isJSON, !isCut, let value = JSONValue(data) {
            self = .json(value)
        } else if type.isForm, !isCut {
            self = .form(MatchedValues(URLText.items(of: String(decoding: data, as: UTF8.self))))
        } else {
            let plain = type.multipartBoundary.map { data.replacing($0) } ?? data
            // Masking or replacing the boundary changes the length.
            let size = isCut ? max(request.bodySize, Int64(plain.count)) : Int64(plain.count)
            self = .bytes(plain, size: size)
        }
    }

    /// Returns the differences from a requested body; if `isRecord` is true, `***` matches any bytes.
    package func differences(to actual: MatchedBody, isRecord: Bool = false) -> [HARDifference] {
        switch (self, actual) {
        case (.unknown, _), (_, .unknown):
            return []
        case (.json(let recorded), .json(let actual)):
            return recorded.differences(to: actual, isRecord: isRecord)
        case (.form(let recorded), .form(let actual)):
            return recorded.differences(to: actual, isRecord) { .field(name: $0, recorded: $1, actual: $2) }
        case (.bytes(let recorded, let recordedSize), .bytes(let actual, let actualSize)):
            if recorded == actual, recordedSize == actualSize { return [] }
            // Masking or replacing the boundary changes the length.
            if isRecord, MaskedPattern(recorded).matches(actual) { return [] }
            if recordedSize != actualSize { return [.length(recorded: recordedSize, actual: actualSize)] }
            // If both are cut, they may be cut at different positions.
            return recorded.firstDifference(from: actual).map { [.bytes(offset: $0)] } ?? []
        case (.json, .bytes(_, 0)), (.form, .bytes(_, 0)):
            return [.json(path: "$", recorded: "a body", actual: nil)]
        case (.bytes(_, 0), .json), (.bytes(_, 0), .form):
            return [.json(path: "$", recorded: nil, actual: "a body")]
        default:
            return [.bytes(offset: 0)]
        }
    }
}

extension Data {
    /// Returns the offset of the first different byte within the common length.
    package func firstDifference(from other: Data) -> Int? {
        zip(self, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    }

    /// Returns the data with a fixed boundary, as that of a form is random.
    fileprivate func replacing(_ boundary: String) -> Data {
        let delimiter = Data("--\(boundary)".utf8)
        var output = Data()
        var rest = self[...]
        while let found = rest.range(of: delimiter) {
            output += rest[..<found.lowerBound] + Data("--boundary".utf8)
            rest = rest[found.upperBound...]
        }
        return output + rest
    }
}
