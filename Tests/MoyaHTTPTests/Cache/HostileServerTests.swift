import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The cache is correct for contradictory servers")
struct HostileServerTests {
    // MARK: Validation

    @Test("a stored response is selected by the Vary field that a 304 adds", arguments: StoreKind.allCases)
    func varyOf304(kind: StoreKind) async throws {
        try await kind.withStore { store in
            let server = CachedServer(store: store) { request, count in
                switch count {
                case 1: .text("one", [.cacheControl: "max-age=0", .eTag: "\"1\""])
                case 2:
                    TransportResponse(status: 304, headers: [.cacheControl: "max-age=60", .vary: "Accept-Language"])
                default: .text("other")
                }
            }
            _ = try await server.get()
            #expect(try await server.get(["Accept-Language": "de"]).source == .revalidated)
            #expect(try await server.get(["Accept-Language": "de"]).source == .cache)
            #expect(try await server.get(["Accept-Language": "fr"]).data == Data("other".utf8))
        }
    }

    @Test(
        "a stored response whose storage a 304 forbids is used once and removed",
        arguments: [[.vary: "*"], [.cacheControl: "no-store"]] as [HTTPFields]
    )
    func removedBy304(fields: HTTPFields) async throws {
        for kind in StoreKind.allCases {
            try await kind.withStore { store in
                let server = CachedServer(store: store) { _, count in
                    if count == 2 { return TransportResponse(status: 304, headers: fields) }
                    return .text("one", [.cacheControl: "max-age=0", .eTag: "\"1\""])
                }
                _ = try await server.get()
                let confirmed = try await server.get()
                #expect(confirmed.source == .revalidated && confirmed.data == Data("one".utf8))
                #expect(try await server.cache.entries().isEmpty)
            }
        }
    }

    @Test("a 304 with another Last-Modified counts as one for another representation")
    func lastModifiedOf304() async throws {
        let server = CachedServer { request, count in
            guard count == 2 else {
                return .text(
                    "\(count)",
                    [.cacheControl: "max-age=0", .eTag: "\"1\"", .lastModified: CachedServer.date(0)]
                )
            }
            return TransportResponse(
                status: 304,
                headers: [.cacheControl: "max-age=60", .lastModified: CachedServer.date(60)]
            )
        }
        _ = try await server.get()
        #expect(try await server.get(["If-None-Match": "\"2\""]).statusCode == 304)
        #expect(try await server.get().data == Data("3".utf8))
    }

    // MARK: Parts

    private static func part(_ range: String, _ body: String, _ fields: HTTPFields = [:]) -> TransportResponse {
        var headers: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\"", .contentRange: "bytes \(range)"]
        for field in fields { headers[field.name] = field.value }
        return TransportResponse(status: 206, headers: headers, body: .complete(Data(body.utf8)))
    }

    @Test(
        "a partial response is not combined with a rest that is shorter or longer than its range",
        arguments: ["56", "56789more"],
        [true, false]
    )
    func lengthOfTheRest(rest: String, isStream: Bool) async throws {
        for kind in StoreKind.allCases {
            try await kind.withStore { store in
                let server = CachedServer(store: store) { request, count in
                    if count == 1 { return Self.part("0-4/10", "01234") }
                    guard request.headers[.range] != nil else { return .text("0123456789") }
                    var response = Self.part("5-9/10", rest)
                    if isStream { response.body = TransportResponse.pieces([rest]).body }
                    return response
                }
                _ = try await server.get(["Range": "bytes=0-4"])
                // If only the end of the stream reveals it, the request fails, but not the next one.
                let first: Data?
                do { first = try await server.get().data } catch {
                    first = nil
                    #expect((error as? URLError)?.code == .badServerResponse)
                }
                #expect(first == (isStream ? nil : Data("0123456789".utf8)))
                #expect(try await server.get().data == Data("0123456789".utf8))
            }
        }
    }

    @Test("a remaining range with no-store completes a response, and neither the response nor its part is stored")
    func noStoreOfTheRest() async throws {
        let server = CachedServer { request, count in
            count == 1 ? Self.part("0-4/10", "01234") : Self.part("5-9/10", "56789", [.cacheControl: "no-store"])
        }
        _ = try await server.get(["Range": "bytes=0-4"])
        #expect(try await server.get().data == Data("0123456789".utf8))
        #expect(try await server.cache.entries().isEmpty)
    }

    @Test("the rest of a partial response sets its cookies, and not those of the part", arguments: [nil, "b=2"])
    func cookiesOfTheRest(cookie: String?) async throws {
        let jar = CookieJar()
        let server = CachedServer(options: SessionOptions(cookieStorage: jar)) { _, count in
            guard count > 1 else { return Self.part("0-4/10", "01234", [.setCookie: "a=1"]) }
            var rest = Self.part("5-9/10", "56789")
            rest.headers[.setCookie] = cookie
            return rest
        }
        _ = try await server.get(["Range": "bytes=0-4"])
        jar.removeAll()
        #expect(try await server.get().data == Data("0123456789".utf8))
        #expect(jar.cookieHeader(for: URL(string: "http://server.test/a")!, context: CookieContext()) == cookie)
    }

    @Test(
        "a content coding in the rest of a partial response, or a 304 instead of the rest, causes a new request",
        arguments: [206, 304]
    )
    func otherRest(status: Int) async throws {
        let server = CachedServer { request, count in
            if count == 1 { return Self.part("0-4/10", "01234") }
            guard request.headers[.range] != nil else { return .text("all") }
            var rest = Self.part("5-9/10", "56789", [.contentEncoding: "gzip"])
            rest.status = status
            return rest
        }
        _ = try await server.get(["Range": "bytes=0-4"])
        #expect(try await server.get().data == Data("all".utf8))
    }

    @Test("the body of a rest that does not belong to a stored part is dropped before the new request is sent")
    func droppedRest() async throws {
        let isDropped = Locked(false)
        let server = CachedServer { request, count in
            if count == 1 { return Self.part("0-4/10", "01234") }
            guard request.headers[.range] != nil else { return .text(isDropped.withLock { $0 } ? "dropped" : "held") }
            var rest = Self.part("5-9/10", "", [.eTag: "\"2\""])
            rest.body = .stream(
                TransportBodyStream {
                    isDropped.withLock { $0 = true }
                    return nil
                }
            )
            return rest
        }
        _ = try await server.get(["Range": "bytes=0-4"])
        #expect(try await server.get().data == Data("dropped".utf8))
    }

    @Test("a stored part whose rest belongs to another representation is removed")
    func unfittingPart() async throws {
        let server = CachedServer { request, count in
            if count == 1 { return Self.part("0-4/10", "01234") }
            guard request.headers[.range] != nil else { return .text("all", [.cacheControl: "no-store"]) }
            return Self.part("5-9/10", "56789", [.eTag: "\"2\""])
        }
        _ = try await server.get(["Range": "bytes=0-4"])
        #expect(try await server.get().data == Data("all".utf8))
        #expect(server.requests.map { $0.headers[.range] } == ["bytes=0-4", "bytes=5-", nil])
        #expect(try await server.cache.entries().isEmpty)
    }

    @Test("a partial response that covers the whole body is used as a complete response")
    func wholePart() async throws {
        let server = CachedServer { _, _ in Self.part("0-9/10", "0123456789") }
        #expect(try await server.get(["Range": "bytes=0-"]).statusCode == 206)
        let whole = try await server.get()
        #expect(whole.statusCode == 200 && whole.source == .cache && whole.data == Data("0123456789".utf8))
        #expect(whole.headers[.contentRange] == nil && whole.headers[.contentLength] == "10")
        let part = try await server.get(["Range": "bytes=-2"])
        #expect(part.headers[.contentRange] == "bytes 8-9/10" && part.data == Data("89".utf8))
        #expect(server.count == 1)
    }

    // MARK: Lengths

    @Test(
        "the cache accepts any declared length of a response",
        arguments: StoreKind.allCases,
        [Int64.max, .max - 4095, .min, -1, 0]
    )
    func declaredLength(kind: StoreKind, length: Int64) async throws {
        try await kind.withStore { store in
            let server = CachedServer(store: store) { _, _ in
                .pieces(["abc"], [.cacheControl: "max-age=60", .contentLength: "\(length)"])
            }
            let (_, body) = try await server.session.stream(for: CachedServer.request("/a"))
            var data = Data()
            for try await chunk in body { data += chunk }
            #expect(data == Data("abc".utf8))
            #expect(try await server.cache.entries().isEmpty)
        }
    }

    @Test("heads of cache entries that grow with each 304 stay within the store's limit", arguments: StoreKind.allCases)
    func growingHeads(kind: StoreKind) async throws {
        try await kind.withStore(maximumSize: 400_000) { store in
            let server = CachedServer(store: store) { request, _ in
                var headers: HTTPFields = [.cacheControl: "max-age=0", .eTag: "\"1\""]
                guard request.headers[.ifNoneMatch] != nil else { return .text("body", headers) }
                headers[.server] = String(repeating: "x", count: 20_000)
                return TransportResponse(status: 304, headers: headers)
            }
            for _ in 0..<2 {
                for number in 0..<40 {
                    let response = try await server.get("/\(number)")
                    #expect(response.data == Data("body".utf8))
                }
                #expect(await server.cache.size <= 400_000)
            }
        }
    }

    @Test("the cache stores only whole bodies, wherever a reader stops", arguments: StoreKind.allCases, [true, false])
    func stoppedReader(kind: StoreKind, declaresLength: Bool) async throws {
        let pieces = ["one ", "two ", "three"]
        for stop in 0...(pieces.count + 1) {
            try await kind.withStore { store in
                let server = CachedServer(store: store) { _, _ in
                    .pieces(pieces, [.cacheControl: "max-age=60", declaresLength ? .contentLength : .server: "13"])
                }
                do {
                    let (_, body) = try await server.session.stream(for: CachedServer.request("/a"))
                    var reader = body.makeAsyncIterator()
                    for _ in 0..<stop { _ = try await reader.next() }
                }
                let isRead = stop > pieces.count
                let next = try await server.get()
                #expect(next.data == Data("one two three".utf8))
                #expect(next.source == (isRead ? .cache : .network))
            }
        }
    }

    // MARK: Removal

    enum Removal: CaseIterable, Sendable { case post, remove, removeAll }

    @Test("a response to a request that was sent before a removal is not stored", arguments: Removal.allCases)
    func removedMeanwhile(removal: Removal) async throws {
        for kind in StoreKind.allCases {
            try await kind.withStore { store in
                let server = CachedServer(store: store) { request, count in
                    if request.method == .post { return .text("") }
                    return .pieces(["\(count)", "-", "old"], [.cacheControl: "max-age=60"])
                }
                let (_, body) = try await server.session.stream(for: CachedServer.request("/a"))
                var reader = body.makeAsyncIterator()
                _ = try await reader.next()
                switch removal {
                case .post: _ = try await server.get(method: "POST", body: "new")
                case .remove: try await server.cache.remove(URL(string: "http://server.test/a")!)
                case .removeAll: try await server.cache.removeAll()
                }
                while try await reader.next() != nil {}
                #expect(try await server.cache.entries().isEmpty)
                let next = try await server.get()
                #expect(next.source == .network)
                #expect(try await server.get().source == .cache)
            }
        }
    }

    @Test("a removal while a response is stored removes that response, and not one that is requested after the removal")
    func removedWhileStored() async throws {
        let current = Locked<CachedServer?>(nil)
        var store = ObservedStore()
        store.onFinish = {
            let server = current.withLock { current in
                defer { current = nil }
                return current
            }
            // Only the first response is removed.
            guard let server else { return }
            try await server.cache.remove(URL(string: "http://server.test/a")!)
            server.wait(1)
            #expect(try await server.get().text == "2")
            // The writer of the first response finishes only now, for example because its disk was slow.
            try await server.cache.store.write(
                CachedHead(status: 200, requestTime: 1_800_000_000, responseTime: 1_800_000_000),
                for: CacheKey(URL(string: "http://server.test/a")!),
                length: nil,
                replacing: []
            )?.finish()
        }
        let server = CachedServer(store: store, collapsesRequests: false) { _, count in
            .text("\(count)", [.cacheControl: "max-age=60"])
        }
        current.withLock { $0 = server }
        #expect(try await server.get().text == "1")
        let next = try await server.get()
        #expect(next.text == "2" && next.source == .cache)
        #expect(try await server.cache.entries().count == 1)
    }

    @Test("the removal of many URLs from the cache uses bounded memory and covers all of them")
    func manyRemovals() {
        let removals = CacheRemovals()
        let start = removals.currentMoment
        for number in 0..<3000 { removals.recordRemoval(of: .test("/\(number)")) }
        #expect((0..<3000).allSatisfy { start.hasRemoved(.test("/\($0)")) })
        let end = removals.currentMoment
        #expect(!end.hasRemoved(.test("/1")))
        removals.recordRemoval(of: .test("/1"))
        #expect(end.hasRemoved(.test("/1")) && !end.hasRemoved(.test("/2")))
        removals.recordRemoval(of: nil)
        #expect(end.hasRemoved(.test("/2")))
    }

    @Test("no-cache without names in a response, and any no-cache in a request, require a validation")
    func noCacheValues() async throws {
        let server = CachedServer { request, _ in
            .text("", [.cacheControl: request.url.path == "/empty" ? "max-age=60, no-cache=\"\"" : "max-age=60"])
        }
        _ = try await server.get("/empty")
        #expect(try await server.get("/empty").source == .network)
        _ = try await server.get("/a")
        #expect(try await server.get(["Cache-Control": "no-cache=\"x\""]).source == .network)
    }
}

extension CachedServer {
    fileprivate func get(_ headers: [String: String]) async throws -> SessionResponse {
        try await get("/a", method: "GET", headers)
    }
}

@Suite("A custom store may return arbitrary values")
struct HostileStoreTests {
    /// Has one entry and stores no others.
    private struct Store: CacheStore {
        let entry: CacheEntry
        let size: Int64 = -1

        func entries(for key: CacheKey) -> [CacheEntry] { [entry] }
        func body(of entry: CacheEntry, range: Range<Int64>?) -> TransportBody? { .complete(Data("stored".utf8)) }
        func write(
            _ response: CachedHead,
            for key: CacheKey,
            length: Int64?,
            replacing replaced: [CacheEntry.ID]
        ) -> (any CacheWriter)? { nil }
        func update(_ entry: CacheEntry, to response: CachedHead) -> Bool { true }
        func remove(_ entry: CacheEntry) {}
        func removeEntries(for key: CacheKey) {}
        func removeAll() {}
        func allEntries() -> [CacheEntry] { [entry] }
    }

    @Test(
        "no number in an entry of a custom store crashes the process",
        arguments: [Int64.min, -1, 0, 5, .max],
        [Int64.min, -1, 0, 5, .max]
    )
    func numbers(size: Int64, start: Int64) async throws {
        let times: [Double] = [.nan, .infinity, -.infinity, 0, 1_800_000_000, 1e300]
        for (time, length) in zip(times, [nil, .min, 0, 5, .max - 1, .max] as [Int64?]) {
            for part in [nil, CachedHead.Part(start: start, completeLength: length)] {
                let response = CachedHead(
                    status: part == nil ? Int(size) : 206,
                    headers: [.cacheControl: "max-age=1000", .eTag: "\"1\""],
                    requestTime: time,
                    responseTime: time,
                    part: part
                )
                let entry = CacheEntry(id: .init(rawValue: .max), key: .test("/a"), head: response, bodySize: size)
                let server = CachedServer(store: Store(entry: entry)) { _, _ in .text("sent") }
                for range in [
                    "bytes=0-4", "bytes=-3", "bytes=2-", "bytes=9223372036854775804-", "bytes=-9223372036854775807",
                ] {
                    for policy in [URLRequest.CachePolicy.useProtocolCachePolicy, .returnCacheDataElseLoad] {
                        let response = try await server.get("/a", ["Range": range], policy: policy)
                        #expect(["stored", "sent"].contains(String(decoding: response.data, as: UTF8.self)))
                    }
                }
                _ = try await server.get()
                _ = try await server.get(method: "HEAD")
            }
        }
    }
}
