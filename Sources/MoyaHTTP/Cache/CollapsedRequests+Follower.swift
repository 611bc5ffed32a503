import Foundation

extension CollapsedRequests {
    /// A request that waits for an equal one.
    final class Follower: Sendable {
        let promise = OutcomePromise()
        private let requests: CollapsedRequests
        private let progress: FetchProgress
        private let joined: Duration

        init(_ requests: CollapsedRequests, _ progress: FetchProgress, joined: Duration) {
            self.requests = requests
            self.progress = progress
            self.joined = joined
        }

        /// Waits for the outcome of the fetch.
        ///
        /// The idle time counts while the sent request has a connection, and restarts with each part of its response.
        ///
        /// - Parameters:
        ///   - timeouts: The timeouts of the request at the beginning of its wait.
        ///   - url: The URL of the request.
        /// - Returns: The outcome of the fetch.
        /// - Throws: `URLError.timedOut`, or `URLError.cancelled` if the waiting task is cancelled.
        nonisolated(nonsending) func waitForOutcome(
            within timeouts: TimeoutState,
            url: URL
        ) async throws(URLError) -> Outcome {
            let timer = Task { [self] in
                while true {
                    let verdict = applyingProgress(to: timeouts).verdict(at: requests.elapsed() - joined)
                    switch verdict {
                    case .checkAgain(let time): try await requests.clock.sleep(for: time)
                    case .expired(let kind):
                        return promise.fulfill(.failure(.timedOut(timeouts.error(of: kind), url: url)))
                    }
                }
            }
            defer { timer.cancel() }
            return try await promise.wait(onCancel: .failure(.cancelled(url: url))).get()
        }

        /// Returns the timeouts with the progress of the fetch.
        private func applyingProgress(to timeouts: TimeoutState) -> TimeoutState {
            var timeouts = timeouts
            // The sent request may be waiting for a connection.
            timeouts.pauseForConnectivity(at: .zero)
            let state = progress.state
            if state.hasResponse { timeouts.recordResponse() }
            if let last = state.lastActivity { timeouts.recordActivity(at: max(.zero, last - joined)) }
            return timeouts
        }

        /// Returns the idle time of the request when its wait ends, including `idleBefore`.
        func idleTime(after idleBefore: Duration) -> Duration {
            let state = progress.state
            guard let last = state.lastActivity else { return idleBefore }
            return (state.hasResponse ? .zero : idleBefore) + (requests.elapsed() - max(last, joined))
        }
    }
}
