#if canImport(Combine) || OpenCombine
import Foundation
import Moya

/// A publisher that sends a request for each subscription.
struct RequestPublisher<Output: Sendable>: Publisher {
    typealias Failure = MoyaError
    typealias Start = @Sendable (_ update: @escaping @Sendable (Update) -> Void) -> any Moya.Cancellable

    /// An event of a request.
    enum Update: Sendable {
        case value(Output)
        /// The final value.
        case last(Output)
        case failure(MoyaError)

        /// Creates the final event of a request.
        init(_ result: Result<Output, MoyaError>) {
            switch result {
            case .success(let value): self = .last(value)
            case .failure(let error): self = .failure(error)
            }
        }
    }

    /// The queue on which buffered values are delivered.
    let queue: DispatchQueue
    let start: Start

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == MoyaError {
        subscriber.receive(subscription: RequestSubscription(subscriber, on: queue, start: start))
    }
}
#endif
