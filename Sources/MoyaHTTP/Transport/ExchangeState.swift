import Foundation
import HTTPTypes

/// A response's head as it came.
struct ResponseHead: Equatable, Sendable {
    var status: Int
    var headers: HTTPFields
}

/// What one exchange has received, and what its reader waits for. Pure: events in, actions out.
///
/// The engine calls the methods named `received…`, `finished` and `failed`; the reader those named `reader…`. The reader
/// waits for one thing at a time: first for the response, then for one chunk after the other.
struct ExchangeState: Sendable {
    enum Action: Equatable, Sendable {
        /// Nothing to do; the engine may go on.
        case proceed
        /// Nothing to do; the engine must hold what comes next until the reader has taken this.
        case hold
        /// The reader gets the response with its whole body.
        case deliver(ResponseHead, body: Data)
        /// The reader gets the response, and then its chunks. The engine holds if there are chunks to read first.
        case stream(ResponseHead, hold: Bool)
        /// The reader gets this chunk. The engine may go on.
        case chunk(Data)
        /// The reader gets the end of the body.
        case end
        /// The reader gets this error.
        case fail(URLError)
        /// What came is of no use any more.
        case ignore
    }

    enum ReaderAction: Equatable, Sendable {
        /// Wait for an ``Action``.
        case wait
        /// Here is a chunk; the engine may go on.
        case chunk(Data)
        /// The body is at its end.
        case end
        /// The exchange has failed.
        case fail(URLError)
    }

    private enum Phase: Equatable, Sendable {
        /// Before the reader has the response.
        case collecting(ResponseHead?, Data)
        /// The reader has the response; chunks that it has not taken are kept.
        case streaming(buffered: Data, readerWaits: Bool, ended: Bool)
        /// Failed; the reader learns of it when it asks, unless it has been told.
        case failed(URLError)
        /// Nothing more to give.
        case done
    }

    /// Whether the server has begun to answer.
    private(set) var hasReceivedHead = false

    private var phase = Phase.collecting(nil, Data())
    private let bufferLimit: Int

    init(bufferLimit: Int) {
        self.bufferLimit = bufferLimit
    }

    /// True once nothing that the engine brings can matter.
    var isOver: Bool {
        switch phase {
        case .collecting: false
        case .streaming(_, _, let ended): ended
        case .failed, .done: true
        }
    }

    mutating func receivedHead(_ head: ResponseHead) -> Action {
        guard case .collecting(nil, _) = phase else { return .ignore }
        hasReceivedHead = true
        guard bufferLimit > 0 else {
            phase = .streaming(buffered: Data(), readerWaits: false, ended: false)
            return .stream(head, hold: false)
        }
        phase = .collecting(head, Data())
        return .proceed
    }

    mutating func received(_ chunk: Data) -> Action {
        switch phase {
        case .collecting(let head?, var body):
            // Take the bytes out of the phase before they grow, or each append would copy them.
            phase = .done
            body.append(chunk)
            guard body.count > bufferLimit else {
                phase = .collecting(head, body)
                return .proceed
            }
            phase = .streaming(buffered: body, readerWaits: false, ended: false)
            return .stream(head, hold: true)
        case .streaming(_, readerWaits: true, ended: false):
            phase = .streaming(buffered: Data(), readerWaits: false, ended: false)
            return .chunk(chunk)
        case .streaming(var buffered, readerWaits: false, ended: false):
            phase = .done
            buffered.append(chunk)
            phase = .streaming(buffered: buffered, readerWaits: false, ended: false)
            return .hold
        case .collecting(nil, _), .streaming, .failed, .done:
            return .ignore
        }
    }

    mutating func finished() -> Action {
        switch phase {
        case .collecting(let head?, let body):
            phase = .done
            return .deliver(head, body: body)
        case .streaming(_, readerWaits: true, _):
            phase = .done
            return .end
        case .streaming(let buffered, readerWaits: false, _):
            phase = .streaming(buffered: buffered, readerWaits: false, ended: true)
            return .ignore
        case .collecting(nil, _):
            return failed(.exchange(.badServerResponse, url: nil))
        case .failed, .done:
            return .ignore
        }
    }

    mutating func failed(_ error: URLError) -> Action {
        switch phase {
        case .collecting, .streaming(_, readerWaits: true, _):
            phase = .done
            return .fail(error)
        case .streaming(_, readerWaits: false, ended: false):
            // What had arrived is dropped: an error is the last word, and the sooner the better.
            phase = .failed(error)
            return .ignore
        case .streaming, .failed, .done:
            return .ignore
        }
    }

    mutating func readerWantsChunk() -> ReaderAction {
        switch phase {
        case .streaming(let buffered, _, let ended) where !buffered.isEmpty:
            phase = .streaming(buffered: Data(), readerWaits: false, ended: ended)
            return .chunk(buffered)
        case .streaming(_, _, ended: true), .done, .collecting:
            phase = .done
            return .end
        case .streaming(let buffered, _, ended: false):
            phase = .streaming(buffered: buffered, readerWaits: true, ended: false)
            return .wait
        case .failed(let error):
            phase = .done
            return .fail(error)
        }
    }
}
