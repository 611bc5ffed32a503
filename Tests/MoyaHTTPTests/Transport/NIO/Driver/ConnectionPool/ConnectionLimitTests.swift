#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A transport limits its connections to many hosts", .timeLimit(.minutes(5)))
struct ConnectionLimitTests {
    /// A server with many names that counts its connections and records the hosts of its requests.
    fileprivate final class ManyHosts: Sendable {
        struct Counts: Sendable {
            var made = 0
            var open = 0
            var hosts: [String] = []
        }

        let counts: Locked<Counts>
        let server: RawServer

        init() async throws {
            let counts = Locked(Counts())
            self.counts = counts
            server = try await RawServer { connection in
                counts.withLock {
                    $0.made += 1
                    $0.open += 1
                }
                defer { counts.withLock { $0.open -= 1 } }
                while let head = try await connection.head() {
                    counts.withLock { $0.hosts.append(head["Host"] ?? "") }
                    let text = "\(head.target) \(head["Host"] ?? "")"
                    try await connection.writer.write(
                        "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
                    )
                }
            }
        }

        /// The URL of a host.
        func url(_ number: Int) -> URL {
            URL(string: "http://h\(number).test:\(server.port)/\(number)") ?? server.url()
        }

        /// A configuration that connects the hosts to the server.
        static func configuration(hosts: Int = 200) -> TransportConfiguration {
            var configuration = TransportConfiguration()
            configuration.usesSystemProxies = false
            for number in 0..<hosts { configuration.dnsOverride["h\(number).test"] = "127.0.0.1" }
            return configuration
        }

        /// Runs a test with a transport and shuts it down.
        static func run(
            _ change: (inout TransportConfiguration, RawServer) -> Void = { _, _ in },
            _ body: (NIOTransport, ManyHosts) async throws -> Void
        ) async throws {
            let hosts = try await ManyHosts()
            var configuration = configuration()
            change(&configuration, hosts.server)
            let transport = try NIOTransport(connection: configuration)
            try await transport.shutDown(after: { try await body(transport, hosts) })
            await hosts.server.shutDown()
        }
    }

    fileprivate static func get(_ transport: NIOTransport, _ url: URL, _ headers: HTTPFields = [:]) async throws
        -> String
    {
        let request = TransportRequest(method: .get, url: url, headers: headers)
        return String(decoding: try await transport.send(request).collected(), as: UTF8.self)
    }

    @Test("the least recently used idle connections beyond the limit are closed, and their pools are dropped")
    func leastRecentlyUsed() async throws {
        try await ManyHosts.run {
            configuration,
            _ in
            configuration.maximumIdleConnections = 10
        } _: { transport, hosts in
            for number in 0..<100 {
                let text = try await Self.get(transport, hosts.url(number))
                #expect(text == "/\(number) h\(number).test:\(hosts.server.port)")
                #expect(transport.poolManager.table.idleCount <= 10)
            }
            #expect(hosts.counts.withLock { $0.made } == 100)
            try await eventually { hosts.counts.withLock { $0.open } == 10 }
            try await eventually { transport.poolManager.table.count == 10 }
            // The last ten connections are kept; the first of them is used and is then no longer the oldest.
            _ = try await Self.get(transport, hosts.url(90))
            #expect(hosts.counts.withLock { $0.made } == 100)
            _ = try await Self.get(transport, hosts.url(0))
            #expect(hosts.counts.withLock { $0.made } == 101)
            try await eventually { hosts.counts.withLock { $0.open } == 10 }
            _ = try await Self.get(transport, hosts.url(90))
            #expect(hosts.counts.withLock { $0.made } == 101)
            _ = try await Self.get(transport, hosts.url(91))
            #expect(hosts.counts.withLock { $0.made } == 102, "it was the least recently used one")
        }
    }

    @Test("concurrent requests to many hosts succeed with a limit of one or no idle connection")
    func concurrent() async throws {
        for limit in [0, 1] {
            try await ManyHosts.run {
                configuration,
                _ in
                configuration.maximumIdleConnections = limit
            } _: { transport, hosts in
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<300 {
                        group.addTask {
                            let text = try await Self.get(transport, hosts.url(number % 30))
                            return text.hasPrefix("/\(number % 30) ")
                        }
                    }
                    for try await isRight in group { #expect(isRight) }
                }
                try await eventually { hosts.counts.withLock { $0.open } <= limit }
                try await eventually { transport.poolManager.table.count <= limit }
                #expect(transport.poolManager.table.idleCount <= limit)
            }
        }
    }

    @Test("a transport keeps nothing of hosts whose connections are closed, failed or unneeded")
    func nothingRemains() async throws {
        let nobody = try DeadPort()
        try await ManyHosts.run {
            configuration,
            _ in
            configuration.idleConnectionTimeout = .milliseconds(30)
        } _: { transport, hosts in
            for number in 0..<50 { _ = try await Self.get(transport, hosts.url(number)) }
            for number in 0..<50 {
                let dead = try #require(URL(string: "http://h\(number).test:\(nobody.url.port ?? 1)/"))
                await #expect(throws: URLError.self) { try await Self.get(transport, dead) }
                // The request fails before it needs a connection.
                await #expect(throws: RequestValidationError.self) {
                    try await Self.get(transport, hosts.url(100 + number), [.init("Host")!: "a b"])
                }
            }
            try await eventually { transport.poolManager.table.count == 0 }
            try await eventually { hosts.counts.withLock { $0.open } == 0 }
            #expect(transport.poolManager.table.idleCount == 0)
            // The pools are created again.
            let text = try await Self.get(transport, hosts.url(7))
            #expect(text.hasPrefix("/7 "))
        }
    }

    @Test("a shutdown closes idle connections to all hosts")
    func shutdown() async throws {
        let hosts = try await ManyHosts()
        let transport = try NIOTransport(connection: ManyHosts.configuration())
        for number in 0..<20 { _ = try await Self.get(transport, hosts.url(number)) }
        #expect(transport.poolManager.table.idleCount == 20)
        await transport.shutdown()
        #expect(transport.poolManager.table.count == 0)
        #expect(transport.poolManager.table.idleCount == 0)
        try await eventually { hosts.counts.withLock { $0.open } == 0 }
        await hosts.server.shutDown()
    }

    // MARK: Proxy

    @Test("plain http through one proxy shares its connections for all hosts")
    func proxy() async throws {
        try await ManyHosts.run {
            configuration,
            server in
            configuration.dnsOverride = [:]
            configuration.proxy = .http(host: "127.0.0.1", port: server.port)
            configuration.maximumConnectionsPerHost = 3
        } _: { transport, hosts in
            for number in 0..<200 {
                let url = try #require(URL(string: "http://h\(number).invalid/\(number)"))
                let text = try await Self.get(transport, url)
                #expect(text == "http://h\(number).invalid/\(number) h\(number).invalid")
            }
            #expect(hosts.counts.withLock { $0.made } == 1)
            #expect(transport.poolManager.table.count == 1)
            // The caller's Host field applies only to its request.
            let url = try #require(URL(string: "http://a.invalid:81/"))
            let named = try await Self.get(transport, url, [.init("Host")!: "b.invalid"])
            #expect(named == "http://a.invalid:81/ b.invalid")
            #expect(try await Self.get(transport, url) == "http://a.invalid:81/ a.invalid:81")
            // The limit of connections to a host applies to the proxy.
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let url = URL(string: "http://h\(number).invalid/") ?? hosts.server.url()
                        return try await Self.get(transport, url).hasSuffix(" h\(number).invalid")
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
            #expect((1...3).contains(hosts.counts.withLock { $0.made }))
        }
    }

    @Test("an invalid host is refused even if the proxy has connections")
    func invalidHost() async throws {
        try await ManyHosts.run {
            configuration,
            server in
            configuration.dnsOverride = [:]
            configuration.proxy = .http(host: "127.0.0.1", port: server.port)
        } _: { transport, hosts in
            _ = try await Self.get(transport, try #require(URL(string: "http://a.invalid/")))
            for text in ["http://a.invalid:0/", "http://\(String(repeating: "a", count: 300)).invalid/"] {
                let url = try #require(URL(string: text))
                await #expect(throws: URLError.self) { try await Self.get(transport, url) }
            }
            #expect(hosts.counts.withLock { $0.hosts } == ["a.invalid"])
        }
    }

    // MARK: File descriptors

    /// Runs the client in a separate process, because the limit applies to all threads of a process.
    ///
    /// The server stays in this process, because it could not accept connections without file descriptors.
    @Test("idle connections are closed and requests continue when file descriptors run out")
    func fileDescriptors() async throws {
        let hosts = try await ManyHosts()
        await #expect(processExitsWith: .success) { [port = hosts.server.port as Int] in
            let transport = try NIOTransport(connection: ConnectionLimitTests.ManyHosts.configuration())
            func get(_ number: Int) async throws -> Bool {
                guard let url = URL(string: "http://h\(number).test:\(port)/\(number)") else { return false }
                return try await ConnectionLimitTests.get(transport, url).hasPrefix("/\(number) ")
            }
            guard try await get(0) else { exit(2) }
            // The limit leaves descriptors for some 40 more connections. They have higher numbers than those that are open, because the
            // process inherits sockets of other tests, which would otherwise fill the reserve.
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            let highest = (open.compactMap { Int($0) }.max() ?? 0) + 1
            var limit = rlimit(rlim_cur: rlim_t(highest) + 40, rlim_max: rlim_t(highest) + 40)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            for number in 1..<200 {
                guard try await get(number) else { exit(3) }
            }
            // Closing idle connections leaves the reserve to the rest of the process. The descriptors are counted and not
            // taken, because libdispatch ends a process that has none left.
            let reserve = FileDescriptorReserve.size(forLimit: Int(limit.rlim_cur))
            try await eventually {
                let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                return (0..<Int(limit.rlim_cur)).count { !open.contains("\($0)") } >= reserve
            }
            exit(0)
        }
        #expect(hosts.counts.withLock { $0.made } == 200)
        await hosts.server.shutDown()
    }

    @Test(
        "an eighth of the file descriptors, and at most 32, are reserved for the process",
        arguments: [(0, 0), (64, 8), (256, 32), (1_024, 32), (Int.max, 32)]
    )
    func reserve(limit: Int, size: Int) {
        #expect(FileDescriptorReserve.size(forLimit: limit) == size)
    }
}
#endif
