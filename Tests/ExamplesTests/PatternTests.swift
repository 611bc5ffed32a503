import Foundation
import Moya
import PatternExamples
import Testing

@Suite("Subclasses, compositions and wrappers of providers work")
struct PatternTests {
    enum API: String, TargetType, AccessTokenAuthorizable, Hashable {
        case first, second

        var baseURL: URL { return URL(string: "https://api.example.com")! }
        var path: String { return rawValue }
        var method: Moya.Method { return .get }
        var task: Task { return .requestPlain }
        var headers: [String: String]? { return ["Accept": "text/plain"] }
        var sampleData: Data { return Data(rawValue.utf8) }
        var authorizationType: AuthorizationType? { return .bearer }
    }

    /// Records the events of plugins.
    final class Seen: PluginType {
        private let lock = NSLock()
        private var seen: [String] = []
        var all: [String] {
            lock.lock()
            defer { lock.unlock() }
            return seen
        }

        private func add(_ text: String) {
            lock.lock()
            defer { lock.unlock() }
            seen.append(text)
        }

        func willSend(_ request: RequestType, target: TargetType) {
            add("willSend \(request.request?.url?.absoluteString ?? "")")
        }
        func didReceive(_ result: Result<Response, MoyaError>, target: TargetType) { add("didReceive") }
    }

    // MARK: request

    @Test("a subclass of a provider refreshes the session before it sends the request")
    func refreshes() throws {
        var isOver = true
        var refreshes = 0
        let provider = RefreshingProvider<API>(
            isSessionOver: { isOver },
            refresh: { done in
                refreshes += 1
                isOver = false
                done(.success(()))
                return CancellableToken {}
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        var texts: [String] = []
        provider.request(.first) { texts.append((try? $0.get().mapString()) ?? "") }
        provider.request(.second) { texts.append((try? $0.get().mapString()) ?? "") }
        #expect(texts == ["first", "second"])
        #expect(refreshes == 1)
    }

    @Test("an async request uses the request method that a subclass overrides")
    func refreshesAwaited() async throws {
        var refreshes = 0
        let provider = RefreshingProvider<API>(
            isSessionOver: { true },
            refresh: { done in
                refreshes += 1
                done(.success(()))
                return CancellableToken {}
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        #expect(try await provider.request(.first).mapString() == "first")
        #expect(refreshes == 1)
    }

    @Test("a failed refresh of a session fails the request, and nothing is sent")
    func refreshFails() {
        let seen = Seen()
        let provider = RefreshingProvider<API>(
            isSessionOver: { true },
            refresh: { done in
                done(.failure(.underlying(URLError(.userAuthenticationRequired), nil)))
                return CancellableToken {}
            },
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [seen]
        )
        var codes: [URLError.Code?] = []
        provider.request(.first) { result in
            if case .failure(.underlying(let error as URLError, _)) = result { codes.append(error.code) }
        }
        #expect(codes == [.userAuthenticationRequired])
        #expect(seen.all.isEmpty)
    }

    @Test("cancelling a request during the refresh of its session cancels the refresh")
    func refreshIsCancelled() {
        var cancellations = 0
        let provider = RefreshingProvider<API>(
            isSessionOver: { true },
            refresh: { _ in CancellableToken { cancellations += 1 } }
        )
        let request = provider.request(.first) { _ in Issue.record("completed") }
        #expect(!request.isCancelled)
        request.cancel()
        #expect(request.isCancelled)
        #expect(cancellations == 1)
    }

    @Test("cancelling a request after the refresh of its session cancels the request, which completes as cancelled")
    func requestIsCancelled() async {
        let provider = RefreshingProvider<API>(
            isSessionOver: { true },
            refresh: { done in
                done(.success(()))
                return CancellableToken { Issue.record("the refresh is over") }
            },
            stubClosure: MoyaProvider.delayedStub(3600)
        )
        let code: URLError.Code? = await withCheckedContinuation { continuation in
            let request = provider.request(.first, callbackQueue: .global()) { result in
                guard case .failure(.underlying(let error as URLError, _)) = result else {
                    return continuation.resume(returning: nil)
                }
                continuation.resume(returning: error.code)
            }
            request.cancel()
        }
        #expect(code == .cancelled)
    }

    // MARK: stubRequest

    @Test(
        "fact 47: an overridden stubRequest decides when the stub completes, and the plugins' hooks are called as usual"
    )
    func slowStub() async throws {
        let seen = Seen()
        let queue = DispatchQueue(label: "stubs")
        let provider = SlowStubsProvider<API>(secondsPerKilobyte: 0.5, queue: queue, plugins: [seen])
        let text: String? = await withCheckedContinuation { continuation in
            provider.request(.first) { result in
                dispatchPrecondition(condition: .onQueue(queue))
                continuation.resume(returning: try? result.get().mapString())
            }
            #expect(seen.all.first == "willSend https://api.example.com/first")
        }
        #expect(text == "first")
        #expect(seen.all == ["willSend https://api.example.com/first", "didReceive"])
        #expect(try await provider.request(.second).mapString() == "second")
    }

    // MARK: endpoint(_:)

    @Test("an endpoint(_:) method that a subclass overrides applies to every request")
    func tenant() throws {
        let provider = TenantProvider<API>(tenant: "acme", stubClosure: MoyaProvider.immediatelyStub)
        var request: URLRequest?
        provider.request(.first) { request = try? $0.get().request }
        #expect(request?.value(forHTTPHeaderField: "X-Tenant") == "acme")
        #expect(request?.value(forHTTPHeaderField: "Accept") == "text/plain")
    }

    // MARK: inflightRequests

    @Test("an inflightRequests property that a subclass overrides gets the running requests")
    func watched() async {
        var counts: [[Int]] = []
        let provider = WatchedProvider<API>(
            stubClosure: MoyaProvider.delayedStub(3600),
            observer: { counts.append([$0, $1]) }
        )
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let group = DispatchGroup()
            var requests: [Cancellable] = []
            for target in [API.first, .first, .second] {
                group.enter()
                requests.append(provider.request(target, callbackQueue: .global()) { _ in group.leave() })
            }
            #expect(provider.inflightRequests.count == 2)
            requests.forEach { $0.cancel() }
            group.notify(queue: .global()) { continuation.resume() }
        }
        #expect(counts.first == [2, 3])
    }

    // MARK: Compositions and wrappers

    @Test("a provider that wraps another provider returns responses from memory")
    func caching() {
        let seen = Seen()
        let provider = CachingProvider(
            MoyaProvider<API>(stubClosure: MoyaProvider.immediatelyStub, plugins: [seen])
        )
        var responses: [Response] = []
        for target in [API.first, .first, .second] {
            provider.request(target, callbackQueue: nil, progress: nil) {
                responses += [try? $0.get()].compactMap { $0 }
            }
        }
        #expect(responses.map { String(decoding: $0.data, as: UTF8.self) } == ["first", "first", "second"])
        #expect(responses[0] === responses[1])
        #expect(seen.all.filter { $0 == "didReceive" }.count == 2)
    }

    @Test("a target that wraps another target changes some members and forwards the others")
    func wrapping() throws {
        let provider = MoyaProvider<Versioned<API>>(
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [AccessTokenPlugin { _ in "token" }]
        )
        var response: Response?
        provider.request(Versioned(.first, version: 2)) { response = try? $0.get() }
        #expect(Versioned(Versioned(Slow(), version: 1), version: 2).timeoutInterval == 90)
        #expect(try response?.mapString() == "first")
        #expect(response?.request?.url?.absoluteString == "https://api.example.com/v2/first")
        #expect(
            response?.request?.allHTTPHeaderFields == [
                "Accept": "text/plain", "X-API-Version": "2", "Authorization": "Bearer token",
            ]
        )
    }

    /// A target with a timeout.
    private struct Slow: TargetType {
        var baseURL: URL { URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: Task { .requestPlain }
        var headers: [String: String]? { nil }
        var timeoutInterval: TimeInterval? { 90 }
    }
}
