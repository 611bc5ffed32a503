// swift-format-ignore-file
// Seed 003, on how the original works. Most blocks of the seed quote the original's implementation. This file contains
// the blocks that use only public names, so that an application could contain them. The code between `// seed … {` and
// `// } seed …` is copied from the seed unchanged.
import Foundation
import Moya

enum Seed003 {
    enum UserAPI: TargetType {
        case me

        var baseURL: URL { URL(string: "https://api.example.com")! }
        var path: String { "me" }
        var method: Moya.Method { .get }
        var task: Task { .requestPlain }
        var headers: [String: String]? { nil }
    }

    static func provider() -> MoyaProvider<UserAPI> {
// seed 003, block 5 {
let provider = MoyaProvider<UserAPI>()
// } seed 003, block 5
        return provider
    }

    class Defaults<Target: TargetType> {
        typealias RequestResultClosure = MoyaProvider<Target>.RequestResultClosure

// seed 003, block 6 {
final class func defaultEndpointMapping(for target: Target) -> Endpoint {
    return Endpoint(
        url: URL(target: target).absoluteString,
        sampleResponseClosure: { .networkResponse(200, target.sampleData) },
        method: target.method,
        task: target.task,
        httpHeaderFields: target.headers
    )
}
// } seed 003, block 6

// seed 003, block 7 {
final class func defaultRequestMapping(for endpoint: Endpoint, closure: RequestResultClosure) {
    do {
        let urlRequest = try endpoint.urlRequest()
        closure(.success(urlRequest))
    } catch MoyaError.requestMapping(let url) {
        closure(.failure(MoyaError.requestMapping(url)))
    } catch MoyaError.parameterEncoding(let error) {
        closure(.failure(MoyaError.parameterEncoding(error)))
    } catch {
        closure(.failure(MoyaError.underlying(error, nil)))
    }
}
// } seed 003, block 7

// seed 003, block 8 {
final class func neverStub(_: Target) -> Moya.StubBehavior {
    return .never
}
// } seed 003, block 8

// seed 003, block 9 {
final class func defaultAlamofireSession() -> Session {
    let configuration = URLSessionConfiguration.default
    configuration.headers = .default

    return Session(configuration: configuration, startRequestsImmediately: false)
}
// } seed 003, block 9
    }

    enum Cancellables {
// seed 003, block 16 {
internal class CancellableWrapper: Cancellable {
    internal var innerCancellable: Cancellable = SimpleCancellable()

    var isCancelled: Bool { return innerCancellable.isCancelled }

    internal func cancel() {
        innerCancellable.cancel()
    }
}

internal class SimpleCancellable: Cancellable {
    var isCancelled = false
    func cancel() {
        isCancelled = true
    }
}
// } seed 003, block 16
    }

    enum Wrapping {
// seed 003, block 34 {
enum MultiTarget: TargetType {
    case target(TargetType)

    public init(_ target: TargetType) {
        self = MultiTarget.target(target)
    }
    public var path: String {
        return target.path
    }
    public var baseURL: URL {
        return target.baseURL
    }
    public var method: Moya.Method {
        return target.method
    }
    public var sampleData: Data {
        return target.sampleData
    }
    public var task: Task {
        return target.task
    }
    public var validationType: ValidationType {
        return target.validationType
    }
    public var headers: [String: String]? {
        return target.headers
    }
    public var target: TargetType {
        switch self {
        case .target(let target): return target
        }
    }
}
// } seed 003, block 34
    }

    enum Logging {
        /// A provider that needs no network, and stores its plugins and results in static variables.
        final class MoyaProvider<Target: TargetType>: Moya.MoyaProvider<Target> {
            init(plugins: [PluginType]) {
                Logging.plugins = plugins
                super.init(stubClosure: Moya.MoyaProvider<Target>.immediatelyStub, plugins: plugins + [Logging.recorder])
            }
        }

        static var plugins: [PluginType] = []
        static let recorder = Recorder()

        static func request(_ username: String) {
// seed 003, block 35 {
let provider = MoyaProvider<MultiTarget>(plugins: [NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))])

provider.request(MultiTarget(GitHub.userRepositories(username))) { result in 
	/// ...
}
// } seed 003, block 35
        }
    }
}

// seed 003, block 30 {
internal extension URLRequest {
    mutating func encoded(encodable: Encodable, encoder: JSONEncoder = JSONEncoder()) throws -> URLRequest {
        do {
            let encodable = AnyEncodable(encodable)
            httpBody = try encoder.encode(encodable)

            let contentTypeHeaderName = "Content-Type"
            if value(forHTTPHeaderField: contentTypeHeaderName) == nil {
                setValue("application/json", forHTTPHeaderField: contentTypeHeaderName)
            }

            return self
        } catch {
            throw MoyaError.encodableMapping(error)
        }
    }
}
// } seed 003, block 30

// seed 003, block 31 {
struct AnyEncodable: Encodable {

    private let encodable: Encodable

    public init(_ encodable: Encodable) {
        self.encodable = encodable
    }

    func encode(to encoder: Encoder) throws {
        try encodable.encode(to: encoder)
    }
}
// } seed 003, block 31
