import ArgumentParser
import Foundation
import Moya

/// Handles SIGINT and SIGTERM.
enum Interrupt {
    /// Runs a function, and cancels it on SIGINT or SIGTERM instead of terminating the process.
    static func cancelOnSignal<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        let sources = [SIGINT, SIGTERM].map { number in
            // The default action, which terminates the process, is turned off.
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
