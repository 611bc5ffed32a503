import Foundation
import HTTPTypes

/// How a download goes on from the bytes that are there already (RFC 9110, section 14). Pure.
struct DownloadResumption: Equatable, Sendable {
    /// What the bytes are a part of.
    let entity: DownloadEntity
    /// How many there are, counted from the first.
    let offset: Int64

    /// What to do before anything is asked for: when an answer with the whole begins and a part of just this is found,
    /// and after a connection that broke.
    enum NextStep: Equatable, Sendable {
        /// There is nothing to continue: take the whole.
        case write
        /// Let an answer with the whole go, and ask for the rest with ``headers``.
        case askForRest
        /// Everything is there: let an answer with the whole go.
        case complete
    }

    /// What to do with the answer to a request with ``headers``.
    enum Action: Equatable, Sendable {
        /// Append the body, which has to have this many bytes, to what is there.
        case append(length: Int64)
        /// The server sends the whole, for it has changed or the server knows no ranges: empty the part file and write
        /// this body.
        case startOver
        /// The answer is of no use: let it go, empty the part file, and ask for the whole, without ``headers``.
        case askAgain
        /// Everything is there.
        case complete
        /// The answer is about something else, an error for example: treat it as any answer, and keep the part file.
        case handOver
    }

    var nextStep: NextStep {
        if offset <= 0 || entity.validator == nil { return .write }
        guard let total = entity.totalLength else { return .askForRest }
        return offset == total ? .complete : offset < total ? .askForRest : .write
    }

    /// The headers that ask for the rest, to be set over those of the first request.
    var headers: HTTPFields {
        var fields = HTTPFields()
        fields[.range] = "bytes=\(offset)-"
        fields[.ifRange] = entity.validator
        // Otherwise the range might be one of coded bytes.
        fields[.acceptEncoding] = "identity"
        return fields
    }

    /// What to do with the answer to a request with ``headers``.
    func action(for head: ResponseHead) -> Action {
        switch head.status {
        case 200: .startOver
        case 206: rest(of: head).map { .append(length: $0) } ?? .askAgain
        case 416: isComplete(by: head) ? .complete : .askAgain
        default: .handOver
        }
    }

    /// How many bytes a 206 brings, if they are the next ones of the same entity (RFC 9110, section 15.3.7). The server
    /// may send fewer than were asked for.
    private func rest(of head: ResponseHead) -> Int64? {
        // In a multipart/byteranges body the ranges stand in the parts (section 14.6).
        guard let contentRange = head.headers[.contentRange].flatMap({ ContentRange($0) }),
            let range = contentRange.range, range.lowerBound == offset,
            DownloadEntity.isIdentity(head.headers[.contentEncoding]),
            !(head.headers[.contentType] ?? "").lowercased().hasPrefix("multipart/byteranges")
        else { return nil }
        if let total = entity.totalLength, (contentRange.total ?? total) != total || range.upperBound >= total {
            return nil
        }
        // Validators that do not come are those of the condition; a wrong one shows a server that does not look at it.
        if let tag = head.headers[.eTag], let known = entity.entityTag, tag != known { return nil }
        if let date = head.headers[.lastModified], let known = entity.lastModified, date != known { return nil }

        let length = range.upperBound - range.lowerBound + 1
        if let declared = head.headers[.contentLength], ContentRange.number(declared) != length { return nil }
        return length
    }

    /// Whether a 416 says that there is nothing after what is there (RFC 9110, section 15.5.17).
    private func isComplete(by head: ResponseHead) -> Bool {
        guard let contentRange = head.headers[.contentRange].flatMap({ ContentRange($0) }) else { return false }
        return contentRange.range == nil && contentRange.total == offset && entity.totalLength == offset
    }
}
