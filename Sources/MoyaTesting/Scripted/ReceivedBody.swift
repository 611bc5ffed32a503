import Foundation

extension TransportRequest {
    /// Reads the body as a server receives it: progress is reported, and the request's timeouts apply.
    ///
    /// Reading the body's source uses real time, regardless of the script's clock.
    ///
    /// - Throws: `RequestBodyError`; `URLError` with the code `timedOut` or `cancelled`.
    func receiveBody() async throws {
        onConnect?()
        // A body in memory takes no time.
        guard let body, body.data == nil else { return }
        do {
            try await receive(body)
        } catch let error as RequestBodyError where error.reason == .cancelled {
            throw URLError.cancelled(url: url)
        }
    }

    private func receive(_ body: HTTPBody) async throws {
        let started = ContinuousClock.now
        let timeouts = Locked(TimeoutState(self))
        let reader = try body.open()
        try await withThrowingTaskGroup { group in
            group.addTask {
                while try await reader.next() != nil {
                    let now = ContinuousClock.now - started
                    timeouts.withLock { $0.activity(at: now) }
                }
            }
            group.addTask { [url] in
                while true {
                    let now = ContinuousClock.now - started
                    let verdict = timeouts.withLock { $0.verdict(at: now) }
                    guard case .checkAgain(let left) = verdict else { throw URLError.timedOut(verdict, url: url) }
                    do {
                        try await Task.sleep(for: left)
                    } catch {
                        throw URLError.cancelled(url: url)
                    }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
