import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session sends a request for an upgrade through its pipeline", .timeLimit(.minutes(5)))
struct SessionUpgradeTests {
    private static let upgrade = ProtocolUpgrade(to: "websocket", sending: .data(Data("output".utf8)))

    /// Returns a response that agrees to an upgrade, whose input has one chunk.
    private static func agreement(_ status: Int = 101, _ headers: HTTPFields = [:]) -> TransportResponse {
        let stream = TransportBodyStream(.complete(Data("input".utf8)))
        var response = TransportResponse(status: status, headers: headers, body: .stream(stream))
        (response.isUpgraded, response.isDecoded) = (true, false)
        return response
    }

    private func upgrade(
        _ session: Session,
        _ url: String = "http://h.test/",
        to upgrade: ProtocolUpgrade = Self.upgrade,
        settings: RequestSettings = RequestSettings()
    ) async throws -> UpgradeResponse {
        try await session.upgrade(
            URLRequest(url: .test(url)),
            to: upgrade,
            record: RequestRecord(),
            settings: settings
        )
    }

    /// Returns the status and the whole input of an upgrade, or the status and the body of a refusal.
    private func text(_ response: UpgradeResponse) async throws -> String {
        switch response {
        case .refused(let response): return "refused \(response.statusCode) \(response.text)"
        case .upgraded(let response, let input):
            var data = Data()
            for try await chunk in input { data.append(chunk) }
            return "upgraded \(response.statusCode) \(String(decoding: data, as: UTF8.self))"
        }
    }

    @Test("the transport gets the upgrade in a GET without a body, and an agreement is returned with its input")
    func agreement() async throws {
        let sent = Recorder<TransportRequest>()
        let limited = LimitedSession { request in
            sent.add(request)
            // Content codings do not apply to the bytes of another protocol.
            return Self.agreement(request.url.path == "/h2" ? 200 : 101, [.contentEncoding: "gzip"])
        }
        // Whatever status the caller accepts otherwise.
        let settings = RequestSettings(isAccepted: { $0 == 418 })
        try await expectText(upgrade(limited.session, settings: settings), "upgraded 101 input")
        try await expectText(upgrade(limited.session, "http://h.test/h2", settings: settings), "upgraded 200 input")
        let request = try #require(sent.values.first)
        #expect(request.method == .get && request.body == nil && request.responseBufferLimit == 0)
        #expect(request.upgrade == Self.upgrade)
    }

    private func expectText(_ response: UpgradeResponse, _ expected: String) async throws {
        #expect(try await text(response) == expected)
    }

    @Test(
        "any other response is a refusal with its body, also that of a transport that ignores upgrades",
        arguments: [200, 101, 403, 500]
    )
    func refusal(status: Int) async throws {
        for isStream in [true, false] {
            let limited = LimitedSession { _ in
                let body = TransportBody.complete(Data("no".utf8))
                return TransportResponse(
                    status: status,
                    body: isStream ? .stream(TransportBodyStream(body)) : body
                )
            }
            try await expectText(upgrade(limited.session), "refused \(status) no")
        }
    }

    @Test("a refusal with a body beyond the maximum fails, and so does an upgrade that the transport does not support")
    func failures() async throws {
        let large = FakeTransport.body(String(repeating: "a", count: 11), status: 403)
        let session = Session(transport: large, options: SessionOptions(maximumBodySize: 10))
        let error = await #expect(throws: URLError.self) { try await upgrade(session) }
        #expect(error?.code == .dataLengthExceedsMaximum)
        let unsupported = Session(transport: FakeTransport { _ in throw RequestValidationError.upgradeNotSupported })
        await #expect(throws: RequestValidationError.upgradeNotSupported) { try await upgrade(unsupported) }
    }

    @Test("transports without upgrades refuse them before they send anything", arguments: TransportKind.allCases)
    func unsupported(kind: TransportKind) async throws {
        guard kind.rawValue != "nio" else { return }
        // URLSession has WebSockets, and no other upgrade.
        let chat = ProtocolUpgrade(to: "chat", sending: .data(Data()))
        try await kind.withTransport { transport in
            await #expect(throws: RequestValidationError.upgradeNotSupported) {
                try await upgrade(Session.alone(on: transport), to: chat)
            }
        }
    }

    @Test("the cache neither answers a request for an upgrade nor stores its responses")
    func cache() async throws {
        let fresh: HTTPFields = [.cacheControl: "max-age=60"]
        let limited = LimitedSession(cache: HTTPCache(store: MemoryCacheStore())) { request in
            guard request.upgrade == nil else {
                return TransportResponse(status: 200, headers: fresh, body: .complete(Data("refusal".utf8)))
            }
            return TransportResponse(status: 200, headers: fresh, body: .complete(Data("stored".utf8)))
        }
        let request = URLRequest(url: .test("http://h.test/"))
        for _ in 0..<2 {
            #expect(try await limited.session.data(for: request).text == "stored")
            try await expectText(upgrade(limited.session), "refused 200 refusal")
        }
        #expect(limited.sent.values.count == 3)
        var offline = request
        offline.cachePolicy = .returnCacheDataDontLoad
        let error = await #expect(throws: URLError.self) {
            try await limited.session.upgrade(offline, to: Self.upgrade, record: RequestRecord())
        }
        #expect(error?.code == .resourceUnavailable)
        #expect(limited.sent.values.count == 3)
    }

    @Test("an upgrade gives its permit back when the server agrees")
    func permits() async throws {
        let limiter = ConcurrencyLimiter(.fixed(1))
        let limited = LimitedSession(concurrency: limiter) { request in
            #expect(limiter.counts == (1, 0))
            return request.upgrade == nil ? TransportResponse(status: 200) : Self.agreement()
        }
        let first = try await upgrade(limited.session)
        #expect(limiter.counts == (0, 0))
        let second = try await upgrade(limited.session)
        try await limited.send("http://h.test/")
        try await expectText(first, "upgraded 101 input")
        try await expectText(second, "upgraded 101 input")
    }

    @Test("a request for an upgrade is not hedged, and a stored response or a sample does not replace it")
    func hedgesAndFallbacks() async throws {
        let sample = Fallback.sample { _, _ in TransportResponse(status: 200) }
        let limited = LimitedSession(
            hedging: Hedging(after: .fixed(.zero)),
            fallbacks: [.staleResponse(), sample],
            cache: HTTPCache(store: MemoryCacheStore())
        ) { request in
            try await Task.sleep(for: .milliseconds(50))
            return TransportResponse(status: 503, body: .complete(Data("busy".utf8)))
        }
        try await expectText(upgrade(limited.session), "refused 503 busy")
        #expect(limited.sent.values.count == 1)
        #expect(limited.count { if case .fallingBack = $0 { true } else { false } } == 0)
    }

    @Test("another base URL replaces one that fails")
    func baseURLs() async throws {
        let fallback = Fallback.baseURLs(
            .test("http://a.test/"),
            .test("http://b.test/"),
            statuses: Fallback.serverFailures
        )
        let limited = LimitedSession(fallbacks: [fallback]) { request in
            request.url.host == "a.test" ? TransportResponse(status: 503) : Self.agreement()
        }
        try await expectText(upgrade(limited.session, "http://a.test/c"), "upgraded 101 input")
        #expect(limited.sent.values == ["http://a.test/c", "http://b.test/c"])
    }

    @Test("redirects are followed, also to the URL of a WebSocket, with the upgrade")
    func redirects() async throws {
        let limited = LimitedSession { request in
            #expect(request.upgrade == Self.upgrade)
            switch request.url.absoluteString {
            case "http://h.test/": return TransportResponse(status: 302, headers: [.location: "ws://a.test/1"])
            case "http://a.test/1": return TransportResponse(status: 307, headers: [.location: "wss://b.test/2"])
            case "https://b.test/2": return TransportResponse(status: 303, headers: [.location: "/3"])
            default: return Self.agreement()
            }
        }
        let response = try await upgrade(limited.session)
        guard case .upgraded(let head, _) = response else {
            Issue.record("refused")
            return
        }
        #expect(head.url?.absoluteString == "https://b.test/3")
        #expect(
            limited.sent.values == ["http://h.test/", "http://a.test/1", "https://b.test/2", "https://b.test/3"]
        )
        let insecure = LimitedSession { _ in
            TransportResponse(status: 302, headers: [.location: "ws://a.test/"])
        }
        let error = await #expect(throws: URLError.self) { try await upgrade(insecure.session, "https://h.test/") }
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? RedirectError == .insecure)
    }

    @Test("a retry sends the request for an upgrade again, and monitors see its end with the end of the input")
    func retries() async throws {
        let count = Locked(0)
        let limited = LimitedSession(interceptor: RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0)) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? TransportResponse(status: 503) : Self.agreement()
        }
        let response = try await upgrade(limited.session)
        #expect(limited.count { if case .finished = $0 { true } else { false } } == 0)
        try await expectText(response, "upgraded 101 input")
        #expect(limited.count { if case .finished(101) = $0 { true } else { false } } == 1)
        #expect(limited.count { if case .retrying = $0 { true } else { false } } == 1)
    }

    @Test("the timeouts of a request end with the agreement")
    func timeouts() async throws {
        let timeouts = RequestTimeouts(total: .milliseconds(300), attempt: .milliseconds(300))
        let silent = LimitedSession(timeouts: timeouts) { _ in
            try await Task.sleep(for: .seconds(600))
            return Self.agreement()
        }
        let error = await #expect(throws: URLError.self) { try await upgrade(silent.session) }
        #expect(error?.code == .timedOut)
        // The time of the error above has passed after the agreement, too.
        let open = LimitedSession(timeouts: timeouts) { _ in Self.agreement() }
        let response = try await upgrade(open.session)
        await #expect(throws: URLError.self) { try await upgrade(silent.session) }
        try await expectText(response, "upgraded 101 input")
    }
}
