import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Log lines have labels of their requests", .timeLimit(.minutes(2)))
struct LoggerLabelTests {
    private typealias Configuration = NetworkLoggerPlugin.Configuration

    @Test("a response from the cache is marked in the log")
    func source() async throws {
        let output = Recorder<String>()
        let logger = NetworkLoggerPlugin(
            configuration: Configuration(output: { _, items in items.forEach { output.add($0) } }, logOptions: .oneLine)
        )
        let transport = FakeTransport { _ in
            TransportResponse(status: 200, headers: [.cacheControl: "max-age=60"], body: .complete(Data("ok".utf8)))
        }
        let provider = MoyaProvider<SomeTarget>(
            session: Session(transport: transport, cache: .memory()),
            plugins: [logger]
        )
        for _ in 0..<2 { _ = try await provider.request(SomeTarget()) }
        let labels = output.values.map { line in
            line.split(separator: "]")[0].split(separator: ", ").dropFirst(3).last.map(String.init)
        }
        #expect(labels.map { $0 == "cache" } == [false, false, false, true], "\(labels)")
    }

    /// The parts of a line of the log.
    private struct Line: Equatable {
        var number: Int
        var attempt: Int?
        /// The reason for a later attempt.
        var reason: String?
        var hasDuration: Bool
        var text: String

        init?(_ line: String) {
            let pattern =
                #/Moya_Logger: \[[-\d]+, [:\d]+\.\d{3}, #(\d+)(?:, attempt (\d+))?(?: after ([^\]]*))?(, \d+ ms)?\] ((?s).*)/#
            guard let match = line.wholeMatch(of: pattern), let number = Int(match.1) else { return nil }
            self.number = number
            attempt = match.2.flatMap { Int($0) }
            reason = match.3.map { String($0) }
            hasDuration = match.4 != nil
            text = String(match.5)
        }
    }

    /// Returns the lines that a logger writes while a function uses a provider.
    private func lines(
        _ options: Configuration.LogOptions = .oneLine,
        transport: any HTTPTransport,
        interceptor: (any RequestInterceptor)? = nil,
        _ use: (MoyaProvider<SomeTarget>) async throws -> Void
    ) async throws -> [Line] {
        let output = Recorder<String>()
        let logger = NetworkLoggerPlugin(
            configuration: Configuration(output: { _, items in items.forEach { output.add($0) } }, logOptions: options)
        )
        let session = Session(transport: transport, interceptor: interceptor)
        try await use(MoyaProvider<SomeTarget>(session: session, plugins: [logger]))
        return try output.values.map { try #require(Line($0), "\($0)") }
    }

    @Test("a logged request and its result have one line each, with the same number and the duration")
    func oneLine() async throws {
        let lines = try await lines(transport: FakeTransport.body("ok")) { provider in
            for _ in 0..<2 { _ = try await provider.request(SomeTarget()) }
        }
        #expect(lines.map(\.hasDuration) == [false, true, false, true])
        #expect(lines.map(\.attempt) == [nil, nil, nil, nil])
        #expect(lines[0].number == lines[1].number && lines[2].number == lines[3].number)
        #expect(lines[0].number < lines[2].number)
        let url = try await request(of: SomeTarget())
        #expect(
            lines.map(\.text)
                == Array(repeating: ["Request: \(url)", "Response: 200, 2 bytes, \(url)"], count: 2).flatMap { $0 }
        )
    }

    private func request(of target: SomeTarget) async throws -> String {
        let endpoint = MoyaProvider.defaultEndpointMapping(for: target)
        return "\(target.method.rawValue) \(try endpoint.urlRequest().url?.absoluteString ?? "")"
    }

    @Test(
        "log lines of a second attempt and its result have the attempt's number, and the second attempt has its reason"
    )
    func attempts() async throws {
        struct Once: RequestInterceptor {
            func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
                attempt.retryCount == 0 ? .retry : .doNotRetry
            }
        }
        let lines = try await lines(transport: FakeTransport.body("ok"), interceptor: Once()) { provider in
            _ = try await provider.request(SomeTarget())
        }
        #expect(lines.map(\.attempt) == [nil, 2, 2] && Set(lines.map(\.number)).count == 1)
        #expect(lines.map(\.reason) == [nil, "status 200", nil])
    }

    @Test("the log line of a later attempt has the masked status or error of the previous attempt")
    func reasons() async throws {
        struct Thrice: RequestInterceptor {
            func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
                attempt.retryCount < 3 ? .retry : .doNotRetry
            }
        }
        struct Refusal: LocalizedError {
            var errorDescription: String? { "No key:\nsee https://h/?token=s3cr3t-t0k3n-99" }
        }
        let count = Locked(0)
        let transport = FakeTransport { _ in
            switch count.withLock({ count in
                count += 1
                return count
            }) {
            case 1: return TransportResponse(status: 503)
            case 2: throw URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "The request timed out."])
            case 3: throw Refusal()
            default: return TransportResponse(status: 200)
            }
        }
        let lines = try await lines(transport: transport, interceptor: Thrice()) { provider in
            _ = try await provider.request(SomeTarget())
        }
        #expect(lines.map(\.attempt) == [nil, 2, 3, 4, 4])
        #expect(
            lines.map(\.reason) == [
                nil, "status 503", "\"The request timed out.\"", "\"No key: see https://h/?token=***\"", nil,
            ]
        )
    }

    @Test("a logged failure has the request's line and the duration")
    func failure() async throws {
        struct Failing: HTTPTransport {
            func send(_ request: TransportRequest) async throws -> TransportResponse { throw URLError(.timedOut) }
            func shutdown() async {}
        }
        let lines = try await lines(transport: Failing()) { provider in
            await #expect(throws: MoyaError.self) { try await provider.request(SomeTarget()) }
        }
        let url = try await request(of: SomeTarget())
        #expect(lines.last?.text.hasPrefix("Error: ") == true && lines.last?.text.hasSuffix(" \(url)") == true)
        #expect(lines.last?.hasDuration == true && lines.first?.number == lines.last?.number)
    }

    @Test("all items of the long log format have the label")
    func longForm() async throws {
        let lines = try await lines(.verbose, transport: FakeTransport.body("ok")) { provider in
            _ = try await provider.request(SomeTarget())
        }
        #expect(lines.count > 3 && Set(lines.map(\.number)).count == 1)
        #expect(lines.filter(\.hasDuration).allSatisfy { $0.text.hasPrefix("Response") })
    }
}
