#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("TLS contexts", .timeLimit(.minutes(1)))
struct TLSContextsTests {
    private struct Unreadable: Error {}

    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Returns a configuration without verification, so that no root certificates are read.
    private func configuration(offering protocols: [String] = []) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = protocols
        return configuration
    }

    @Test("connections that need the same context at the same time share its creation")
    func shared() async throws {
        let (count, gate) = (Locked(0), DispatchSemaphore(value: 0))
        let contexts = TLSContexts { configuration in
            count.withLock { $0 += 1 }
            gate.wait()
            return try NIOSSLContext(configuration: configuration)
        }
        let futures = (0..<3).map { _ in contexts.context(for: configuration(), on: loop) }
        for _ in futures { gate.signal() }
        let first = try await futures[0].get()
        for future in futures { #expect(try await future.get() === first) }
        #expect(try await contexts.context(for: configuration(), on: loop).get() === first)
        #expect(count.withLock { $0 } == 1)
        let other = try await contexts.context(for: configuration(offering: ["h2"]), on: loop).get()
        #expect(other !== first)
    }

    @Test("a failed creation fails all connections that wait for it, and the next connection repeats it")
    func failure() async throws {
        let (isReadable, gate) = (Locked(false), DispatchSemaphore(value: 0))
        let contexts = TLSContexts { configuration in
            gate.wait()
            guard isReadable.withLock({ $0 }) else { throw Unreadable() }
            return try NIOSSLContext(configuration: configuration)
        }
        let futures = (0..<2).map { _ in contexts.context(for: configuration(), on: loop) }
        for _ in futures { gate.signal() }
        for future in futures { await #expect(throws: Unreadable.self) { try await future.get() } }
        isReadable.withLock { $0 = true }
        gate.signal()
        _ = try await contexts.context(for: configuration(), on: loop).get()
    }

    @Test("the oldest context is dropped for the ninth configuration")
    func limit() async throws {
        let created = Locked<[String]>([])
        let contexts = TLSContexts { configuration in
            created.withLock { $0 += configuration.applicationProtocols }
            return try NIOSSLContext(configuration: configuration)
        }
        let names = (1...9).map { "p\($0)" }
        for name in names + ["p9", "p2", "p1"] {
            _ = try await contexts.context(for: configuration(offering: [name]), on: loop).get()
        }
        #expect(created.withLock { $0 } == names + ["p1"])
    }
}
#endif
