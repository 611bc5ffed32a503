import Foundation

/// The server that a run talks to.
struct ServerInUse: Sendable {
    let baseURL: URL
    /// Whether the server is our own, and tells what it sees.
    let isEmbedded: Bool
    let slowRequests: SlowRequests

    init(live baseURL: URL) {
        self.baseURL = baseURL
        isEmbedded = false
        slowRequests = SlowRequests()
    }

    /// - Parameter slowRequests: What the server tells of them.
    init(embedded baseURL: URL, slowRequests: SlowRequests) {
        self.baseURL = baseURL
        isEmbedded = true
        self.slowRequests = slowRequests
    }

    #if AsyncHTTPClient
        init(embedded server: DemoServer) {
            self.init(embedded: server.baseURL, slowRequests: server.slowRequests)
        }
    #endif
}
