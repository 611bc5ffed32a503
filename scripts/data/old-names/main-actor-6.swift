// This code is in language mode 6 with default isolation to the main actor. The migration guide quotes the messages.
import CombineMoya
import Foundation
import Moya
import MoyaAlamofire

struct User: Codable { var login: String }
nonisolated struct Model: Codable { var login: String }

// Targets share the members of this protocol.
nonisolated protocol Zen: TargetType {}
nonisolated extension Zen {
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/zen" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

// Targets, plugins and interceptors conform in the declaration of the type or later.
enum AtOnce: TargetType {
    case zen
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/zen" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}
enum Later { case zen }
nonisolated extension Later: TargetType {
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/zen" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}
enum Isolated { case zen }
extension Isolated: TargetType {  //! error: conformance of 'Isolated' to protocol 'TargetType' crosses into main actor-isolated code and can cause data races
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/zen" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}
nonisolated enum HalfIsolated { case zen }
extension HalfIsolated: TargetType {  //! error: conformance of 'HalfIsolated' to protocol 'TargetType' crosses into main actor-isolated code and can cause data races //! error: type 'HalfIsolated' does not conform to protocol 'TargetType' //! error: main actor-isolated conformance of 'HalfIsolated' to '_TargetMemberSpellings' cannot satisfy conformance requirement for a 'Sendable' type parameter 'Self'
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/zen" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}
protocol IsolatedZen: Zen {}
struct FromIsolated: IsolatedZen {}
protocol IsolatedBase: TargetType {}
struct OfIsolatedBase: IsolatedBase {  //! error: conformance of 'OfIsolatedBase' to protocol 'TargetType' crosses into main actor-isolated code and can cause data races
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/zen" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}
struct Plugin: PluginType { func willSend(_ request: any RequestType, target: any TargetType) {} }
struct LaterPlugin {}
extension LaterPlugin: PluginType {  //! error: conformance of 'LaterPlugin' to protocol 'PluginType' crosses into main actor-isolated code and can cause data races
    func willSend(_ request: any RequestType, target: any TargetType) {}
}
nonisolated extension User: RequestInterceptor {}
final class Counter: PluginType { var count = 0 }  //! warning: stored property 'count' of 'Sendable'-conforming class 'Counter' is mutable

// The output of a typed target must be decodable off the main actor.
struct GetModel: TypedTargetType, Zen { typealias Output = Model }
struct GetUser: TypedTargetType, Zen { typealias Output = User }  //! error: type 'GetUser' does not conform to protocol 'TypedTargetType'
struct MapUser: TypedTargetType, Zen {
    func output(from response: Response) throws -> User {
        try response.map(User.self)  //! error: main actor-isolated conformance of 'User' to 'Decodable' cannot be used in nonisolated context
    }
}
struct SendUser: Zen {
    var user: User
    var task: HTTPTask { .requestJSONEncodable(user) }  //! error: main actor-isolated conformance of 'User' to 'Encodable' cannot be used in nonisolated context
}

// A response is mapped on the actor of its caller.
func load(_ provider: MoyaProvider<AtOnce>) async throws -> User { try await provider.request(.zen).map(User.self) }
func callBack(_ provider: MoyaProvider<AtOnce>) {
    provider.request(.zen) { result in
        _ = try? result.get().map(Model.self)
        _ = try? result.get().map(User.self)  //! error: main actor-isolated conformance of 'User' to 'Decodable' cannot be used in nonisolated context
    }
}

// Publishers map values off the main actor.
func publish(_ provider: MoyaProvider<AtOnce>) {
    _ = provider.requestPublisher(.zen).map(Model.self)
    _ = provider.requestPublisher(.zen).map([Model].self)
    _ = provider.requestPublisher(.zen).map(User.self)  //! error: main actor-isolated conformance of 'User' to 'Decodable' cannot satisfy conformance requirement for a 'Sendable' type parameter
    _ = provider.requestPublisher(.zen).map([User].self)  //! error: main actor-isolated conformance of 'User' to 'Decodable' cannot satisfy conformance requirement for a 'Sendable' type parameter
}
func publish<Value: Decodable & SendableMetatype>(_ type: Value.Type, _ provider: MoyaProvider<AtOnce>) {
    _ = provider.requestPublisher(.zen).map(type)
}
func publishAny<Value: Decodable>(_ type: Value.Type, _ provider: MoyaProvider<AtOnce>) {
    _ = provider.requestPublisher(.zen).map(type)  //! warning: type 'Value' does not conform to the 'SendableMetatype' protocol
}

// Requests with Alamofire's API decode and encode off the main actor, as publishers do.
func alamofire(_ user: User, _ model: Model) {
    AF.request("https://api.github.com").responseDecodable(of: Model.self) { _ in }
    AF.request("https://api.github.com").responseDecodable(of: User.self) { _ in }  //! error: main actor-isolated conformance of 'User' to 'Decodable' cannot satisfy conformance requirement for a 'Sendable' type parameter
    _ = AF.request("https://api.github.com").serializingDecodable(Model.self)
    _ = AF.request("https://api.github.com").serializingDecodable(User.self)  //! error: main actor-isolated conformance of 'User' to 'Decodable' cannot satisfy conformance requirement for a 'Sendable' type parameter
    _ = AF.request("https://api.github.com", method: .post, parameters: model)
    _ = AF.request("https://api.github.com", method: .post, parameters: user)  //! error: main actor-isolated conformance of 'User' to 'Encodable' cannot satisfy conformance requirement for a 'Sendable' type parameter
}

// The body stores the value as an existential, so the compiler does not check the isolation of its conformance.
func body(of user: User) -> HTTPTask { .requestJSONEncodable(user) }

// Applications wrap `Response.map` in generic functions.
func decode<Value: Decodable>(_ response: Response) throws -> Value { try response.map(Value.self) }

// Subclasses of a provider must be nonisolated.
nonisolated class OwnProvider: MoyaProvider<AtOnce>, @unchecked Sendable {
    override func request(
        _ target: AtOnce,
        callbackQueue: DispatchQueue? = nil,
        progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
    }
}
class IsolatedProvider: MoyaProvider<AtOnce>, @unchecked Sendable {}  //! error: main actor-isolated initializer 'init(endpointClosure:requestClosure:stubClosure:callbackQueue:session:plugins:trackInflights:)' has different actor isolation from nonisolated overridden declaration  //! error: has different actor isolation from nonisolated overridden declaration
