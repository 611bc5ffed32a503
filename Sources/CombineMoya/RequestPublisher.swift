#if canImport(Combine) || OpenCombine
    import Foundation
    import Moya

    /// A publisher that starts an exchange of its own for each subscription.
    struct RequestPublisher<Output: Sendable>: Publisher {
        typealias Failure = MoyaError
        typealias Start = @Sendable (_ update: @escaping @Sendable (Update) -> Void) -> any Moya.Cancellable

        /// What comes from an exchange, in order.
        enum Update: Sendable {
            case value(Output)
            /// A value that nothing follows.
            case last(Output)
            case failure(MoyaError)

            /// The end of an exchange.
            init(_ result: Result<Output, MoyaError>) {
                switch result {
                case .success(let value): self = .last(value)
                case .failure(let error): self = .failure(error)
                }
            }
        }

        /// Where values arrive that have waited.
        let queue: DispatchQueue
        let start: Start

        func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == MoyaError {
            subscriber.receive(subscription: RequestSubscription(subscriber, on: queue, start: start))
        }
    }
#endif
