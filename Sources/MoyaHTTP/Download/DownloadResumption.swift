import Foundation
import HTTPTypes

/// The rules for resuming a download from existing bytes (RFC 9110, section 14).
struct DownloadResumption: Equatable, Sendable {
    /// The entity of the existing bytes.
    let entity: DownloadEntity
    /// The number of existing bytes, from the start.
    let offset: Int64

    /// The step before a request: when the response with the whole begins and a matching partial file exists, and
    /// after a lost connection.
    enum NextStep: Equatable, Sendable {
        /// There is nothing to resume: write the whole.
        case write
        /// Drop the response with the whole, and request the rest with ``headers``.
        case requestRest
        /// All bytes exist: drop the response with the whole.
        case complete
    }

    /// The handling of the response to a request with ``headers``.
    enum Action: Equatable, Sendable {
        /// Append the body, which must have this length, to the existing bytes.
        case append(length: Int64)
        /// Empty the partial file and write this body: the entity has changed, or the server does not support
        /// ranges.
        case startOver
        /// Drop the response, empty the partial file, and request the whole without ``headers``.
        case requestAgain
        /// All bytes exist.
        case complete
        /// Handle the response like any other, for example as an error, and keep the partial file.
        case passThrough
    }

    var nextStep: NextStep {
        if offset <= 0 || entity.validator == nil { return .write }
        guard let total = entity.totalLength else { return .requestRest }
        return offset == total ? .complete : offset < total ? .requestRest : .write
    }

    /// The headers that request the rest, to add to those of the original request.
    var headers: HTTPFields {
        var fields = HTTPFields()
        fields[.range] = "bytes=\(offset)-"
        fields[.ifRange] = entity.validator
        // Otherwise the range could refer to encoded bytes.
        fields[.acceptEncoding] = "identity"
        return fields
    }

    /// Returns how to handle the response to a request with ``headers``.
    func action(for head: ResponseHead) -> Action {
        switch head.status {
        case 200: .startOver
        case 206: rest(of: head).map { .append(length: $0) } ?? .requestAgain
        case 416: isComplete(by: head) ? .complete : .requestAgain
        default: .passThrough
        }
    }

    /// Returns the length of a 206 body if it contains the next bytes of the same entity (RFC 9110, section
    /// 15.3.7).
    ///
    /// It may be shorter than requested.
    private func rest(of head: ResponseHead) -> Int64? {
        // A multipart/byteranges body has its ranges in the parts (section 14.6).
        guard let contentRange = head.headers[.contentRange].flatMap({ ContentRange($0) }),
            let range = contentRange.range, range.lowerBound == offset,
            DownloadEntity.isIdentity(head.headers[.contentEncoding]),
            !(head.headers[.contentType] ?? "").lowercased().hasPrefix("multipart/byteranges")
        else { return nil }
        if let total = entity.totalLength, (contentRange.total ?? total) != total || range.upperBound >= total {
            return nil
        }
        // Missing validators are those of the condition; a different one means that the server ignored the
        // condition.
        if let tag = head.headers[.eTag], let known = entity.entityTag, tag != known { return nil }
        if let date = head.headers[.lastModified], let known = entity.lastModified, date != known { return nil }

        let length = range.upperBound - range.lowerBound + 1
        if let declared = head.headers[.contentLength], ContentRange.number(declared) != length { return nil }
        return length
    }

    /// Returns whether a 416 means that all bytes exist (RFC 9110, section 15.5.17).
    private func isComplete(by head: ResponseHead) -> Bool {
        guard let contentRange = head.headers[.contentRange].flatMap({ ContentRange($0) }) else { return false }
        return contentRange.range == nil && contentRange.total == offset && entity.totalLength == offset
    }
}
