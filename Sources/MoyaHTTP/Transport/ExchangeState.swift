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
        /// Nothing to do; the engine must hold what comes next until the reader has taken what waits.
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
        /// The reader has the response; chunks that it has not taken are kept, and how it ended after them.
        case streaming(buffered: Data, readerWaits: Bool, end: End?)
        /// Failed; the reader learns of it when it asks, unless it has been told.
        case failed(URLError)
        /// Nothing more to give.
        case done
    }

    private enum End: Equatable, Sendable {
        case finished
        case failed(URLError)
    }

    /// Whether the server has begun to answer.
    private(set) var hasReceivedHead = false

    private var phase = Phase.collecting(nil, Data())
    private let bufferLimit: Int
    private let readAhead: Int

    /// So much may wait for the reader before the engine is held: an engine that is held loses what it has read and not
    /// handed over when its connection is lost.
    static let defaultReadAhead = 256 * 1024

    /// - Parameters:
    ///   - bufferLimit: A body of up to so many bytes is delivered as one value.
    ///   - readAhead: How many bytes of a streamed body may wait for the reader.
    init(bufferLimit: Int, readAhead: Int = ExchangeState.defaultReadAhead) {
        self.bufferLimit = bufferLimit
        self.readAhead = readAhead
    }

    /// True once nothing that the engine brings can matter.
    var isOver: Bool {
        switch phase {
        case .collecting: false
        case .streaming(_, _, let end): end != nil
        case .failed, .done: true
        }
    }

    mutating func receivedHead(_ head: ResponseHead) -> Action {
        guard case .collecting(nil, _) = phase else { return .ignore }
        hasReceivedHead = true
        guard bufferLimit > 0 else {
            phase = .streaming(buffered: Data(), readerWaits: false, end: nil)
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
            phase = .streaming(buffered: body, readerWaits: false, end: nil)
            return .stream(head, hold: body.count > readAhead)
        case .streaming(_, readerWaits: true, end: nil):
            phase = .streaming(buffered: Data(), readerWaits: false, end: nil)
            return .chunk(chunk)
        case .streaming(var buffered, readerWaits: false, end: nil):
            phase = .done
            buffered.append(chunk)
            phase = .streaming(buffered: buffered, readerWaits: false, end: nil)
            return buffered.count > readAhead ? .hold : .proceed
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
        case .streaming(let buffered, readerWaits: false, end: nil):
            phase = .streaming(buffered: buffered, readerWaits: false, end: .finished)
            return .ignore
        case .collecting(nil, _):
            return failed(.exchange(.badServerResponse, url: nil))
        case .streaming, .failed, .done:
            return .ignore
        }
    }

    mutating func failed(_ error: URLError) -> Action {
        switch phase {
        case .collecting(let head?, let body) where error.code != .cancelled:
            // A response whose body breaks off is one, and what has arrived is the reader's; then comes the error.
            phase =
                body.isEmpty
                ? .failed(error) : .streaming(buffered: body, readerWaits: false, end: .failed(error))
            return .stream(head, hold: false)
        case .collecting, .streaming(_, readerWaits: true, _):
            phase = .done
            return .fail(error)
        case .streaming(let buffered, readerWaits: false, end: nil):
            // What has arrived is the reader's; only who cancels does not want it any more.
            phase =
                buffered.isEmpty || error.code == .cancelled
                ? .failed(error) : .streaming(buffered: buffered, readerWaits: false, end: .failed(error))
            return .ignore
        case .streaming, .failed, .done:
            return .ignore
        }
    }

    mutating func readerWantsChunk() -> ReaderAction {
        switch phase {
        case .streaming(let buffered, _, let end) where !buffered.isEmpty:
            phase = .streaming(buffered: Data(), readerWaits: false, end: end)
            return .chunk(buffered)
        case .streaming(_, _, end: .finished), .done, .collecting:
            phase = .done
            return .end
        case .streaming(let buffered, _, end: nil):
            phase = .streaming(buffered: buffered, readerWaits: true, end: nil)
            return .wait
        case .streaming(_, _, end: .failed(let error)), .failed(let error):
            phase = .done
            return .fail(error)
        }
    }
}
