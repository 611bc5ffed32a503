/// A client that is compared with others.
struct Contestant: Sendable {
    let name: String
    /// Sends one request and checks its response.
    let request: @Sendable () async throws -> Void

    init(_ name: String, request: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.request = request
    }
}
