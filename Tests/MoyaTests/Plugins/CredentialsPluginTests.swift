import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("CredentialsPlugin responds to challenges")
struct CredentialsPluginTests {
    /// Returns a transport that accepts one `Authorization`, and challenges other requests for Basic.
    private func challenging(_ wanted: String, seen: Recorder<String?>) -> FakeTransport {
        FakeTransport { request in
            let authorization = request.headers[.authorization]
            seen.add(authorization)
            if authorization == wanted { return TransportResponse(status: 200) }
            return TransportResponse(status: 401, headers: [.wwwAuthenticate: "Basic realm=\"r\""])
        }
    }

    private func provider(
        _ transport: FakeTransport,
        persistence: URLCredential.Persistence = .none,
        password: String = "secret"
    ) -> MoyaProvider<SomeTarget> {
        MoyaProvider(
            session: Session(transport),
            plugins: [
                CredentialsPlugin { target in
                    guard (target as? SomeTarget)?.tag != "nobody" else { return nil }
                    return URLCredential(user: "ash", password: password, persistence: persistence)
                }
            ]
        )
    }

    private static let basic = "Basic \(Data("ash:secret".utf8).base64EncodedString())"

    @Test(
        "facts 125, 126: a challenge gets the plugin's credential, and nothing is sent before the challenge",
        arguments: EntryPoint.allCases
    )
    func answer(entryPoint: EntryPoint) async {
        let seen = Recorder<String?>()
        let result = await entryPoint.request(SomeTarget(), from: provider(challenging(Self.basic, seen: seen)))
        #expect(result.response?.statusCode == 200)
        #expect(seen.values == [nil, Self.basic])
    }

    @Test("fact 126: a second challenge gets no credential and becomes the response", arguments: EntryPoint.allCases)
    func refused(entryPoint: EntryPoint) async {
        let seen = Recorder<String?>()
        let provider = provider(challenging(Self.basic, seen: seen), password: "wrong")
        let result = await entryPoint.request(SomeTarget(), from: provider)
        #expect(result.response?.statusCode == 401)
        #expect(seen.values.count == 2)
    }

    @Test(
        "fact 126: a Digest challenge gets one response, and NTLM and Negotiate challenges get none",
        arguments: EntryPoint.allCases
    )
    func schemes(entryPoint: EntryPoint) async {
        let rows = [
            ("NTLM, Digest realm=\"r\", nonce=\"n\", qop=\"auth\", Negotiate", [nil, "Digest username=\"ash\""]),
            ("NTLM, Negotiate", [nil]),
        ]
        for (challenge, expected) in rows {
            let seen = Recorder<String?>()
            let transport = FakeTransport { request in
                seen.add(request.headers[.authorization])
                return TransportResponse(status: 401, headers: [.wwwAuthenticate: challenge])
            }
            let result = await entryPoint.request(SomeTarget(), from: provider(transport))
            #expect(result.response?.statusCode == 401)
            #expect(seen.values.map { $0.map { String($0.prefix { $0 != "," }) } } == expected)
        }
    }

    @Test("a challenge becomes the response if the plugin has no credential", arguments: EntryPoint.allCases)
    func nobody(entryPoint: EntryPoint) async {
        let seen = Recorder<String?>()
        let provider = provider(challenging(Self.basic, seen: seen))
        let result = await entryPoint.request(SomeTarget(tag: "nobody"), from: provider)
        #expect(result.response?.statusCode == 401)
        #expect(seen.values == [nil])
    }

    @Test("after a challenge all requests of the session have a credential, even if the plugin returns none for them")
    func persistence() async {
        let seen = Recorder<String?>()
        let provider = provider(challenging(Self.basic, seen: seen), persistence: .forSession)
        _ = await EntryPoint.async.request(SomeTarget(), from: provider)
        _ = await EntryPoint.async.request(SomeTarget(), from: provider)
        _ = await EntryPoint.async.request(SomeTarget(tag: "nobody"), from: provider)
        #expect(seen.values == [nil, Self.basic, Self.basic, Self.basic])
    }

    @Test("a plugin's credential without persistence is not used by other requests")
    func noPersistence() async {
        let seen = Recorder<String?>()
        let provider = provider(challenging(Self.basic, seen: seen))
        _ = await EntryPoint.async.request(SomeTarget(), from: provider)
        let other = await EntryPoint.async.request(SomeTarget(tag: "nobody"), from: provider)
        #expect(other.response?.statusCode == 401)
        #expect(seen.values == [nil, Self.basic, nil])
    }

    @Test("facts 75, 125: the credential closure runs for stubs and has no effect", arguments: EntryPoint.allCases)
    func stub(entryPoint: EntryPoint) async {
        let asked = Recorder<Void>()
        let provider = MoyaProvider<SomeTarget>(
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [
                CredentialsPlugin { _ in
                    asked.add(())
                    return URLCredential(user: "ash", password: "secret", persistence: .none)
                }
            ]
        )
        let result = await entryPoint.request(SomeTarget(), from: provider)
        #expect(result.response?.data == Data("sample".utf8))
        #expect(asked.values.count == 1)
    }

    @Test("a custom plugin can authenticate with a name and a password")
    func ownPlugin() async {
        struct Own: PluginType {
            func willSend(_ request: any RequestType, target: any TargetType) {
                request.authenticate(username: "ash", password: "secret", persistence: .none)
            }
        }
        let seen = Recorder<String?>()
        let provider = MoyaProvider<SomeTarget>(
            session: Session(challenging(Self.basic, seen: seen)),
            plugins: [Own()]
        )
        _ = await EntryPoint.async.request(SomeTarget(), from: provider)
        #expect(seen.values == [nil, Self.basic])
    }
}
