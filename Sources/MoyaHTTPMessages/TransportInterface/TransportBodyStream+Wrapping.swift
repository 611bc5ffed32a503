import Foundation

// Streams that wrap another one: one home for the end, the errors and the overlapping calls of a body.
extension TransportBodyStream {
    /// Returns a stream whose chunks `step` makes from the chunks of this one, with the trailers of this one.
    ///
    /// The end or the error releases this stream and `step`, and each further call gets it again. A call that fails because it overlaps
    /// another one changes nothing.
    ///
    /// - Parameters:
    ///   - step: Returns the next chunk; it gets a function that returns the next one of this stream.
    ///   - mapError: Handles the error that ends the body, and returns the error for the reader.
    /// - Returns: The stream.
    package func wrapped(
        _ step: @escaping @Sendable (_ next: Next) async throws -> Data?,
        mapError: @escaping @Sendable (any Error) async -> any Error = { $0 }
    ) -> TransportBodyStream {
        let phase = Locked(WrappedPhase.open(makeAsyncIterator().nextChunk, step))
        return replacingChunks {
            // Not the source, because a step may wait after it has its chunk: the cache, for example, writes the chunk.
            switch phase.withLock({ $0.beginRead() }) {
            case .reading: throw URLError.overlappingRead
            case .ended: return nil
            case .failed(let error): throw error
            case .open(let next, let step):
                do {
                    guard let chunk = try await step(next) else {
                        phase.end(as: .ended)
                        return nil
                    }
                    phase.withLock { $0 = .open(next, step) }
                    return chunk
                } catch  where error.isOverlappingRead {
                    // Another reader of the source.
                    phase.withLock { $0 = .open(next, step) }
                    throw error
                } catch {
                    let error = await mapError(error)
                    phase.end(as: .failed(error))
                    throw error
                }
            }
        }
    }

    /// Returns the same body, and calls a function with each chunk.
    ///
    /// `onEnd` is called once: at the end with `nil`, or with the error, or with `URLError.cancelled` if the reader releases the stream.
    package func observed(
        onChunk: @escaping @Sendable (Data) -> Void,
        onEnd: @escaping @Sendable ((any Error)?) -> Void
    ) -> TransportBodyStream {
        let end = BodyEnd(onEnd)
        return wrapped { next in
            let chunk = try await next()
            if let chunk { onChunk(chunk) } else { end.report(nil) }
            return chunk
        } mapError: { error in
            end.report(error)
            return error
        }
    }

    fileprivate enum WrappedPhase: Sendable {
        case open(Next, @Sendable (Next) async throws -> Data?)
        /// A call waits for a chunk.
        case reading
        case ended
        case failed(any Error)

        /// Returns the phase at the beginning of a call, from which on others overlap it.
        mutating func beginRead() -> WrappedPhase {
            defer { if case .open = self { self = .reading } }
            return self
        }
    }

    /// Reports the end of a body once, at its release at the latest.
    private final class BodyEnd: Sendable {
        private let onEnd: InlineLocked<(@Sendable ((any Error)?) -> Void)?>

        init(_ onEnd: @escaping @Sendable ((any Error)?) -> Void) { self.onEnd = InlineLocked(onEnd) }

        func report(_ error: (any Error)?) { onEnd.withLock { $0.take() }?(error) }

        deinit { report(URLError.cancelled(url: nil)) }
    }
}

extension Locked where Value == TransportBodyStream.WrappedPhase {
    /// Ends the stream, and releases its source outside of the lock: the deinitialization runs other code.
    fileprivate func end(as end: Value) {
        _ = withLock { phase in
            defer { phase = end }
            return phase
        }
    }
}

/// The cause of ``URLError/overlappingRead``.
private struct OverlappingRead: Error, Hashable {}

extension URLError {
    /// The error of a call for a chunk while another call waits for one, which is not affected.
    package static let overlappingRead = make(
        .resourceUnavailable,
        url: nil,
        reason: "The next chunk of the response's body was requested while another call waited for a chunk.",
        cause: OverlappingRead()
    )
}

extension Error {
    /// Whether the error is that of an overlapping call, and not that of the body.
    fileprivate var isOverlappingRead: Bool {
        (self as? URLError)?.userInfo[NSUnderlyingErrorKey] is OverlappingRead
    }
}
