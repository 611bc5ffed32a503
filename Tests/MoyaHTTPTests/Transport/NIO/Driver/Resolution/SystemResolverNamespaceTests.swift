#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP

/// The tests need the name server of `scripts/check/dns`, which runs them in a network namespace.
@Suite(
    "The system resolves host names with a test name server",
    .enabled(
        if: ProcessInfo.processInfo.environment["MOYA_TEST_NAMESERVER"] != nil,
        "scripts/check/dns runs them in a network namespace."
    ),
    .serialized,
    .timeLimit(.minutes(5))
)
struct SystemResolverNamespaceTests {
    private func run(
        connectTimeout: Duration? = .seconds(10),
        _ body: (@escaping @Sendable (String) async throws -> String) async throws -> Void
    ) async throws {
        let server = try await RawServer { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        }
        var configuration = TransportConfiguration()
        configuration.connectTimeout = connectTimeout
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown(after: {
            try await body { host in
                let url = URL(string: "http://\(host):\(server.port)/") ?? URL(fileURLWithPath: "/")
                let request = TransportRequest(method: .get, url: url)
                return String(decoding: try await transport.send(request).collected(), as: UTF8.self)
            }
        })
        await server.shutDown()
    }

    @Test("names whose name server never responds do not delay other names, and their requests can be cancelled")
    func deadNames() async throws {
        try await run { send in
            let dead = (1...3).map { number in Task { try await send("never\(number).test") } }
            // Their lookups are running; with SwiftNIO's resolver they would be in the queue of every event loop.
            try await Task.sleep(for: .milliseconds(200))
            for _ in 0..<8 {
                for host in ["127.0.0.1", "localhost", "hosts.test", "healthy.test"] {
                    #expect(try await send(host) == "ok", "\(host)")
                }
            }
            for task in dead { task.cancel() }
            for task in dead {
                let error = await #expect(throws: URLError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            }
        }
    }

    @Test("many host names without a response leave room for other names", arguments: [100])
    func manyDeadNames(_ count: Int) async throws {
        try await run { send in
            let dead = (0..<count).map { number in Task { try await send("never-\(number).test") } }
            try await Task.sleep(for: .milliseconds(100))
            for host in ["localhost", "healthy.test"] { #expect(try await send(host) == "ok", "\(host)") }
            for task in dead { task.cancel() }
            for task in dead { _ = await task.result }
            #expect(try await send("healthy.test") == "ok")
        }
    }

    @Test("twenty host lookups run concurrently, with a name server that waits for all queries before it responds")
    func sideBySide() async throws {
        try await run(connectTimeout: nil) { send in
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<20 { group.addTask { try await send("barrier\(number).test") } }
                for try await text in group { #expect(text == "ok") }
            }
        }
    }

    @Test("an unknown host name and a failing name server are different errors")
    func errors() async throws {
        try await run { send in
            for (host, isKnown) in [("missing.test", true), ("broken.test", false)] {
                let error = await #expect(throws: URLError.self) { _ = try await send(host) }
                #expect(error?.code == .cannotFindHost)
                switch error?.userInfo[NSUnderlyingErrorKey] as? HostResolutionError {
                case .notFound: #expect(isKnown)
                case .failed: #expect(!isKnown)
                case nil: Issue.record("\(String(describing: error))")
                }
            }
        }
    }

    @Test("a host lookup that never ends times out, and the error names the host")
    func timeout() async throws {
        try await run(connectTimeout: .milliseconds(300)) { send in
            let error = await #expect(throws: URLError.self) { _ = try await send("never.test") }
            #expect(error?.code == .timedOut)
            #expect(error?.localizedDescription.contains("never.test") == true)
        }
    }
}
#endif
