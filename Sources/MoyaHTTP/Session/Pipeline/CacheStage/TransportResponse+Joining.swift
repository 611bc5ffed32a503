import Foundation
import HTTPTypes

extension TransportResponse {
    /// Creates the response that has a stored part before the body of another response.
    ///
    /// If the rest does not have the length in its `Content-Range`, reading the body fails, and the part is removed, because the
    /// next request for its rest would fail, too.
    ///
    /// - Parameters:
    ///   - head: The head of the whole response.
    ///   - part: The body of the stored part.
    ///   - size: The size of the stored part in bytes.
    ///   - rest: The response with the rest.
    ///   - url: The URL of the request.
    ///   - removePart: Removes the stored part.
    init(
        _ head: CachedHead,
        joining part: TransportBody,
        of size: Int64,
        with rest: TransportResponse,
        from url: URL,
        removePart: @escaping @Sendable () async -> Void
    ) {
        // `nil` after the end of the stored part.
        let stored = Locked<TransportBodyStream.Iterator?>(TransportBodyStream(part).makeAsyncIterator())
        let stream = TransportBodyStream(of: rest)
        let missing = Locked(head.headers[.contentLength].flatMap { Int64($0) }.map { $0 - size } ?? 0)
        self.init(status: head.status, headers: head.headers)
        body = .stream(
            stream.wrapped { next in
                if var iterator = stored.withLock({ $0 }) {
                    if let chunk = try await iterator.next() { return chunk }
                    stored.withLock { $0 = nil }
                }
                let chunk = try await next()
                let left = missing.withLock { missing in
                    missing -= Int64(chunk?.count ?? 0)
                    return missing
                }
                guard chunk == nil ? left == 0 : left >= 0 else {
                    await removePart()
                    throw URLError.make(
                        .badServerResponse,
                        url: url,
                        reason: "The length of the rest of a stored part differs from its Content-Range."
                    )
                }
                return chunk
            }
        )
        isDecoded = rest.isDecoded
    }
}
