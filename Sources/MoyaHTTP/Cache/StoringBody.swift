import Foundation
import HTTPTypes

/// The body of a response that is stored while it is read.
final class StoringBody: Sendable {
    private let cache: HTTPCache
    private let key: CacheKey
    /// When the request was sent.
    private let position: CacheRemovals.Position
    private let lead: CacheFetches.Lead?
    /// The length that the body must have; `nil` if any will do.
    private let length: Int64?
    private let state: Locked<State>

    private struct State {
        var writer: (any CacheWriter)?
        var count: Int64 = 0
    }

    init(
        cache: HTTPCache,
        key: CacheKey,
        position: CacheRemovals.Position,
        writer: any CacheWriter,
        length: Int64?,
        lead: CacheFetches.Lead?
    ) {
        self.cache = cache
        self.key = key
        self.position = position
        self.lead = lead
        self.length = length
        state = Locked(State(writer: writer))
    }

    nonisolated(nonsending) func append(_ data: Data) async {
        lead?.received()
        let writer = state.withLock { state in
            state.count += Int64(data.count)
            return state.writer
        }
        guard let writer else { return }
        let isKept = await cache.attempt { try await writer.append(data) } ?? false
        guard !isKept else { return }
        await takeWriter()?.discard()
        lead?.ended(.notStored)
    }

    nonisolated(nonsending) func finish() async {
        let count = state.withLock { $0.count }
        guard let writer = takeWriter() else { return }
        let isWanted = (length == nil || count == length) && mayStore
        let isStored: Void? = isWanted ? await cache.attempt { try await writer.finish() } : await writer.discard()
        var isDone = isWanted && isStored != nil
        if isDone, !mayStore {
            // It was removed before it was there.
            _ = await cache.attempt { try await cache.store.removeEntries(for: key) }
            isDone = false
        }
        if isDone { cache.count { $0.stored += 1 } }
        lead?.ended(isDone ? .stored : .failed)
    }

    private var mayStore: Bool { cache.removals.mayStore(key, since: position) }

    nonisolated(nonsending) func discard(_ error: any Error) async {
        await takeWriter()?.discard()
        lead?.ended(error.isCancellation ? .cancelled : .failed)
    }

    private func takeWriter() -> (any CacheWriter)? {
        state.withLock { state in
            defer { state.writer = nil }
            return state.writer
        }
    }
}

extension CachedResponse {
    /// The length that the body of a response must have, to be stored.
    func storedLength(of response: TransportResponse) -> Int64? {
        if part != nil, let text = headers[.contentRange], let range = ContentRange(text)?.range {
            return Int64(range.count)
        }
        return response.isDecoded && headers.contains(.contentEncoding)
            ? nil : headers[.contentLength].flatMap { Int64($0) }
    }
}

extension Error {
    var isCancellation: Bool { self is CancellationError || asURLError?.code == .cancelled }
}
