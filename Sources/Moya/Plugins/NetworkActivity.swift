/// Which requests have been told to have begun, and not to have ended.
struct NetworkActivity: Equatable, Sendable {
    private var open: Set<RequestScope> = []
    /// Begun by somebody who calls the hooks without a provider: all that can be known of them is how many they are.
    private var strangers = 0

    /// A try of a request is about to be sent. Returns whether that is a beginning: only the first try is.
    mutating func sends(_ request: RequestScope?) -> Bool {
        guard let request else {
            strangers += 1
            return true
        }
        return open.insert(request).inserted
    }

    /// A request has a result. Returns whether that is an end: only if there was a beginning, and once.
    mutating func receives(_ request: RequestScope?) -> Bool {
        guard let request else {
            defer { strangers = max(0, strangers - 1) }
            return strangers > 0
        }
        return open.remove(request) != nil
    }
}
