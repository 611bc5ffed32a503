import Foundation
import Testing

@testable import Moya

/// A target with the members that have no default.
private protocol Plain: TargetType {}

extension Plain {
    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

@Suite("Error texts name a target without its payload")
struct TargetNameTests {
    private enum API: Plain {
        case zen
        case `default`
        case login(String)
        case create(name: String, secret: String)
        case nothing(())
        case maybe(String?)
        case pair((String, String))
        indirect case nested(API)
    }

    private enum Raw: String, Plain {
        case zen = "the secret"
    }

    private enum Described: Plain, CustomStringConvertible {
        case zen
        case login(String)

        var description: String { "the secret" }
    }

    private enum DebugDescribed: Plain, CustomDebugStringConvertible {
        case zen
        case login(String)

        var debugDescription: String { "the secret" }
    }

    private enum Streamed: Plain, TextOutputStreamable {
        case zen
        case login(String)

        func write<Target: TextOutputStream>(to target: inout Target) { target.write("the secret") }
    }

    /// A target whose mirror shows the payload without a label.
    private enum Reflected: Plain, CustomReflectable {
        case login(String)

        var customMirror: Mirror { Mirror(self, unlabeledChildren: ["the secret"], displayStyle: .enum) }
    }

    private struct Login: Plain {
        var secret = "the secret"
    }

    private struct DescribedLogin: Plain, CustomStringConvertible {
        var description: String { "the secret" }
    }

    private struct Page<Item: Sendable>: Plain {
        var item: Item
    }

    private final class Session: Plain, CustomStringConvertible {
        let secret = "the secret"
        let description = "the secret"
    }

    private func name(_ target: any TargetType) -> String { TargetName(target).description }

    @Test("the text for an enum target has the case without its payload")
    func cases() {
        #expect(name(API.zen) == "API.zen")
        #expect(name(API.default) == "API.default")
        #expect(name(API.login("the secret")) == "API.login")
        #expect(name(API.create(name: "me", secret: "the secret")) == "API.create")
        #expect(name(API.nothing(())) == "API.nothing")
        #expect(name(API.maybe("the secret")) == "API.maybe")
        #expect(name(API.maybe(nil)) == "API.maybe")
        #expect(name(API.pair(("me", "the secret"))) == "API.pair")
        #expect(name(API.nested(.login("the secret"))) == "API.nested")
        #expect(name(Raw.zen) == "Raw.zen")
    }

    @Test("the text for a struct or class target is the type")
    func types() {
        #expect(name(Login()) == "Login")
        #expect(name(DescribedLogin()) == "DescribedLogin")
        #expect(name(Page(item: "the secret")) == "Page<String>")
        #expect(name(Session()) == "Session")
    }

    @Test("the text for an enum with a custom description has the type, and the case if the mirror shows it")
    func ownTexts() {
        #expect(name(Described.zen) == "Described")
        #expect(name(Described.login("the secret")) == "Described.login")
        #expect(name(DebugDescribed.zen) == "DebugDescribed")
        #expect(name(DebugDescribed.login("the secret")) == "DebugDescribed.login")
        #expect(name(Streamed.zen) == "Streamed")
        #expect(name(Streamed.login("the secret")) == "Streamed.login")
    }

    @Test("the text for an enum with an unlabeled mirror is the type")
    func ownMirror() {
        #expect(name(Reflected.login("the secret")) == "Reflected")
    }

    @Test("the text for a MultiTarget of any depth has the wrapped target's name")
    func multiTarget() {
        #expect(name(MultiTarget(API.zen)) == "API.zen")
        #expect(name(MultiTarget(API.login("the secret"))) == "API.login")
        #expect(name(MultiTarget(MultiTarget(MultiTarget(API.login("the secret"))))) == "API.login")
        #expect(name(MultiTarget(Login())) == "Login")
    }

    @Test("no name of a target shows a payload")
    func payload() {
        let secret = "5ecret"
        let targets: [any TargetType] = [
            API.login(secret), API.create(name: secret, secret: secret), API.maybe(secret), API.pair((secret, secret)),
            API.nested(.login(secret)), Described.login(secret), DebugDescribed.login(secret), Streamed.login(secret),
            Reflected.login(secret), Login(secret: secret), Page(item: secret), MultiTarget(API.login(secret)),
        ]
        for target in targets {
            #expect(!name(target).contains(secret))
            #expect(!name(MultiTarget(target)).contains(secret))
        }
    }
}
