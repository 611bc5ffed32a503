/// The requests of a logger that have been sent and have no result yet.
struct LoggedRequests: Sendable {
    private struct Sent: Sendable {
        var attempts = 0
        let started = ContinuousClock.now
        var line: String?
    }

    private var sent: [RequestIdentity: Sent] = [:]

    /// Records an attempt, and returns its label.
    ///
    /// A request of a caller that runs the hooks without a provider has no identity.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - line: Its method and URL.
    ///   - reason: The reason why it is sent again; `nil` for its first attempt.
    /// - Returns: The label.
    mutating func recordAttempt(of request: RequestIdentity?, line: String?, after reason: String?) -> [String] {
        guard let request else { return [] }
        sent[request, default: Sent()].attempts += 1
        sent[request]?.line = line
        return Self.label(request, sent[request], after: reason)
    }

    /// Removes a request, and returns the label of its result and the line of its last attempt.
    mutating func remove(_ request: RequestIdentity?) -> (label: [String], line: String?) {
        guard let request else { return ([], nil) }
        let sent = sent.removeValue(forKey: request)
        let duration = sent.map { ["\(Int64(($0.started.duration(to: .now) / .milliseconds(1)).rounded())) ms"] } ?? []
        return (Self.label(request, sent) + duration, sent?.line)
    }

    private static func label(_ request: RequestIdentity, _ sent: Sent?, after reason: String? = nil) -> [String] {
        guard let sent, sent.attempts > 1 else { return ["#\(request.number)"] }
        return ["#\(request.number)", "attempt \(sent.attempts)\(reason.map { " after \($0)" } ?? "")"]
    }
}
