#if ReactiveSwift
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import ReactiveMoya
@preconcurrency import ReactiveSwift
import TestServers
import TestSupport
import Testing

@Suite("A signal producer sends a request and its response", .timeLimit(.minutes(5)))
struct SignalProducerTests {
    typealias Provider = MoyaProvider<EntryPointTarget>

    struct Foreign: Error {}
    struct Refusal: Decodable, Error, Equatable { var message: String }

    @Test(
        "fact 140: a producer sends no request before a start, each start sends one, and stubs complete immediately"
    )
    func cold() {
        let asked = Recorder<Void>()
        let provider = Provider(
            endpointClosure: { target in
                asked.add(())
                return Provider.defaultEndpointMapping(for: target)
            },
            stubClosure: Provider.immediatelyStub
        )
        let producer = provider.reactive.request(EntryPointTarget())
        let withProgress = provider.reactive.requestWithProgress(EntryPointTarget())
        #expect(asked.values.isEmpty)
        let texts = Recorder<String>()
        for _ in 1...3 { producer.mapString().startWithResult { texts.add((try? $0.get()) ?? "error") } }
        #expect(texts.values == Array(repeating: #"{"message":"sample"}"#, count: 3))
        withProgress.startWithResult { texts.add("\((try? $0.get())?.response?.statusCode ?? 0)") }
        #expect(texts.values.last == "200")
        #expect(asked.values.count == 4)
    }

    @Test(
        "fact 140: disposing of a start while the server stalls closes the connection",
        arguments: [Misbehavior.neverResponds, .stallsInBody]
    )
    func disposed(stalling: Misbehavior) async throws {
        let server = try await MisbehavingServer()
        let path = "/\(stalling.rawValue)"
        let heard = Recorder<String>()
        let disposable = Provider().reactive.request(
            EntryPointTarget(server.url(stalling)),
            callbackQueue: .global()
        )
        .startWithResult { heard.add("\($0)") }
        #expect(await server.wait(for: .request(path: path)))
        disposable.dispose()
        #expect(await server.wait(for: .closed(path: path)))
        #expect(heard.values.isEmpty)
        try await server.shutDown()
    }

    @Test("fact 142: a signal producer keeps its provider until its start ends")
    func retention() async {
        let gate = Promise<Void>()
        let done = Promise<Int?>()
        weak var kept: Provider?
        var producer: SignalProducer<Response, MoyaError>?
        do {
            let provider = Provider(
                session: Session(
                    transport: FakeTransport { _ in
                        await gate.wait()
                        return TransportResponse(status: 200)
                    }
                )
            )
            kept = provider
            producer = provider.reactive.request(EntryPointTarget(), callbackQueue: .global())
        }
        #expect(kept != nil)
        producer?.startWithResult { done.fulfill((try? $0.get())?.statusCode) }
        producer = nil
        #expect(kept != nil)
        gate.fulfill(())
        #expect(await done.wait() == 200)
        let end = ContinuousClock.now + .seconds(10)
        while kept != nil, ContinuousClock.now < end { await _Concurrency.Task.yield() }
        #expect(kept == nil)
    }

    @Test(
        "fact 143: each progress value is merged with earlier values, the last value has the response, and the completion follows"
    )
    func progress() {
        let provider = ManualProvider()
        let texts = Recorder<String>()
        func start() {
            provider.reactive.requestWithProgress(EntryPointTarget()).start { event in
                switch event {
                case .value(let value): texts.add("\(value.progress) \(value.response?.statusCode ?? 0)")
                case .failed: texts.add("error")
                case .completed: texts.add("end")
                case .interrupted: texts.add("interrupted")
                }
            }
        }
        start()
        provider.requests.values[0].advance(to: 40)
        provider.requests.values[0].progress?(ProgressResponse())
        provider.requests.values[0].end(.success(.text("a")))
        start()
        provider.requests.values[1].advance(to: 40)
        provider.requests.values[1].end(.failure(.requestMapping("x")))
        #expect(texts.values == ["0.4 0", "0.4 0", "1.0 200", "end", "0.4 0", "0.4 0", "error"])
    }

    @Test("fact 147: operators of signal producers apply Response's functions and fail with their errors")
    func operators() {
        typealias Producer = SignalProducer<Response, MoyaError>
        let cases: [(Response, @Sendable (Producer) -> SignalProducer<String, MoyaError>, String)] = [
            (.text("a", status: 205), { $0.filter(statusCodes: 200..<206).map { "\($0.statusCode)" } }, "205"),
            (
                .text("a", status: 206), { $0.filter(statusCodes: 200..<206).map { "\($0.statusCode)" } },
                "statusCode"
            ),
            (.text("a"), { $0.filter(statusCode: 201).map { "\($0.statusCode)" } }, "statusCode"),
            (
                .text("a", status: 300), { $0.filterSuccessfulStatusCodes().map { "\($0.statusCode)" } },
                "statusCode"
            ),
            (
                .text("a", status: 399), { $0.filterSuccessfulStatusAndRedirectCodes().map { "\($0.statusCode)" } },
                "399"
            ),
            (.text("a"), { $0.mapImage().map { "\($0)" } }, "imageMapping"),
            (.text("[7]"), { $0.mapJSON().map { "\(($0 as? [Int]) ?? [])" } }, "[7]"),
            (.text(""), { $0.mapJSON(failsOnEmptyData: false).map { "\($0 is NSNull)" } }, "true"),
            (.text(#"{"a":"b"}"#), { $0.mapString(atKeyPath: "a") }, "b"),
            (.text(#"{"a":"b"}"#), { $0.mapString(atKeyPath: "c") }, "stringMapping"),
            (.text(#"{"message":"m"}"#), { $0.map(Message.self).map(\.message) }, "m"),
            (.text("{}"), { $0.map(Message.self).map(\.message) }, "objectMapping"),
            (.text("a"), { $0.map(using: { _ -> String in throw Foreign() }) }, "objectMapping"),
            (
                .text(#"{"message":"no"}"#, status: 400),
                { $0.filterSuccessfulStatusCodes(orFailWith: Refusal.self).map { "\($0)" } }, "underlying"
            ),
        ]
        for (response, apply, expected) in cases {
            var outcome = "nothing"
            apply(Producer(value: response)).startWithResult { result in
                switch result {
                case .success(let text): outcome = text
                case .failure(let error): outcome = Mirror(reflecting: error).children.first?.label ?? "\(error)"
                }
            }
            #expect(outcome == expected)
        }
    }
}
#endif
