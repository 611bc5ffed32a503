import Foundation
import HTTPTypes

// The storing of responses.
extension CacheResponder {
    /// Stores the response to a GET: immediately if its body is in memory, and otherwise while the body is read.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - head: The head that is stored.
    ///   - fetch: The fetch of the response.
    /// - Returns: The response. Reading a streamed body writes it to the store.
    nonisolated(nonsending) func storeBody(
        of response: TransportResponse,
        as head: CachedHead,
        in fetch: CacheFetch
    ) async -> FetchResult {
        guard !fetch.removals.hasRemoved(cacheRequest.key) else {
            return FetchResult(response, .notStored)
        }
        // The entries may have changed since the request was sent.
        let entries = await cache.entries(for: cacheRequest.key)
        let replaced = CacheRules.entriesReplaced(by: head, for: cacheRequest, in: entries).map(\.id)
        let length = response.knownLength
        let writer: HTTPCache.EntryWriter?
        do {
            writer = try await cache.makeWriter(for: cacheRequest.key, head: head, length: length, replacing: replaced)
        } catch {
            // The store may be able to write the next response, for example after a full disk has got room.
            return FetchResult(response, .notStored)
        }
        // The response is too large for the store.
        guard let writer else { return FetchResult(response, .cannotBeStored) }
        let recorder = BodyRecorder(
            cache: cache,
            record: context.record,
            request: cacheRequest,
            head: head,
            fetch: fetch,
            writer: writer,
            length: head.storedLength(of: response)
        )
        var response = response
        switch response.body {
        case .complete(let data):
            await recorder.append(data)
            await recorder.finish()
        case .stream(let stream):
            response.body = .stream(recorder.recording(stream))
        }
        return FetchResult(response, recordedBy: recorder)
    }
}

extension CachedHead {
    /// Returns the length that the body of a response must have; `nil` if it is unknown.
    fileprivate func storedLength(of response: TransportResponse) -> Int64? {
        if part != nil, let positions = headers[.contentRange].flatMap({ ContentRange($0) })?.positions {
            return Int64(positions.count)
        }
        return response.isDecoded && headers.isCoded ? nil : headers[.contentLength].flatMap { Int64($0) }
    }
}
