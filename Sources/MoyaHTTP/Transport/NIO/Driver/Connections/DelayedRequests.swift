#if NIO && !canImport(Darwin)
    import NIOCore

    /// The requests of a connection that wait until the event loop has read pending input.
    ///
    /// One timer checks the input for all of them. Its delay doubles, because an event loop runs all due timers before it reads:
    /// on a busy machine, many timers with a constant delay would always be due, and the input would never be read.
    struct DelayedRequests {
        private var requests: [OutboundRequest] = []
        private var delay = PendingInput.readTime

        /// Adds a request, and returns the time of the next check, unless its timer is already set.
        mutating func add(_ request: OutboundRequest) -> TimeAmount? {
            requests.append(request)
            guard requests.count == 1 else { return nil }
            defer { delay = min(delay * 2, PendingInput.longestReadTime) }
            return delay
        }

        /// Removes and returns the requests when the timer fires.
        mutating func removeAll() -> [OutboundRequest] {
            defer { requests = [] }
            return requests
        }

        /// Handles the end of the pending input: the next check is early again.
        mutating func resetDelay() { delay = PendingInput.readTime }
    }
#endif
