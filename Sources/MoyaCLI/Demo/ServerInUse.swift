import Foundation

/// The server of a run.
struct ServerInUse: Sendable {
    let baseURL: URL
    /// Whether the server is embedded and reports the requests that it receives.
    let isEmbedded: Bool
    let slowRequests: SlowRequests

    init(live baseURL: URL) {
        self.baseURL = baseURL
        isEmbedded = false
        slowRequests = SlowRequests()
    }

    /// Creates a description of an embedded server, which reports its `slowRequests`.
    init(embedded baseURL: URL, slowRequests: SlowRequests) {
        self.baseURL = baseURL
        isEmbedded = true
        self.slowRequests = slowRequests
    }

    #if NIO
    init(embedded server: DemoServer) {
        self.init(embedded: server.baseURL, slowRequests: server.slowRequests)
    }
    #endif
}
