import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Misuse of middleware has no harmful effect", .timeLimit(.minutes(2)))
struct MiddlewareMisuseTests {
    /// A middleware that is a function, which may keep `next`.
    private struct Middleware: HTTPMiddleware {
        typealias Body = @Sendable (TransportRequest, RequestContext, @escaping Next) async throws -> TransportResponse
        let body: Body

        init(_ body: @escaping Body) { self.body = body }

        func respond(
            to request: TransportRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> TransportResponse {
            try await body(request, context, next)
        }
    }

    /// Both places for middleware.
    enum Place: CaseIterable, Sendable {
        case request, exchange

        func session(
            _ transport: any HTTPTransport,
            interceptor: (any RequestInterceptor)? = nil,
            _ middleware: any HTTPMiddleware
        ) -> Session {
            switch self {
            case .request: Session(transport: transport, interceptor: interceptor, middleware: [middleware])
            case .exchange: Session(transport: transport, interceptor: interceptor, exchangeMiddleware: [middleware])
            }
        }
    }

    /// Returns the transport of the platform.
    private static func transport() -> any HTTPTransport {
        #if NIO && !canImport(Darwin)
        NIOTransport()
        #else
        URLSessionTransport()
        #endif
    }

    private static func request(_ path: String = "/") throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "http://127.0.0.1:9\(path)")))
    }

    @Test("a middleware may call next twice concurrently, and the first response is used", arguments: Place.allCases)
    func concurrently(_ place: Place) async throws {
        let server = try await ReactingServer { received in received.head["X-Try"] == "1" ? .stall : .respond(200) }
        let transport = Self.transport()
        let middleware = Middleware { request, _, next in
            try await withThrowingTaskGroup(of: TransportResponse.self) { group in
                for number in 1...2 {
                    var copy = request
                    copy.headers[HTTPField.Name("X-Try")!] = "\(number)"
                    group.addTask { [copy] in try await next(copy) }
                }
                defer { group.cancelAll() }
                return try #require(try await group.next())
            }
        }
        let response = try await place.session(transport, middleware).data(for: URLRequest(url: server.url()))
        #expect(response.statusCode == 200 && response.data == Data("ok".utf8))
        await server.shutDown()
        await transport.shutdown()
    }

    @Test("a middleware may call next after the request has ended", arguments: Place.allCases)
    func later(_ place: Place) async throws {
        let kept = Locked<HTTPMiddleware.Next?>(nil)
        let transport = FakeTransport.body("ok")
        let middleware = Middleware { request, _, next in
            kept.withLock { $0 = next }
            return try await next(request)
        }
        let session = place.session(transport, middleware)
        #expect(try await session.data(for: Self.request()).data == Data("ok".utf8))
        let next = try #require(kept.withLock { $0 })
        let url = try #require(URL(string: "http://127.0.0.1:9/later"))
        let response = try await next(TransportRequest(method: .get, url: url))
        #expect(response.status == 200)
    }

    @Test("a body that is not repeatable is not sent again by a middleware as an empty body", arguments: Place.allCases)
    func oneShotBody(_ place: Place) async throws {
        let server = try await ReactingServer()
        let transport = Self.transport()
        let middleware = Middleware { request, _, next in
            _ = try await next(request)
            return try await next(request)
        }
        var request = URLRequest(url: server.url())
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("once".utf8))
        let session = place.session(transport, middleware)
        let sent = request
        await #expect(throws: RequestBodyError.self) { try await session.data(for: sent) }
        #expect(server.requests.map(\.text) == ["once"])
        await server.shutDown()
        await transport.shutdown()
    }

    @Test(
        "an invalid request of a middleware is an error and not a crash",
        arguments: Place.allCases,
        [
            "ftp://127.0.0.1:9/", "file:///etc/passwd", "http:///nowhere", "nothing", "http://127.0.0.1:99999/",
            "http://h%0D%0AX-Evil:1/",
        ]
    )
    func urls(_ place: Place, _ text: String) async throws {
        guard let url = URL(string: text) else { return }
        let transport = Self.transport()
        let middleware = Middleware { request, _, next in
            var request = request
            request.url = url
            return try await next(request)
        }
        let session = place.session(transport, middleware)
        let request = try Self.request()
        await #expect(throws: (any Error).self) { try await session.data(for: request) }
        await transport.shutdown()
    }

    @Test("an invalid method of a middleware is refused before anything is sent", arguments: Place.allCases)
    func methods(_ place: Place) async throws {
        let server = try await ReactingServer()
        let transport = Self.transport()
        for method in ["", "GET / HTTP/1.1\r\nX-Evil: 1\r\n\r\nGET", "G T", "é"] {
            let middleware = Middleware { request, _, next in
                var request = request
                request.method = HTTPMethod(rawValue: method)
                return try await next(request)
            }
            let session = place.session(transport, middleware)
            let request = URLRequest(url: server.url())
            await #expect(throws: RequestValidationError.invalidMethod(method)) { try await session.data(for: request) }
        }
        #expect(server.count == 0)
        await server.shutDown()
        await transport.shutdown()
    }

    @Test("framing fields are set by the transport and not by the middleware", arguments: Place.allCases)
    func framing(_ place: Place) async throws {
        let server = try await ReactingServer()
        let transport = Self.transport()
        let middleware = Middleware { request, _, next in
            var request = request
            request.headers[.contentLength] = "3"
            request.headers[.transferEncoding] = "chunked"
            return try await next(request)
        }
        var request = URLRequest(url: server.url())
        request.httpMethod = "POST"
        request.httpBody = Data("whole body".utf8)
        let session = place.session(transport, middleware)
        for _ in 0..<2 { #expect(try await session.data(for: request).statusCode == 200) }
        #expect(server.requests.map(\.text) == ["whole body", "whole body"])
        #expect(server.requests.map { $0.head["Transfer-Encoding"] } == [nil, nil])
        #expect(server.requests.map { $0.head["Content-Length"] } == ["10", "10"])
        await server.shutDown()
        await transport.shutdown()
    }

    @Test("a stream that a middleware returns for two attempts is read once and is not taken for an empty body")
    func sameStream() async throws {
        let stream = TransportBodyStream { throw URLError(.networkConnectionLost) }
        let middleware = Middleware { _, _, _ in TransportResponse(status: 200, body: .stream(stream)) }
        let session = Place.exchange.session(
            FakeTransport.body("never"),
            interceptor: TestInterceptor.repeating(1),
            middleware
        )
        let request = try Self.request()
        await #expect(throws: URLError.self) { try await session.data(for: request) }
    }

    @Test("a request that is cancelled before or after a middleware calls next ends with URLError.cancelled")
    func cancellation() async throws {
        for place in Place.allCases {
            for isBefore in [true, false] {
                let waits = Promise<Void>()
                let middleware = Middleware { request, _, next in
                    let response = isBefore ? nil : try await next(request)
                    waits.fulfill(())
                    // Ends with CancellationError.
                    try await Task.sleep(for: .seconds(3600))
                    if let response { return response }
                    return try await next(request)
                }
                let session = place.session(FakeTransport.body("ok"), middleware)
                let request = try Self.request()
                let task = Task { try await session.data(for: request) }
                await waits.wait()
                task.cancel()
                let error = await #expect(throws: URLError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            }
        }
    }

    @Test(
        "a middleware's CancellationError without a cancellation ends the request as cancelled",
        arguments: Place.allCases
    )
    func ownCancellationError(_ place: Place) async throws {
        let session = place.session(FakeTransport.body("ok"), Middleware { _, _, _ in throw CancellationError() })
        let request = try Self.request()
        let error = await #expect(throws: URLError.self) { try await session.data(for: request) }
        #expect(error?.code == .cancelled)
    }

    @MainActor
    @Test("the middleware of a main actor's request does not run on the main thread", arguments: Place.allCases)
    func mainActor(_ place: Place) async throws {
        let isOnMain = Locked<[Bool]>([])
        let check: @Sendable () -> Void = { isOnMain.withLock { $0.append(Thread.isMainThread) } }
        let middleware = Middleware { request, _, next in
            check()
            let response = try await next(request)
            check()
            return response
        }
        let transport = FakeTransport { _ in
            check()
            return TransportResponse(status: 200)
        }
        _ = try await place.session(transport, middleware).data(for: Self.request())
        #expect(isOnMain.withLock { $0 } == [false, false, false])
    }

    @Test("a request's credential is sent to the URL that the middleware set, and nowhere else")
    func credentials() async throws {
        let other = try await ReactingServer { _ in
            .respond(401, headers: [#"WWW-Authenticate: Basic realm="r""#])
        }
        let away = other.url("/away").absoluteString
        let server = try await ReactingServer { received in
            received.head["Authorization"] == nil
                ? .respond(401, headers: [#"WWW-Authenticate: Basic realm="r""#])
                : .respond(302, headers: ["Location: \(away)"])
        }
        let url = server.url("/there")
        let middleware = Middleware { request, _, next in
            var request = request
            request.url = url
            return try await next(request)
        }
        let transport = Self.transport()
        let session = Place.request.session(transport, middleware)
        let request = session.request(try Self.request()).authenticate(username: "u", password: "p")
        #expect(try await request.value.statusCode == 401)
        #expect(server.requests.map { $0.head["Authorization"] != nil } == [false, true])
        #expect(other.requests.map { $0.head["Authorization"] } == [nil])
        await server.shutDown()
        await other.shutDown()
        await transport.shutdown()
    }
}
