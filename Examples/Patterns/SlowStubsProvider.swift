import Foundation
import Moya

/// A provider that delays stubs by their size, like a slow network.
///
/// The example shows how to override ``MoyaProvider/stubRequest(_:request:callbackQueue:completion:endpoint:stubBehavior:)``: the
/// override notifies the plugins, has the provider create the function that completes the stub, and calls that function after the
/// delay.
public final class SlowStubsProvider<Target: TargetType>: MoyaProvider<Target> {
    private let secondsPerKilobyte: Double
    private let queue: DispatchQueue

    /// Creates a provider with stubs.
    public init(secondsPerKilobyte: Double, queue: DispatchQueue, plugins: [PluginType] = []) {
        self.secondsPerKilobyte = secondsPerKilobyte
        self.queue = queue
        super.init(stubClosure: MoyaProvider.immediatelyStub, plugins: plugins)
    }

    override public func stubRequest(
        _ target: Target,
        request: URLRequest,
        callbackQueue: DispatchQueue?,
        completion: @escaping Completion,
        endpoint: Endpoint,
        stubBehavior: StubBehavior
    ) -> CancellableToken {
        let request = notifyPluginsOfImpendingStub(for: request, target: target)
        let token = CancellableToken {}
        let answer = createStubFunction(
            token,
            forTarget: target,
            withCompletion: completion,
            endpoint: endpoint,
            plugins: plugins,
            request: request
        )
        let delay = secondsPerKilobyte * Double(target.sampleData.count) / 1024
        (callbackQueue ?? queue).asyncAfter(deadline: .now() + delay) { answer() }
        return token
    }
}
