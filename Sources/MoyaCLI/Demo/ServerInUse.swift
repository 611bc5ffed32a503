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

    #if AsyncHTTPClient
        init(embedded server: DemoServer) {
            baseURL = server.baseURL
            isEmbedded = true
            slowRequests = server.slowRequests
        }
    #endif
}
