import Foundation
import Moya
import TestSupport
import Testing

@Suite("PluginType has default hooks")
struct PluginTypeTests {
    private struct Nothing: PluginType {}
    private final class NothingEither: PluginType {}

    static let results: [Result<Response, MoyaError>] = [
        .success(Response(statusCode: 200, data: Data("x".utf8))),
        .failure(.statusCode(Response(statusCode: 500, data: Data()))),
        .failure(.underlying(URLError(.timedOut), nil)),
    ]

    /// Checks that two results have the same case, response and text.
    private func expectSame(
        _ one: Result<Response, MoyaError>,
        _ other: Result<Response, MoyaError>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        switch (one, other) {
        case (.success(let one), .success(let other)):
            #expect(one === other, sourceLocation: sourceLocation)
        case (.failure(let one), .failure(let other)):
            #expect(one.name == other.name, sourceLocation: sourceLocation)
            #expect(one.response === other.response, sourceLocation: sourceLocation)
            #expect(one.localizedDescription == other.localizedDescription, sourceLocation: sourceLocation)
        default:
            Issue.record("\(one) is not \(other)", sourceLocation: sourceLocation)
        }
    }

    @Test("the default hooks of a plugin return their input", arguments: results)
    func defaults(result: Result<Response, MoyaError>) throws {
        var request = URLRequest(url: try #require(URL(string: "http://h/p?q=1")), timeoutInterval: 7)
        request.httpMethod = "PUT"
        request.httpBody = Data("x".utf8)
        request.allHTTPHeaderFields = ["A": "b"]
        for plugin in [Nothing(), NothingEither()] as [any PluginType] {
            let prepared = plugin.prepare(request, target: SomeTarget())
            #expect(prepared == request)
            #expect(prepared.httpBody == request.httpBody)
            #expect(prepared.allHTTPHeaderFields == ["A": "b"])
            #expect(prepared.timeoutInterval == 7)
            plugin.willSend(Session(FakeTransport.body("")).request(request), target: SomeTarget())
            plugin.didReceive(result, target: SomeTarget())
            expectSame(plugin.process(result, target: SomeTarget()), result)
        }
    }

    @Test("a plugin that implements no hook changes nothing", arguments: EntryPoint.allCases, [false, true])
    func provider(entryPoint: EntryPoint, isStubbed: Bool) async throws {
        func outcome(_ plugins: [any PluginType]) async -> (Response?, [TransportRequest]) {
            let sent = Recorder<TransportRequest>()
            let provider = MoyaProvider<SomeTarget>(
                stubClosure: { _ in isStubbed ? .immediate : .never },
                session: Session(
                    FakeTransport {
                        sent.add($0)
                        return TransportResponse(status: 200, body: .complete(Data("live".utf8)))
                    }
                ),
                plugins: plugins
            )
            let target = SomeTarget(method: .post, headers: ["A": "b"], parameters: ["k": "v"])
            return (await entryPoint.request(target, from: provider).response, sent.values)
        }
        let (with, sentWith) = await outcome([Nothing(), NothingEither()])
        let (without, sentWithout) = await outcome([])
        #expect(with == without)
        #expect(with?.data == Data((isStubbed ? "sample" : "live").utf8))
        #expect(with?.request == without?.request)
        #expect(with?.request?.httpBody == Data("k=v".utf8))
        #expect(sentWith.count == (isStubbed ? 0 : 1))
        #expect(sentWith.map(\.url) == sentWithout.map(\.url))
        #expect(sentWith.map(\.method) == sentWithout.map(\.method))
        #expect(sentWith.map(\.body) == sentWithout.map(\.body))
        #expect(sentWith.map { Set($0.headers) } == sentWithout.map { Set($0.headers) })
    }

    @Test("a plugin may implement a single hook", arguments: EntryPoint.allCases)
    func oneHook(entryPoint: EntryPoint) async {
        struct Prepares: PluginType {
            let seen: Recorder<String>
            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                seen.add("prepare")
                return request
            }
        }
        struct Sends: PluginType {
            let seen: Recorder<String>
            func willSend(_ request: any RequestType, target: any TargetType) { seen.add("willSend") }
        }
        struct Receives: PluginType {
            let seen: Recorder<String>
            func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) { seen.add("didReceive") }
        }
        struct Processes: PluginType {
            let seen: Recorder<String>
            func process(_ result: Result<Response, MoyaError>, target: any TargetType) -> Result<Response, MoyaError> {
                seen.add("process")
                return result
            }
        }
        let seen = Recorder<String>()
        let provider = MoyaProvider<SomeTarget>(
            session: Session(FakeTransport.body("")),
            plugins: [Processes(seen: seen), Receives(seen: seen), Sends(seen: seen), Prepares(seen: seen)]
        )
        #expect(await entryPoint.request(SomeTarget(), from: provider).response?.statusCode == 200)
        #expect(seen.values == ["prepare", "willSend", "didReceive", "process"])
    }
}
