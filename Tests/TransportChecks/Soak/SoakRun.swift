#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import MoyaHTTP
import MoyaLocks
import TestSupport

/// Many concurrent requests through one transport to a misbehaving server.
package struct SoakRun: Sendable {
    package struct Report: Sendable {
        /// The summary in one line.
        package var summary: String
        /// The failures.
        package var failures: [String]
    }

    package var isHTTP2: Bool
    package var requests: Int
    package var concurrency = 64
    package var seed: UInt64 = 1
    /// Whether descriptors, threads and memory of the process must not grow.
    package var comparesFigures = true
    /// The maximum time of a request.
    package var hangLimit = Duration.seconds(120)

    package init(isHTTP2: Bool, requests: Int) {
        self.isHTTP2 = isHTTP2
        self.requests = requests
    }

    package func run() async throws -> Report {
        let ledger = SoakLedger(count: requests)
        let server = try await SoakServer(isHTTP2: isHTTP2, ledger: ledger, seed: seed)
        let load = SoakLoad(
            name: isHTTP2 ? "HTTP/2" : "HTTP/1.1",
            requests: requests,
            concurrency: concurrency,
            hangLimit: hangLimit
        )
        let transport = try SoakLoad.transport(authority: nil, isHTTP2: isHTTP2)
        let session = SoakLoad.session(
            ConnectionWatch(base: transport) { url in
                if let (_, id) = SoakPath.parse(url.path) { ledger.isOnConnection(id) }
            }
        )
        var report = try await load.run { number, tally in
            await send(number, ledger, server.url, session, tally)
        }
        if !comparesFigures { report.failures = [] }
        await transport.shutdown()
        await server.shutDown()
        let (notEndedOnce, received, violations) = ledger.summary
        report.summary += "; \(received) received by the server"
        if notEndedOnce > 0 { report.failures.append("\(notEndedOnce) requests have not ended just once") }
        report.failures += violations
        return report
    }

    private func send(
        _ number: Int,
        _ ledger: SoakLedger,
        _ base: URL,
        _ session: Session,
        _ tally: Tally
    ) async {
        var random = SeededGenerator(seed: seed, stream: isHTTP2 ? 2 : 1, number: UInt64(number))
        let behavior = SoakBehavior.random(isHTTP2: isHTTP2, using: &random)
        let request = SoakRequest(number, mayStall: behavior == .stall, using: &random)
        guard let url = URL(string: SoakPath.make(behavior, number), relativeTo: base)?.absoluteURL else { return }
        ledger.begin(number, isPOST: request.isPOST)
        let (label, body) = await request.send(to: url, over: session)
        ledger.end(number)
        tally.add(label)
        if let body, body != Data(SoakPath.body(number).utf8) {
            ledger.violation(
                "request \(number), \(behavior): a wrong body, \(String(decoding: body.prefix(80), as: UTF8.self))"
            )
        }
        if label == "200", !behavior.responds, behavior != .closeIfReused {
            ledger.violation("request \(number), \(behavior): a response that was not sent")
        }
    }
}

/// Runs numbered requests, a tenth first, and compares the process's resources then and at the end.
struct SoakLoad: Sendable {
    let name: String
    let requests: Int
    let concurrency: Int
    let hangLimit: Duration

    static func transport(authority: URL?, isHTTP2: Bool) throws -> NIOTransport {
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 256
        configuration.httpVersion = isHTTP2 ? .automatic : .http1Only
        let evaluator: any ServerTrustEvaluating =
            if let authority {
                PinnedCertificatesTrustEvaluator(
                    certificates: try Certificate.certificates(contentsOf: authority),
                    acceptSelfSignedCertificates: true
                )
            } else {
                DisabledTrustEvaluator()
            }
        configuration.serverTrustManager = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["127.0.0.1": evaluator]
        )
        return try NIOTransport(connection: configuration)
    }

    static func session(_ transport: any HTTPTransport) -> Session {
        Session(transport: transport, configuration: .ephemeral)
    }

    func run(_ send: @escaping @Sendable (Int, Tally) async -> Void) async throws -> SoakRun.Report {
        let tally = Tally()
        let running = Locked<[Int: ContinuousClock.Instant]>([:])
        let watchdog = Task {
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                let late = running.withLock { $0.filter { .now - $0.value > hangLimit }.keys.sorted() }
                guard let first = late.first else { continue }
                // A request that hangs never returns, so the process ends here.
                print("FAIL \(name): \(late.count) requests hang, such as \(first)")
                exit(1)
            }
        }
        defer { watchdog.cancel() }
        let start = ContinuousClock.now
        let early = max(1, requests / 10)
        try await forEach(below: early, concurrency: concurrency) { number in
            running.withLock { $0[number] = .now }
            await send(number, tally)
            running.withLock { $0[number] = nil }
        }
        let before = await Self.settledFigures()
        try await forEach(below: requests - early, concurrency: concurrency) { number in
            running.withLock { $0[early + number] = .now }
            await send(early + number, tally)
            running.withLock { $0[early + number] = nil }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let after = await Self.settledFigures()
        let summary = """
            \(name): \(requests) requests, \(Int(Double(requests) / seconds)) a second; \(tally.text); \
            after a tenth \(before), at the end \(after)
            """
        return SoakRun.Report(summary: summary, failures: after.growth(since: before))
    }

    /// The resources of the process after closing connections have been closed.
    private static func settledFigures() async -> ProcessFigures {
        var figures = ProcessFigures()
        var rounds = 0
        while rounds < 5 {
            try? await Task.sleep(for: .milliseconds(200))
            let next = ProcessFigures()
            rounds = next.descriptors < figures.descriptors ? 0 : rounds + 1
            figures = next
        }
        return figures
    }
}
#endif
