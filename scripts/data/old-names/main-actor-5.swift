// This code is in language mode 5 with default isolation to the main actor, as in new projects of Xcode 26: see
// scripts/check/old-names. The migration guide quotes the messages.
import CombineMoya
import Foundation
import Moya
import MoyaAlamofire

struct User: Codable { var login: String }
nonisolated struct Model: Codable { var login: String }

nonisolated protocol Zen: TargetType {}
nonisolated extension Zen {
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/zen" }
    var method: Moya.Method { .get }
    var task: Task { .requestPlain }
    var headers: [String: String]? { nil }
}

struct AtOnce: Zen {}
enum Later { case zen }
extension Later: TargetType {
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/zen" }
    var method: Moya.Method { .get }
    var task: Task { .requestPlain }
    var headers: [String: String]? { nil }
}
struct Plugin: PluginType { func willSend(_ request: any RequestType, target: any TargetType) {} }
struct LaterPlugin {}
extension LaterPlugin: PluginType { func willSend(_ request: any RequestType, target: any TargetType) {} }
nonisolated struct HalfPlugin {}
extension HalfPlugin: PluginType {  //! warning: conformance of 'HalfPlugin' to protocol 'PluginType' crosses into main actor-isolated code and can cause data races; this is an error in the Swift 6 language mode
    func willSend(_ request: any RequestType, target: any TargetType) {}
}

struct GetModel: TypedTargetType, Zen { typealias Output = Model }
struct GetUser: TypedTargetType, Zen { typealias Output = User }  //! error: type 'GetUser' does not conform to protocol 'TypedTargetType'
struct MapUser: TypedTargetType, Zen {
    func output(from response: Response) throws -> User {
        try response.map(User.self)  //! warning: main actor-isolated conformance of 'User' to 'Decodable' cannot be used in nonisolated context; this is an error in the Swift 6 language mode
    }
}

func load(_ provider: MoyaProvider<AtOnce>) async throws -> User { try await provider.request(AtOnce()).map(User.self) }
func callBack(_ provider: MoyaProvider<AtOnce>) {
    provider.request(AtOnce()) { result in
        _ = try? result.get().map(Model.self)
        _ = try? result.get().map(User.self)  //! warning: main actor-isolated conformance of 'User' to 'Decodable' cannot be used in nonisolated context; this is an error in the Swift 6 language mode
        MainActor.assumeIsolated { _ = try? result.get().map(User.self) }
    }
}
func publish(_ provider: MoyaProvider<AtOnce>) {
    _ = provider.requestPublisher(AtOnce()).map(Model.self)
    _ = provider.requestPublisher(AtOnce()).map(User.self)  //! error: main actor-isolated conformance of 'User' to 'Decodable' cannot satisfy conformance requirement for a 'Sendable' type parameter
}
func publishAny<Value: Decodable>(_ type: Value.Type, _ provider: MoyaProvider<AtOnce>) {
    _ = provider.requestPublisher(AtOnce()).map(type)
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

func decode<Value: Decodable>(_ response: Response) throws -> Value { try response.map(Value.self) }

nonisolated class OwnProvider: MoyaProvider<AtOnce> {
    override func request(
        _ target: AtOnce,
        callbackQueue: DispatchQueue? = nil,
        progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
    }
}
class IsolatedProvider: MoyaProvider<AtOnce> {}  //! error: main actor-isolated initializer 'init(endpointClosure:requestClosure:stubClosure:callbackQueue:session:plugins:trackInflights:)' has different actor isolation from nonisolated overridden declaration  //! error: has different actor isolation from nonisolated overridden declaration
