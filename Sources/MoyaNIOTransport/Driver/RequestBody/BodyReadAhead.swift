#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat

/// Reads a body on a queue or in a task, and passes its pieces to an event loop; it reads ahead while they are sent.
final class BodyReadAhead: Sendable {
    enum Event: Sendable {
        /// Write the piece, and call `onSent` when its last byte has been sent, or its write has failed.
        ///
        /// A piece that is dropped unwritten needs no call, because reading has been stopped.
        case piece(ByteBuffer, onSent: @Sendable () -> Void)
        /// The body is complete, and its trailers follow.
        case end(trailers: HTTPFields)
        case failed(RequestBodyError)
    }

    private struct State: Sendable {
        /// The number of bytes that have not been sent.
        var unsentBytes = 0
        /// Continues reading; set while reading is paused.
        var resume: (@Sendable () -> Void)?
        var task: Task<Void, Never>?
        /// The receiver, released when reading stops: a read that never returns keeps this object alive.
        var onEvent: (@Sendable (Event) -> Void)?

        var isStopped: Bool { onEvent == nil }
    }

    /// The number of unsent bytes at which reading pauses.
    private static let limit = 256 * 1024

    private let loop: any EventLoop
    private let state: InlineLocked<State>

    /// Starts reading; `onEvent` is called on the event loop.
    ///
    /// Synchronous sources are read on a separate thread, even if they do not block: on a busy Swift
    /// concurrency pool, the body would wait for its turn, and its request could time out. Async sequences have
    /// to use the pool.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - loop: The event loop of the connection.
    ///   - starter: Starts the task that reads an async sequence; `nil` for a task on the pool.
    ///   - onEvent: Receives the events.
    init(
        _ body: HTTPBody.Reader,
        on loop: any EventLoop,
        startedBy starter: UpgradeTaskStarter? = nil,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.loop = loop
        state = InlineLocked(State(onEvent: onEvent))
        if body.isSynchronous {
            let queue = DispatchQueue(label: "Moya.BodyReadAhead")
            queue.async { self.readOnQueue(body, queue) }
        } else {
            let task = starter?.startTask { await self.readInTask(body) } ?? Task { await self.readInTask(body) }
            state.withLock { $0.task = task }
        }
    }

    /// Stops reading.
    ///
    /// A pending read may continue, but nothing waits for it.
    func stop() {
        let (resume, task, onEvent) = state.withLock { state in
            defer { (state.resume, state.onEvent) = (nil, nil) }
            return (state.resume, state.task, state.onEvent)
        }
        task?.cancel()
        // The reader detects that it has been stopped.
        resume?()
        // Released here rather than under the lock.
        _ = onEvent
    }

    private func readOnQueue(_ body: HTTPBody.Reader, _ queue: DispatchQueue) {
        do throws(RequestBodyError) {
            while true {
                if pauseIfFull(resume: { queue.async { self.readOnQueue(body, queue) } }) { return }
                if isStopped { return }
                guard let piece = try body.nextBlocking() else { break }
                guard body.hasReturnedAll, try body.nextBlocking() == nil else {
                    emit(piece)
                    continue
                }
                return emit(piece, followedBy: .end(trailers: try body.trailers()))
            }
            report(.end(trailers: try body.trailers()))
        } catch {
            report(.failed(error))
        }
    }

    private func readInTask(_ body: HTTPBody.Reader) async {
        do throws(RequestBodyError) {
            while true {
                let room = Promise<Void>()
                if pauseIfFull(resume: { room.fulfill(()) }) { await room.wait() }
                if isStopped { return }
                guard let piece = try await body.next() else { break }
                guard body.hasReturnedAll, try await body.next() == nil else {
                    emit(piece)
                    continue
                }
                return emit(piece, followedBy: .end(trailers: try body.trailers()))
            }
            report(.end(trailers: try body.trailers()))
        } catch {
            report(.failed(error))
        }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Pauses reading if there is no room for another piece.
    ///
    /// - Parameter resume: If reading is paused, it is called when there is room, or when reading stops.
    /// - Returns: Whether reading is paused.
    private func pauseIfFull(resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isStopped, state.unsentBytes >= Self.limit else { return false }
            state.resume = resume
            return true
        }
    }

    /// Reports a piece.
    ///
    /// The end follows the last piece immediately. A server that knows the length of the body can respond to the last piece before a
    /// later report of the end, and the connection could not be reused then.
    private func emit(_ piece: Data, followedBy end: Event? = nil) {
        state.withLock { $0.unsentBytes += piece.count }
        let bytes = ByteBuffer(data: piece)
        report(.piece(bytes, onSent: { self.recordSent(bytes.readableBytes) }), end)
    }

    private func report(_ event: Event, _ end: Event? = nil) {
        loop.execute {
            self.pass(event)
            if let end { self.pass(end) }
        }
    }

    private func pass(_ event: Event) {
        let onEvent = state.withLock { $0.onEvent }
        onEvent?(event)
    }

    private func recordSent(_ count: Int) {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            state.unsentBytes -= count
            guard state.unsentBytes < Self.limit else { return nil }
            defer { state.resume = nil }
            return state.resume
        }
        resume?()
    }
}
#endif
