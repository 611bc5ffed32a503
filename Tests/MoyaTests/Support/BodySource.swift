import Foundation
import Moya
import MoyaHTTP
import TestSupport

/// The source of a response's body, without a network.
///
/// It returns its chunks, and then its end, its error, or nothing until the body is closed. Only the body refers to the
/// source, so the source is released when the body cannot be read any more.
final class BodySource: Sendable {
    enum End: Sendable {
        case regular
        case error(URLError.Code)
        case never
    }

    /// The part that a test may retain.
    struct Watch: Sendable {
        /// The number of requested chunks.
        let pulls = Recorder<Void>()
        /// Fulfilled when the body is released or its reader is cancelled.
        let closed = Promise<Void>()
    }

    private let chunks: Locked<[Data]>
    private let end: End
    private let watch: Watch

    private init(_ chunks: [String], end: End, watch: Watch) {
        self.chunks = Locked(chunks.map { Data($0.utf8) })
        self.end = end
        self.watch = watch
    }

    deinit { watch.closed.fulfill(()) }

    /// Creates a body.
    static func body(_ chunks: [String], then end: End = .regular, watch: Watch = Watch()) -> TransportBody {
        let source = BodySource(chunks, end: end, watch: watch)
        return .stream(TransportBodyStream { try await source.next() })
    }

    private func next() async throws -> Data? {
        watch.pulls.add(())
        let chunk = chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let chunk { return chunk }
        switch end {
        case .regular:
            return nil
        case .error(let code):
            throw URLError(code)
        case .never:
            let watch = watch
            let cancelled = Promise<Void>()
            await withTaskCancellationHandler {
                await cancelled.wait()
            } onCancel: {
                watch.closed.fulfill(())
                cancelled.fulfill(())
            }
            throw URLError(.cancelled)
        }
    }
}
