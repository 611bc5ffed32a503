import Foundation
import MoyaHTTP

/// The compared form of a request.
package struct MatchedRequest: Hashable, Sendable {
    let method: String
    let url: URLParts
    private let query: MatchedValues
    private let headers: MatchedValues
    private let body: MatchedBody
    /// Whether the request is from a recording, in which `***` matches any bytes.
    private let isRecord: Bool

    /// Creates a request; names of headers must be lowercase.
    package init(
        method: String,
        url: URLParts,
        query: [URLParts.Item],
        headers: [URLParts.Item],
        body: MatchedBody = .unknown
    ) {
        (self.method, self.url, self.body) = (method, url, body)
        (self.query, self.headers) = (MatchedValues(query), MatchedValues(headers))
        isRecord = false
    }

    /// Creates a request from a masked one of an archive.
    init(_ request: HAR.Request, matching: HARMatching) {
        method = request.method
        url = URLParts(of: request.url)
        let items = url.items.filter { !matching.ignoredQueryNames.contains($0.name) }
        query = MatchedValues(items)
        let names = Set(matching.headers.map { $0.lowercased() })
        headers = MatchedValues(
            request.headers.filter { names.contains($0.name.lowercased()) }
                .map { URLParts.Item(name: $0.name.lowercased(), value: $0.value) }
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

/// The values of a query, a form or headers by name, compared by their bytes.
package struct MatchedValues: Hashable, Sendable {
    private let values: [ExactText: [ExactText]]

    package init(_ items: [URLParts.Item]) {
        values = items.reduce(into: [:]) { $0[ExactText($1.name), default: []].append(ExactText($1.value)) }
    }

    /// Returns the differences from requested values; if `isRecord` is true, `***` matches any bytes within a value.
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

/// The compared form of a request's body.
package enum MatchedBody: Hashable, Sendable {
    /// The body is unknown, for example because it is not in the file, and is not compared.
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
            self = .form(MatchedValues(URLParts.parseItems(of: String(decoding: data, as: UTF8.self))))
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
            // Two cut bodies have no difference within their common length, but may be cut at different positions.
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

    /// Returns the data of a multipart form with a fixed boundary in place of the random one.
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
