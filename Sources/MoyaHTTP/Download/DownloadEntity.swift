import Foundation
import HTTPTypes

/// The entity that a partial file belongs to: the URL and the version of its representation (RFC 9110, section
/// 8.8).
///
/// It exists only if a download can be resumed. It is stored beside the partial file, for a later process.
struct DownloadEntity: Codable, Equatable, Sendable {
    /// The request's URL, without user name, password and fragment.
    let url: String
    /// A strong entity tag.
    let entityTag: String?
    /// A date that is a strong validator, if there is no entity tag.
    let lastModified: String?
    /// The total number of bytes, if known.
    private(set) var totalLength: Int64?

    /// The value of `If-Range` (RFC 9110, section 13.1.5).
    var validator: String? { entityTag ?? lastModified }

    /// Sets the total length from a `Content-Range`, if the 200 response had no `Content-Length`.
    mutating func learn(from head: ResponseHead) {
        guard totalLength == nil else { return }
        totalLength = head.headers[.contentRange].flatMap { ContentRange($0) }?.total
    }

    /// Returns whether two responses have the same bytes.
    func isSame(as other: DownloadEntity) -> Bool {
        url == other.url && validator != nil && entityTag == other.entityTag && lastModified == other.lastModified
            && (totalLength == nil || other.totalLength == nil || totalLength == other.totalLength)
    }
}

extension DownloadEntity {
    /// Creates the entity of a response, or nil if a part of it could not be resumed.
    ///
    /// - Parameters:
    ///   - head: A 200 response to a request for the complete representation.
    ///   - request: The original request.
    init?(of head: ResponseHead, to request: TransportRequest) {
        // Ranges are defined for GET only (section 14.2). A range that the caller requested is not resumed.
        guard head.status == 200, request.method == .get, request.headers[.range] == nil else { return nil }
        // The file contains decoded bytes, but the server counts encoded ones.
        guard Self.isIdentity(head.headers[.contentEncoding]) else { return nil }
        if let units = head.headers[.acceptRanges], !Self.list(units).contains("bytes") { return nil }

        let entityTag = head.headers[.eTag]
        var lastModified: String?
        if let entityTag {
            // If there is an entity tag, the date must not be used, even if the tag is weak (section 13.1.5).
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

    /// Returns whether an entity tag is strong: `"…"` without `W/`, with valid characters (RFC 9110, section
    /// 8.8.3).
    private static func isStrong(entityTag: String) -> Bool {
        let bytes = entityTag.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        return bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
    }

    /// Returns whether a modification date is a strong validator: it is at least a second before `Date`, since a
    /// file may change twice in a second (RFC 9110, section 8.8.2.2).
    private static func isStrong(lastModified: String, _ date: String?) -> Bool {
        guard let date = date.flatMap({ IMFFixdate($0) }), let modified = IMFFixdate(lastModified) else { return false }
        return modified.seconds < date.seconds
    }

    private static func list(_ value: String) -> [String] {
        value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }
}
