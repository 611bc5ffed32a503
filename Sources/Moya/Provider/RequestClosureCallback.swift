import Foundation

/// The function that a request closure calls with its request.
///
/// The closure may keep it for ever, or release it without a call. It holds the objects of the request until its first call, or until
/// the request is cancelled.
final class RequestClosureCallback: Sendable {
    /// Takes the result; `nil` if the closure has released the function without calling it.
    typealias Action = @Sendable (Result<URLRequest, MoyaError>?) -> Void

    private let action: InlineLocked<Action?>

    init(_ action: @escaping Action) { self.action = InlineLocked(action) }

    deinit { take()?(nil) }

    /// Passes the result on; it does nothing after the first call.
    func call(_ result: Result<URLRequest, MoyaError>) { take()?(result) }

    /// Releases the objects of the request, without a result.
    func drop() { _ = take() }

    private func take() -> Action? {
        action.withLock { action in
            defer { action = nil }
            return action
        }
    }
}

extension TargetMisuse {
    static let requestClosureIsSilent = TargetMisuse(
        target: nil,
        property: "requestClosure",
        problem: "it has released its callback without calling it",
        remedy: "call it once, with a request or an error"
    )
}
