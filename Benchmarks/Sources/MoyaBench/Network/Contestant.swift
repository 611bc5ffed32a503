/// A way to make a request, which is measured against others.
struct Contestant: Sendable {
    let name: String
    /// Makes one request, and looks at its answer.
    let request: @Sendable () async throws -> Void

    init(_ name: String, request: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.request = request
    }
}
