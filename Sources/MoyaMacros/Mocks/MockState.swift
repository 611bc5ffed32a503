#if Macros
    import Foundation
    import MoyaHTTP

    /// The state of a mock: its answers and the calls that it received.
    public final class MockState<Call: Sendable, Handlers: Sendable>: Sendable {
        private let state: Locked<State>

        private struct State: Sendable {
            var handlers: Handlers
            var calls: [Call] = []
        }

        /// Creates the state of a mock without calls.
        public init(_ handlers: Handlers) { state = Locked(State(handlers: handlers)) }

        /// The answers.
        public var handlers: Handlers {
            get { state.withLock { $0.handlers } }
            set { state.withLock { $0.handlers = newValue } }
        }

        /// The calls in order.
        public var calls: [Call] { state.withLock { $0.calls } }

        /// Records a call, and returns its answer.
        ///
        /// - Parameters:
        ///   - call: The call.
        ///   - answer: Returns the answer for the call.
        ///   - method: The method's name, for the error.
        /// - Returns: The answer.
        /// - Throws: ``MoyaError/underlying(_:_:)`` with ``UnhandledCall`` if there is no answer.
        public func handler<Handler>(
            to call: Call,
            _ handler: (Handlers) -> Handler?,
            named method: StaticString
        ) throws(MoyaError) -> Handler {
            let handlers = state.withLock { state in
                state.calls.append(call)
                return state.handlers
            }
            guard let handler = handler(handlers) else { throw .underlying(UnhandledCall(method: "\(method)"), nil) }
            return handler
        }
    }

    /// The error for a call of a mock that has no answer for it.
    public struct UnhandledCall: Error, Equatable, LocalizedError {
        /// The method's name.
        public let method: String

        /// Creates an error.
        public init(method: String) { self.method = method }

        /// The missing answer, and how to set it.
        public var errorDescription: String? {
            "The mock has no handler for \(method): set one, as in `mock.handlers.\(method) = { … }`."
        }
    }
#endif
