// swift-format-ignore-file
// Seed 002, the provider's options. The code between `// seed … {` and `// } seed …` is copied from the seed
// unchanged. The first marker also names blocks of older seeds with the same text.
import Foundation
import Moya

enum Seed002 {
    static func provider() -> MoyaProvider<MyService> {
// seed 002, block 1; seed 000, block 15; seed 001, block 6 {
let provider = MoyaProvider<MyService>()
// } seed 002, block 1
        return provider
    }

    static func request(_ provider: MoyaProvider<MyService>) {
// seed 002, block 2; seed 000, block 16; seed 001, block 7 {
provider.request(.zen) { result in
    // `result` is either .success(response) or .failure(error)
}
// } seed 002, block 2
    }

    static func providerWithEndpointClosure() -> MoyaProvider<MyTarget> {
// seed 002, block 3; seed 000, block 17 {
let endpointClosure = { (target: MyTarget) -> Endpoint in
    let url = URL(target: target).absoluteString
    return Endpoint(url: url, sampleResponseClosure: {.networkResponse(200, target.sampleData)}, method: target.method, task: target.task)
}
let provider = MoyaProvider(endpointClosure: endpointClosure)
// } seed 002, block 3
        return provider
    }

    /// Returns the three functions, which the block lists without using them; the result builder collects the list.
    @StubClosures
    static func stubClosures(seconds: TimeInterval) -> [MoyaProvider<MyTarget>.StubClosure] {
// seed 002, block 5; seed 000, block 19; seed 001, block 10 {
MoyaProvider.neverStub
MoyaProvider.immediatelyStub
MoyaProvider.delayedStub(seconds)
// } seed 002, block 5
    }

    @resultBuilder
    enum StubClosures {
        static func buildExpression(
            _ closure: @escaping MoyaProvider<MyTarget>.StubClosure
        ) -> MoyaProvider<MyTarget>.StubClosure {
            closure
        }

        static func buildBlock(
            _ closures: MoyaProvider<MyTarget>.StubClosure...
        ) -> [MoyaProvider<MyTarget>.StubClosure] {
            closures
        }
    }

    /// The two lines of the block declare the same name, so each line is in a separate function.
    static func immediateByClosure() -> MoyaProvider<MyTarget> {
// seed 002, block 6, line 1; seed 000, block 20, line 1; seed 001, block 11, line 1 {
let provider = MoyaProvider<MyTarget>(stubClosure: { (_: MyTarget) -> Moya.StubBehavior in return .immediate })
// } seed 002, block 6, line 1
        return provider
    }

    static func immediateByName() -> MoyaProvider<MyTarget> {
// seed 002, block 6, line 2; seed 000, block 20, line 2; seed 001, block 11, line 2 {
let provider = MoyaProvider<MyTarget>(stubClosure: MoyaProvider.immediatelyStub)
// } seed 002, block 6, line 2
        return provider
    }

    class Sessions {
// seed 002, block 7 {
final class func defaultAlamofireSession() -> Session {
    let configuration = URLSessionConfiguration.default
    configuration.headers = .default
    
    return Session(configuration: configuration, startRequestsImmediately: false)
}
// } seed 002, block 7
    }

    static func pinned(_ configuration: URLSessionConfiguration) -> MoyaProvider<MyTarget> {
// seed 002, block 8 {
let serverTrustManager = ServerTrustManager(evaluators: ["example.com": PinnedCertificatesTrustEvaluator()])

let session = Session(
    configuration: configuration, 
    startRequestsImmediately: false, 
    serverTrustManager: serverTrustManager
)

let provider = MoyaProvider<MyTarget>(session: session)
// } seed 002, block 8
        return provider
    }

    enum Activity {
        public enum NetworkActivityChangeType {
            case began, ended
        }

// seed 002, block 9 {
public final class NetworkActivityPlugin: PluginType {

    public typealias NetworkActivityClosure = (_ change: NetworkActivityChangeType, _ target: TargetType) -> Void
    let networkActivityClosure: NetworkActivityClosure

    public init(networkActivityClosure: @escaping NetworkActivityClosure) {
        self.networkActivityClosure = networkActivityClosure
    }

    // MARK: Plugin

    /// Called by the provider as soon as the request is about to start
    public func willSend(_ request: RequestType, target: TargetType) {
        networkActivityClosure(.began, target)
    }

    /// Called by the provider as soon as a response arrives, even if the request is canceled.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: TargetType) {
        networkActivityClosure(.ended, target)
    }
}
// } seed 002, block 9
    }
}
