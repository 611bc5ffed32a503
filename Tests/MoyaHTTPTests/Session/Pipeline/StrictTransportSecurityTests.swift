import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session upgrades the URLs of hosts that require TLS (RFC 6797)")
struct StrictTransportSecurityTests {
    private struct URLMonitor: EventMonitor {
        let log = TestLog()

        func record(_ event: RequestEvent) {
            switch event.kind {
            case .sending(let request): log.note("sending \(request.url?.absoluteString ?? "")")
            case .redirecting(let url): log.note("redirecting \(url.absoluteString)")
            default: break
            }
        }
    }

    private func store(_ hosts: String...) -> StrictTransportSecurityStore {
        StrictTransportSecurityStore(
            policies: hosts.map { StrictTransportSecurityPolicy(host: $0, expires: .distantFuture) }
        )
    }

    private func session(
        _ store: StrictTransportSecurityStore?,
        interceptor: (any RequestInterceptor)? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cookies: (any CookieStorage)? = CookieJar(),
        monitor: URLMonitor = URLMonitor(),
        _ respond: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) -> Session {
        Session(
            transport: FakeTransport(respond),
            interceptor: interceptor,
            redirectHandler: redirectHandler,
            eventMonitors: [monitor],
            options: SessionOptions(cookieStorage: cookies, strictTransportSecurity: store)
        )
    }

    private func request(_ url: String, _ headers: [String: String] = [:]) throws -> URLRequest {
        URLRequest("GET", try #require(URL(string: url)), headers)
    }

    @Test("the transport, the events and the response of an upgraded request have its https URL")
    func urls() async throws {
        let monitor = URLMonitor()
        let log = TestLog()
        let session = session(store("a.example"), monitor: monitor) {
            log.note($0.url.absoluteString)
            return .text("ok")
        }
        let response = try await session.data(for: request("http://a.example:80/x"))
        #expect(response.url?.absoluteString == "https://a.example:443/x")
        #expect(response.request.url?.absoluteString == "http://a.example:80/x")
        #expect(log.lines == ["https://a.example:443/x"])
        #expect(monitor.log.lines == ["sending https://a.example:443/x"])
        #expect(try await session.data(for: request("http://b.example/x")).url?.scheme == "http")
    }

    @Test("a redirect from https to http of the same host is upgraded, keeps its credentials, and is not a loop")
    func redirect() async throws {
        let (monitor, log) = (URLMonitor(), TestLog())
        let store = store()
        let session = session(store, monitor: monitor) { request in
            log.note("\(request.url.absoluteString) \(request.headers[.authorization] ?? "")")
            guard request.url.path == "/a" else { return .text("end") }
            return TransportResponse(
                status: 302,
                headers: [.location: "http://A.Example:80/b", .strictTransportSecurity: "max-age=10"]
            )
        }
        let response = try await session.data(for: request("https://a.example/a", ["Authorization": "Bearer t"]))
        #expect(response.text == "end")
        #expect(response.url?.absoluteString == "https://A.Example:443/b")
        #expect(log.lines == ["https://a.example/a Bearer t", "https://A.Example:443/b Bearer t"])
        #expect(
            monitor.log.lines == [
                "sending https://a.example/a", "redirecting https://A.Example:443/b", "sending https://A.Example:443/b",
            ]
        )
        #expect(store.policies.map(\.host) == ["a.example"])
    }

    @Test("a redirect from https to the http URL of the same resource is a loop, and is not sent")
    func loop() async throws {
        let log = TestLog()
        let session = session(store("a.example")) { request in
            log.note(request.url.absoluteString)
            return TransportResponse(status: 301, headers: [.location: "http://a.example/a"])
        }
        for url in ["https://a.example/a", "http://a.example/a"] {
            await expectRedirectError(.loop, .httpTooManyRedirects) { _ = try await session.data(for: request(url)) }
        }
        #expect(log.lines == ["https://a.example/a", "https://a.example/a"])
    }

    @Test("a redirect to https is followed if another response has set the policy of the host in the meantime")
    func concurrentPolicy() async throws {
        let log = TestLog()
        let store = store()
        let session = session(store) { request in
            log.note(request.url.absoluteString)
            guard request.url.scheme == "http" else { return .text("end") }
            let other = TransportResponse(status: 200, headers: [.strictTransportSecurity: "max-age=10"])
            store.record(other, from: URL(string: "https://a.example/other")!)
            return TransportResponse(status: 301, headers: [.location: "https://a.example/a"])
        }
        #expect(try await session.data(for: request("http://a.example/a")).text == "end")
        #expect(log.lines == ["http://a.example/a", "https://a.example/a"])
    }

    @Test("a relative redirect of an upgraded request keeps the scheme and the credentials")
    func relativeRedirect() async throws {
        let log = TestLog()
        let session = session(store("a.example")) { request in
            log.note("\(request.url.absoluteString) \(request.headers[.authorization] ?? "")")
            return request.url.path == "/a"
                ? TransportResponse(status: 307, headers: [.location: "b"]) : .text("end")
        }
        _ = try await session.data(for: request("http://a.example/a", ["Authorization": "Bearer t"]))
        #expect(log.lines == ["https://a.example/a Bearer t", "https://a.example/b Bearer t"])
    }

    @Test("a URL of a redirect handler or of an interceptor is upgraded")
    func changedURLs() async throws {
        let log = TestLog()
        let handler = Redirector(
            behavior: .modify { redirect in
                var next = redirect.request
                next.url = URL(string: "http://a.example/handler")!
                return next
            }
        )
        let interceptor = TestInterceptor(onAdapt: { request, state in
            guard state.redirectCount == 0 else { return request }
            return URLRequest("GET", URL(string: "http://a.example/adapted")!)
        })
        let session = session(store("a.example"), interceptor: interceptor, redirectHandler: handler) { request in
            log.note(request.url.absoluteString)
            return request.url.path == "/adapted"
                ? TransportResponse(status: 302, headers: [.location: "/b"]) : .text("end")
        }
        _ = try await session.data(for: request("https://b.example/"))
        #expect(log.lines == ["https://a.example/adapted", "https://a.example/handler"])
    }

    @Test("secure cookies are sent with an upgraded request and stored from its response")
    func cookies() async throws {
        let jar = CookieJar()
        let url = try #require(URL(string: "https://a.example/"))
        jar.store(setCookie: ["a=1; Secure"], from: url)
        let log = TestLog()
        let session = session(store("a.example"), cookies: jar) { request in
            log.note(request.headers[.cookie] ?? "")
            return .text("ok", [.setCookie: "__Host-b=2; Secure; Path=/"])
        }
        for _ in 0..<2 { _ = try await session.data(for: request("http://a.example/")) }
        #expect(log.lines == ["a=1", "a=1; __Host-b=2"])
        #expect(session.settings.headers(addedTo: try request("http://a.example/"))["Cookie"] == "a=1; __Host-b=2")
    }

    @Test("a stored response to the http URL is not used, and the response to the https URL is")
    func cache() async throws {
        let store = store()
        let server = CachedServer(options: SessionOptions(strictTransportSecurity: store)) { request, _ in
            var headers: HTTPFields = [.cacheControl: "max-age=100"]
            if request.url.path == "/policy" {
                headers = [.cacheControl: "no-store", .strictTransportSecurity: "max-age=1000"]
            }
            return .text(request.url.scheme ?? "", headers)
        }
        #expect(try await server.get().text == "http")
        #expect(try await server.get().source == .cache)
        _ = try await server.session.data(for: request("https://server.test/policy"))
        let upgraded = try await server.get()
        #expect(upgraded.text == "https" && upgraded.source == .network)
        #expect(try await server.get().source == .cache)
        #expect(server.count == 3)
    }

    @Test("a stored response sets no policy")
    func cachedPolicy() async throws {
        let store = store()
        let server = CachedServer(options: SessionOptions(strictTransportSecurity: store)) { request, count in
            request.headers.contains(.ifNoneMatch)
                ? .text("", status: 304, [.eTag: "\"1\""])
                : .text("ok", [.cacheControl: "max-age=10", .eTag: "\"1\"", .strictTransportSecurity: "max-age=1000"])
        }
        for source in [ResponseSource.network, .cache, .revalidated] {
            if source == .revalidated { server.wait(20) }
            let response = try await server.session.data(for: request("https://server.test/a"))
            #expect(response.source == source)
            #expect(response.headers[.strictTransportSecurity] == "max-age=1000")
            #expect(store.policies.isEmpty == (source != .network))
            store.removeAll()
        }
    }

    @Test("a policy belongs to the sessions that share its store, and a session without a store upgrades nothing")
    func sessions() async throws {
        let respond: @Sendable (TransportRequest) async throws -> TransportResponse = { request in
            .text(request.url.scheme ?? "", [.strictTransportSecurity: "max-age=10"])
        }
        let (shared, other) = (store(), store())
        let first = session(shared, respond)
        #expect(try await first.data(for: request("http://a.example/")).text == "http")
        #expect(shared.policies.isEmpty)
        #expect(try await first.data(for: request("https://a.example/")).text == "https")
        #expect(try await session(shared, respond).data(for: request("http://a.example/")).text == "https")
        #expect(try await session(other, respond).data(for: request("http://a.example/")).text == "http")
        #expect(try await session(nil, respond).data(for: request("http://a.example/")).text == "http")
    }

    @Test("a connection is opened early to the upgraded URL")
    func preconnection() async throws {
        struct Preconnecting: HTTPTransport {
            let log = TestLog()

            func send(_ request: TransportRequest) async throws -> TransportResponse { .text("") }
            func preconnect(to url: URL, connections: Int) async throws { log.note(url.absoluteString) }
            func shutdown() async {}
        }
        let transport = Preconnecting()
        let options = SessionOptions(strictTransportSecurity: store("a.example"))
        let session = Session(transport: transport, options: options)
        try await session.preconnect(to: try #require(URL(string: "http://a.example/")))
        #expect(transport.log.lines == ["https://a.example/"])
    }
}
