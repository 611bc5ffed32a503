/// The times of a request to a server and its response, in seconds since 1970.
struct ExchangeTimes: Sendable {
    /// The time at which the request was sent.
    let requestTime: Double
    /// The time at which the head of the response arrived.
    let responseTime: Double
}
