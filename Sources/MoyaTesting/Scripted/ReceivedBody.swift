import Foundation

extension TransportRequest {
    /// Reads the body as a server receives it: whoever follows it sees it leave, and its connection ends with the request's time.
    ///
    /// A body's source runs in real time, whatever the script's clock is.
    ///
    /// - Throws: `RequestBodyError`; `URLError`, with the code `timedOut` or `cancelled`.
    func receivedBody(limit: Int) async throws -> CapturedBody? {
        onConnect?()
        // What is there takes no time.
        guard let body, body.data == nil else { return try await readBody(limit: limit) }
        do {
            return try await received(body, limit: limit)
        } catch let error as RequestBodyError where error.reason == .cancelled {
            throw URLError.cancelled(url: url)
        }
    }

    private func received(_ body: HTTPBody, limit: Int) async throws -> CapturedBody? {
        let started = ContinuousClock.now
        let timeouts = Locked(TimeoutState(self))
        let reader = try body.open()
        return try await withThrowingTaskGroup(of: CapturedBody?.self) { group in
            group.addTask {
                var captured = CapturedBody(limit: limit)
                while let piece = try await reader.next() {
                    captured.append(piece)
                    let now = ContinuousClock.now - started
                    timeouts.withLock { $0.activity(at: now) }
                }
                return captured
            }
            group.addTask { [url] in
                while true {
                    let now = ContinuousClock.now - started
                    let verdict = timeouts.withLock { $0.verdict(at: now) }
                    guard case .lookAgain(let left) = verdict else { throw URLError.timedOut(verdict, url: url) }
                    do {
                        try await Task.sleep(for: left)
                    } catch {
                        throw URLError.cancelled(url: url)
                    }
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
