/// A client that is compared with others.
struct Contestant: Sendable {
    let name: String
    /// Sends requests for a time, with a number of concurrent loops.
    let measure: @Sendable (_ concurrency: Int, _ time: Duration) async throws -> Slice

    init(_ name: String, measure: @escaping @Sendable (Int, Duration) async throws -> Slice) {
        self.name = name
        self.measure = measure
    }

    /// Creates a contestant in this process.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - request: Sends one request and checks its response.
    init(_ name: String, request: @escaping @Sendable () async throws -> Void) {
        self.init(name) { try await Slice.measure(concurrency: $0, for: $1, request: request) }
    }
}
