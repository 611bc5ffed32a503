import Foundation
import HTTPTypes

/// The state machine of an exchange: the received data, and the event for which the reader waits.
///
/// The carrier calls the methods `received…`, `inputEnded`, `finished` and `failed`; the reader calls `readerRequestedChunk` and
/// `readerCancelled`. A timeout, and a request body that cannot be read, call `failed`, too. The reader waits for one event at a time: the
/// response, then one chunk after another.
struct ExchangeStateMachine: Sendable {
    /// The error that ends an exchange.
    enum Failure: Equatable, Sendable {
        case url(URLError)
        /// The request body could not be read.
        case body(RequestBodyError)

        /// The error for the reader.
        var error: any Error {
            switch self {
            case .url(let error): error
            case .body(let error): error
            }
        }

        fileprivate var isCancellation: Bool {
            if case .url(let error) = self { error.code == .cancelled } else { false }
        }
    }

    enum Action: Equatable, Sendable {
        /// Deliver nothing; the carrier continues.
        case proceed
        /// Deliver nothing; the carrier delivers no more until the reader has read the buffered data.
        case pause
        /// Deliver the response with its complete body.
        case deliver(ResponseHead, body: Data)
        /// Deliver the response, whose chunks follow; a carrier that is paused waits until the reader has read the first ones.
        case stream(ResponseHead, isPaused: Bool)
        /// Deliver this chunk; the carrier continues.
        case deliverChunk(Data)
        /// Deliver the end of the body.
        case deliverEnd
        /// Deliver this error.
        case fail(Failure)

        /// Whether the carrier should deliver no more until the reader has read the buffered data.
        var shouldPauseCarrier: Bool {
            switch self {
            case .pause, .stream(_, isPaused: true): true
            default: false
            }
        }
    }

    enum ReaderAction: Equatable, Sendable {
        /// Wait for an ``Action``.
        case wait
        /// Return the chunk; the carrier continues.
        case chunk(Data)
        /// Return the end of the body.
        case end
        /// Throw this error.
        case fail(Failure)
    }

    private enum Phase: Equatable, Sendable {
        /// The response has not been delivered.
        case collecting(ResponseHead?, Data)
        /// The response has been delivered.
        ///
        /// Chunks that the reader has not read are buffered, followed by the end, if any.
        case streaming(buffered: Data, readerWaits: Bool, end: End?)
        /// The exchange has failed: each call of the reader for a chunk gets the error, so that a reader that ignores it does not take
        /// the body for complete.
        case failed(Failure)
        /// Everything has been delivered.
        case done
    }

    private enum End: Equatable, Sendable {
        /// The server has ended its direction of an upgraded connection, and the output goes on.
        case halfClosed
        case finished
        case failed(Failure)
    }

    /// Whether the head of a response has been received.
    private(set) var hasReceivedHead = false
    /// Whether the reader has got the whole body, and knows it.
    private(set) var hasDeliveredEnd = false

    private var phase = Phase.collecting(nil, Data())
    private let bufferLimit: Int
    private let droppable: DroppableBodies
    private let maximumBuffered: Int

    /// The usual number of buffered bytes above which the carrier pauses.
    ///
    /// If the connection of a paused carrier is lost, the connections of `NIOTransport` deliver the data that they have read.
    static let defaultMaximumBuffered = 256 * 1024

    /// Creates the state.
    ///
    /// - Parameters:
    ///   - bufferLimit: The maximum size of a body that is delivered as one value.
    ///   - droppable: The responses that are delivered with their heads nevertheless.
    ///   - maximumBuffered: The number of buffered bytes of a streamed body above which the carrier pauses.
    init(
        bufferLimit: Int,
        droppable: DroppableBodies = .none,
        maximumBuffered: Int = ExchangeStateMachine.defaultMaximumBuffered
    ) {
        self.bufferLimit = bufferLimit
        self.droppable = droppable
        self.maximumBuffered = maximumBuffered
    }

    /// Whether a call of the reader waits for a chunk.
    var isReaderWaiting: Bool { if case .streaming(_, readerWaits: true, _) = phase { true } else { false } }

    /// Whether further events of the carrier are ignored.
    var isOver: Bool {
        switch phase {
        case .collecting: false
        case .streaming(_, _, let end): end != nil && end != .halfClosed
        case .failed, .done: true
        }
    }

    /// Handles the head of a response, which is delivered at once if the body is streamed, or if the connection is upgraded.
    mutating func receivedHead(_ head: ResponseHead) -> Action {
        guard case .collecting(nil, _) = phase else { return .proceed }
        hasReceivedHead = true
        guard bufferLimit > 0, !head.isUpgraded, !droppable.contains(status: head.status) else {
            phase = .streaming(buffered: Data(), readerWaits: false, end: nil)
            return .stream(head, isPaused: false)
        }
        phase = .collecting(head, Data())
        return .proceed
    }

    /// Handles a response that is complete when its head is processed.
    mutating func received(whole head: ResponseHead, _ body: Data) -> Action {
        guard case .collecting(nil, _) = phase else { return .proceed }
        hasReceivedHead = true
        guard body.count <= bufferLimit, bufferLimit > 0, !head.isUpgraded else {
            phase = .streaming(buffered: body, readerWaits: false, end: .finished)
            return .stream(head, isPaused: false)
        }
        hasDeliveredEnd = true
        phase = .done
        return .deliver(head, body: body)
    }

    /// Handles a chunk: the reader that waits gets it, or it is buffered.
    mutating func received(_ chunk: Data) -> Action {
        switch phase {
        case .collecting(let head?, var body):
            // Take the bytes out of the phase before appending; otherwise each append would copy them.
            phase = .done
            body.append(chunk)
            guard body.count > bufferLimit else {
                phase = .collecting(head, body)
                return .proceed
            }
            phase = .streaming(buffered: body, readerWaits: false, end: nil)
            return .stream(head, isPaused: body.count > maximumBuffered)
        case .streaming(_, readerWaits: true, end: nil):
            phase = .streaming(buffered: Data(), readerWaits: false, end: nil)
            return .deliverChunk(chunk)
        case .streaming(var buffered, readerWaits: false, end: nil):
            phase = .done
            buffered.append(chunk)
            phase = .streaming(buffered: buffered, readerWaits: false, end: nil)
            return buffered.count > maximumBuffered ? .pause : .proceed
        case .collecting(nil, _), .streaming, .failed, .done:
            return .proceed
        }
    }

    /// Handles the end of the server's direction of an upgraded connection, while the output goes on.
    ///
    /// The reader gets the end, also if the output then fails. The exchange is over after ``finished()`` or ``failed(_:)``.
    mutating func inputEnded() -> Action {
        guard case .streaming(let buffered, let readerWaits, nil) = phase else { return .proceed }
        phase = .streaming(buffered: buffered, readerWaits: false, end: .halfClosed)
        guard readerWaits else { return .proceed }
        hasDeliveredEnd = true
        return .deliverEnd
    }

    /// Handles the end of the body.
    mutating func finished() -> Action {
        switch phase {
        case .collecting(let head?, let body):
            phase = .done
            hasDeliveredEnd = true
            return .deliver(head, body: body)
        case .streaming(_, readerWaits: true, _):
            phase = .done
            hasDeliveredEnd = true
            return .deliverEnd
        case .streaming(let buffered, readerWaits: false, end: nil),
            .streaming(let buffered, readerWaits: false, end: .halfClosed):
            phase = .streaming(buffered: buffered, readerWaits: false, end: .finished)
            return .proceed
        case .collecting(nil, _):
            return failed(.url(.make(.badServerResponse, url: nil)))
        case .streaming, .failed, .done:
            return .proceed
        }
    }

    /// Handles a failure of the exchange, after which the reader gets the received data, except after a cancellation, and then the error.
    mutating func failed(_ error: Failure) -> Action {
        switch phase {
        case .collecting(let head?, let body) where !error.isCancellation:
            // An interrupted response is delivered with the received data, followed by the error.
            phase =
                body.isEmpty
                ? .failed(error) : .streaming(buffered: body, readerWaits: false, end: .failed(error))
            return .stream(head, isPaused: false)
        case .collecting:
            phase = .done
            return .fail(error)
        case .streaming(_, readerWaits: true, _):
            phase = .failed(error)
            return .fail(error)
        case .streaming(_, _, end: .halfClosed) where !error.isCancellation:
            // The input is complete, and only the output has failed.
            return finished()
        case .streaming(let buffered, readerWaits: false, end: nil),
            .streaming(let buffered, readerWaits: false, end: .halfClosed):
            phase =
                buffered.isEmpty || error.isCancellation
                ? .failed(error) : .streaming(buffered: buffered, readerWaits: false, end: .failed(error))
            return .proceed
        case .streaming, .failed, .done:
            return .proceed
        }
    }

    /// Handles a cancellation by the reader, which then gets this error in place of buffered data, the end, or another error.
    ///
    /// It has no effect after the response was delivered whole, or has failed before its head.
    mutating func readerCancelled(_ error: Failure) -> Action {
        switch phase {
        case .streaming(_, _, end: _?), .failed:
            phase = .failed(error)
            return .proceed
        case .collecting, .streaming, .done:
            return failed(error)
        }
    }

    /// Handles a call of the reader for the next chunk, which fails while another call waits.
    mutating func readerRequestedChunk() -> ReaderAction {
        switch phase {
        case .streaming(let buffered, _, let end) where !buffered.isEmpty:
            phase = .streaming(buffered: Data(), readerWaits: false, end: end)
            return .chunk(buffered)
        case .streaming(_, _, end: .finished):
            phase = .done
            hasDeliveredEnd = true
            return .end
        case .streaming(_, _, end: .halfClosed):
            hasDeliveredEnd = true
            return .end
        case .done, .collecting:
            phase = .done
            return .end
        case .streaming(_, readerWaits: true, end: nil):
            return .fail(.url(.overlappingRead))
        case .streaming(let buffered, readerWaits: false, end: nil):
            phase = .streaming(buffered: buffered, readerWaits: true, end: nil)
            return .wait
        case .streaming(_, _, end: .failed(let error)), .failed(let error):
            phase = .failed(error)
            return .fail(error)
        }
    }
}
