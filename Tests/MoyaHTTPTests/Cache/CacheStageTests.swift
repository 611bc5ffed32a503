import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The cache of a session returns, validates and stores responses")
struct CacheStageTests {
    @Test("a fresh response is returned from the cache with its age and without a request")
    func fresh() async throws {
        let server = CachedServer { _, count in .text("\(count)", [.cacheControl: "max-age=60", .eTag: "\"1\""]) }
        let first = try await server.get()
        server.wait(10)
        let second = try await server.get()
        server.wait(51)
        let third = try await server.get()
        #expect([first.text, second.text, third.text] == ["1", "1", "2"])
        #expect([first.source, second.source, third.source] == [.network, .cache, .network])
        #expect(second.headers[.age] == "10")
        #expect(server.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\""])
        #expect(server.cache.statistics.hits == 1 && server.cache.statistics.misses == 2)
    }

    @Test("a stale response that a 304 validated has the fields of the 304")
    func revalidated() async throws {
        let server = CachedServer { request, count in
            request.headers[.ifNoneMatch] == "\"1\""
                ? .text("", status: 304, [.eTag: "\"1\"", .cacheControl: "max-age=100", .lastModified: "x"])
                : .text("body", [.cacheControl: "max-age=1", .eTag: "\"1\"", .contentType: "text/plain"])
        }
        _ = try await server.get()
        server.wait(5)
        let confirmed = try await server.get()
        #expect(confirmed.text == "body" && confirmed.statusCode == 200 && confirmed.source == .revalidated)
        #expect(confirmed.headers[.cacheControl] == "max-age=100" && confirmed.headers[.contentType] == "text/plain")
        server.wait(90)
        #expect(try await server.get().source == .cache)
        #expect(server.count == 2)
        #expect(server.cache.statistics.revalidations == 1 && server.cache.statistics.misses == 1)
    }

    @Test("a stale response that a 304 without Date validated has the age and the Date of the receipt of the 304")
    func revalidatedWithoutDate() async throws {
        let date = CachedServer.date(1_800_000_000)
        let server = CachedServer { _, count in
            count == 1
                ? .text("body", [.cacheControl: "max-age=60", .eTag: "\"1\"", .date: date])
                : .text("", status: 304, [.eTag: "\"1\""])
        }
        _ = try await server.get()
        server.wait(100)
        let confirmed = try await server.get()
        #expect(confirmed.source == .revalidated)
        #expect(confirmed.headers[.age] == "0" && confirmed.headers[.date] == server.date)
        server.wait(59)
        let cached = try await server.get()
        #expect(cached.source == .cache && cached.headers[.age] == "59")
        #expect(server.count == 2)
    }

    @Test("a 304 for another representation causes a new request without conditions")
    func mismatchedNotModified() async throws {
        let server = CachedServer { request, _ in
            request.headers.contains(.ifNoneMatch)
                ? .text("", status: 304, [.eTag: "\"other\""])
                : .text("body", [.cacheControl: "no-cache", .eTag: "\"1\""])
        }
        _ = try await server.get()
        let second = try await server.get()
        #expect(second.text == "body" && second.source == .network)
        #expect(server.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\"", nil])
    }

    @Test("a cached response is not reused for other credentials or without credentials")
    func credentials() async throws {
        let server = CachedServer { request, _ in
            .text(request.headers[.authorization] ?? "nobody", [.cacheControl: "public, max-age=60"])
        }
        for _ in 0..<2 {
            for user in ["Bearer a", "Bearer b", nil] {
                let headers = user.map { ["Authorization": $0] } ?? [:]
                #expect(try await server.get("/a", headers).text == user ?? "nobody")
            }
        }
        #expect(server.count == 3)
        let stored = try await server.cache.entries()
        #expect(stored.allSatisfy { $0.head.credentials?.contains("Bearer") != true })
    }

    /// Sets a field if there is a value.
    private func setting(_ name: HTTPField.Name, _ value: @escaping @Sendable () -> String?) -> some HTTPMiddleware {
        HTTPMiddlewareTests.Middleware { request, _, next in
            var request = request
            if let value = value() { request.headers[name] = value }
            return try await next(request)
        }
    }

    @Test(
        "a response is not stored if an exchange middleware has changed its credentials or a selecting field",
        arguments: [HTTPField.Name.authorization, .acceptLanguage, .hostField],
        [true, false]
    )
    func changedFields(name: HTTPField.Name, isPlain: Bool) async throws {
        let cache = HTTPCache(
            store: MemoryCacheStore(),
            collapsesRequests: !isPlain,
            keepsForOfflineUse: !isPlain
        )
        let transport = FakeTransport { request in
            .text(request.headers[name] ?? "", [.cacheControl: "max-age=60", .vary: "Accept-Language"])
        }
        for value in ["a", "b", "a"] {
            let session = Session(
                transport: transport,
                cache: cache,
                exchangeMiddleware: [setting(name) { value }]
            )
            let response = try await session.data(for: CachedServer.request("/a"))
            #expect(response.text == value && response.source == .network)
        }
        #expect(try await cache.entries().isEmpty)
    }

    @Test("a response is stored if an exchange middleware has changed only fields that do not select it")
    func unselectingFields() async throws {
        let server = CachedServer(exchangeMiddleware: [setting(.userAgent) { "test" }]) { _, _ in
            .text("", [.cacheControl: "max-age=60", .vary: "Accept-Language"])
        }
        _ = try await server.get("/a", ["Authorization": "Bearer a"])
        #expect(try await server.get("/a", ["Authorization": "Bearer a"]).source == .cache)
        #expect(server.requests.map { $0.headers[.userAgent] } == ["test"])
    }

    @Test("a response that is confirmed for changed credentials is returned, and does not remain stored")
    func changedCredentialsOfValidation() async throws {
        let credentials = Locked<String?>(nil)
        let server = CachedServer(exchangeMiddleware: [setting(.authorization) { credentials.withLock { $0 } }]) {
            request,
            _ in
            request.headers.contains(.ifNoneMatch)
                ? .text("", status: 304, [.eTag: "\"1\""])
                : .text("body", [.cacheControl: "no-cache", .eTag: "\"1\""])
        }
        _ = try await server.get()
        #expect(try await server.cache.entries().count == 1)
        credentials.withLock { $0 = "Bearer a" }
        let confirmed = try await server.get()
        #expect(confirmed.text == "body" && confirmed.source == .revalidated)
        #expect(try await server.cache.entries().isEmpty)
    }

    @Test(
        "a full response to a validation removes the stored response, even if it cannot be stored, unless it is a 5xx",
        arguments: [200, 404, 500]
    )
    func outdated(status: Int) async throws {
        let server = CachedServer { _, count in
            count == 1
                ? .text("1", [.cacheControl: "max-age=1", .eTag: "\"1\""])
                : .text("2", status: status, [.cacheControl: "no-store"])
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().text == "2")
        #expect(server.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\""])
        #expect(try await server.cache.entries().count == (status < 500 ? 0 : 1))
    }

    @Test(
        "a 5xx that may be stored does not replace the stored response, which is used offline and confirmed later",
        arguments: ["\"1\"", nil],
        [500, 501, 503]
    )
    func keptByServerError(tag: String?, status: Int) async throws {
        let server = CachedServer { request, count in
            switch count {
            case 1:
                var fields: HTTPFields = [.cacheControl: "max-age=1"]
                fields[.eTag] = tag
                return .text("good", fields)
            case 2: return .text("error", status: status, [.cacheControl: "max-age=60"])
            default: return request.headers.contains(.ifNoneMatch) ? .text("", status: 304) : .text("new")
            }
        }
        _ = try await server.get()
        server.wait(10)
        let failed = try await server.get()
        #expect(failed.text == "error" && failed.source == .network)
        #expect(try await server.cache.entries().map(\.head.status) == [200])
        server.cache.isOffline = true
        #expect(try await server.get().text == "good")
        server.cache.isOffline = false
        let last = try await server.get()
        #expect(last.text == (tag == nil ? "new" : "good") && last.source == (tag == nil ? .network : .revalidated))
    }

    @Test(
        "a response to a validation removes the stored one only if its status is about the resource",
        arguments: [
            (status: 200, remains: false), (403, false), (404, false), (410, false), (301, false), (401, true),
            (407, true),
            (408, true), (421, true), (425, true), (429, true), (500, true), (503, true),
        ]
    )
    func outdated(status: Int, remains: Bool) async throws {
        let server = CachedServer { _, count in
            count == 1
                ? .text("good", [.cacheControl: "max-age=1", .eTag: "\"1\""])
                : .text("error", status: status, [.cacheControl: "no-store"])
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().statusCode == status)
        #expect(try await server.cache.entries().isEmpty == !remains)
    }

    @Test(
        "a response that follows a 304 about another representation removes the validated one, even if it is not stored"
    )
    func outdatedAfterAnotherRepresentation() async throws {
        let server = CachedServer { _, count in
            switch count {
            case 1: .text("1", [.cacheControl: "max-age=1", .eTag: "\"1\""])
            case 2: .text("", status: 304, [.eTag: "\"2\""])
            default: .text("3", [.cacheControl: "no-store"])
            }
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().text == "3")
        #expect(try await server.cache.entries().isEmpty)
    }

    @Test("refreshes of ranges, of a HEAD and of a GET are different requests")
    func refreshes() {
        let key = CacheKey(URL(fileURLWithPath: "/a"))
        let ids = [[:], [.range: "bytes=0-1"], [.range: "bytes=2-3"], [.ifNoneMatch: "\"1\""]].map {
            (fields: HTTPFields) in
            CollapsedRequests.ID(
                CacheRequest(method: .get, key: key, headers: fields, user: nil, policy: .useProtocolCachePolicy)
            )
        }
        let head = CacheRequest(method: .head, key: key, headers: [:], user: nil, policy: .useProtocolCachePolicy)
        #expect(Set(ids + [CollapsedRequests.ID(head)]).count == 5)
    }

    @Test("each response is one hit, revalidation or miss")
    func statistics() async throws {
        let server = CachedServer(staleIfError: .seconds(100)) { request, count in
            switch count {
            case 1: .text("1", [.cacheControl: "max-age=1", .eTag: "\"1\""])
            // A 304 about another representation, after which the request is sent again.
            case 2: .text("", status: 304, [.eTag: "\"2\""])
            case 3: .text("3", [.cacheControl: "max-age=1", .eTag: "\"3\""])
            case 4: .text("", status: 304, [.eTag: "\"3\"", .cacheControl: "max-age=1"])
            case 5: .text("error", status: 503)
            default: throw URLError(.cannotConnectToHost)
            }
        }
        for (count, source) in [ResponseSource.network, .network, .revalidated, .stale].enumerated() {
            #expect(try await server.get().source == source)
            let statistics = server.cache.statistics
            #expect(statistics.hits + statistics.revalidations + statistics.misses == count + 1)
            server.wait(10)
        }
        await #expect(throws: URLError.self) { _ = try await server.get("/other") }
        let statistics = server.cache.statistics
        #expect(
            statistics.misses == 2 && statistics.revalidations == 1 && statistics.hits == 1 && statistics.staleHits == 1
        )
    }

    @Test("a 5xx to a reload does not replace the stored response")
    func keptByServerErrorToReload() async throws {
        let server = CachedServer { _, count in
            .text("\(count)", status: count == 1 ? 200 : 503, [.cacheControl: "max-age=60"])
        }
        _ = try await server.get()
        #expect(try await server.get(policy: .reloadIgnoringLocalCacheData).statusCode == 503)
        let stored = try await server.get()
        #expect(stored.text == "1" && stored.source == .cache)
    }

    @Test(
        "a 5xx with a lifetime is stored if nothing is stored, and is replaced by the next response",
        arguments: [200, 503]
    )
    func storedServerError(nextStatus: Int) async throws {
        let server = CachedServer { _, count in
            .text("\(count)", status: count == 1 ? 503 : nextStatus, [.cacheControl: "max-age=60"])
        }
        _ = try await server.get()
        #expect(try await server.get().source == .cache)
        server.wait(100)
        _ = try await server.get()
        let stored = try await server.get()
        #expect(stored.text == "2" && stored.statusCode == nextStatus && stored.source == .cache)
        #expect(try await server.cache.entries().count == 1)
    }

    @Test("a full response that turns out to be too large removes the validated response; one that is cut off does not")
    func outdatedByLargeBody() async throws {
        for isCutOff in [false, true] {
            let server = CachedServer(store: MemoryCacheStore(maximumSize: 20_000)) { _, count in
                let fields: HTTPFields = [.cacheControl: "max-age=1", .eTag: "\"\(count)\""]
                guard count > 1 else { return .text("1", fields) }
                let piece = String(repeating: "x", count: isCutOff ? 100 : 8_000)
                return .pieces([piece, piece], fields, then: isCutOff ? URLError(.networkConnectionLost) : nil)
            }
            _ = try await server.get()
            server.wait(10)
            let second = try? await server.get()
            #expect((second == nil) == isCutOff)
            #expect(server.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\""])
            #expect(try await server.cache.entries().count == (isCutOff ? 1 : 0))
        }
    }

    @Test(
        "a confirmed response is returned and remains stored even if its new head does not leave room for other responses"
    )
    func grownHead() async throws {
        let server = CachedServer(store: MemoryCacheStore(maximumSize: 8_000)) { request, _ in
            request.headers.contains(.ifNoneMatch)
                ? .text("", status: 304, [.eTag: "\"1\"", .server: String(repeating: "x", count: 3_000)])
                : .text(String(repeating: "y", count: 2_000), [.cacheControl: "max-age=1", .eTag: "\"1\""])
        }
        // The first response is the least recently used one.
        for path in ["/a", "/b"] { _ = try await server.get(path) }
        server.wait(10)
        #expect(try await server.get("/a").source == .revalidated)
        #expect(server.count == 3)
        #expect(try await server.cache.entries().map(\.key) == [CacheKey(URL(string: "http://server.test/a")!)])
    }

    @Test(
        "the body of a 304 that confirms a stored response is read to its end, so that its connection can be used again"
    )
    func droppedNotModified() async throws {
        let isRead = Locked(false)
        let server = CachedServer { _, count in
            guard count > 1 else { return .text("body", [.cacheControl: "no-cache", .eTag: "\"1\""]) }
            let body = TransportBodyStream {
                isRead.withLock { $0 = true }
                return nil
            }
            return TransportResponse(status: 304, headers: [.eTag: "\"1\""], body: .stream(body))
        }
        _ = try await server.get()
        #expect(try await server.get().source == .revalidated)
        #expect(isRead.withLock { $0 })
    }

    @Test(
        "a full response that the cache's store fails to write removes the validated response",
        arguments: [true, false]
    )
    func outdatedByFailedWrite(isBegun: Bool) async throws {
        let isFailing = Locked(false)
        let fail: @Sendable () throws -> Void = { if isFailing.withLock({ $0 }) { throw FailingStore.Failure() } }
        var store = ObservedStore()
        if isBegun { store.onAppend = fail } else { store.onWrite = fail }
        let server = CachedServer(store: store) { _, count in
            .text("\(count)", [.cacheControl: "max-age=1", .eTag: "\"\(count)\""])
        }
        _ = try await server.get()
        server.wait(10)
        isFailing.withLock { $0 = true }
        #expect(try await server.get().text == "2")
        #expect(try await server.cache.entries().isEmpty)
    }

    @Test("a cached response is not reused for another Host header", arguments: [nil, "Bearer a"])
    func hosts(authorization: String?) async throws {
        let host = try #require(HTTPField.Name("Host"))
        let server = CachedServer { request, _ in
            .text(request.headers[host] ?? "URL", [.cacheControl: "public, max-age=60"])
        }
        for source in [ResponseSource.network, .cache] {
            for name in ["a.test", "b.test", nil] {
                var headers: [String: String] = [:]
                headers["Host"] = name
                headers["Authorization"] = authorization
                let response = try await server.get("/a", headers)
                #expect(response.text == name ?? "URL")
                #expect(response.source == source)
            }
        }
    }

    @Test("a cached response to Digest credentials is not used for the same user with another password")
    func digestPassword() async throws {
        let server = CachedServer { request, count in
            guard request.headers.contains(.authorization), count < 4 else {
                return .text("", status: 401, [.wwwAuthenticate: #"Digest realm="r", nonce="n", qop="auth""#])
            }
            return .text("secret", [.cacheControl: "max-age=60"])
        }
        func get(_ password: String) async throws -> SessionResponse {
            try await server.session.data(for: CachedServer.request("/a"), record: .user("u", password))
        }
        #expect(try await get("right").text == "secret")
        #expect(try await get("wrong").statusCode == 401)
        #expect(server.count == 4)
        #expect(try await get("right").source == .cache)
    }

    @Test("variants of a response are stored side by side")
    func variants() async throws {
        let server = CachedServer { request, _ in
            .text(request.headers[.acceptLanguage] ?? "", [.cacheControl: "max-age=60", .vary: "Accept-Language"])
        }
        for _ in 0..<2 {
            for language in ["de", "en"] {
                #expect(try await server.get("/a", ["Accept-Language": language]).text == language)
            }
        }
        #expect(server.count == 2)
    }

    @Test("a cookie is stored when a response arrives, and not when the cached response is used")
    func cookies() async throws {
        let jar = CookieJar()
        let server = CachedServer(options: SessionOptions(cookieStorage: jar)) { _, count in
            .text("", [.cacheControl: "max-age=60", .setCookie: "session=\(count)"])
        }
        _ = try await server.get()
        jar.removeAll()
        let second = try await server.get()
        #expect(second.source == .cache && second.headers[.setCookie] == "session=1")
        #expect(jar.cookieHeader(for: URL(string: "http://server.test/a")!, context: CookieContext()) == nil)
    }

    @Test("a cookie of a 304 that excludes it from caches is set and not stored in the cache")
    func cookiesOf304() async throws {
        let jar = CookieJar()
        let server = CachedServer(options: SessionOptions(cookieStorage: jar)) { _, count in
            let fields: HTTPFields = [.cacheControl: #"no-cache="Set-Cookie""#, .setCookie: "session=\(count)"]
            return count == 1
                ? .text("", [.cacheControl: "no-cache", .eTag: "\"1\"", .setCookie: "session=1"])
                : .text("", status: 304, fields)
        }
        _ = try await server.get()
        let confirmed = try await server.get()
        #expect(confirmed.source == .revalidated && confirmed.headers[.setCookie] == "session=2")
        #expect(jar.cookieHeader(for: URL(string: "http://server.test/a")!, context: CookieContext()) == "session=2")
        #expect(try await server.cache.entries().map { $0.head.headers[.setCookie] } == ["session=1"])
    }

    @Test(
        "a successful unsafe request removes the cached responses for its URL and for Location; a failed request does not"
    )
    func invalidation() async throws {
        let server = CachedServer { request, count in
            request.method == .get
                ? .text("\(count)", [.cacheControl: "max-age=60"])
                : .text("", status: request.url.path == "/a" ? 201 : 500, [.location: "/b"])
        }
        for path in ["/a", "/b", "/c"] { _ = try await server.get(path) }
        _ = try await server.get("/a", method: "POST", body: "x")
        _ = try await server.get("/c", method: "POST", body: "x")
        #expect(try await server.get("/a").source == .network)
        #expect(try await server.get("/b").source == .network)
        #expect(try await server.get("/c").source == .cache)
    }

    @Test("stale-while-revalidate returns the stale response immediately, and one request is sent in the background")
    func staleWhileRevalidate() async throws {
        let server = CachedServer { _, count in
            .text("\(count)", [.cacheControl: "max-age=1, stale-while-revalidate=60", .eTag: "\"\(count)\""])
        }
        _ = try await server.get()
        server.wait(10)
        let stale = try await server.get()
        #expect(stale.text == "1" && stale.source == .stale)
        try await eventually { server.cache.statistics.stored == 2 }
        let next = try await server.get()
        #expect(next.text == "2" && next.source == .cache && server.count == 2)
        server.wait(62)
        #expect(try await server.get().source == .network)
    }

    @Test(
        "stale-if-error replaces a failed connection and a 503, but not after its time or with must-revalidate"
    )
    func staleIfError() async throws {
        let isDown = Locked(false)
        let server = CachedServer { request, count in
            if isDown.withLock({ $0 }) {
                guard count % 2 == 0 else { throw URLError(.cannotConnectToHost) }
                return .text("", status: 503)
            }
            let extra = request.url.path == "/strict" ? ", must-revalidate" : ""
            return .text("good", [.cacheControl: "max-age=1, stale-if-error=100\(extra)"])
        }
        _ = try await server.get()
        _ = try await server.get("/strict")
        isDown.withLock { $0 = true }
        server.wait(10)
        for _ in 0..<2 {
            let stale = try await server.get()
            #expect(stale.text == "good" && stale.source == .stale)
        }
        await #expect(throws: URLError.self) { _ = try await server.get("/strict") }
        #expect(try await server.get("/strict").statusCode == 503)
        server.wait(200)
        await #expect(throws: URLError.self) { _ = try await server.get() }
    }

    @Test("stale-if-error hides no failure of TLS, no wrong configuration and no error of the application")
    func shownErrors() async throws {
        let configuration = TransportConfigurationError.invalid(.minimumTLSVersion, reason: "test")
        let errors: [any Error] = [
            URLError(.serverCertificateUntrusted), URLError(.secureConnectionFailed), configuration,
            URLError.make(.cannotConnectToHost, url: nil, cause: configuration), TestFailure(),
            RequestValidationError.bodyNotAllowed(method: "TRACE"),
        ]
        for error in errors {
            let server = CachedServer(staleIfError: .seconds(100)) { _, count in
                guard count == 1 else { throw error }
                return .text("good", [.cacheControl: "max-age=1"])
            }
            _ = try await server.get()
            server.wait(10)
            await #expect(throws: (any Error).self, "\(error)") { _ = try await server.get() }
        }
    }

    @Test("the body of a 503 that a stale response replaces is dropped")
    func droppedError() async throws {
        let isDropped = Locked(false)
        let server = CachedServer { _, count in
            guard count > 1 else { return .text("good", [.cacheControl: "max-age=1, stale-if-error=100"]) }
            let body = TransportBodyStream {
                isDropped.withLock { $0 = true }
                return nil
            }
            return TransportResponse(status: 503, body: .stream(body))
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().source == .stale)
        #expect(isDropped.withLock { $0 })
    }

    @Test("equal requests that are sent at the same time leave one copy of their response", arguments: [true, false])
    func copies(isStream: Bool) async throws {
        let isOpen = Locked(false)
        let server = CachedServer(collapsesRequests: false, keepsForOfflineUse: false) { _, _ in
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            let fields: HTTPFields = [.cacheControl: "max-age=60"]
            return isStream ? .pieces(["a", "b"], fields) : .text("ab", fields)
        }
        async let one = server.get()
        async let other = server.get()
        try await eventually { server.count == 2 }
        isOpen.withLock { $0 = true }
        #expect(try await [one.text, other.text] == ["ab", "ab"])
        #expect(try await server.cache.entries().count == 1)
        #expect(try await server.get().source == .cache)
    }

    @Test(
        "of an error and a response that are stored at the same time, the response remains, whichever comes later",
        arguments: [1, 2]
    )
    func errorCopy(error: Int) async throws {
        let isOpen = Locked(false)
        let server = CachedServer(collapsesRequests: false, keepsForOfflineUse: false) { _, count in
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return .text(
                count == error ? "error" : "ab",
                status: count == error ? 503 : 200,
                [.cacheControl: "max-age=60"]
            )
        }
        async let one = server.get()
        try await eventually { server.count == 1 }
        server.wait(1)
        async let other = server.get()
        try await eventually { server.count == 2 }
        isOpen.withLock { $0 = true }
        #expect(try await Set([one.text, other.text]) == ["ab", "error"])
        #expect(try await server.cache.entries().map(\.head.status) == [200])
        #expect(try await server.get().text == "ab")
    }

    @Test("a policy that requires a validation does not get a stale response after an error")
    func staleIfErrorWithValidation() async throws {
        let server = CachedServer { _, count in
            .text("\(count)", status: count == 1 ? 200 : 503, [.cacheControl: "max-age=1, stale-if-error=100"])
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().text == "1")
        #expect(try await server.get(policy: .reloadRevalidatingCacheData).statusCode == 503)
    }

    @Test("a cache that is taken offline while it opens a stale response sends no refresh")
    func offlineBeforeRefresh() async throws {
        let cache = Locked<HTTPCache?>(nil)
        var store = ObservedStore()
        store.onOpen = { _ in cache.withLock { $0?.isOffline = true } }
        let server = CachedServer(store: store) { _, _ in
            .text("body", [.cacheControl: "max-age=1, stale-while-revalidate=60"])
        }
        cache.withLock { $0 = server.cache }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().source == .stale)
        // The shutdown waits for the end of a refresh.
        await server.session.shutdown(grace: .seconds(60))
        #expect(server.count == 1)
        cache.withLock { $0 = nil }
    }

    @Test("the staleIfError of the cache applies if the response does not specify stale-if-error")
    func ownStaleIfError() async throws {
        let server = CachedServer(staleIfError: .seconds(50)) { _, count in
            guard count == 1 else { throw URLError(.notConnectedToInternet) }
            return .text("good", [.cacheControl: "max-age=1"])
        }
        _ = try await server.get()
        server.wait(20)
        #expect(try await server.get().source == .stale)
        server.wait(40)
        await #expect(throws: URLError.self) { _ = try await server.get() }
    }

    @Test("a background validation does not read the body of the confirmed response")
    func unreadConfirmation() async throws {
        let reads = Locked(0)
        var store = ObservedStore()
        store.onRead = { reads.withLock { $0 += 1 } }
        let server = CachedServer(store: store) { _, count in
            let fields: HTTPFields = [.cacheControl: "max-age=1, stale-while-revalidate=60", .eTag: "\"1\""]
            return count == 1 ? .text("body", fields) : .text("", status: 304, fields)
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().source == .stale)
        try await eventually { server.cache.statistics.revalidations == 1 }
        // The shutdown waits for the end of the validation.
        await server.session.shutdown(grace: .seconds(60))
        #expect(reads.withLock { $0 } == 1)
    }

    @Test("a request in the background is no miss", arguments: [nil, "\"1\""])
    func uncountedMiss(tag: String?) async throws {
        let server = CachedServer { _, count in
            var fields: HTTPFields = [.cacheControl: "max-age=1, stale-while-revalidate=60"]
            fields[.eTag] = tag
            return .text("\(count)", fields)
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().source == .stale)
        try await eventually { server.cache.statistics.stored == 2 }
        #expect(server.cache.statistics.hits == 1 && server.cache.statistics.misses == 1)
    }

    @Test("a background validation does not count as a use of the stored response", arguments: [304, 503])
    func uncountedValidation(status: Int) async throws {
        let server = CachedServer { _, count in
            .text(
                "",
                status: count == 1 ? 200 : status,
                [.cacheControl: "max-age=1, stale-while-revalidate=60, stale-if-error=60", .eTag: "\"1\""]
            )
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().source == .stale)
        try await eventually { server.count == 2 }
        await server.session.shutdown(grace: .seconds(60))
        #expect(server.cache.statistics.hits == 1 && server.cache.statistics.staleHits == 1)
        let entries = try await server.cache.entries()
        #expect(entries.map(\.useCount) == [1] && entries.map(\.head.status) == [200])
    }

    @Test("the background validation for a range requests the range without conditions of the cache")
    func backgroundRange() async throws {
        let server = CachedServer { request, _ in
            var fields: HTTPFields = [.cacheControl: "max-age=1, stale-while-revalidate=60", .eTag: "\"1\""]
            guard request.headers.contains(.range) else { return .text("body", fields) }
            fields[.contentRange] = "bytes 0-1/4"
            return .text("bo", status: 206, fields)
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get("/a", ["Range": "bytes=0-1"]).source == .stale)
        try await eventually { server.count == 2 }
        await server.session.shutdown(grace: .seconds(60))
        #expect(server.requests.map { $0.headers[.range] } == [nil, "bytes=0-1"])
        #expect(server.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil])
    }

    @Test("a request in the background does not read the rest of a body that is too large for the cache's store")
    func unreadRest() async throws {
        let (count, reads) = (10_000, Locked(0))
        let server = CachedServer(store: MemoryCacheStore(maximumSize: 256 << 10)) { _, number in
            let fields: HTTPFields = [.cacheControl: "max-age=1, stale-while-revalidate=60"]
            guard number > 1 else { return .text("body", fields) }
            let body = TransportBodyStream {
                let read = reads.withLock { reads in
                    reads += 1
                    return reads
                }
                return read <= count ? Data(count: 16 << 10) : nil
            }
            return TransportResponse(status: 200, headers: fields, body: .stream(body))
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().source == .stale)
        try await eventually { server.count == 2 }
        await server.session.shutdown(grace: .seconds(60))
        #expect((1...count / 2).contains(reads.withLock { $0 }))
    }

    @Test("a request in the background does not call the functions of the request that caused it")
    func backgroundCalls() async throws {
        let calls = Locked(0)
        let middleware = HTTPMiddlewareTests.Middleware { request, _, next in
            var request = request
            request.onConnect = { calls.withLock { $0 += 1 } }
            request.onInterimResponse = { _, _ in calls.withLock { $0 += 1 } }
            return try await next(request)
        }
        let server = CachedServer(middleware: [middleware]) { request, count in
            request.onConnect?()
            request.onInterimResponse?(103, [:])
            return .text("\(count)", [.cacheControl: "max-age=1, stale-while-revalidate=60"])
        }
        _ = try await server.get()
        #expect(calls.withLock { $0 } == 2)
        server.wait(10)
        #expect(try await server.get().source == .stale)
        try await eventually { server.cache.statistics.stored == 2 }
        #expect(calls.withLock { $0 } == 2)
    }

    @Test("the shutdown of a session waits for a background validation")
    func shutdown() async throws {
        let isOpen = Locked(true)
        let server = CachedServer { _, count in
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return .text("\(count)", [.cacheControl: "max-age=1, stale-while-revalidate=60"])
        }
        _ = try await server.get()
        server.wait(10)
        isOpen.withLock { $0 = false }
        #expect(try await server.get().source == .stale)
        async let result = server.session.shutdown(grace: .seconds(60))
        try await eventually { server.session.runningRequests.isClosed }
        isOpen.withLock { $0 = true }
        #expect(await result == ShutdownResult(finished: 1))
        #expect(server.cache.statistics.stored == 2)
    }

    @Test("a background validation has the whole attempt timeout, and not the time that its request has left")
    func backgroundTimeout() async throws {
        let limit = 1000.0
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForResource = limit
        let (redirected, validated) = (Locked<ContinuousClock.Instant?>(nil), Locked<ContinuousClock.Instant?>(nil))
        let server = CachedServer(configuration: configuration) { request, count in
            guard request.url.path == "/a" else {
                try await Task.sleep(for: .milliseconds(50))
                redirected.withLock { $0 = .now }
                return .text("", status: 302, [.location: "/a"])
            }
            // The time at which the attempt timeout began.
            let start = ContinuousClock.now - (.seconds(limit) - request.exchangeTimeout)
            if count > 1 { validated.withLock { $0 = start } }
            return .text("\(count)", [.cacheControl: "max-age=1, stale-while-revalidate=60"])
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get("/redirect").source == .stale)
        try await eventually { server.cache.statistics.stored == 2 }
        let (end, start) = (redirected.withLock { $0 }, validated.withLock { $0 })
        #expect(try #require(start) > #require(end))
    }

    @Test("an exchange in the background has the ID of its request, and is not cancelled with it")
    func backgroundContext() {
        let context = RequestContext(session: CachedServer { _, _ in .text("") }.session)
        let background = context.inBackground()
        context.record.cancel()
        #expect(context.isEnding && !background.isEnding)
        #expect(background.id == context.id)
    }

    @Test("a cancelled request fails even if there is a stale response in the cache")
    func cancelled() async throws {
        let entered = Promise<Void>()
        let server = CachedServer(staleIfError: .seconds(50)) { _, count in
            if count == 1 { return .text("good", [.cacheControl: "max-age=1"]) }
            entered.fulfill(())
            try await Task.sleep(for: .seconds(60))
            return .text("late")
        }
        _ = try await server.get()
        server.wait(10)
        let task = Task { try await server.get() }
        await entered.wait()
        task.cancel()
        let error = await #expect(throws: URLError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
    }

    struct PolicyCase: Sendable, CustomTestStringConvertible {
        let policy: URLRequest.CachePolicy
        let isStale: Bool
        let source: ResponseSource
        var testDescription: String { "\(policy.rawValue), \(isStale ? "stale" : "fresh")" }
    }

    static let policies: [PolicyCase] = [
        PolicyCase(policy: .useProtocolCachePolicy, isStale: false, source: .cache),
        PolicyCase(policy: .useProtocolCachePolicy, isStale: true, source: .revalidated),
        PolicyCase(policy: .reloadIgnoringLocalCacheData, isStale: false, source: .network),
        PolicyCase(policy: .reloadIgnoringLocalAndRemoteCacheData, isStale: false, source: .network),
        PolicyCase(policy: .returnCacheDataElseLoad, isStale: false, source: .cache),
        PolicyCase(policy: .returnCacheDataElseLoad, isStale: true, source: .stale),
        PolicyCase(policy: .returnCacheDataDontLoad, isStale: true, source: .stale),
        PolicyCase(policy: .reloadRevalidatingCacheData, isStale: false, source: .revalidated),
    ]

    @Test("the cache follows the URLRequest.CachePolicy of a request and of a configuration", arguments: policies)
    func policy(test: PolicyCase) async throws {
        for isConfigured in [false, true] {
            let configuration = URLSessionConfiguration.default
            if isConfigured { configuration.requestCachePolicy = test.policy }
            let server = CachedServer(configuration: configuration) { request, _ in
                request.headers.contains(.ifNoneMatch)
                    ? .text("", status: 304, [.eTag: "\"1\""])
                    : .text("body", [.cacheControl: "max-age=10", .eTag: "\"1\""])
            }
            _ = try await server.get(policy: .reloadIgnoringLocalCacheData)
            if test.isStale { server.wait(20) }
            let response = try await server.get(policy: isConfigured ? .useProtocolCachePolicy : test.policy)
            #expect(response.source == test.source && response.text == "body")
            if test.policy == .reloadIgnoringLocalAndRemoteCacheData {
                #expect(server.requests.last?.headers[.cacheControl] == "no-cache")
            }
        }
    }

    @Test(
        "without a stored response, returnCacheDataDontLoad fails, only-if-cached returns 504, and no request is sent"
    )
    func notStored() async throws {
        let server = CachedServer { _, _ in .text("") }
        let error = await #expect(throws: URLError.self) { _ = try await server.get(policy: .returnCacheDataDontLoad) }
        #expect(error?.code == .resourceUnavailable)
        #expect(try await server.get("/a", ["Cache-Control": "only-if-cached"]).statusCode == 504)
        #expect(server.count == 0)
    }

    @Test("the cache's own 504 is not retried, and is no miss")
    func notStoredWithRetries() async throws {
        let policy = RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0, retryableHTTPStatusCodes: [504])
        let server = CachedServer(interceptor: policy) { _, _ in .text("", status: 504) }
        let response = try await server.get("/a", ["Cache-Control": "only-if-cached"])
        #expect(response.statusCode == 504 && response.source == .cache)
        #expect(server.count == 0 && server.cache.statistics.misses == 0)
        // The 504 of a server is retried.
        #expect(try await server.get("/a").source == .network)
        #expect(server.count == 3)
    }

    static let plainResponses: [TransportResponse] = [
        .text("a"), .text("a", [.cacheControl: "max-age=60"]), .text("a", [.cacheControl: "no-store"]),
        .text("a", [.cacheControl: "no-cache"]), .text("a", [.eTag: "\"1\""]),
        .text("a", [.lastModified: CachedServer.date(0)]), .text("a", [.expires: "0"]),
        .text("a", [.expires: CachedServer.date(1_800_000_100)]),
        .text("a", [.cacheControl: "max-age=60", .vary: "*"]),
        .text("a", [.cacheControl: "max-age=60", .vary: "Accept-Language"]),
        .text("a", [.cacheControl: "max-age=1, stale-while-revalidate=60, stale-if-error=60"]),
        .text("a", [.cacheControl: "max-age=60", .contentLength: "5"]),
        .text("a", status: 206, [.cacheControl: "max-age=60", .contentRange: "bytes 0-0/9"]),
        .text("", status: 301, [.cacheControl: "max-age=60", .location: "/b"]),
        .text("a", status: 404, [.cacheControl: "max-age=60"]), .text("a", status: 503, [.cacheControl: "max-age=60"]),
        .text("", status: 304, [.eTag: "\"1\""]), .text(String(repeating: "x", count: 20_000), [.eTag: "\"1\""]),
        .text("data: a\n\n", [.contentType: "text/event-stream", .cacheControl: "max-age=60"]),
    ]

    @Test(
        "a plain load has the results of a request that the whole cache stage handles",
        arguments: plainResponses,
        [false, true]
    )
    func plainLoads(response: TransportResponse, isStream: Bool) async throws {
        // A middleware makes the stage record the fields, so that no load is plain.
        let unchanged = HTTPMiddlewareTests.Middleware { request, _, next in try await next(request) }
        let servers = [[], [unchanged]].map { middleware in
            CachedServer(
                store: MemoryCacheStore(maximumSize: 20_000),
                collapsesRequests: false,
                keepsForOfflineUse: false,
                exchangeMiddleware: middleware
            ) { request, count in
                guard request.url.path == "/a" else { return .text("b") }
                // The second request fails, so that only a fallback or a stored response succeeds.
                guard count == 1 else { throw URLError(.cannotConnectToHost) }
                guard isStream else { return response }
                var streamed = TransportResponse.pieces([String(decoding: response.bodyInMemory, as: UTF8.self)])
                (streamed.status, streamed.headers) = (response.status, response.headers)
                return streamed
            }
        }
        for _ in 0..<2 {
            let results = await [result(of: servers[0]), result(of: servers[1])]
            #expect(results[0] == results[1])
            #expect(servers[0].cache.statistics == servers[1].cache.statistics)
            // The time of a request contains the wait until it is sent, which is measured.
            let heads = try await [servers[0].cache.entries(), servers[1].cache.entries()].map { entries in
                entries.map { entry in
                    var head = entry.head
                    #expect(abs(head.requestTime - head.responseTime) < 60)
                    head.requestTime = 0
                    return head
                }
            }
            #expect(heads[0] == heads[1])
            for server in servers { server.wait(10) }
        }
    }

    /// Returns a text of the result of a GET.
    private func result(of server: CachedServer) async -> String {
        do {
            let response = try await server.get()
            return "\(response.statusCode) \(response.headers) \(response.text) \(response.source)"
        } catch {
            return "\((error as? URLError)?.code.rawValue ?? 0)"
        }
    }

    @Test("in offline mode, any stored response is used and no request is sent")
    func offline() async throws {
        let server = CachedServer { _, _ in .text("body") }
        _ = try await server.get()
        server.cache.isOffline = true
        server.wait(1_000_000)
        let stored = try await server.get()
        #expect(stored.text == "body" && stored.source == .stale)
        await #expect(throws: URLError.self) { _ = try await server.get("/other") }
        await #expect(throws: URLError.self) { _ = try await server.get(method: "POST", body: "x") }
        for fields in [["Cache-Control": "no-store"], ["If-Match": "*"]] {
            let error = await #expect(throws: URLError.self) { _ = try await server.get("/a", fields) }
            #expect(error?.code == .resourceUnavailable)
        }
        server.cache.isOffline = false
        #expect(try await server.get().source == .network)
        #expect(server.count == 2)
    }

    @Test("in offline mode, a stored response and no further request follows a 304 for another representation")
    func offlineAfterNotModified() async throws {
        let cache = Locked<HTTPCache?>(nil)
        let server = CachedServer { _, count in
            guard count > 1 else { return .text("body", [.cacheControl: "no-cache", .eTag: "\"1\""]) }
            cache.withLock { $0?.isOffline = true }
            return .text("", status: 304, [.eTag: "\"other\""])
        }
        cache.withLock { $0 = server.cache }
        _ = try await server.get()
        let stored = try await server.get()
        #expect(stored.text == "body" && stored.source == .stale)
        #expect(server.count == 2)
    }

    @Test("stale-if-error also applies to a request that is sent again after a 304 for another representation")
    func staleAfterNotModified() async throws {
        let server = CachedServer { _, count in
            switch count {
            case 1: return .text("good", [.cacheControl: "max-age=1, stale-if-error=600", .eTag: "\"1\""])
            case 2, 4: return .text("", status: 304, [.eTag: "\"other\""])
            case 3: throw URLError(.networkConnectionLost)
            default: return .text("", status: 503)
            }
        }
        _ = try await server.get()
        server.wait(10)
        for count in [3, 5] {
            let stale = try await server.get()
            #expect(stale.text == "good" && stale.source == .stale && server.count == count)
        }
    }

    @Test("ranges are served from a cached whole body, and requested from the server for another version of the body")
    func ranges() async throws {
        let server = CachedServer { request, _ in
            request.headers.contains(.range)
                ? .text("?", status: 206, [.contentRange: "bytes 0-0/1"])
                : .text("0123456789", [.cacheControl: "max-age=60", .eTag: "\"1\""])
        }
        _ = try await server.get()
        for (range, text, field) in [
            ("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=7-", "789", "bytes 7-9/10"),
            ("bytes=-1", "9", "bytes 9-9/10"),
            ("bytes=8-100", "89", "bytes 8-9/10"),
        ] {
            let part = try await server.get("/a", ["Range": range])
            #expect(part.statusCode == 206 && part.text == text && part.headers[.contentRange] == field)
            #expect(part.source == .cache && part.headers[.contentLength] == "\(text.utf8.count)")
        }
        #expect(server.count == 1)
        let whole = try await server.get("/a", ["Range": "bytes=2-4", "If-Range": "\"2\""])
        #expect(whole.statusCode == 200 && whole.text == "0123456789" && whole.source == .cache)
        for range in ["bytes=10-", "bytes=0-1,3-4", "lines=1-2"] {
            #expect(try await server.get("/a", ["Range": range]).source == .network)
        }
    }

    @Test("a partial response is cached, and the missing range is requested to complete it")
    func completion() async throws {
        let server = CachedServer { request, _ in
            switch request.headers[.range] {
            case "bytes=0-3":
                .text(
                    "0123",
                    status: 206,
                    [.contentRange: "bytes 0-3/10", .eTag: "\"1\"", .cacheControl: "max-age=60"]
                )
            case "bytes=4-" where request.headers[.ifRange] == "\"1\"":
                .text("456789", status: 206, [.contentRange: "bytes 4-9/10", .eTag: "\"1\""])
            default: .text("whole", [.cacheControl: "max-age=60"])
            }
        }
        _ = try await server.get("/a", ["Range": "bytes=0-3"])
        #expect(try await server.get("/a", ["Range": "bytes=1-2"]).text == "12")
        let whole = try await server.get()
        #expect(whole.statusCode == 200 && whole.text == "0123456789" && whole.headers[.contentRange] == nil)
        let again = try await server.get()
        #expect(again.text == "0123456789" && again.source == .cache && again.headers[.contentLength] == "10")
        #expect(server.count == 2)
    }

    @Test("a partial response that is shorter than its range is not cached")
    func shortPart() async throws {
        let server = CachedServer { _, _ in
            .text("012", status: 206, [.contentRange: "bytes 0-3/10", .cacheControl: "max-age=60"])
        }
        _ = try await server.get("/a", ["Range": "bytes=0-3"])
        #expect(try await server.cache.entries().isEmpty)
    }

    @Test("a fresh cached response satisfies the application's conditions")
    func conditions() async throws {
        let server = CachedServer { _, _ in .text("body", [.cacheControl: "max-age=60", .eTag: "W/\"1\""]) }
        _ = try await server.get()
        let same = try await server.get("/a", ["If-None-Match": "\"0\", \"1\""])
        #expect(same.statusCode == 304 && same.text.isEmpty && same.headers[.eTag] == "W/\"1\"")
        #expect(try await server.get("/a", ["If-None-Match": "\"2\""]).text == "body")
        #expect(server.count == 1)
    }

    @Test("HEAD is served from the cached response to GET, and the response to HEAD updates the cached response")
    func head() async throws {
        let server = CachedServer { request, count in
            request.method == .head
                ? .text("", [.cacheControl: "max-age=100", .eTag: count > 2 ? "\"2\"" : "\"1\""])
                : .text("body", [.cacheControl: "max-age=1", .eTag: "\"1\""])
        }
        _ = try await server.get()
        let cached = try await server.get(method: "HEAD")
        #expect(cached.source == .cache && cached.data.isEmpty && cached.statusCode == 200)
        server.wait(5)
        _ = try await server.get(method: "HEAD")
        #expect(try await server.get().source == .cache)
        server.wait(200)
        _ = try await server.get(method: "HEAD")
        #expect(try await server.cache.entries().isEmpty)
    }

    @Test("an interrupted or abandoned body is not cached")
    func incomplete() async throws {
        let server = CachedServer { _, count in
            .pieces(
                ["a", "b"],
                [.cacheControl: "max-age=60"],
                then: count == 1 ? URLError(.networkConnectionLost) : nil
            )
        }
        await #expect(throws: URLError.self) { _ = try await server.get() }
        do {
            let (_, body) = try await server.session.stream(for: CachedServer.request("/a"))
            for try await _ in body { break }
        }
        #expect(try await server.cache.entries().isEmpty)
        #expect(try await server.get().text == "ab")
        #expect(try await server.get().source == .cache)
    }

    @Test("a body that does not match its Content-Length is not cached")
    func wrongLength() async throws {
        let server = CachedServer { _, _ in .pieces(["abc"], [.cacheControl: "max-age=60", .contentLength: "5"]) }
        _ = try await server.get()
        #expect(try await server.cache.entries().isEmpty)
    }

    @Test(
        "a name in Content-Encoding that is not a coding affects neither cached ranges nor the check of the length",
        arguments: ["none", "UTF-8", "identity"]
    )
    func noCoding(name: String) async throws {
        let server = CachedServer { request, _ in
            let length = request.url.path == "/short" ? "5" : "4"
            return .pieces(["0123"], [.cacheControl: "max-age=60", .contentEncoding: name, .contentLength: length])
        }
        _ = try await server.get()
        let range = try await server.get("/a", ["Range": "bytes=1-2"])
        #expect(range.statusCode == 206 && range.text == "12" && range.source == .cache)
        _ = try await server.get("/short")
        #expect(try await server.cache.entries().map(\.key) == [.test("/a")])
    }

    @Test("responses of streams and downloads are stored in the cache and served from it")
    func forms() async throws {
        let folder = try TemporaryFolder()
        let server = CachedServer { _, count in .pieces(["one", "two", "\(count)"], [.cacheControl: "max-age=60"]) }
        let (_, body) = try await server.session.stream(for: CachedServer.request("/a"))
        var text = ""
        for try await piece in body { text += String(decoding: piece, as: UTF8.self) }
        #expect(text == "onetwo1")
        let file = folder.url.appendingPathComponent("file")
        let saved = try await server.session.download(CachedServer.request("/a")) { _, _ in (file, []) }
        #expect(saved.source == .cache)
        #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == "onetwo1")
        let (head, again) = try await server.session.stream(for: CachedServer.request("/a"))
        #expect(head.source == .cache)
        text = ""
        for try await piece in again { text += String(decoding: piece, as: UTF8.self) }
        #expect(text == "onetwo1" && server.count == 1)
    }

    @Test("each request of a redirect chain uses the cache")
    func redirects() async throws {
        let server = CachedServer { request, _ in
            request.url.path == "/a"
                ? .text("", status: 301, [.location: "/b", .cacheControl: "max-age=60"])
                : .text("end", [.cacheControl: "max-age=60"])
        }
        for source in [ResponseSource.network, .cache] {
            let response = try await server.get()
            #expect(response.text == "end" && response.source == source)
        }
        #expect(server.count == 2)
    }

    @Test("a response that was stale when it was stored is used without retries when the server fails")
    func retries() async throws {
        let server = CachedServer(interceptor: RetryPolicy()) { _, count in
            guard count == 1 else { return .text("", status: 503) }
            return .text("good", [.cacheControl: "max-age=1, stale-if-error=100"])
        }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().source == .stale)
        #expect(server.count == 2)
    }

    @Test("monitors get an event for a response from the cache")
    func events() async throws {
        let monitor = SourceMonitor()
        let server = CachedServer(eventMonitors: [monitor]) { _, _ in .text("", [.cacheControl: "max-age=60"]) }
        for _ in 0..<2 { _ = try await server.get() }
        #expect(monitor.sources.withLock { $0 } == [.cache])
    }

    @Test("an error of the cache's store does not fail a request")
    func failingStore() async throws {
        let server = CachedServer(store: FailingStore()) { _, count in .text("\(count)", [.cacheControl: "max-age=60"])
        }
        #expect(try await server.get().text == "1")
        #expect(try await server.get().text == "2")
        _ = try await server.get(method: "DELETE")
        #expect(server.cache.statistics.storeErrors > 3)
    }

    @Test("failed operations of the cache's store that the application has called are counted")
    func countedErrors() async throws {
        let cache = HTTPCache(store: FailingStore())
        await #expect(throws: FailingStore.Failure.self) { _ = try await cache.entries() }
        await #expect(throws: FailingStore.Failure.self) { try await cache.remove(URL(fileURLWithPath: "/a")) }
        await #expect(throws: FailingStore.Failure.self) { try await cache.removeAll() }
        #expect(cache.statistics.storeErrors == 3)
    }

    @Test(
        "a failed read of a streamed body from the cache is counted, and a cancelled one is not",
        arguments: [false, true]
    )
    func countedReads(isCancelled: Bool) async throws {
        let failure: any Error = isCancelled ? CancellationError() : URLError(.cannotOpenFile)
        var store = ObservedStore()
        store.onRead = { throw failure }
        let server = CachedServer(store: store) { _, _ in .text("body", [.cacheControl: "max-age=60"]) }
        _ = try await server.get()
        await #expect(throws: (any Error).self) { _ = try await server.get() }
        #expect(server.cache.statistics.storeErrors == (isCancelled ? 0 : 1))
    }

    @Test("the cache's store gets the entry that it has returned, also after a 304 with other fields")
    func returnedEntry() async throws {
        let opened = Locked<[CacheEntry]>([])
        var store = ObservedStore()
        store.onOpen = { entry in opened.withLock { $0.append(entry) } }
        let server = CachedServer(store: store) { _, count in
            count == 1
                ? .text("body", [.cacheControl: "no-cache", .eTag: "\"1\""])
                : .text("", status: 304, [.cacheControl: "max-age=60", .eTag: "\"1\""])
        }
        for _ in 0..<2 { _ = try await server.get() }
        #expect(opened.withLock { $0 }.map { $0.head.headers[.cacheControl] } == ["no-cache"])
    }

    @Test(
        "a confirmed response whose head the cache's store cannot replace is not reported as stored",
        arguments: [false, true]
    )
    func failedReplacement(isFailing: Bool) async throws {
        var store = ObservedStore()
        if isFailing { store.onUpdate = { throw FailingStore.Failure() } }
        try await store.put(Data("body".utf8))
        let entry = try #require(try await store.entries(for: .test("/a")).first)
        let result = try await confirm(entry, in: store)
        #expect(result.response.source == .revalidated)
        #expect(knownOutcome(of: result) == (isFailing ? .notStored : .stored))
    }

    @Test(
        "a confirmed response that the cache's store has removed is not reported as stored",
        arguments: StoreKind.allCases
    )
    func removedConfirmation(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.put(Data("body".utf8))
            let entry = try #require(try await store.entries(for: .test("/a")).first)
            try await store.remove(entry)
            let result = try await confirm(entry, in: store, method: .head)
            #expect(result.response.source == .revalidated)
            #expect(knownOutcome(of: result) == .notStored)
        }
    }

    private func knownOutcome(of result: FetchResult) -> CollapsedRequests.Outcome? {
        if case .known(let outcome) = result.end { outcome } else { nil }
    }

    /// Validates an entry at a server that confirms it.
    private func confirm(
        _ entry: CacheEntry,
        in store: any CacheStore,
        method: HTTPMethod = .get
    ) async throws -> FetchResult {
        struct Confirmation: ExchangeStage {
            func respond(
                to request: TransportRequest,
                context: RequestContext,
                next: ExchangeHandler
            ) async throws -> TransportResponse {
                TransportResponse(status: 304, headers: [.cacheControl: "max-age=60", .eTag: "\"1\""])
            }
        }
        let responder = CacheResponder(
            cache: HTTPCache(store: store),
            request: TransportRequest(method: method, url: URL(string: "http://server.test/a")!),
            cacheRequest: CacheRequest(method: method, key: .test("/a")),
            context: RequestContext(session: .default, settings: RequestSettings(), record: RequestRecord()),
            next: ExchangeHandler(Confirmation()),
            isInBackground: false,
            recordsSentFields: false
        )
        return try await responder.fetch(for: .validation(entry, adding: [:]), reporter: nil)
    }
}

private final class SourceMonitor: EventMonitor {
    let sources = Locked<[ResponseSource]>([])

    func record(_ event: RequestEvent) {
        if case .cached(let source) = event.kind { sources.withLock { $0.append(source) } }
    }
}

/// A store in memory that returns bodies as streams, and reports its operations.
struct ObservedStore: CacheStore {
    var store = MemoryCacheStore()
    /// Called before the only chunk of a body is read.
    var onRead: @Sendable () throws -> Void = {}
    /// Called with the entry whose body is opened.
    var onOpen: @Sendable (CacheEntry) -> Void = { _ in }
    /// Called before an entry is removed.
    var onRemove: @Sendable () -> Void = {}
    /// Called before a head is replaced.
    var onUpdate: @Sendable () throws -> Void = {}
    /// Called before a response begins to be stored.
    var onWrite: @Sendable () throws -> Void = {}
    /// Called before a piece of a body is written.
    var onAppend: @Sendable () throws -> Void = {}
    /// Called after an entry has become visible, before its writer returns.
    var onFinish: @Sendable () async throws -> Void = {}

    func entries(for key: CacheKey) async throws -> [CacheEntry] { try await store.entries(for: key) }
    func body(of entry: CacheEntry, range: Range<Int64>?) async throws -> TransportBody? {
        onOpen(entry)
        guard case .complete(let data)? = try await store.body(of: entry, range: range) else { return nil }
        let rest = Locked<Data?>(data)
        return .stream(
            TransportBodyStream { [onRead] in
                guard let data = rest.withLock({ $0 }) else { return nil }
                rest.withLock { $0 = nil }
                try onRead()
                return data
            }
        )
    }
    func write(
        _ response: CachedHead,
        for key: CacheKey,
        length: Int64?,
        replacing replaced: [CacheEntry.ID]
    ) async throws -> (any CacheWriter)? {
        try onWrite()
        return try await store.write(response, for: key, length: length, replacing: replaced)
            .map { Writer(writer: $0, onAppend: onAppend, onFinish: onFinish) }
    }
    func update(_ entry: CacheEntry, to response: CachedHead) async throws -> Bool {
        try onUpdate()
        return try await store.update(entry, to: response)
    }
    func remove(_ entry: CacheEntry) async throws {
        onRemove()
        try await store.remove(entry)
    }
    func removeEntries(for key: CacheKey) async throws { try await store.removeEntries(for: key) }
    func removeAll() async throws { try await store.removeAll() }
    func allEntries() async throws -> [CacheEntry] { try await store.allEntries() }
    var size: Int64 { get async { await store.size } }

    private struct Writer: CacheWriter {
        let writer: any CacheWriter
        let onAppend: @Sendable () throws -> Void
        let onFinish: @Sendable () async throws -> Void

        func append(_ data: Data) async throws -> Bool {
            try onAppend()
            return try await writer.append(data)
        }
        func finish() async throws {
            try await writer.finish()
            try await onFinish()
        }
        func discard() async { await writer.discard() }
    }
}

/// A store whose operations fail.
struct FailingStore: CacheStore {
    struct Failure: Error {}

    func entries(for key: CacheKey) async throws -> [CacheEntry] { throw Failure() }
    func body(of entry: CacheEntry, range: Range<Int64>?) async throws -> TransportBody? { throw Failure() }
    func write(
        _ response: CachedHead,
        for key: CacheKey,
        length: Int64?,
        replacing replaced: [CacheEntry.ID]
    ) async throws -> (any CacheWriter)? { throw Failure() }
    func update(_ entry: CacheEntry, to response: CachedHead) async throws -> Bool { throw Failure() }
    func remove(_ entry: CacheEntry) async throws { throw Failure() }
    func removeEntries(for key: CacheKey) async throws { throw Failure() }
    func removeAll() async throws { throw Failure() }
    func allEntries() async throws -> [CacheEntry] { throw Failure() }
    var size: Int64 { get async { 0 } }
}
