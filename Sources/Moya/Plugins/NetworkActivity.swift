/// The requests that have begun and not ended.
struct NetworkActivity: Equatable, Sendable {
    private var open: Set<RequestScope> = []
    /// The number of requests begun by callers that run the hooks without a provider, which have no scope.
    private var unknownRequests = 0

    /// Records that an attempt is about to be sent, and returns whether the request begins: true for its first
    /// attempt.
    mutating func sends(_ request: RequestScope?) -> Bool {
        guard let request else {
            unknownRequests += 1
            return true
        }
        return open.insert(request).inserted
    }

    /// Records a result, and returns whether the request ends: true once for a request that had begun.
    mutating func receives(_ request: RequestScope?) -> Bool {
        guard let request else {
            defer { unknownRequests = max(0, unknownRequests - 1) }
            return unknownRequests > 0
        }
        return open.remove(request) != nil
    }
}
