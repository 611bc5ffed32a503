#if Macros
    import Foundation
    import MoyaHTTP

    /// The state of a mock: its answers and the calls that it received.
    public final class MockState<Call: Sendable, Answers: Sendable>: Sendable {
        private let state: Locked<State>

        private struct State: Sendable {
            var answers: Answers
            var calls: [Call] = []
        }

        /// Creates the state of a mock without calls.
        public init(_ answers: Answers) { state = Locked(State(answers: answers)) }

        /// The answers.
        public var answers: Answers {
            get { state.withLock { $0.answers } }
            set { state.withLock { $0.answers = newValue } }
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
        /// - Throws: ``MoyaError/underlying(_:_:)`` with ``UnansweredCall`` if there is no answer.
        public func answer<Answer>(
            to call: Call,
            _ answer: (Answers) -> Answer?,
            named method: StaticString
        ) throws(MoyaError) -> Answer {
            let answers = state.withLock { state in
                state.calls.append(call)
                return state.answers
            }
            guard let answer = answer(answers) else { throw .underlying(UnansweredCall(method: "\(method)"), nil) }
            return answer
        }
    }

    /// The error for a call of a mock that has no answer for it.
    public struct UnansweredCall: Error, Equatable, LocalizedError {
        /// The method's name.
        public let method: String

        /// Creates an error.
        public init(method: String) { self.method = method }

        /// The missing answer, and how to set it.
        public var errorDescription: String? {
            "The mock has no answer for \(method): set one, as in `mock.answers.\(method) = { … }`."
        }
    }
#endif
