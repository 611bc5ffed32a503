import Foundation
import Moya

/// A provider that shares equal requests, and tells how many are under way.
///
/// It shows how to override ``MoyaProvider/inflightRequests``.
public final class WatchedProvider<Target: TargetType>: MoyaProvider<Target> {
    /// Hears of the number of different requests, and of all who wait for them, whenever somebody looks.
    public typealias Observer = (_ requests: Int, _ waiters: Int) -> Void

    private let observer: Observer

    /// Makes a provider.
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
