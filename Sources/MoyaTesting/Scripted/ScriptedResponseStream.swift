import Foundation

/// The transfer of one scripted response, which delivers each chunk of the body at its due time to the reader.
final class ScriptedResponseStream: Sendable {
    private struct State: Sendable {
        var chunks: ScriptedChunks
        /// The number of bytes that are received, and how the body ends after them.
        let count: Int64
        let end: ScriptedHTTPResponse.End
        var sent: Int64 = 0
        /// The end or the error, which each further call gets.
        var outcome: Result<Data?, any Error>?
    }

    private let request: TransportRequest
    private let response: ScriptedHTTPResponse
    private let fields: HTTPFields
    private let time: ScriptedTime
    private let draw: ScriptedDraw?
    /// The time of the head.
    private let began: Duration
    private let state: Locked<State>

    /// Opens the response's body.
    ///
    /// - Throws: ``ScriptedResponseError``.
    init(_ response: ScriptedHTTPResponse, to request: TransportRequest, time: ScriptedTime, draw: ScriptedDraw?) throws
    {
        self.request = request
        self.response = response
        self.time = time
        self.draw = draw
        began = time.elapsed
        let chunks = try response.body.open()
        fields = response.head(length: chunks.isDeclared ? chunks.length : nil)
        let (count, end) =
            response.hasBody(for: request.method)
            ? response.transfer(length: chunks.length, head: fields) : (0, .complete)
        state = Locked(State(chunks: chunks, count: count, end: end))
    }

    /// Returns the transport's response; a small complete body is returned as one value.
    func transportResponse() async throws -> TransportResponse {
        time.recordResponse()
        let encoded = TransportResponse(status: response.status, headers: fields, body: try await readBody())
        return try encoded.decoded(
            limits: request.decodingLimits,
            bufferLimit: request.responseBufferLimit,
            accepting: request.headers[values: .acceptEncoding],
            url: request.url
        )
    }

    /// The body as a stream.
    ///
    /// - Parameter trailers: Returns the trailer fields of the response after its end.
    /// - Returns: The stream.
    func bodyStream(trailers: @escaping @Sendable () -> HTTPFields?) -> TransportBodyStream {
        TransportBodyStream(next: { try await self.next() }, trailers: trailers)
    }

    /// Reads the body up to the buffer's limit; a longer body is a stream.
    private func readBody() async throws -> TransportBody {
        let limit = request.responseBufferLimit
        guard limit > 0 else { return .stream(TransportBodyStream { try await self.next() }) }
        var start = Data()
        do {
            while let chunk = try await next() {
                start.append(chunk)
                if start.count > limit { return .stream(stream(start) { try await self.next() }) }
            }
            return .complete(start)
        } catch let error as URLError where error.code != .cancelled {
            // The caller gets a response although its body is incomplete: the body delivers the received part and then throws.
            return .stream(stream(start) { throw error })
        }
    }

    private func stream(_ start: Data, then rest: @escaping @Sendable () async throws -> Data?) -> TransportBodyStream {
        let start = Locked(start)
        return TransportBodyStream {
            let chunk = start.withLock { start in
                defer { start = Data() }
                return start
            }
            return chunk.isEmpty ? try await rest() : chunk
        }
    }

    /// Returns the next chunk of the body when it is due.
    private func next() async throws -> Data? {
        do {
            return try await nextChunk()
        } catch {
            let error = error is CancellationError ? URLError.cancelled(url: request.url) : error
            state.withLock { $0.outcome = .failure(error) }
            throw error
        }
    }

    private func nextChunk() async throws -> Data? {
        // Only one reader reads, and one chunk at a time, so nothing else changes the state during the waits.
        var state = state.withLock { $0 }
        if let outcome = state.outcome { return try outcome.get() }
        // The time of the reader does not count as time of the server.
        try Task.checkCancellation()
        if state.sent < state.count {
            let most = min(Int(clamping: state.count - state.sent), response.chunkSize)
            if let chunk = try await state.chunks.next(limit: most) {
                state.sent += Int64(chunk.count)
                try await waitUntilDue(state.sent)
                time.recordActivity()
                self.state.withLock { [state] in $0 = state }
                return chunk
            }
        }
        switch state.end {
        case .complete:
            self.state.withLock { $0.outcome = .success(nil) }
            return nil
        case .fault(let kind):
            throw ScriptedFault(kind: kind, draw: draw).error(url: request.url)
        case .silence:
            try await time.waitForever()
        }
    }

    /// Waits until `count` bytes are due.
    private func waitUntilDue(_ count: Int64) async throws {
        guard response.bytesPerSecond != nil else { return }
        let left = began + response.dueTime(of: count) - time.elapsed
        if left > .zero { try await time.wait(left) }
    }
}
