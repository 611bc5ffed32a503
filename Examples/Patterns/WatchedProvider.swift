import Foundation
import Moya

/// A provider that shares equal requests, and reports how many are in progress.
///
/// The example shows how to override ``MoyaProvider/inflightRequests``.
public final class WatchedProvider<Target: TargetType>: MoyaProvider<Target> {
    /// Receives the number of distinct requests and the number of their waiting callers at each access to `inflightRequests`.
    public typealias Observer = (_ requests: Int, _ waiters: Int) -> Void

    private let observer: Observer

    /// Creates a provider.
    public init(stubClosure: @escaping StubClosure = MoyaProvider.neverStub, observer: @escaping Observer) {
        self.observer = observer
        super.init(stubClosure: stubClosure, trackInflights: true)
    }

    override public var inflightRequests: [Endpoint: [Completion]] {
        let requests = super.inflightRequests
        observer(requests.count, requests.values.reduce(0) { $0 + $1.count })
        return requests
    }
}
