import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("An NSError in NSURLErrorDomain is converted to a URLError")
struct StubbedURLErrorTests {
    typealias Provider = MoyaProvider<SomeTarget>

    private static let codes = [
        NSURLErrorTimedOut, NSURLErrorCancelled, NSURLErrorCannotFindHost, NSURLErrorNotConnectedToInternet,
    ]

    private func stub(_ error: NSError) -> Provider {
        Provider(
            endpointClosure: {
                Endpoint(
                    url: "http://h/",
                    sampleResponseClosure: { .networkError(error) },
                    method: $0.method,
                    task: $0.task
                )
            },
            stubClosure: Provider.immediatelyStub
        )
    }

    private func error(of result: Result<Response, MoyaError>) -> MoyaError? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test(
        "a stubbed NSError gets the code and the properties of a live URLError",
        arguments: codes,
        EntryPoint.allCases
    )
    func stubbed(_ code: Int, _ entryPoint: EntryPoint) async throws {
        let name = try #require(URLError.Code(rawValue: code) as URLError.Code?)
        let live = Provider(session: Session(FakeTransport { _ in throw URLError(name) }))
        let expected = try #require(error(of: await entryPoint.request(SomeTarget(), from: live)))
        let stubbed = stub(NSError(domain: NSURLErrorDomain, code: code, userInfo: ["k": 1]))
        let error = try #require(error(of: await entryPoint.request(SomeTarget(), from: stubbed)))
        #expect(error.urlError?.code == name && expected.urlError?.code == name)
        #expect(error.isTimeout == expected.isTimeout && error.isTimeout == (name == .timedOut))
        #expect(error.isCancelled == expected.isCancelled && error.isCancelled == (name == .cancelled))
        guard case .underlying(let cause as URLError, nil) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(cause.userInfo["k"] as? Int == 1)
        #expect((cause as NSError).domain == NSURLErrorDomain)
    }

    @Test("a stubbed NSError keeps its text, and uses the code's text without one")
    func texts() async {
        let own = stub(
            NSError(domain: NSURLErrorDomain, code: -1001, userInfo: [NSLocalizedDescriptionKey: "Too slow."])
        )
        #expect(
            error(of: await EntryPoint.callback.request(SomeTarget(), from: own))?.localizedDescription == "Too slow."
        )
        let none = stub(NSError(domain: NSURLErrorDomain, code: -1001))
        let text = error(of: await EntryPoint.callback.request(SomeTarget(), from: none))?.localizedDescription
        #expect(text == "The request timed out.")
    }

    @Test("errors of other domains, and unknown codes, stay unchanged")
    func others() async {
        for other in [NSError(domain: "d", code: -1001), NSError(domain: NSURLErrorDomain, code: 424_242)] {
            let error = error(of: await EntryPoint.callback.request(SomeTarget(), from: stub(other)))
            guard case .underlying(let cause, nil) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect((cause as NSError).domain == other.domain && (cause as NSError).code == other.code)
            #expect(error?.isTimeout == false)
        }
    }

    @Test("the conversion to URLError applies to a transport's error for callers and retriers")
    func transport() async {
        let count = Locked(0)
        let transport = FakeTransport { _ in
            count.withLock { $0 += 1 }
            throw NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut)
        }
        let policy = RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0)
        let provider = Provider(session: Session(transport: transport, interceptor: policy))
        let error = error(of: await EntryPoint.callback.request(SomeTarget(), from: provider))
        #expect(error?.isTimeout == true)
        #expect(count.withLock { $0 } == 3)
        #expect(MoyaError.underlying(NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled), nil).isCancelled)
        let nested = MoyaError.underlying(NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut), nil)
        #expect(MoyaError.underlying(nested, nil).isTimeout)
    }
}
