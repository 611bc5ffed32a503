import Foundation

/// The limits for reading a body that is dropped: the body of a redirect that is followed, of a challenge that gets a response,
/// or of a response after which the request is retried.
package enum DroppedBodyLimits {
    /// The maximum number of bytes that are read, so that the connection can be used again.
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

    /// Drops the body, before another exchange, which may need its connection.
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
