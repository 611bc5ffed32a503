#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("The application can resolve host names", .timeLimit(.minutes(5)))
struct HostResolverTests {
    /// A resolver that records the requested names and the cancelled lookups.
    private struct Resolver: HostResolver {
        let asked = Recorder<String>()
        let cancelled = Recorder<String>()
        let answer: @Sendable (String) async throws -> ResolvedHost

        init(_ answer: @escaping @Sendable (String) async throws -> ResolvedHost) { self.answer = answer }

        /// Creates a resolver that returns these addresses for each host.
        init(_ addresses: String..., lifetime: Duration? = nil) {
            self.init { _ in ResolvedHost(addresses: addresses, lifetime: lifetime) }
        }

        func resolve(_ host: String) async throws -> ResolvedHost {
            asked.add(host)
            do {
                if host.hasPrefix("never") { try await Task.sleep(for: .seconds(3_600)) }
                return try await answer(host)
            } catch {
                if error is CancellationError { cancelled.add(host) }
                throw error
            }
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String { "https://user:secret@dns.test" }
    }

    /// A transport with a resolver and no connect timeout, and a server that closes each connection after a
    /// response.
    private func run(
        _ resolver: Resolver,
        _ change: (inout TransportConfiguration, Int) -> Void = { _, _ in },
        _ body: (NIOTransport, Int, Recorder<String?>) async throws -> Void
    ) async throws {
        let clients = Recorder<String?>()
        let server = try await RawServer { connection in
            clients.add(connection.clientAddress)
            guard let head = try await connection.head() else { return }
            let isTunnel = head.method == "CONNECT"
            let fields = isTunnel ? "" : "Content-Length: 2\r\nConnection: close\r\n"
            try await connection.writer.write("HTTP/1.1 200 OK\r\n\(fields)\r\n\(isTunnel ? "" : "ok")")
            if isTunnel { await connection.waitUntilClosed() }
        }
        var configuration = TransportConfiguration()
        configuration.hostResolver = resolver
        configuration.connectTimeout = nil
        configuration.usesSystemProxies = false
        change(&configuration, server.port)
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown(after: { try await body(transport, server.port, clients) })
        await server.shutDown()
    }

    private func text(_ transport: NIOTransport, _ host: String, _ port: Int) async throws -> String {
        let url = try #require(URL(string: "http://\(host):\(port)/"))
        let request = TransportRequest(method: .get, url: url)
        return String(decoding: try await transport.send(request).collected(), as: UTF8.self)
    }

    private func error(_ transport: NIOTransport, _ host: String, _ port: Int) async throws -> URLError {
        try #require(await #expect(throws: URLError.self) { try await text(transport, host, port) })
    }

    private func waitUntil(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    // MARK: Concurrent lookups

    @Test("names that never resolve do not delay other names, and their requests can be cancelled")
    func deadNames() async throws {
        let resolver = Resolver("127.0.0.1")
        try await run(resolver) { transport, port, _ in
            let dead = (1...3).map { number in Task { try await text(transport, "never\(number).test", port) } }
            try await waitUntil { resolver.asked.values.count == 3 }
            for host in ["127.0.0.1", "localhost", "healthy.test"] {
                let body = try await text(transport, host, port)
                #expect(body == "ok")
            }
            for task in dead { task.cancel() }
            for task in dead {
                let error = await #expect(throws: URLError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            }
            try await waitUntil { resolver.cancelled.values.count == 3 }
        }
    }

    @Test("twenty slow host names are resolved concurrently")
    func sideBySide() async throws {
        let arrived = Locked(0)
        let resolver = Resolver { _ in
            arrived.withLock { $0 += 1 }
            // No name is resolved before all have been requested.
            while arrived.withLock({ $0 }) < 20 { try await Task.sleep(for: .milliseconds(1)) }
            return ResolvedHost(addresses: ["127.0.0.1"])
        }
        try await run(resolver) { transport, port, _ in
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<20 {
                    group.addTask { try await self.text(transport, "slow\(number).test", port) }
                }
                for try await text in group { #expect(text == "ok") }
            }
        }
    }

    @Test("a host lookup that takes too long is cancelled, and the error names the host")
    func connectTimeout() async throws {
        let resolver = Resolver("127.0.0.1")
        try await run(resolver) { configuration, _ in
            configuration.connectTimeout = .milliseconds(50)
        } _: { transport, port, _ in
            let error = try await error(transport, "never.test", port)
            #expect(error.code == .timedOut)
            #expect(error.localizedDescription.contains("\"never.test\" was not resolved"))
            try await waitUntil { resolver.cancelled.values == ["never.test"] }
        }
    }

    @Test("a shutdown ends host lookups")
    func shutdown() async throws {
        let resolver = Resolver("127.0.0.1")
        try await run(resolver) { transport, port, _ in
            let task = Task { try await text(transport, "never.test", port) }
            try await waitUntil { resolver.asked.values.count == 1 }
            await transport.shutdown()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            try await waitUntil { resolver.cancelled.values.count == 1 }
        }
    }

    @Test("equal host lookups share one lookup, which continues until its last caller leaves")
    func shared() async throws {
        let resolver = Resolver("127.0.0.1")
        let lookups = HostLookups(resolver)
        let ended = Recorder<Int>()
        let cancels = (0..<10).map { number in
            lookups.resolve("never.test", HostCachePolicy()) { outcome in
                #expect(throws: CancellationError.self) { try outcome.get() }
                ended.add(number)
            }
        }
        try await waitUntil { resolver.asked.values.count == 1 }
        for cancel in cancels.dropLast() {
            cancel()
            cancel()
        }
        #expect(ended.values == Array(0..<9))
        #expect(resolver.cancelled.values == [])
        // The next caller still shares it.
        let last = lookups.resolve("never.test", nil) { _ in ended.add(10) }
        cancels[9]()
        last()
        #expect(ended.values == Array(0...10))
        try await waitUntil { resolver.cancelled.values.count == 1 }
        #expect(resolver.asked.values == ["never.test"])
    }

    @Test("all callers that wait for a lookup get the result, with any policy")
    func sharedResult() async throws {
        let gate = Locked(false)
        let resolver = Resolver { _ in
            while !gate.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return ResolvedHost(addresses: ["127.0.0.1", "::1"])
        }
        let lookups = HostLookups(resolver)
        let results = Recorder<[String?]>()
        for policy in [HostCachePolicy(), nil, HostCachePolicy(addressLifetime: .zero)] {
            _ = lookups.resolve("a.test", policy) { results.add(((try? $0.get()) ?? []).map(\.ipAddress)) }
        }
        gate.withLock { $0 = true }
        try await waitUntil { results.values.count == 3 }
        #expect(results.values == Array(repeating: ["127.0.0.1", "::1"], count: 3))
        #expect(resolver.asked.values.count == 1)
    }

    @Test("the system's host lookups end while application tasks block all threads of Swift's concurrency")
    func blockedThreads() async {
        let isResolved = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let (isBlocked, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let count = ProcessInfo.processInfo.activeProcessorCount
                for _ in 0..<count {
                    Task.detached(priority: .high) {
                        isBlocked.signal()
                        Self.block(until: isOver)
                    }
                }
                // The process may be limited to fewer threads than the machine has cores.
                for _ in 0..<count where isBlocked.wait(timeout: .now() + 5) == .timedOut { break }
                let resolved = DispatchSemaphore(value: 0)
                _ = HostLookups(SystemHostResolver()).resolve("localhost", nil) { _ in resolved.signal() }
                let result = resolved.wait(timeout: .now() + 60)
                for _ in 0..<count { isOver.signal() }
                continuation.resume(returning: result == .success)
            }
        }
        #expect(isResolved)
    }

    /// Blocks a thread, which a task must not do.
    private static func block(until semaphore: DispatchSemaphore) { semaphore.wait() }

    // MARK: Cache

    @Test(
        "resolved hosts are cached unless the cache is disabled",
        arguments: [
            (HostCachePolicy(), nil, 1), (nil, nil, 2), (HostCachePolicy(addressLifetime: .zero), nil, 2),
            (HostCachePolicy(addressLifetime: .zero), .seconds(60), 1), (HostCachePolicy(), .zero, 2),
            (nil, .seconds(60), 2),
        ] as [(HostCachePolicy?, Duration?, Int)]
    )
    func cache(policy: HostCachePolicy?, lifetime: Duration?, lookups: Int) async throws {
        let resolver = Resolver("127.0.0.1", lifetime: lifetime)
        try await run(resolver) { configuration, _ in
            configuration.hostCachePolicy = policy
        } _: { transport, port, clients in
            for host in ["a.test", "A.Test"] {
                let body = try await text(transport, host, port)
                #expect(body == "ok")
            }
            #expect(clients.values.count == 2)
            #expect(resolver.asked.values == Array(repeating: "a.test", count: lookups))
        }
    }

    @Test(
        "the failure to find a host is remembered, and other lookup failures are not",
        arguments: [
            ("none", HostCachePolicy(), 1), ("empty", HostCachePolicy(), 1), ("none", nil, 2), ("empty", nil, 2),
            ("none", HostCachePolicy(notFoundLifetime: .zero), 2), ("failed", HostCachePolicy(), 2),
            ("foreign", HostCachePolicy(), 2), ("invalid", HostCachePolicy(), 2),
            ("cancelled", HostCachePolicy(), 2),
        ] as [(String, HostCachePolicy?, Int)]
    )
    func failures(kind: String, policy: HostCachePolicy?, lookups: Int) async throws {
        let resolver = Resolver { host in
            switch kind {
            case "none": throw HostResolutionError.notFound(host: host)
            case "failed": throw HostResolutionError.failed(host: host, reason: "No server responds.")
            case "foreign": throw Failure()
            case "cancelled": throw CancellationError()
            case "invalid": return ResolvedHost(addresses: ["127.0.0.1", "127.0.0.1:80"])
            default: return ResolvedHost(addresses: [])
            }
        }
        try await run(resolver) { configuration, _ in
            configuration.hostCachePolicy = policy
        } _: { transport, port, _ in
            for _ in 0..<2 {
                let error = try await error(transport, "a.test", port)
                #expect(error.code == .cannotFindHost)
                #expect(error.localizedDescription.contains("\"a.test\""))
                #expect(!error.localizedDescription.contains("secret"))
                let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? HostResolutionError)
                switch cause {
                case .notFound: #expect(["none", "empty"].contains(kind))
                case .failed(_, _, let cause): #expect((cause is Failure) == (kind == "foreign"))
                }
            }
            #expect(resolver.asked.values.count == lookups)
        }
    }

    @Test("a host is resolved again after a connection to its addresses has failed")
    func moved() async throws {
        let nobody = try DeadPort()
        let resolver = Resolver("127.0.0.1")
        try await run(resolver) { transport, port, _ in
            let code = try await error(transport, "a.test", nobody.port).code
            #expect(code == .cannotConnectToHost)
            for _ in 0..<2 {
                let body = try await text(transport, "a.test", port)
                #expect(body == "ok")
            }
            #expect(resolver.asked.values.count == 2)
        }
    }

    // MARK: Addresses

    @Test("IP addresses are not passed to the resolver")
    func literals() async throws {
        let resolver = Resolver("127.0.0.1")
        try await run(resolver) { transport, port, _ in
            for host in ["127.0.0.1", "127.0.0.1.", "127.1", "2130706433"] {
                #expect(try await text(transport, host, port) == "ok", "\(host)")
            }
            let dead = try DeadPort()
            for host in ["[::1]", "[fe80::1%25lo]", "[fe80::1%25nothing]"] {
                _ = try await error(transport, host, dead.port)
            }
            #expect(resolver.asked.values == [])
        }
    }

    @Test(
        "the error for an invalid zone of an address explains the zone, and other text is reported as no address",
        arguments: [
            (
                "fe80::1%no-such-interface",
                "This system has no network interface \"no-such-interface\", which is the zone of the address."
            ),
            ("fe80::1%", "This system has no network interface \"\", which is the zone of the address."),
            ("::1%lo", "Its zone \"lo\" is not for this address: only link-local addresses have zones (RFC 4007)."),
            ("fe80::x%lo", "It is not an IP address."), ("1:2", "It is not an IP address."),
        ]
    )
    func zones(_ host: String, _ reason: String) async throws {
        #expect(Connector.flaw(ofAddress: host) == reason)
        try await run(Resolver("127.0.0.1")) { transport, port, _ in
            let failure = try await error(transport, "[\(host.replacing("%", with: "%25"))]", port)
            #expect(failure.code == .cannotFindHost)
            #expect(failure.localizedDescription == "The host \"\(host)\" could not be resolved: \(reason)")
        }
    }

    @Test(
        "the next address of a host is used after an address that refuses or does not respond",
        arguments: [
            ["::1", "127.0.0.1"], ["::1", "::1", "127.0.0.9", "127.0.0.1"], ["192.0.2.1", "127.0.0.1"],
            ["127.0.0.1", "::1"],
        ]
    )
    func nextAddress(_ addresses: [String]) async throws {
        let resolver = Resolver { _ in ResolvedHost(addresses: addresses) }
        try await run(resolver) { transport, port, _ in
            let body = try await text(transport, "a.test", port)
            #expect(body == "ok")
        }
    }

    @Test("the local address of a configuration applies to resolved hosts")
    func localAddress() async throws {
        let resolver = Resolver("::1", "127.0.0.1")
        try await run(resolver) { configuration, _ in
            configuration.localAddress = "127.0.0.2"
        } _: { transport, port, clients in
            let body = try await text(transport, "a.test", port)
            #expect(body == "ok")
            #expect(clients.values == ["127.0.0.2"])
        }
    }

    @Test(
        "the names of proxies and of overrides are resolved like the names of servers",
        arguments: ["http", "socks", "override"]
    )
    func otherNames(_ kind: String) async throws {
        let resolver = Resolver("127.0.0.1")
        try await run(resolver) { configuration, port in
            switch kind {
            case "http": configuration.proxy = .http(host: "Other.Test.", port: port)
            case "socks": configuration.proxy = .socks(host: "OTHER.test", port: port)
            default: configuration.dnsOverride = ["a.test": "other.test"]
            }
        } _: { transport, port, clients in
            if kind == "socks" {
                // The server is not a SOCKS proxy and waits for the rest of a request.
                let task = Task { try await text(transport, "a.test", port) }
                try await waitUntil { clients.values.count == 1 }
                task.cancel()
                await #expect(throws: URLError.self) { try await task.value }
            } else {
                let body = try await text(transport, "a.test", port)
                #expect(body == "ok")
            }
            #expect(resolver.asked.values == ["other.test"])
        }
    }
}
#endif
