import Foundation
import Moya
import Testing

@Suite("AccessTokenPlugin, CredentialsPlugin and NetworkActivityPlugin have the interface of the contract")
struct PluginsTests {
    enum Account: TargetType, AccessTokenAuthorizable {
        case profile
        case login

        var baseURL: URL { return URL(string: "https://shop.test")! }
        var path: String { return "account" }
        var method: Moya.Method { return .get }
        var task: Task { return .requestPlain }
        var headers: [String: String]? { return nil }
        var authorizationType: AuthorizationType? {
            switch self {
            case .profile: return .custom("Token")
            case .login: return .none
            }
        }
    }

    @Test("AuthorizationType has three cases and a value, and is Equatable")
    func authorizationType() {
        func name(_ type: AuthorizationType) -> String {
            switch type {
            case .basic: return "basic"
            case .bearer: return "bearer"
            case .custom(let text): return text
            }
        }
        let types: [AuthorizationType] = [.basic, .bearer, .custom("Token")]
        #expect(types.map(name) == ["basic", "bearer", "Token"])
        let values: [String] = types.map { $0.value }
        #expect(values == ["Basic", "Bearer", "Token"])
        let equal: (AuthorizationType, AuthorizationType) -> Bool = (==)
        #expect(equal(.custom("a"), .custom("a")) && types[0] != types[1])
    }

    @Test("AccessTokenPlugin's closure gets the target")
    func accessToken() {
        let closure: AccessTokenPlugin.TokenClosure = { target in target.path }
        let plugin = AccessTokenPlugin(tokenClosure: closure)
        let same: (TargetType) -> String = plugin.tokenClosure
        #expect(same(Account.profile) == "account")
        let request = plugin.prepare(Shop.request, target: Account.profile)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Token account")
        let trailing = AccessTokenPlugin { _ in "t" }
        #expect(trailing.prepare(Shop.request, target: Account.login).value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test("CredentialsPlugin's closure may return a credential")
    func credentials() {
        var targets: [String] = []
        let closure: CredentialsPlugin.CredentialClosure = { target in
            targets.append(target.path)
            return nil
        }
        let plugin = CredentialsPlugin(credentialsClosure: closure)
        plugin.willSend(PluginTests.FakeRequest(request: nil, sessionHeaders: [:]), target: Account.profile)
        let other: PluginType = CredentialsPlugin { _ -> URLCredential? in
            URLCredential(user: "user", password: "passwd", persistence: .none)
        }
        other.willSend(PluginTests.FakeRequest(request: nil, sessionHeaders: [:]), target: Account.profile)
        #expect(targets == ["account"])
    }

    @Test("NetworkActivityPlugin's closure gets the change and the target")
    func activity() {
        func name(_ change: NetworkActivityChangeType) -> String {
            switch change {
            case .began: return "began"
            case .ended: return "ended"
            }
        }
        var changes: [String] = []
        let closure: NetworkActivityPlugin.NetworkActivityClosure = { change, target in
            changes.append("\(name(change)) \(target.path)")
        }
        let plugin = NetworkActivityPlugin(networkActivityClosure: closure)
        plugin.willSend(PluginTests.FakeRequest(request: nil, sessionHeaders: [:]), target: Account.profile)
        plugin.didReceive(.failure(.requestMapping("")), target: Account.profile)
        #expect(changes == ["began account", "ended account"])
        #expect(NetworkActivityChangeType.began != .ended)
    }
}
