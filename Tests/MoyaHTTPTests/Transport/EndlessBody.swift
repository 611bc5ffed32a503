import Foundation

@testable import MoyaHTTP

/// An endless body that counts the bytes read, and reports when it has no reader.
final class EndlessBody: AsyncSequence, Sendable {
    static let pieceLength = 65_536

    private struct State: Sendable {
        var pieces = 0
        var wasCancelled = false
    }

    /// Fulfilled when the reader has been released.
    private let released = Promise<Void>()

    private let state = Locked(State())
    /// The number of pieces after which the reader waits indefinitely.
    private let waitsAfter: Int

    init(waitsAfter: Int = .max) { self.waitsAfter = waitsAfter }

    /// The number of pieces that were read.
    var pieces: Int { state.withLock { $0.pieces } }

    /// Whether the reader was cancelled while it waited.
    var wasCancelled: Bool { state.withLock { $0.wasCancelled } }

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Returns the body as a stream.
    func stream() -> StubStream {
        let stream = StubStream { [state] buffer, length in
            let count = Swift.min(length, Self.pieceLength)
            buffer.update(repeating: 0x61, count: count)
            state.withLock { $0.pieces += 1 }
            return count
        }
        Task { [released, closed = stream.closed] in
            await closed.wait()
            released.fulfill(())
        }
        return stream
    }

    /// Waits until there is no reader; must be called when no further reader will start.
    func waitForRelease() async {
        // A body that was never read retains nothing.
        if pieces > 0 { await released.wait() }
    }

    /// Waits until a number of pieces have been read.
    func waitFor(pieces count: Int) async throws {
        while pieces < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Waits until reading pauses or exceeds the limit, and returns the number of pieces.
    func waitForStandstill(within limit: Int) async throws -> Int {
        var (last, stillFor) = (-1, 0)
        while stillFor < 50, last <= limit {
            let now = pieces
            stillFor = now == last && now > 0 ? stillFor + 1 : 0
            last = now
            try await Task.sleep(for: .milliseconds(10))
        }
        return last
    }

    final class Iterator: AsyncIteratorProtocol {
        private let body: EndlessBody

        init(_ body: EndlessBody) { self.body = body }

        func next() async throws -> Data? {
            let count = body.state.withLock { state in
                state.pieces += 1
                return state.pieces
            }
            do {
                if count > body.waitsAfter { try await Task.sleep(for: .seconds(3_600)) }
                try Task.checkCancellation()
            } catch {
                body.state.withLock { $0.wasCancelled = true }
                throw error
            }
            return Data(repeating: 0x61, count: EndlessBody.pieceLength)
        }

        deinit { body.released.fulfill(()) }
    }
}
