import Foundation
import MoyaHTTP

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
