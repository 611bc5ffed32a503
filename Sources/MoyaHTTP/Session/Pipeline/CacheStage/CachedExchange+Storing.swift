import Foundation
import HTTPTypes

// The storing of responses.
extension CachedExchange {
    /// Stores the response to a GET: immediately if its body is in memory, and otherwise while the body is read.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - head: The head that is stored.
    ///   - fetch: The fetch of the response.
    /// - Returns: The response. Reading a streamed body writes it to the store.
    nonisolated(nonsending) func storeBody(
        of response: TransportResponse,
        as head: CachedResponse,
        of fetch: CacheFetch
    ) async -> FetchedResponse {
        guard !cache.removals.hasRemoved(cacheRequest.key, after: fetch.removalsBefore) else {
            return FetchedResponse(response: response, storing: .ended(.notStored))
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
            return FetchedResponse(response: response, storing: .ended(.notStored))
        }
        // The response is too large for the store.
        guard let writer else { return FetchedResponse(response: response, storing: .ended(.cannotBeStored)) }
        let recorder = BodyRecorder(
            cache: cache,
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
        return FetchedResponse(response: response, storing: .recording)
    }
}

extension CachedResponse {
    /// Returns the length that the body of a response must have; `nil` if it is unknown.
    fileprivate func storedLength(of response: TransportResponse) -> Int64? {
        if part != nil, let text = headers[.contentRange], let range = ContentRange(text)?.range {
            return Int64(range.count)
        }
        return response.isDecoded && headers.contains(.contentEncoding)
            ? nil : headers[.contentLength].flatMap { Int64($0) }
    }
}
