import Foundation

/// A request that the request closure has mapped, and that is ready to be sent.
struct MappedRequest: Sendable {
    let request: URLRequest
    let execution: TaskExecution
}
