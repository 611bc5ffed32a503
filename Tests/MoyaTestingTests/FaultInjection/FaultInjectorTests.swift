import Foundation
import Testing

@testable import MoyaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A fault injector injects faults into requests", .timeLimit(.minutes(5)))
struct FaultInjectorTests {
    private func session(
        _ injector: FaultInjector,
        isAroundExchange: Bool = true,
        _ transport: ScriptedTransport = ScriptedTransport().on(where: { _ in true }, .text("0123456789")),
        interceptor: (any RequestInterceptor)? = nil
    ) -> Session {
        Session(
            transport: transport,
            interceptor: interceptor,
            middleware: isAroundExchange ? [] : [injector],
            exchangeMiddleware: isAroundExchange ? [injector] : [],
            options: SessionOptions(clock: QuickClock())
        )
    }

    private func request(_ method: String = "GET", _ url: String = "http://h.test/a") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        return request
    }

    /// Returns the status and body of a response, or the code and cause of the error.
    private func outcome(_ session: Session, _ request: URLRequest) async -> String {
        do {
            let response = try await session.data(for: request)
            return "\(response.statusCode) \(String(decoding: response.data, as: UTF8.self))"
        } catch {
            let cause = ((error as? URLError)?.userInfo[NSUnderlyingErrorKey] as? ScriptedFault)?.kind
            return "\((error as? URLError)?.code.rawValue ?? 0) \(cause.map { "\($0)" } ?? "-")"
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let fault: InjectedFault
        var method = "GET"
        let outcome: String
        /// The number of requests that the transport gets.
        let sent: Int
        var waits: [Duration] = []

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "an error",
            fault: .error(.notConnectedToInternet, rate: 1),
            outcome: "\(URLError.Code.notConnectedToInternet.rawValue) "
                + "\(ScriptedFault.Kind.error(.notConnectedToInternet))",
            sent: 0
        ),
        Case(name: "a status", fault: .status(503, rate: 1), outcome: "503 ", sent: 0),
        Case(
            name: "a fault of a script",
            fault: .response(.refused.after(.seconds(1)), rate: 1),
            outcome: "\(URLError.Code.cannotConnectToHost.rawValue) refused",
            sent: 0,
            waits: [.seconds(1)]
        ),
        Case(
            name: "a response of a script",
            fault: .response(.text("x", status: 418), rate: 1),
            outcome: "418 x",
            sent: 0
        ),
        Case(
            name: "a chance of a script",
            fault: .response(.chance(1, seed: 1, .status(500), otherwise: .refused), rate: 1),
            outcome: "500 ",
            sent: 0
        ),
        Case(name: "noMore", fault: .response(.noMore, rate: 1), outcome: "200 0123456789", sent: 1),
        Case(
            name: "a delay",
            fault: .delay(.seconds(2)...(.seconds(2)), rate: 1),
            outcome: "200 0123456789",
            sent: 1,
            waits: [.seconds(2)]
        ),
        Case(
            name: "a delay after the timeout",
            fault: .delay(.seconds(61)...(.seconds(61)), rate: 1),
            outcome: "\(URLError.Code.timedOut.rawValue) timedOut",
            sent: 0,
            waits: [.seconds(60)]
        ),
        Case(
            name: "a truncated body",
            fault: .truncation(at: 4, rate: 1),
            outcome: "\(URLError.Code.networkConnectionLost.rawValue) truncated(at: 4)",
            sent: 1
        ),
        Case(name: "a body that is shorter", fault: .truncation(at: 10, rate: 1), outcome: "200 0123456789", sent: 1),
        Case(name: "no body", fault: .truncation(rate: 1), method: "HEAD", outcome: "200 ", sent: 1),
        Case(
            name: "a slow body",
            fault: .slowBody(bytesPerSecond: 20, rate: 1),
            outcome: "200 0123456789",
            sent: 1,
            waits: Array(repeating: .milliseconds(100), count: 5)
        ),
        Case(
            name: "a body that does not arrive",
            fault: .slowBody(bytesPerSecond: 0, rate: 1),
            outcome: "\(URLError.Code.timedOut.rawValue) timedOut",
            sent: 1,
            waits: [.seconds(60)]
        ),
        Case(name: "a rate of 0", fault: .status(503, rate: 0), outcome: "200 0123456789", sent: 1),
    ]

    @Test("a fault has the effect of a scripted one, around an exchange and around a request", arguments: cases)
    func fault(_ row: Case) async throws {
        for isAroundExchange in [true, false] {
            let clock = QuickClock()
            let injector = FaultInjector(row.fault, seed: 1, clock: clock)
            let transport = ScriptedTransport().on(where: { _ in true }, .text("0123456789"))
            let session = session(injector, isAroundExchange: isAroundExchange, transport)
            #expect(await outcome(session, try request(row.method)) == row.outcome)
            #expect(transport.requests.count == row.sent)
            #expect(clock.waits == row.waits)
        }
    }

    @Test("a truncated body delivers the bytes before the fault, also of a stream of unknown length")
    func truncatedStream() async throws {
        let transport = ScriptedTransport().on(where: { _ in true }, .chunks(["012", "345"]))
        for (count, expected) in [(0, ""), (2, "01"), (3, "012"), (5, "01234")] {
            let session = session(FaultInjector(.truncation(at: count, rate: 1)), transport)
            var text = ""
            let error = await #expect(throws: URLError.self) {
                for try await chunk in try await session.stream(for: request()).body {
                    text += String(decoding: chunk, as: UTF8.self)
                }
            }
            #expect(error?.code == .networkConnectionLost)
            #expect(text == expected)
        }
    }

    @Test("delays are random in their range, and equal seeds give equal delays")
    func delays() async throws {
        var series: [[Duration]] = []
        for _ in 1...2 {
            let clock = QuickClock()
            let session = session(FaultInjector(.delay(.seconds(1)...(.seconds(3)), rate: 1), seed: 5, clock: clock))
            for _ in 1...50 { _ = try await session.data(for: request()) }
            series.append(clock.waits)
        }
        #expect(series[0] == series[1])
        #expect(series[0].count == 50 && Set(series[0]).count == 50)
        #expect(series[0].allSatisfy { (.seconds(1)...(.seconds(3))).contains($0) })
        #expect(series[0].contains { $0 < .seconds(1.5) } && series[0].contains { $0 > .seconds(2.5) })
    }

    @Test("a retry policy sees the faults of exchanges, and not those of whole requests")
    func place() async throws {
        let policy = RetryPolicy(retryLimit: 5, budget: nil)
        let exchanges = FaultInjector(.status(503, rate: 0.5), seed: 42)
        let repaired = session(exchanges, interceptor: policy)
        for _ in 1...20 { #expect(try await repaired.data(for: request()).statusCode == 200) }
        let requests = FaultInjector(.status(503, rate: 0.5), seed: 42)
        let damaged = session(requests, isAroundExchange: false, interceptor: policy)
        var failures = 0
        for _ in 1...20 { failures += try await damaged.data(for: request()).statusCode == 503 ? 1 : 0 }
        #expect((1...19).contains(failures))
    }

    @Test("only requests that the filter selects get faults, and only while the injector is enabled")
    func filter() async throws {
        let injector = FaultInjector(.status(503, rate: 1), isEnabled: false) { $0.url.path == "/a" }
        let session = session(injector)
        func status(_ path: String) async throws -> Int {
            try await session.data(for: request("GET", "http://h.test\(path)")).statusCode
        }
        #expect(try await status("/a") == 200)
        injector.isEnabled = true
        #expect(try await status("/a") == 503)
        #expect(try await status("/b") == 200)
        injector.isEnabled = false
        #expect(try await status("/a") == 200)
    }

    @Test("requests without a possible fault do not change the series of the others")
    func series() async throws {
        func statuses(_ others: Int) async throws -> [Int] {
            let injector = FaultInjector(.status(503, rate: 0.5), seed: 9) { $0.url.path == "/a" }
            let session = session(injector)
            var statuses: [Int] = []
            for _ in 1...20 {
                statuses.append(try await session.data(for: request()).statusCode)
                for _ in 0..<others { _ = try await session.data(for: request("GET", "http://h.test/b")) }
            }
            return statuses
        }
        let series = try await statuses(0)
        #expect(Set(series) == [200, 503])
        #expect(try await statuses(2) == series)
    }

    @Test("the text of an injected error names the seed")
    func text() async throws {
        let session = session(FaultInjector(.error(.timedOut, rate: 1), seed: 99))
        let error = await #expect(throws: URLError.self) { try await session.data(for: request()) }
        #expect(
            error?.localizedDescription
                == "The request timed out. (By chance: 1.0, seed 99, request 1 of a FaultInjector. The same seed repeats it.)"
        )
    }

    @Test("a download whose body is truncated requests the rest, and gets the whole file")
    func download() async throws {
        let transport = ScriptedTransport().on(
            where: { _ in true },
            .text("0123456789").header("ETag", "\"1\""),
            .text("456789", status: 206).header("ETag", "\"1\"").header("Content-Range", "bytes 4-9/10")
        )
        let first = Locked(true)
        let injector = FaultInjector(.truncation(at: 4, rate: 1)) { _ in
            first.withLock { first in
                defer { first = false }
                return first
            }
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moya-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        _ = try await session(injector, transport).download(
            request(),
            to: { _, _ in (file, [.createIntermediateDirectories, .resumesWhenInterrupted]) }
        )
        #expect(try String(contentsOf: file, encoding: .utf8) == "0123456789")
        #expect(transport.requests.count == 2)
    }
}
