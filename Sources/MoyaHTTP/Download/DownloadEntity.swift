import Foundation
import HTTPTypes

/// What a part of a file is a part of: which URL, and which version of what is there (RFC 9110, section 8.8). Pure.
///
/// There is one only where a download can be continued. It is kept beside the part file, so that a later process knows.
struct DownloadEntity: Codable, Equatable, Sendable {
    /// The request's URL, without user name, password and fragment.
    let url: String
    /// A strong entity tag.
    let entityTag: String?
    /// A date that is a strong validator, where there is no entity tag.
    let lastModified: String?
    /// How many bytes the whole has, if the server said.
    private(set) var totalLength: Int64?

    /// What `If-Range` takes (RFC 9110, section 13.1.5).
    var validator: String? { entityTag ?? lastModified }

    /// Takes note of the whole's length, which a 200 without `Content-Length` does not say but the `Content-Range` of a
    /// 206 may.
    mutating func learn(from head: ResponseHead) {
        guard totalLength == nil else { return }
        totalLength = head.headers[.contentRange].flatMap { ContentRange($0) }?.total
    }

    /// Whether two answers were about the same bytes.
    func isSame(as other: DownloadEntity) -> Bool {
        url == other.url && validator != nil && entityTag == other.entityTag && lastModified == other.lastModified
            && (totalLength == nil || other.totalLength == nil || totalLength == other.totalLength)
    }
}

extension DownloadEntity {
    /// What an answer brings, or `nil` if a part of it would be of no use later.
    ///
    /// - Parameters:
    ///   - head: The answer: a 200 to a request of the whole.
    ///   - request: The request as it was first sent.
    init?(of head: ResponseHead, to request: TransportRequest) {
        // Ranges are defined for GET alone (section 14.2). A caller who asks for a range gets that range.
        guard head.status == 200, request.method == .get, request.headers[.range] == nil else { return nil }
        // The file has the decoded bytes, the server counts the coded ones.
        guard Self.isIdentity(head.headers[.contentEncoding]) else { return nil }
        if let units = head.headers[.acceptRanges], !Self.list(units).contains("bytes") { return nil }

        let entityTag = head.headers[.eTag]
        var lastModified: String?
        if let entityTag {
            // With an entity tag at hand, a date may not be used: not even where the tag is weak (section 13.1.5).
            guard Self.isStrong(entityTag: entityTag) else { return nil }
        } else {
            lastModified = head.headers[.lastModified]
            guard let lastModified, Self.isStrong(lastModified: lastModified, head.headers[.date]) else { return nil }
        }
        self.init(
            url: String(request.url.withoutCredentials.absoluteString.prefix { $0 != "#" }),
            entityTag: entityTag,
            lastModified: lastModified,
            totalLength: head.headers[.contentLength].flatMap { ContentRange.number($0) }
        )
    }

    static func isIdentity(_ contentEncoding: String?) -> Bool {
        contentEncoding.map { list($0).allSatisfy { $0 == "identity" } } ?? true
    }

    /// `"…"` without `W/`, of the characters that are allowed (RFC 9110, section 8.8.3).
    private static func isStrong(entityTag: String) -> Bool {
        let bytes = entityTag.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        return bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
    }

    /// A file may change twice in a second: only what was a second old when it was sent is certain
    /// (RFC 9110, section 8.8.2.2).
    private static func isStrong(lastModified: String, _ date: String?) -> Bool {
        guard let date = date.flatMap({ IMFFixdate($0) }), let modified = IMFFixdate(lastModified) else { return false }
        return modified.seconds < date.seconds
    }

    private static func list(_ value: String) -> [String] {
        value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }
}
