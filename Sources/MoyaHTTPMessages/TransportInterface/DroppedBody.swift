import Foundation

/// The limits for reading a body that is dropped, such as that of a redirect that is followed, or of a response after which the request
/// is retried.
package enum DroppedBodyLimits {
    /// The number of bytes after which the reading ends, at the end of a chunk.
    static let limit = 64 * 1024
    /// The maximum time to wait for these bytes.
    package static let time = Duration.milliseconds(500)
}

extension TransportResponse {
    /// Whether ``dropBody(clock:)`` reads the body, which may take up to ``DroppedBodyLimits/time``.
    package var isDroppedByReading: Bool {
        guard case .stream = body else { return false }
        return isConnectionReusable && knownLength ?? 0 <= Int64(DroppedBodyLimits.limit)
    }

    /// Drops the body, because another response takes its place, or nobody needs it.
    ///
    /// A body that ends within the limits of ``DroppedBodyLimits`` is read, if its connection can then be used again. Any other body is
    /// released, which closes the connection, or resets the stream over HTTP/2.
    ///
    /// - Parameter clock: The clock of ``DroppedBodyLimits/time``: not the clock of the session, which measures delays before requests.
    package nonisolated(nonsending) mutating func dropBody(clock: any Clock<Duration> = ContinuousClock()) async {
        // Most bodies are complete.
        guard case .stream(let stream) = body else { return body = .complete(Data()) }
        let isRead = isDroppedByReading
        body = .complete(Data())
        guard isRead else { return stream.release() }
        await stream.readToEnd(limit: DroppedBodyLimits.limit, time: DroppedBodyLimits.time, clock: clock)
    }
}

extension TransportBodyStream {
    /// Reads the stream until it ends or exceeds a limit, and releases its source.
    @inline(never)
    fileprivate nonisolated(nonsending) func readToEnd(
        limit: Int,
        time: Duration,
        clock: any Clock<Duration>
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    var count = 0
                    for try await chunk in self {
                        count += chunk.count
                        if count > limit { return }
                    }
                } catch {
                    // The error of a dropped body has no effect.
                }
            }
            group.addTask { try? await clock.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
    }
}
