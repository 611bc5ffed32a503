#if RxSwift
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import RxMoya
@preconcurrency import RxSwift
import TestServers
import TestSupport
import Testing

@Suite("Singles and observables send requests and emit responses", .timeLimit(.minutes(5)))
struct ObservableTests {
    typealias Provider = MoyaProvider<EntryPointTarget>

    struct Foreign: Error {}
    struct Refusal: Decodable, Error, Equatable { var message: String }

    @Test(
        "fact 140: a single sends no request before a subscription, each subscription sends one, and stubs complete immediately"
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
        let single = provider.rx.request(EntryPointTarget())
        let observable = provider.rx.requestWithProgress(EntryPointTarget())
        #expect(asked.values.isEmpty)
        let texts = Recorder<String>()
        for _ in 1...3 { single.mapString().subscribe(onSuccess: { texts.add($0) }).dispose() }
        #expect(texts.values == Array(repeating: #"{"message":"sample"}"#, count: 3))
        observable.filterCompleted().mapString().subscribe(onNext: { texts.add($0) }).dispose()
        #expect(texts.values.count == 4)
        #expect(asked.values.count == 4)
    }

    @Test(
        "fact 140: disposing of a subscription while the server stalls closes the connection",
        arguments: [Misbehavior.neverResponds, .stallsInBody]
    )
    func disposed(stalling: Misbehavior) async throws {
        let server = try await MisbehavingServer()
        let path = "/\(stalling.rawValue)"
        let heard = Recorder<String>()
        let subscription = Provider().rx.request(EntryPointTarget(server.url(stalling)), callbackQueue: .global())
            .subscribe { heard.add("\($0)") }
        #expect(await server.wait(for: .request(path: path)))
        subscription.dispose()
        #expect(await server.wait(for: .closed(path: path)))
        #expect(heard.values.isEmpty)
        try await server.shutDown()
    }

    @Test("fact 142: an observable keeps its provider until its subscription ends")
    func retention() async {
        let gate = Promise<Void>()
        let done = Promise<Int>()
        weak var kept: Provider?
        var single: Single<Response>?
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
            single = provider.rx.request(EntryPointTarget(), callbackQueue: .global())
        }
        #expect(kept != nil)
        let subscription = single?.subscribe(onSuccess: { done.fulfill($0.statusCode) })
        single = nil
        #expect(kept != nil)
        gate.fulfill(())
        #expect(await done.wait() == 200)
        let end = ContinuousClock.now + .seconds(10)
        while kept != nil, ContinuousClock.now < end { await _Concurrency.Task.yield() }
        #expect(kept == nil)
        subscription?.dispose()
    }

    @Test(
        "fact 143: each progress value is merged with earlier values, the last value has the response, and the completion follows"
    )
    func progress() {
        let provider = ManualProvider()
        let texts = Recorder<String>()
        let subscription = provider.rx.requestWithProgress(EntryPointTarget()).subscribe { event in
            switch event {
            case .next(let value): texts.add("\(value.progress) \(value.response?.statusCode ?? 0)")
            case .error: texts.add("error")
            case .completed: texts.add("end")
            }
        }
        provider.requests.values[0].advance(to: 40)
        provider.requests.values[0].progress?(ProgressResponse())
        provider.requests.values[0].end(.success(.text("a")))
        #expect(texts.values == ["0.4 0", "0.4 0", "1.0 200", "end"])
        subscription.dispose()
    }

    @Test("fact 143: an observable of progress emits a value without a response before it fails")
    func progressOfFailure() {
        let provider = ManualProvider()
        let texts = Recorder<String>()
        let subscription = provider.rx.requestWithProgress(EntryPointTarget()).subscribe { event in
            switch event {
            case .next(let value): texts.add("\(value.progress) \(value.response?.statusCode ?? 0)")
            case .error(let error): texts.add("error \(error is MoyaError)")
            case .completed: texts.add("end")
            }
        }
        provider.requests.values[0].advance(to: 40)
        provider.requests.values[0].end(.failure(.requestMapping("x")))
        #expect(texts.values == ["0.4 0", "0.4 0", "error true"])
        subscription.dispose()
    }

    @Test("fact 145: filterCompleted emits responses, and filterProgress emits the fractions before them")
    func filters() {
        let provider = ManualProvider()
        let statusCodes = Recorder<Int>()
        let fractions = Recorder<Double>()
        let updates = provider.rx.requestWithProgress(EntryPointTarget()).share()
        let subscriptions = CompositeDisposable(
            updates.filterCompleted().subscribe(onNext: { statusCodes.add($0.statusCode) }),
            updates.filterProgress().subscribe(onNext: { fractions.add($0) })
        )
        provider.requests.values[0].advance(to: 10)
        provider.requests.values[0].advance(to: 70)
        provider.requests.values[0].end(.success(.text("a", status: 201)))
        #expect(statusCodes.values == [201])
        #expect(fractions.values == [0.1, 0.7])
        #expect(provider.requests.values.count == 1)
        subscriptions.dispose()
    }

    @Test(
        "fact 147: operators on singles and observables apply Response's functions and fail with their errors"
    )
    func operators() {
        let cases: [(Response, @Sendable (Single<Response>) -> Single<String>, String)] = [
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
            #expect(outcome(of: apply(.just(response)).asObservable()) == expected)
        }
    }

    @Test("observables have the same operators as singles")
    func observableOperators() {
        let ok = Observable.just(Response.text(#"{"message":"m"}"#))
        let bad = Observable.just(Response.text(#"{"message":"no"}"#, status: 400))
        #expect(outcome(of: ok.filter(statusCodes: 200...200).mapString()) == #"{"message":"m"}"#)
        #expect(outcome(of: ok.filter(statusCode: 200).map(Message.self).map(\.message)) == "m")
        #expect(outcome(of: ok.map(Message.self, using: JSONDecoder() as JSONDecoder).map(\.message)) == "m")
        #expect(outcome(of: ok.map(using: { String(decoding: $0, as: UTF8.self) })) == #"{"message":"m"}"#)
        #expect(outcome(of: ok.mapJSON().map { "\(($0 as? [String: String]) ?? [:])" }) == #"["message": "m"]"#)
        #expect(outcome(of: ok.mapImage().map { "\($0)" }) == "imageMapping")
        #expect(outcome(of: bad.filterSuccessfulStatusCodes().mapString()) == "statusCode")
        #expect(outcome(of: bad.filterSuccessfulStatusAndRedirectCodes().mapString()) == "statusCode")
        #expect(
            outcome(of: bad.filterSuccessfulStatusCodes(orFailWith: Refusal.self).mapString()) == "underlying"
        )
    }

    /// Returns the value, or the name of the error's case.
    private func outcome(of observable: Observable<String>) -> String {
        var outcome = "nothing"
        observable.subscribe(
            onNext: { outcome = $0 },
            onError: { error in
                guard let error = error as? MoyaError else {
                    outcome = "no MoyaError"
                    return
                }
                outcome = Mirror(reflecting: error).children.first?.label ?? "\(error)"
            }
        )
        .dispose()
        return outcome
    }
}
#endif
