import Foundation
import HTTPTypes

/// The rules for resuming a download from existing bytes (RFC 9110, section 14).
struct DownloadResumption: Equatable, Sendable {
    /// The entity of the existing bytes.
    let entity: DownloadEntity
    /// The number of existing bytes, from the start.
    let offset: Int64

    /// The step after a lost connection, or after the head of a response with the whole file if a matching partial file
    /// exists.
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
        if let validator = entity.validator { fields.set(.ifRange, FieldText(storable: validator)) }
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
            !head.headers.isCoded,
            !(head.headers[.contentType] ?? "").lowercased().hasPrefix("multipart/byteranges")
        else { return nil }
        if let total = entity.totalLength, (contentRange.total ?? total) != total || range.upperBound >= total {
            return nil
        }
        // A different validator means that the server ignored the condition. A 206 must have the `ETag` that a 200
        // would have, but need not have `Last-Modified`, which is then that of the condition.
        if let known = entity.entityTag, head.headers[text: .eTag] != FieldText(storable: known) { return nil }
        if let date = head.headers[text: .lastModified], let known = entity.lastModified,
            date != FieldText(storable: known)
        {
            return nil
        }

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

/// The state that decides whether an interrupted download is resumed immediately, within the same call.
///
/// It is for connections that break during a transfer. Three conditions end it, to avoid endless requests to a
/// server that fails repeatedly or sends another version each time:
/// - An exchange without any data. A later retry is the task of the session's retry policy: the retried request
///   finds the partial file and resumes.
/// - ``maximumShortExchanges`` exchanges in a row with fewer than ``shortExchange`` bytes each.
/// - More than ``maximumRestarts`` restarts, whatever the amount of data, since each discards the previous data.
///   After the first restart, each request waits longer than the previous one.
struct DownloadInterruptions: Equatable, Sendable {
    enum Decision: Equatable, Sendable {
        /// Request the rest.
        case resume
        /// Fail with the error; the partial file is kept if the options say so.
        case giveUp
    }

    static let maximumShortExchanges = 5
    static let shortExchange: Int64 = 65_536
    static let maximumRestarts = 4

    private var lengthBefore: Int64
    private var shortExchanges = 0
    private var restarts = 0

    /// Creates the state; `length` is the number of bytes before the first exchange.
    init(length: Int64 = 0) {
        lengthBefore = length
    }

    /// Handles a failed exchange.
    mutating func handleFailure(_ code: URLError.Code, length: Int64) -> Decision {
        let decision = decision(length: length)
        return Self.isWorthResuming(code) ? decision : .giveUp
    }

    /// Handles an exchange that succeeded, but whose response was shorter than expected.
    mutating func handleShortResponse(length: Int64) -> Decision { decision(length: length) }

    /// Handles a restart, which empties the partial file.
    mutating func handleRestart() -> Decision {
        lengthBefore = 0
        restarts += 1
        return restarts <= Self.maximumRestarts ? .resume : .giveUp
    }

    /// The delay before the rest is requested, which grows with the number of restarts.
    var delay: Duration {
        restarts == 0 ? .zero : .milliseconds(500 << (min(restarts, Self.maximumRestarts) - 1))
    }

    private mutating func decision(length: Int64) -> Decision {
        let gain = length - lengthBefore
        lengthBefore = length
        shortExchanges = gain < Self.shortExchange ? shortExchanges + 1 : 0
        return gain > 0 && shortExchanges <= Self.maximumShortExchanges ? .resume : .giveUp
    }

    /// Returns whether the same request may succeed shortly after.
    ///
    /// Errors caused by the request, the certificate or the response are permanent.
    static func isWorthResuming(_ code: URLError.Code) -> Bool {
        switch code {
        case .networkConnectionLost, .timedOut, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
            .notConnectedToInternet:
            true
        default:
            false
        }
    }
}

/// The entity that a partial file belongs to: the request and the version of its representation (RFC 9110, section
/// 8.8).
///
/// It exists only if a download can be resumed. It is stored beside the partial file, for a later process.
struct DownloadEntity: Codable, Equatable, Sendable {
    /// The URL that identifies the request, without user name, password and fragment.
    ///
    /// For a GET it is the URL that the caller requested: adapters may sign it, and redirects may lead to a signed URL,
    /// differently each time. The representation that another method redirects to depends on the content of the request,
    /// so it is identified by its own URL.
    let url: String
    /// A strong entity tag (``FieldText/storable``).
    let entityTag: String?
    /// A date that is a strong validator, if there is no entity tag (``FieldText/storable``).
    let lastModified: String?
    /// The total number of bytes, if known.
    private(set) var totalLength: Int64?

    /// The value of `If-Range` (RFC 9110, section 13.1.5).
    var validator: String? { entityTag ?? lastModified }

    /// Sets the total length from a `Content-Range`, if the 200 response had no `Content-Length`.
    mutating func recordTotalLength(from head: ResponseHead) {
        guard totalLength == nil else { return }
        totalLength = head.headers[.contentRange].flatMap { ContentRange($0) }?.total
    }

    /// Returns whether two responses have the same bytes: the request, the validator and the length are equal.
    func isSame(as other: DownloadEntity) -> Bool {
        url == other.url && validator != nil && entityTag.map { FieldText($0) } == other.entityTag.map { FieldText($0) }
            && lastModified.map { FieldText($0) } == other.lastModified.map { FieldText($0) }
            && (totalLength == nil || other.totalLength == nil || totalLength == other.totalLength)
    }
}

extension DownloadEntity {
    /// Creates the entity of a response, or nil if a part of it could not be resumed.
    ///
    /// - Parameters:
    ///   - head: A 200 response to a request for the complete representation.
    ///   - request: The request of the exchange: the last one, if there were redirects.
    ///   - original: The request as the caller made it; `nil` if it is the same.
    init?(of head: ResponseHead, to request: TransportRequest, for original: URLRequest? = nil) {
        // Ranges are defined for GET only (section 14.2). A range that the caller requested is not resumed.
        guard head.status == 200, request.method == .get, request.headers[.range] == nil else { return nil }
        // The file contains decoded bytes, but the server counts encoded ones.
        guard !head.headers.isCoded else { return nil }
        if let units = head.headers[.acceptRanges], !Self.list(units).contains("bytes") { return nil }

        let entityTag = EntityTag.validator(in: head.headers)
        var lastModified: String?
        if let entityTag {
            // If there is an entity tag, the date must not be used, even if the tag is weak (section 13.1.5).
            guard EntityTag(entityTag).isStrong else { return nil }
        } else {
            lastModified = head.headers.strongDate?.storable
            guard lastModified != nil else { return nil }
        }
        self.init(
            url: Self.identifyingURL(of: original, sentAs: request),
            entityTag: entityTag?.storable,
            lastModified: lastModified,
            totalLength: head.headers[.contentLength].flatMap { ContentRange.number($0) }
        )
    }

    private static func identifyingURL(of original: URLRequest?, sentAs request: TransportRequest) -> String {
        var url = request.url
        if let original, let originalURL = original.url, original.httpMethod ?? "GET" == "GET",
            original.httpBody == nil, original.httpBodyStream == nil
        {
            url = originalURL
        }
        return String(url.withoutCredentials.absoluteString.prefix { $0 != "#" })
    }

    private static func list(_ value: String) -> [String] {
        value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }
}
