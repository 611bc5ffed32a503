import Foundation
import HTTPTypes

/// A stored response that a request selects, and the form in which the request gets it.
struct StoredSelection: Sendable {
    /// The form in which a stored response is returned.
    enum Form: Equatable, Sendable {
        /// The whole body.
        case whole
        /// A 206 with these positions of the whole body.
        case range(Range<Int64>)
        /// A 304 without a body (RFC 9111, section 4.3.2).
        case notModified
    }

    let entry: CacheEntry
    let form: Form
    /// The age of the response in seconds.
    let age: Double
    let isStale: Bool
}

extension StoredSelection {
    init(_ entry: CacheEntry, in form: Form, _ freshness: Freshness) {
        self.init(entry: entry, form: form, age: freshness.age, isStale: !freshness.isFresh)
    }
}

// The response to a caller that is created from a stored one.
extension StoredSelection {
    /// The bytes of a stored body that a response has.
    enum BodyRange: Equatable, Sendable {
        case whole
        case positions(Range<Int64>)

        /// The positions, as a store takes them; `nil` for the whole body.
        var positions: Range<Int64>? { if case .positions(let positions) = self { positions } else { nil } }
    }

    /// Returns the bytes of the stored body that the response to a request has; `nil` if it has no body.
    func bodyRange(for method: HTTPMethod) -> BodyRange? {
        switch form {
        case .notModified:
            return nil
        case .whole:
            return method == .head ? nil : .whole
        case .range(let positions):
            return .positions(positions.lowerBound - entry.bodyStart..<positions.upperBound - entry.bodyStart)
        }
    }

    /// Creates the response, without its body.
    func makeResponse(from source: ResponseSource) -> TransportResponse {
        var (status, headers) = (entry.head.status, entry.head.headers)
        headers[.age] = String(Int64(min(max(0, age), DeltaSeconds.maximum)))
        switch form {
        case .whole:
            break
        case .notModified:
            status = 304
            headers = HTTPFields(headers.filter { !Self.fieldsOfContent.contains($0.name) })
        case .range(let positions):
            status = 206
            headers[.contentRange] =
                "bytes \(positions.lowerBound)-\(positions.upperBound - 1)/\(entry.completeLength.map { "\($0)" } ?? "*")"
            headers[.contentLength] = "\(positions.count)"
        }
        var response = TransportResponse(status: status, headers: headers)
        response.isDecoded = entry.head.isDecoded
        response.source = source
        response.setsCookies = false
        return response
    }

    private static let fieldsOfContent: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentType, .contentRange,
    ]
}
