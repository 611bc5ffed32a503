extension CollapsedRequests {
    /// Reports the progress and the outcome of a fetch to its followers, if equal requests may wait for it.
    ///
    /// The outcome decides whether later requests wait for an equal one.
    final class FetchReporter: Sendable {
        private let requests: CollapsedRequests
        private let id: ID
        let progress = FetchProgress()

        init(_ requests: CollapsedRequests, _ id: ID) {
            self.requests = requests
            self.id = id
        }

        /// Records that the request is sent on a connection.
        ///
        /// The idle time of waiting requests counts from then on.
        func recordSend() { progress.recordActivity(at: requests.elapsed(), isResponse: false) }

        /// Records that a part of the response was received.
        func recordResponse() { progress.recordActivity(at: requests.elapsed(), isResponse: true) }

        /// Reports the outcome; followers get only the first report.
        func report(_ outcome: Outcome) { requests.end(id, reporter: ObjectIdentifier(self), outcome) }
    }
}
