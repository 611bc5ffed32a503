import Foundation

/// Ctrl-C.
enum Interrupt {
    /// Runs a function, and cancels it when the process is interrupted, or asked to end, instead of ending at once.
    static func cancelling<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        let sources = [SIGINT, SIGTERM].map { number in
            // Or the system ends the process all the same.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        defer {
            for source in sources { source.cancel() }
            for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        }
        return try await task.value
    }
}
