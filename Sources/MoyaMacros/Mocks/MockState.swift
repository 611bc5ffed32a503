#if Macros
    import Foundation
    import MoyaHTTP

    /// What a mock holds: the answers that it was given, and the calls that it got.
    public final class MockState<Call: Sendable, Answers: Sendable>: Sendable {
        private let state: Locked<State>

        private struct State: Sendable {
            var answers: Answers
            var calls: [Call] = []
        }

        /// Makes the state of a mock that has not been called.
        public init(_ answers: Answers) { state = Locked(State(answers: answers)) }

        /// The answers.
        public var answers: Answers {
            get { state.withLock { $0.answers } }
            set { state.withLock { $0.answers = newValue } }
        }

        /// The calls, in their order.
        public var calls: [Call] { state.withLock { $0.calls } }

        /// Keeps a call, and gives what answers it.
        ///
        /// - Parameters:
        ///   - call: The call.
        ///   - answer: The answer that was set for it.
        ///   - method: The method's name, for the error.
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

    /// A mock was asked for something that it has no answer for.
    public struct UnansweredCall: Error, Equatable, LocalizedError {
        /// The method's name.
        public let method: String

        /// Makes an error.
        public init(method: String) { self.method = method }

        /// What is missing, and what to write.
        public var errorDescription: String? {
            "The mock has no answer for \(method): set one, as in `mock.answers.\(method) = { … }`."
        }
    }
#endif
