#if NIO && !canImport(Darwin)
import Foundation
import MoyaHTTP
import MoyaLocks
import NIOSSL
import TestServers

/// Concurrent cases of one mode.
package struct FuzzRun: Sendable {
    package struct Report: Sendable {
        package var cases = 0
        /// The ends of the requests.
        package var outcomes = ""
        /// The failures: one line for each case.
        package var failures: [String] = []
        package var seconds = 0.0
    }

    package var mode: FuzzMode
    package var seed: UInt64
    package var first: UInt64 = 0
    package var count: UInt64
    package var concurrency = 64
    /// The maximum time of a case, whose requests have time limits of two seconds.
    package var hangLimit = Duration.seconds(60)
    /// Called with the cases that each worker has begun and ended.
    package var mark: @Sendable (_ worker: Int, _ number: UInt64?) -> Void = { _, _ in }
    package var reportProgress: @Sendable (_ cases: Int) -> Void = { _ in }

    package init(_ mode: FuzzMode, seed: UInt64, first: UInt64 = 0, count: UInt64) {
        self.mode = mode
        self.seed = seed
        self.first = first
        self.count = count
    }

    /// The number of slots of a worker: a connection that one case leaves is closed while the next cases use other slots.
    private static let slotsPerWorker = 4

    package func run() async throws -> Report {
        let tls = mode.usesTLS ? try Self.tlsContext(http2: mode == .http2) : nil
        let shared = mode.usesProxy ? nil : try NIOTransport(connection: Self.configuration)
        let next = Locked(first)
        let end = first + count
        let tally = Tally()
        let failures = Locked<[String]>([])
        let current = Locked<[Int: (number: UInt64, start: ContinuousClock.Instant)]>([:])
        let finished = Tally()
        let start = ContinuousClock.now
        let replaced = Locked<[FuzzSlot]>([])
        var slots: [FuzzSlot] = []
        let workers = min(concurrency, Int(clamping: count))
        for worker in 0..<workers {
            var places: [(slot: FuzzSlot, client: FuzzClient)] = []
            for _ in 0..<Self.slotsPerWorker { places.append(try await place(tls, shared)) }
            slots += places.map(\.slot)
            let own = places
            // No child tasks, because one that hangs must not keep the others from reporting it.
            Task {
                var (own, turn) = (own, 0)
                while let number = Self.take(next, end) {
                    let index = turn % own.count
                    let (slot, client) = own[index]
                    turn += 1
                    let plan = FuzzPlan(mode, seed: seed, number: number)
                    mark(worker, number)
                    current.withLock { $0[worker] = (number, .now) }
                    slot.begin(plan)
                    let outcomes = await client.run(plan)
                    slot.end()
                    current.withLock { $0[worker] = nil }
                    mark(worker, nil)
                    for outcome in outcomes {
                        tally.add(outcome.label)
                        guard let failure = outcome.failure else { continue }
                        failures.withLock { $0.append("case \(number): \(failure)") }
                    }
                    // The client speaks HTTP/1.1 with this origin from now on.
                    if outcomes.contains(where: \.usesHTTP1), let place = try? await place(tls, shared) {
                        replaced.withLock { $0.append(place.slot) }
                        own[index] = place
                    }
                    finished.add("case")
                }
                finished.add("worker")
            }
        }
        var hung: Set<Int> = []
        var lastProgress = ContinuousClock.now
        while finished["worker"] + hung.count < workers {
            try await Task.sleep(for: .milliseconds(20))
            let now = ContinuousClock.now
            for (worker, one) in current.withLock({ $0 }) where now - one.start > hangLimit {
                guard hung.insert(worker).inserted else { continue }
                failures.withLock { $0.append("case \(one.number): a request has not ended after \(hangLimit)") }
            }
            if now - lastProgress > .seconds(10) {
                lastProgress = now
                reportProgress(finished["case"])
            }
        }
        for slot in slots + replaced.withLock({ $0 }) { await slot.shutDown() }
        if hung.isEmpty { await shared?.shutdown() }
        return Report(
            cases: finished["case"],
            outcomes: tally.text,
            failures: failures.withLock { $0 },
            seconds: (ContinuousClock.now - start) / .seconds(1)
        )
    }

    private static func take(_ next: Locked<UInt64>, _ end: UInt64) -> UInt64? {
        next.withLock { next in
            guard next < end else { return nil }
            defer { next += 1 }
            return next
        }
    }

    private func place(
        _ tls: NIOSSLContext?,
        _ shared: NIOTransport?
    ) async throws -> (slot: FuzzSlot, client: FuzzClient) {
        let slot = try await FuzzSlot(mode, tls: tls)
        var transport = shared
        if transport == nil {
            var configuration = Self.configuration
            configuration.proxy =
                mode == .connect
                ? .http(host: "127.0.0.1", port: slot.port) : .socks(host: "127.0.0.1", port: slot.port)
            // With another host name, plain http uses a tunnel.
            configuration.dnsOverride = ["server.test": "host.test"]
            transport = try NIOTransport(connection: configuration)
        }
        let scheme = mode.usesTLS ? "https" : "http"
        let host = mode.usesProxy ? "server.test" : "127.0.0.1:\(slot.port)"
        guard let transport, let url = URL(string: "\(scheme)://\(host)/") else { throw CheckFailure("no URL") }
        return (slot, FuzzClient(transport: transport, url: url, mode: mode))
    }

    private static var configuration: TransportConfiguration {
        TransportConfiguration(
            serverTrustManager: ServerTrustManager(
                allHostsMustBeEvaluated: false,
                evaluators: ["127.0.0.1": DisabledTrustEvaluator()]
            )
        )
    }

    private static func tlsContext(http2: Bool) throws -> NIOSSLContext {
        var configuration = try SelfSigned.serverConfiguration()
        configuration.applicationProtocols = [http2 ? "h2" : "http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }
}
#endif
