// This code is in language mode 6, with the compiler's messages: see scripts/check/old-names. The migration guide quotes the messages.
import Foundation
import Moya

struct Shop: TargetType {
    var baseURL: URL { URL(string: "https://shop.test")! }
    var path: String { "" }
    var method: Moya.Method { .get }
    var task: Task { .requestPlain }  //! error: reference to generic type 'Task' requires arguments in <...>
    var headers: [String: String]? { nil }
}

struct Batch {
    let tasks: [Task]  //! error: reference to generic type 'Task' requires arguments in <...>
    init() { tasks = [.requestPlain] }  //! error: reference to member 'requestPlain' cannot be resolved without a contextual type
}

struct Item: TargetType {
    var baseURL: URL { URL(string: "https://shop.test")! }
    var path: String { "" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

class Counter: PluginType {  //! error: non-final class 'Counter' cannot conform to the 'Sendable' protocol
    var count = 0  //! warning: stored property 'count' of 'Sendable'-conforming class 'Counter' is mutable
}

final class FinalCounter: PluginType {
    var count = 0  //! warning: stored property 'count' of 'Sendable'-conforming class 'FinalCounter' is mutable
}

class Target: TargetType {  //! error: non-final class 'Target' cannot conform to the 'Sendable' protocol
    var name = ""  //! warning: stored property 'name' of 'Sendable'-conforming class 'Target' is mutable
    var baseURL: URL { URL(string: "https://shop.test")! }
    var path: String { name }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

enum API {
    static var provider = MoyaProvider<Item>()  //! error: static property 'provider' is not concurrency-safe because it is nonisolated global shared mutable state
    static let plugin: PluginType = NetworkLoggerPlugin()
    static let plugins: [PluginType] = []
    static let counter = NSMutableArray()  //! error: static property 'counter' is not concurrency-safe because non-'Sendable' type 'NSMutableArray' may have shared mutable state
}

func endpointClosure(_ token: NSMutableString) -> (Item) -> Endpoint {
    return { MoyaProvider.defaultEndpointMapping(for: $0).adding(newHTTPHeaderFields: ["A": token as String]) }
}

func make() {
    _ = MoyaProvider<Item>(endpointClosure: endpointClosure(""))  //! warning: converting non-Sendable function value to '@Sendable (Item) -> Endpoint' may introduce data races
    let closure = { (target: Item) -> Endpoint in MoyaProvider.defaultEndpointMapping(for: target) }
    _ = MoyaProvider<Item>(endpointClosure: closure)  //! warning: converting non-Sendable function value to '@Sendable (Item) -> Endpoint' may introduce data races
}

// The following code compiles without messages.

final class SafeCounter: PluginType, @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    func willSend(_ request: RequestType, target: TargetType) { lock.withLock { count += 1 } }
}

enum SafeAPI {
    static let provider = MoyaProvider<Item>()
}

func sendableClosure(_ token: String) -> @Sendable (Item) -> Endpoint {
    return { MoyaProvider.defaultEndpointMapping(for: $0).adding(newHTTPHeaderFields: ["A": token]) }
}

func makeSafely() {
    _ = MoyaProvider<Item>(endpointClosure: sendableClosure(""))
    let closure = { @Sendable (target: Item) -> Endpoint in MoyaProvider.defaultEndpointMapping(for: target) }
    _ = MoyaProvider<Item>(endpointClosure: closure)
}

func loadSafely(_ provider: MoyaProvider<Item>, completion: @escaping @Sendable (String?) -> Void) {
    provider.request(Item()) { completion(try? $0.get().mapString()) }
}

func loadSafely(_ provider: MoyaProvider<Item>) async throws -> String { try await provider.request(Item()).mapString() }

func nestedSafely(_ rows: [[String: any Sendable]]) -> [HTTPTask] {
    return [
        .requestParameters(parameters: ["rows": rows], encoding: JSONEncoding.default),
        .requestParameters(
            parameters: ["rows": [["a": 1, "b": "c"] as [String: any Sendable]]],
            encoding: JSONEncoding.default
        ),
    ]
}

final class SafeProvider: MoyaProvider<Item>, @unchecked Sendable {}

// The values of these parameters are not known to be Sendable.

func nested(_ rows: [[String: Any]], _ value: Any) -> [HTTPTask] {
    return [
        .requestParameters(parameters: ["rows": rows], encoding: JSONEncoding.default),  //! error: type 'Any' does not conform to the 'Sendable' protocol
        .requestParameters(parameters: ["rows": [["a": 1, "b": "c"]]], encoding: JSONEncoding.default),  //! error: type 'Any' does not conform to the 'Sendable' protocol
        .requestParameters(parameters: ["value": value], encoding: JSONEncoding.default),  //! warning: type 'Any' does not conform to the 'Sendable' protocol
    ]
}

final class Controller {
    let provider = MoyaProvider<Item>()
    var text = ""

    func load() {
        provider.request(.init()) { result in
            self.text = (try? result.get().mapString()) ?? ""  //! warning: capture of 'self' with non-Sendable type 'Controller' in a '@Sendable' closure
        }
    }
}

func load(_ provider: MoyaProvider<Item>, completion: @escaping (String?) -> Void) {
    provider.request(Item()) { result in
        completion(try? result.get().mapString())  //! warning: capture of 'completion' with non-Sendable type '(String?) -> Void' in a '@Sendable' closure
    }
}

func collect(_ provider: MoyaProvider<Item>) {
    var codes: [Int] = []
    provider.request(Item()) { result in
        if let response = try? result.get() { codes.append(response.statusCode) }  //! warning: mutation of captured var 'codes' in concurrently-executing code
    }
    print(codes)
}

final class OwnProvider: MoyaProvider<Item> {}  //! warning: class 'OwnProvider' must restate inherited '@unchecked Sendable' conformance
