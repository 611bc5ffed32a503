#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("TLS contexts", .timeLimit(.minutes(1)))
struct TLSContextsTests {
    private struct Unreadable: Error {}

    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Returns a context whose configuration has no verification, so that no root certificates are read.
    private func context(
        of contexts: TLSContexts,
        for requirements: TLSRequirements = TLSRequirements(DefaultTrustEvaluator()),
        offering protocols: OfferedProtocols = .http1,
        name: String = "test",
        shutdownTimeout: TimeAmount = .seconds(1)
    ) -> EventLoopFuture<NIOSSLContext> {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = [name]
        configuration.shutdownTimeout = shutdownTimeout
        return contexts.context(for: TLSContexts.Key(requirements, protocols), configuration, on: loop)
    }

    @Test("connections that need the same context at the same time share its creation")
    func shared() async throws {
        let (count, gate) = (Locked(0), DispatchSemaphore(value: 0))
        let contexts = TLSContexts { configuration in
            count.withLock { $0 += 1 }
            gate.wait()
            return try NIOSSLContext(configuration: configuration)
        }
        let futures = (0..<3).map { _ in context(of: contexts) }
        for _ in futures { gate.signal() }
        let first = try await futures[0].get()
        for future in futures { #expect(try await future.get() === first) }
        #expect(try await context(of: contexts).get() === first)
        #expect(count.withLock { $0 } == 1)
        // The configuration is not compared.
        #expect(try await context(of: contexts, shutdownTimeout: .seconds(2)).get() === first)
        let other = try await context(of: contexts, offering: .http2AndHTTP1).get()
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
        let futures = (0..<2).map { _ in context(of: contexts) }
        for _ in futures { gate.signal() }
        for future in futures { await #expect(throws: Unreadable.self) { try await future.get() } }
        isReadable.withLock { $0 = true }
        gate.signal()
        _ = try await context(of: contexts).get()
    }

    @Test("the oldest context is dropped for the ninth configuration")
    func limit() async throws {
        let created = Locked<[String]>([])
        let contexts = TLSContexts { configuration in
            created.withLock { $0 += configuration.applicationProtocols }
            return try NIOSSLContext(configuration: configuration)
        }
        let certificate = try Certificate(der: TestAuthority().root)
        for count in Array(1...9) + [9, 2, 1] {
            let roots = RootCertificatesTrustEvaluator(
                certificates: Array(repeating: certificate, count: count),
                includesSystemRoots: false
            )
            _ = try await context(of: contexts, for: TLSRequirements(roots), name: "p\(count)").get()
        }
        #expect(created.withLock { $0 } == (Array(1...9) + [1]).map { "p\($0)" })
    }

    @Test("hosts share a TLS context if their rules have the same roots and strength, whatever else the rules check")
    func requirements() throws {
        let certificates = try (0..<2).map { _ in try Certificate(der: TestAuthority().root) }
        let groups: [[any ServerTrustEvaluating]] = [
            [DefaultTrustEvaluator(), DefaultTrustEvaluator(validateHost: false)],
            [WeakCertificatesTrustEvaluator(DefaultTrustEvaluator())],
            [DisabledTrustEvaluator()],
            [RootCertificatesTrustEvaluator(certificates: certificates)],
            [RootCertificatesTrustEvaluator(certificates: certificates, includesSystemRoots: false)],
            [RootCertificatesTrustEvaluator(certificates: [certificates[0]], includesSystemRoots: false)],
        ]
        let all = groups.enumerated().flatMap { index, group in group.map { (index, TLSRequirements($0)) } }
        for (group, one) in all {
            for (otherGroup, other) in all { #expect((one == other) == (group == otherGroup), "\(one), \(other)") }
        }
    }
}
#endif
