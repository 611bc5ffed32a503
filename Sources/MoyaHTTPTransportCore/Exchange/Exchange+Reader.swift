import Foundation
import HTTPTypes

// The reader of an exchange: it waits for the response, and then for one chunk after another.
extension Exchange {
    /// Performs the exchange until the response can be returned: starts the carrier, and waits for the response.
    ///
    /// It must be called once. `start` makes the carrier call ``setCarrier(_:)``, immediately or later, on any thread.
    package nonisolated(nonsending) func perform(start: () -> Void) async throws -> TransportResponse {
        try await withTaskCancellationHandler {
            if !isOver { start() }
            while true {
                // Read under the lock, not passed by the continuation, so that the thread sanitizer recognizes the
                // synchronization.
                if let response = state.withLock({ $0.response.take() }) { return try response.get() }
                await withUnsafeContinuation { waiter in
                    let isGiven = state.withLock { state in
                        if state.response == nil { state.responseWaiter = waiter }
                        return state.response != nil
                    }
                    if isGiven { waiter.resume() }
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Returns the next chunk of the body, or `nil` at the end, and lets a paused carrier continue.
    private func nextChunk() async throws -> Data? {
        let waiter = ChunkWaiter()
        // A call that overlaps another one fails, and its cancellation does not concern the other one.
        if Task.isCancelled, !state.withLock({ $0.machine.isReaderWaiting }) { cancel() }
        let (action, untakenChunks) = state.withLock { state in
            var untakenChunks: [@Sendable () -> Void] = []
            swap(&untakenChunks, &state.untakenChunks)
            if !untakenChunks.isEmpty { state.timeouts.resume(at: elapsed) }
            let action = state.machine.readerRequestedChunk()
            if action == .wait { state.chunkWaiter = waiter }
            return (action, untakenChunks)
        }
        for onTaken in untakenChunks { onTaken() }
        switch action {
        case .wait:
            return try await withTaskCancellationHandler {
                try await waiter.wait().get()
            } onCancel: {
                cancel()
            }
        case .chunk(let chunk): return chunk
        case .end: return nil
        case .fail(let failure): throw failure.error
        }
    }

    /// Returns a stream that keeps the exchange alive, and cancels it when the last reader is released.
    func makeStream() -> TransportBodyStream {
        let owner = StreamOwner(exchange: self)
        return TransportBodyStream {
            try await owner.exchange.nextChunk()
        } trailers: {
            // Captures the exchange and not the owner, whose release ends an unread stream.
            self.trailers
        }
    }

    /// The owner of a body's stream, whose release cancels the exchange.
    private final class StreamOwner: Sendable {
        let exchange: Exchange

        init(exchange: Exchange) { self.exchange = exchange }

        deinit { exchange.cancel() }
    }

    /// The trailers of the response, once its reader has got all of its body.
    private var trailers: HTTPFields? { state.withLock { $0.machine.hasDeliveredEnd ? $0.trailers : nil } }
}
