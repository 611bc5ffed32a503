import Foundation

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A body without a network: it returns its chunks, then its error or the end, and counts the reads.
///
/// Only the stream retains it, so its release shows that the stream was released.
final class Source: Sendable {
    private struct State: Sendable {
        var chunks: [Data]
        var pulls = 0
    }

    private let state: Locked<State>
    private let error: URLError?

    init(_ chunks: [Data], error: URLError? = nil) {
        state = Locked(State(chunks: chunks.reversed()))
        self.error = error
    }

    var pulls: Int { state.withLock { $0.pulls } }

    var body: TransportBody { .stream(TransportBodyStream { try self.next() }) }

    private func next() throws -> Data? {
        let chunk = state.withLock { state in
            state.pulls += 1
            return state.chunks.popLast()
        }
        if chunk == nil, let error { throw error }
        return chunk
    }
}

extension TransportBody {
    /// The complete body.
    var complete: Data? { if case .complete(let data) = self { data } else { nil } }

    /// The body as a stream.
    var stream: TransportBodyStream? { if case .stream(let stream) = self { stream } else { nil } }

    /// The whole body in either form.
    func collected() async throws -> Data {
        switch self {
        case .complete(let data): return data
        case .stream(let stream): return try await stream.reduce(into: Data()) { $0.append($1) }
        }
    }
}
