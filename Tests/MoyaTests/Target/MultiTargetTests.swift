import Foundation
import Moya
import TestSupport
import Testing

@Suite("MultiTarget wraps any target")
struct MultiTargetTests {
    /// A target with unusual values, so that the tests detect a member that is not forwarded.
    private struct Full: TargetType, AccessTokenAuthorizable {
        var baseURL: URL { URL(string: "http://full:1/base") ?? URL(fileURLWithPath: "/") }
        var path: String { "full path" }
        var method: Moya.Method { .patch }
        var sampleData: Data { Data("full sample".utf8) }
        var task: HTTPTask { .requestData(Data("full body".utf8)) }
        var validationType: ValidationType { .customCodes([200, 418]) }
        var headers: [String: String]? { ["Full": "header"] }
        var authorizationType: AuthorizationType? { .custom("Full") }
    }

    /// A plugin that records its hooks and their targets.
    private struct Look: PluginType {
        let seen: Recorder<String>

        private func note(_ hook: String, _ target: any TargetType) {
            let multi = target as? MultiTarget
            seen.add("\(hook) \(type(of: target)) of \(multi.map { "\(type(of: $0.target))" } ?? "nothing")")
        }

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            note("prepare", target)
            return request
        }
        func willSend(_ request: any RequestType, target: any TargetType) { note("willSend", target) }
        func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) { note("didReceive", target) }
        func process(_ result: Result<Response, MoyaError>, target: any TargetType) -> Result<Response, MoyaError> {
            note("process", target)
            return result
        }
    }

    @Test("fact 119: every member of MultiTarget forwards to the wrapped target, even through two wrappers")
    func forwarding() {
        for multi in [MultiTarget(Full()), .target(Full()), MultiTarget(MultiTarget(Full()))] {
            #expect(multi.baseURL.absoluteString == "http://full:1/base")
            #expect(multi.path == "full path")
            #expect(multi.method == .patch)
            #expect(multi.sampleData == Data("full sample".utf8))
            #expect(multi.validationType == .customCodes([200, 418]))
            #expect(multi.headers == ["Full": "header"])
            #expect(multi.authorizationType == .custom("Full"))
            guard case .requestData(let data) = multi.task else {
                Issue.record("\(multi.task)")
                continue
            }
            #expect(data == Data("full body".utf8))
        }
        #expect(MultiTarget(Full()).target is Full)
        #expect(MultiTarget(SomeTarget(tag: "a")).target as? SomeTarget == SomeTarget(tag: "a"))
    }

    @Test("fact 119: authorizationType of MultiTarget is nil if the wrapped target has none")
    func noAuthorization() {
        struct Free: TargetType, AccessTokenAuthorizable {
            var baseURL: URL { URL(fileURLWithPath: "/") }
            var path: String { "" }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
            var authorizationType: AuthorizationType? { nil }
        }
        #expect(MultiTarget(Free()).authorizationType == nil)
        #expect(MultiTarget(SomeTarget()).authorizationType == nil)
        #expect(MultiTarget(Free()).validationType == .none)
        #expect(MultiTarget(Free()).sampleData == Data())
        #expect(MultiTarget(Free()).headers == nil)
    }

    @Test(
        "fact 120: plugins get the MultiTarget and not the wrapped target",
        arguments: EntryPoint.allCases,
        [false, true]
    )
    func plugins(entryPoint: EntryPoint, isStubbed: Bool) async {
        let seen = Recorder<String>()
        let provider = MoyaProvider<MultiTarget>(
            stubClosure: { _ in isStubbed ? .immediate : .never },
            session: Session(FakeTransport.body("")),
            plugins: [Look(seen: seen)]
        )
        #expect(await entryPoint.request(MultiTarget(SomeTarget()), from: provider).response != nil)
        #expect(
            seen.values == [
                "prepare MultiTarget of SomeTarget", "willSend MultiTarget of SomeTarget",
                "didReceive MultiTarget of SomeTarget", "process MultiTarget of SomeTarget",
            ]
        )
    }

    @Test("a provider of MultiTarget sends each target's request", arguments: EntryPoint.allCases)
    func live(entryPoint: EntryPoint) async {
        let sent = Recorder<TransportRequest>()
        let provider = MoyaProvider<MultiTarget>(
            session: Session(
                FakeTransport {
                    sent.add($0)
                    return TransportResponse(status: 418, body: .complete(Data("tea".utf8)))
                }
            ),
            plugins: [AccessTokenPlugin { _ in "token" }]
        )
        #expect(await entryPoint.request(MultiTarget(Full()), from: provider).response?.data == Data("tea".utf8))
        let some = SomeTarget(validationType: .successCodes, headers: ["Some": "header"])
        let refused = await entryPoint.request(MultiTarget(some), from: provider)
        guard case .underlying(MoyaError.statusCode(let response), _)? = refused.failure else {
            Issue.record("\(refused)")
            return
        }
        #expect(response.statusCode == 418)
        guard sent.values.count == 2 else {
            Issue.record("\(sent.values)")
            return
        }
        let (full, plain) = (sent.values[0], sent.values[1])
        #expect(full.method == .patch)
        #expect(full.url.absoluteString == "http://full:1/base/full%20path")
        #expect(full.body == .data(Data("full body".utf8)))
        #expect(full.headers[.authorization] == "Full token")
        #expect(full.headers.contains { $0.name.rawName == "Full" && $0.value == "header" })
        #expect(plain.method == .get)
        #expect(plain.url.absoluteString == "http://127.0.0.1:9/thing")
        #expect(plain.body == nil)
        #expect(plain.headers[.authorization] == nil)
        #expect(plain.headers.contains { $0.name.rawName == "Some" && $0.value == "header" })
    }

    @Test("a provider of MultiTarget stubs with each target's sample data", arguments: EntryPoint.allCases)
    func stub(entryPoint: EntryPoint) async {
        let provider = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        let full = await entryPoint.request(MultiTarget(Full()), from: provider).response
        #expect(full?.data == Data("full sample".utf8))
        #expect(full?.request?.httpMethod == "PATCH")
        let some = await entryPoint.request(MultiTarget(SomeTarget()), from: provider).response
        #expect(some?.data == Data("sample".utf8))
        #expect(some?.request?.httpMethod == "GET")
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
