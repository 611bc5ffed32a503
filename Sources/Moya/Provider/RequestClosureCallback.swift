import Foundation

/// The function that a request closure calls with its request.
///
/// The closure may keep it for ever, or release it without a call. It holds the objects of the request until its first call, or until
/// the request is cancelled.
final class RequestClosureCallback: Sendable {
    /// Takes the result; `nil` if the closure has released the function without calling it.
    typealias Action = @Sendable (Result<URLRequest, MoyaError>?) -> Void

    // A structure, because a function that is itself the value of a generic type needs another object, which converts its arguments.
    private struct State: Sendable {
        var action: Action?
    }

    private let state: InlineLocked<State>

    init(_ action: @escaping Action) { state = InlineLocked(State(action: action)) }

    deinit { take()?(nil) }

    /// Passes the result on; it does nothing after the first call.
    func call(_ result: Result<URLRequest, MoyaError>) { take()?(result) }

    /// Releases the objects of the request, without a result.
    func drop() { _ = take() }

    private func take() -> Action? {
        var taken = State()
        state.withLock { swap(&$0, &taken) }
        return taken.action
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
