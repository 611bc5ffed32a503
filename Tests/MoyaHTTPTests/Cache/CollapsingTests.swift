import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Equal requests are collapsed (RFC 9111, section 4)")
struct CollapsingTests {
    @Test("1,000 requests for 50 URLs, half of them stale in the cache, cause one request for each URL")
    func thousand() async throws {
        let gate = Locked(false)
        let server = CachedServer { request, _ in
            // Except in the preparation, the server responds only after all requests have been made.
            while gate.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return request.headers.contains(.ifNoneMatch)
                ? .text("", status: 304, [.eTag: "\"1\"", .cacheControl: "max-age=100"])
                : .text(request.url.path, [.eTag: "\"1\"", .cacheControl: "max-age=100"])
        }
        for index in 0..<25 { _ = try await server.get("/\(index)") }
        server.wait(200)
        gate.withLock { $0 = true }
        let texts = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<1000 {
                group.addTask { try await server.get("/\(index % 50)").text == "/\(index % 50)" }
            }
            try await eventually { server.cache.statistics.collapsed == 950 }
            gate.withLock { $0 = false }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.count == 1000 && texts.allSatisfy { $0 })
        #expect(server.count == 75)
        #expect(server.requests.filter { $0.headers.contains(.ifNoneMatch) }.count == 25)
    }

    @Test("a response that cannot be stored is not shared, and later requests do not wait for an equal request")
    func unshared() async throws {
        let open = Locked(false)
        let server = CachedServer { _, count in
            while !open.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return .text("\(count)", [.cacheControl: "no-store"])
        }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 { group.addTask { try await server.get().text } }
            try await eventually { server.cache.statistics.collapsed == 9 }
            open.withLock { $0 = true }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 10 && server.count == 10)
        open.withLock { $0 = false }
        async let one = server.get()
        async let other = server.get()
        try await eventually { server.count == 12 }
        open.withLock { $0 = true }
        _ = try await (one, other)
        #expect(server.cache.statistics.collapsed == 9)
    }

    @Test("an outdated response is removed before equal requests learn that the new one is too large for the store")
    func removedBeforeReport() async throws {
        let (isWaiting, current) = (Locked<[Bool]>([]), Locked<CachedServer?>(nil))
        var store = ObservedStore(store: MemoryCacheStore(maximumSize: 20_000))
        store.onRemove = {
            guard let server = current.withLock({ $0 }), let sent = server.requests.first else { return }
            let request = CacheRequest(method: .get, key: CacheKey(sent.url), headers: sent.headers)
            let role = server.cache.collapsedRequests.join(CollapsedRequests.ID(request))
            let isFollower = if case .follower = role { true } else { false }
            isWaiting.withLock { $0.append(isFollower) }
        }
        defer { current.withLock { $0 = nil } }
        let server = CachedServer(store: store) { _, count in
            let fields: HTTPFields = [.cacheControl: "max-age=1", .eTag: "\"\(count)\""]
            let piece = String(repeating: "x", count: 8_000)
            return count == 1 ? .text("1", fields) : .pieces([piece, piece], fields)
        }
        current.withLock { $0 = server }
        _ = try await server.get()
        server.wait(10)
        #expect(try await server.get().text.count == 16_000)
        #expect(isWaiting.withLock { $0 } == [true])
    }

    @Test("after a 304 that forbids the storage of a response, later requests do not wait for an equal request")
    func removedBy304() async throws {
        let isOpen = Locked(true)
        let server = CachedServer { _, count in
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return count == 1
                ? .text("one", [.cacheControl: "no-cache", .eTag: "\"1\""])
                : .text("", status: count == 2 ? 304 : 200, [.cacheControl: "no-store"])
        }
        _ = try await server.get()
        #expect(try await server.get().source == .revalidated)
        isOpen.withLock { $0 = false }
        async let one = server.get()
        async let other = server.get()
        try await eventually { server.count == 4 || server.cache.statistics.collapsed > 0 }
        isOpen.withLock { $0 = true }
        _ = try await (one, other)
        #expect(server.cache.statistics.collapsed == 0)
    }

    @Test(
        "requests whose stored response must be validated before each use do not wait for an equal request until it is fresh",
        arguments: ["no-cache", "max-age=0", "max-age=60, no-cache", nil],
        [true, false]
    )
    func needsValidation(control: String?, hasTag: Bool) async throws {
        let (isOpen, control) = (Locked(true), Locked(control))
        let server = CachedServer { request, count in
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            var fields: HTTPFields = [.eTag: "\"1\""]
            fields[.cacheControl] = control.withLock { $0 }
            guard hasTag else {
                fields[.eTag] = nil
                return .text("body", fields)
            }
            return .text("body", status: request.headers.contains(.ifNoneMatch) ? 304 : 200, fields)
        }
        func getTwice(waitingFor condition: @escaping () -> Bool) async throws {
            isOpen.withLock { $0 = false }
            async let one = server.get()
            async let other = server.get()
            try await eventually(condition)
            isOpen.withLock { $0 = true }
            _ = try await (one, other)
        }
        // The second request gets a 304, if there is a tag.
        for _ in 0..<2 { _ = try await server.get() }
        try await getTwice { server.count == 4 || server.cache.statistics.collapsed > 0 }
        #expect(server.count == 4 && server.cache.statistics.collapsed == 0)
        control.withLock { $0 = "max-age=60" }
        _ = try await server.get()
        server.wait(100)
        try await getTwice { server.cache.statistics.collapsed == 1 }
        #expect(server.count == 6)
    }

    @Test("requests that get a stale response while one of them refreshes it still wait for an equal request")
    func staleWhileRevalidate() async throws {
        let isOpen = Locked(true)
        let server = CachedServer { _, count in
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return .text("\(count)", [.cacheControl: "max-age=0, stale-while-revalidate=60"])
        }
        _ = try await server.get()
        server.wait(100)
        isOpen.withLock { $0 = false }
        async let one = server.get()
        async let other = server.get()
        try await eventually { server.cache.statistics.collapsed == 1 || server.count == 3 }
        #expect(server.cache.statistics.collapsed == 1)
        isOpen.withLock { $0 = true }
        #expect(try await [one.text, other.text] == ["2", "2"])
    }

    @Test("requests whose response is too large for the cache do not wait for an equal request until one is stored")
    func tooLarge() async throws {
        let (isOpen, size) = (Locked(true), Locked(20_000))
        let server = CachedServer(store: MemoryCacheStore(maximumSize: 20_000)) { _, _ in
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return .text(String(repeating: "x", count: size.withLock { $0 }), [.cacheControl: "max-age=60"])
        }
        func getTwice(waitingFor condition: @escaping () -> Bool) async throws {
            isOpen.withLock { $0 = false }
            async let one = server.get()
            async let other = server.get()
            try await eventually(condition)
            isOpen.withLock { $0 = true }
            _ = try await (one, other)
        }
        // The first response is too large, and so is that to the next request, which is sent alone.
        for _ in 0..<2 { _ = try await server.get() }
        try await getTwice { server.count == 4 }
        #expect(server.cache.statistics.collapsed == 0)
        size.withLock { $0 = 1 }
        _ = try await server.get()
        server.wait(100)
        try await getTwice { server.cache.statistics.collapsed == 1 }
        #expect(server.count == 6)
    }

    @Test("after the cache's store has failed to write a response, later requests wait for an equal request")
    func failingStore() async throws {
        let open = Locked(true)
        let server = CachedServer(store: FailingStore()) { _, count in
            while !open.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return .text("\(count)", [.cacheControl: "max-age=60"])
        }
        _ = try await server.get()
        open.withLock { $0 = false }
        async let one = server.get()
        async let other = server.get()
        try await eventually { server.cache.statistics.collapsed == 1 }
        open.withLock { $0 = true }
        _ = try await (one, other)
        #expect(server.count == 3)
    }

    @Test("when the first of equal requests fails, the others are sent; when it is cancelled, one of them is sent")
    func failures() async throws {
        for isCancelled in [false, true] {
            let open = Locked(false)
            let server = CachedServer { _, count in
                while !open.withLock({ $0 }) {
                    try Task.checkCancellation()
                    try await Task.sleep(for: .milliseconds(1))
                }
                if count == 1 { throw URLError(.networkConnectionLost) }
                return .text("\(count)", [.cacheControl: "max-age=60"])
            }
            let first = Task { try await server.get() }
            try await eventually { server.count == 1 }
            let others = (0..<4).map { _ in Task { try await server.get().text } }
            try await eventually { server.cache.statistics.collapsed == 4 }
            if isCancelled {
                first.cancel()
                try await eventually { server.count == 2 }
            }
            open.withLock { $0 = true }
            await #expect(throws: URLError.self) { _ = try await first.value }
            var texts: Set<String> = []
            for other in others { texts.insert(try await other.value) }
            // A late one of the requests that are sent separately may find the response of another.
            #expect(isCancelled ? server.count == 2 : (2...5).contains(server.count))
            #expect(texts.count == server.count - 1)
        }
    }

    @Test("when the response to the first of equal requests is too long for its session, the others are sent together")
    func bodyTooLong() async throws {
        // The number of requests to which the server responds.
        let allowed = Locked(0)
        let server = CachedServer(options: SessionOptions(maximumBodySize: 3)) { _, count in
            while allowed.withLock({ $0 }) < count { try await Task.sleep(for: .milliseconds(1)) }
            return .pieces(["ab", "cd"], [.cacheControl: "max-age=60"])
        }
        let first = Task { try await server.get() }
        try await eventually { server.count == 1 }
        let others = (0..<3).map { _ in Task { try await server.get() } }
        try await eventually { server.cache.statistics.collapsed == 3 }
        allowed.withLock { $0 = 1 }
        try await eventually { server.count == 4 }
        allowed.withLock { $0 = 4 }
        for task in [first] + others {
            let error = await #expect(throws: URLError.self) { _ = try await task.value }
            #expect(error?.code == .dataLengthExceedsMaximum)
        }
        #expect(server.cache.statistics.collapsed == 3)
    }

    @Test("a request that waits for an equal request ends when it is cancelled, and is not sent after its timeout")
    func waiting() async throws {
        let open = Locked(false)
        let server = CachedServer { request, count in
            request.onConnect?()
            while count == 1, !open.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return .text("\(count)", [.cacheControl: "max-age=60"])
        }
        let first = Task { try await server.get().text }
        try await eventually { server.count == 1 }
        let second = Task { try await server.get() }
        try await eventually { server.cache.statistics.collapsed == 1 }
        second.cancel()
        await #expect(throws: URLError.self) { _ = try await second.value }
        var impatient = CachedServer.request("/a")
        impatient.timeoutInterval = 0.05
        let error = await #expect(throws: URLError.self) { try await server.session.data(for: impatient) }
        #expect(error?.code == .timedOut)
        open.withLock { $0 = true }
        #expect(try await first.value == "1")
        #expect(server.count == 1)
    }

    @Test(
        "the idle time of a waiting request begins when the sent request has a connection, and restarts with each piece"
    )
    func idleTime() async throws {
        // No time passes but on this clock, so a stall of the process has no effect.
        let clock = ManualClock()
        let (connect, end) = (Locked(false), Locked(0))
        let server = CachedServer(timeoutClock: clock) { request, _ in
            while !connect.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            request.onConnect?()
            var response = TransportResponse.text("", [.cacheControl: "max-age=60"])
            response.body = .stream(
                TransportBodyStream {
                    // Pieces arrive more often than the idle timeout, and for longer than it.
                    let number = end.withLock { number in
                        number += 1
                        return number
                    }
                    clock.advance(by: .milliseconds(20))
                    return number > 100 ? nil : Data("x".utf8)
                }
            )
            return response
        }
        let first = Task { try await server.get().data.count }
        try await eventually { server.count == 1 }
        var request = CachedServer.request("/a")
        request.timeoutInterval = 1
        let waiting = Task { [request] in try await server.session.data(for: request).data.count }
        try await eventually { clock.timeToNextWake != nil }
        #expect(server.cache.statistics.collapsed == 1)
        // The timer sleeps again, although the time is longer than the idle timeout.
        clock.advance(by: .seconds(1.2))
        try await eventually { clock.timeToNextWake != nil }
        connect.withLock { $0 = true }
        #expect(try await first.value == 100)
        #expect(try await waiting.value == 100)
        #expect(server.count == 1)
    }

    @Test("the time that a request waits for an equal request counts as its idle time, if the server was silent")
    func onlyOnce() async throws {
        let connect = Locked(false)
        let server = CachedServer { request, _ in
            request.onConnect?()
            while !connect.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            throw URLError(.timedOut)
        }
        let first = Task { try await server.get() }
        try await eventually { server.count == 1 }
        var request = CachedServer.request("/a")
        request.timeoutInterval = 600
        let waiting = Task { [request] in try await server.session.data(for: request) }
        try await eventually { server.cache.statistics.collapsed == 1 }
        connect.withLock { $0 = true }
        await #expect(throws: URLError.self) { _ = try await first.value }
        await #expect(throws: URLError.self) { _ = try await waiting.value }
        #expect(server.count == 2)
        #expect(server.requests[0].idleBefore == .zero)
        #expect(server.requests[1].idleBefore > .zero)
        #expect(server.requests[1].idleBefore < .seconds(540))
    }

    @Test(
        "stale-if-error replaces the response of a waiting request whose time is over before or at the end of its wait",
        arguments: [true, false]
    )
    func staleIfError(isTimerExpired: Bool) async throws {
        let (clock, isConnected, isOpen) = (ManualClock(), Locked(false), Locked(false))
        let server = CachedServer(timeoutClock: clock) { request, count in
            guard count > 1 else { return .text("good", [.cacheControl: "max-age=1, stale-if-error=600"]) }
            request.onConnect?()
            isConnected.withLock { $0 = true }
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            throw URLError(.timedOut)
        }
        _ = try await server.get()
        server.wait(10)
        let first = Task { try await server.get() }
        try await eventually { isConnected.withLock { $0 } }
        var request = CachedServer.request("/a")
        request.timeoutInterval = 10
        let waiting = Task { [request] in try await server.session.data(for: request) }
        try await eventually { clock.timeToNextWake != nil }
        #expect(server.cache.statistics.collapsed == 1)
        // At 9.5 of 10 seconds, the request still waits, but is not sent any more.
        clock.advance(by: .seconds(isTimerExpired ? 11 : 9.5))
        if !isTimerExpired { isOpen.withLock { $0 = true } }
        let response = try await waiting.value
        #expect(response.source == .stale && response.text == "good")
        isOpen.withLock { $0 = true }
        #expect(try await first.value.source == .stale)
        #expect(server.count == 2)
    }

    @Test("a 503 that a stale response replaces ends the idle time of the waiting requests, which are then sent")
    func replacedError() async throws {
        let (clock, isConnected, isOpen) = (ManualClock(), Locked(false), Locked(false))
        let server = CachedServer(timeoutClock: clock) { request, count in
            request.onConnect?()
            isConnected.withLock { $0 = count == 2 }
            guard count == 2 else { return .text("\(count)", [.cacheControl: "max-age=1, stale-if-error=600"]) }
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return .text("", status: 503)
        }
        _ = try await server.get()
        server.wait(10)
        let first = Task { try await server.get() }
        try await eventually { isConnected.withLock { $0 } }
        var request = CachedServer.request("/a")
        request.timeoutInterval = 10
        let waiting = Task { [request] in try await server.session.data(for: request) }
        try await eventually { clock.timeToNextWake != nil }
        clock.advance(by: .seconds(9.5))
        isOpen.withLock { $0 = true }
        #expect(try await first.value.source == .stale)
        let response = try await waiting.value
        #expect(response.source == .network && response.text == "3")
        #expect(server.requests.map(\.idleBefore) == [.zero, .zero, .zero])
    }

    @Test(
        "a request that waits while the cache is taken offline is not sent, and gets a stored response if there is one",
        arguments: [true, false]
    )
    func offline(isStored: Bool) async throws {
        let isOpen = Locked(true)
        let server = CachedServer { _, count in
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            guard isStored, count == 1 else { throw URLError(.networkConnectionLost) }
            return .text("good", [.cacheControl: "max-age=1"])
        }
        _ = try? await server.get()
        server.wait(10)
        isOpen.withLock { $0 = false }
        let first = Task { try await server.get() }
        try await eventually { server.count == 2 }
        let waiting = Task { try await server.get() }
        try await eventually { server.cache.statistics.collapsed == 1 }
        server.cache.isOffline = true
        isOpen.withLock { $0 = true }
        let error = await #expect(throws: URLError.self) { _ = try await first.value }
        #expect(error?.code == .networkConnectionLost)
        if isStored {
            let response = try await waiting.value
            #expect(response.source == .stale && response.text == "good")
        } else {
            let error = await #expect(throws: URLError.self) { _ = try await waiting.value }
            #expect(error?.code == .resourceUnavailable)
        }
        #expect(server.count == 2)
    }

    @Test("a GET does not wait for the background validation of a HEAD or of a range", arguments: [true, false])
    func backgroundValidation(isHead: Bool) async throws {
        let isOpen = Locked(true)
        let server = CachedServer { request, _ in
            if request.method == .head || request.headers.contains(.range) {
                while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            }
            return .text("body", [.cacheControl: "max-age=1, stale-while-revalidate=60"])
        }
        _ = try await server.get()
        server.wait(10)
        isOpen.withLock { $0 = false }
        let first = try await isHead ? server.get(method: "HEAD") : server.get("/a", ["Range": "bytes=0-1"])
        #expect(first.source == .stale)
        try await eventually { server.count == 2 }
        async let second = server.get("/a", ["Cache-Control": "max-age=1"])
        try await eventually { server.count == 3 }
        isOpen.withLock { $0 = true }
        #expect(try await second.source == .network)
        #expect(server.cache.statistics.collapsed == 0)
    }

    @Test("requests with different credentials do not wait for each other")
    func credentials() async throws {
        let open = Locked(false)
        let server = CachedServer { request, _ in
            while !open.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return .text(request.headers[.authorization] ?? "", [.cacheControl: "max-age=60"])
        }
        async let one = server.get("/a", ["Authorization": "a"])
        async let other = server.get("/a", ["Authorization": "b"])
        try await eventually { server.count == 2 }
        open.withLock { $0 = true }
        let texts = try await [one.text, other.text]
        #expect(texts == ["a", "b"])
    }
}
