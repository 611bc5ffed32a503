import Foundation
import MoyaHTTP

/// A request's body, as it is compared.
package enum MatchedBody: Hashable, Sendable {
    /// It is not in the file, or can't be known: it is not compared.
    case unknown
    case json(JSONValue)
    case form(MatchedValues)
    /// The first bytes, and how many there are in all.
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
            // What a mask or a boundary changed no longer has the length that was sent.
            let size = isCut ? max(request.bodySize, Int64(plain.count)) : Int64(plain.count)
            self = .bytes(plain, size: size)
        }
    }

    /// - Parameter isRecord: Whether `***` in it stands for any bytes.
    package func differences(to asked: MatchedBody, isRecord: Bool = false) -> [HARDifference] {
        switch (self, asked) {
        case (.unknown, _), (_, .unknown):
            return []
        case (.json(let recorded), .json(let asked)):
            return recorded.differences(to: asked, isRecord: isRecord)
        case (.form(let recorded), .form(let asked)):
            return recorded.differences(to: asked, isRecord) { .field(name: $0, recorded: $1, asked: $2) }
        case (.bytes(let recorded, let recordedSize), .bytes(let asked, let askedSize)):
            if recorded == asked, recordedSize == askedSize { return [] }
            // What a mask or a boundary changed no longer has the length that was sent.
            if isRecord, MaskedPattern(recorded).matches(asked) { return [] }
            if recordedSize != askedSize { return [.length(recorded: recordedSize, asked: askedSize)] }
            // Where both are cut, they may be cut at different places.
            return recorded.firstDifference(from: asked).map { [.bytes(offset: $0)] } ?? []
        case (.json, .bytes(_, 0)), (.form, .bytes(_, 0)):
            return [.json(path: "$", recorded: "a body", asked: nil)]
        case (.bytes(_, 0), .json), (.bytes(_, 0), .form):
            return [.json(path: "$", recorded: nil, asked: "a body")]
        default:
            return [.bytes(offset: 0)]
        }
    }
}

extension Data {
    /// Where the bytes differ first, as far as there are any in both.
    package func firstDifference(from other: Data) -> Int? {
        zip(self, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    }

    /// The boundary of a form is made up anew each time.
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
