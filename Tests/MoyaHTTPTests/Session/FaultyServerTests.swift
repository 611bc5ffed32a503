import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `MOYA_FAULTY_REQUESTS` sets the number of requests, such as 100,000; the default is smaller for a quick run.
///
/// Each test runs in a separate process, where no other test needs memory.
@Suite(
    "A server may cut, stall or refuse one in ten requests",
    .enabled(if: foundationIsOnLinux),
    .timeLimit(.minutes(10))
)
struct FaultyServerTests {
    #if os(macOS) || os(Linux)
    @Test("no request to a faulty server fails with a retry policy, and memory stays flat")
    func withPolicy() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await FaultyRun.run(
                RetryPolicy(
                    retryLimit: 10,
                    exponentialBackoffScale: 0.01,
                    budget: RetryBudget(share: 1, reservePerSecond: 100, maximumBalance: 10_000)
                )
            )
        }
        FaultyRun.tell(result)
    }

    @Test("each request to a faulty server ends exactly once without a retry policy")
    func withoutPolicy() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await FaultyRun.run(nil)
        }
        FaultyRun.tell(result)
    }
    #endif
}

/// A run of many requests to a faulty server, with its results.
private enum FaultyRun {
    static let concurrency = 256
    static var isLong: Bool { ProcessInfo.processInfo.environment["MOYA_FAULTY_REQUESTS"] != nil }
    static var count: Int {
        ProcessInfo.processInfo.environment["MOYA_FAULTY_REQUESTS"].flatMap { Int($0) } ?? 4_000
    }

    /// Passes on the output of the process.
    static func tell(_ result: ExitTest.Result?) {
        guard isLong, let result else { return }
        FileHandle.standardError.write(Data(result.standardErrorContent))
    }

    /// Returns the reaction to a request: of a hundred requests, four are cut, five get 503 and one gets no response, in an
    /// unpredictable order.
    private static func reaction(_ number: Int, _ body: Data) -> ReactingServer.Reaction {
        switch number * 37 % 100 {
        case 0, 1: .cut
        case 2, 3: .cutInBody
        case 4..<9: .respond(503)
        case 9: .stall
        default: .respond(200, body: body)
        }
    }

    static func run(_ policy: RetryPolicy?) async throws {
        let body = Pattern().bytes(1_000)
        let server = try await ReactingServer(keepsRequests: false) { reaction($0.number, body) }
        let transport = Session(configuration: configuration).transport
        let monitor = CountingMonitor()
        let session = Session(transport: transport, interceptor: policy, eventMonitors: [monitor])
        var request = URLRequest(url: server.url())
        request.timeoutInterval = 4
        let ends = Locked(Ends())
        let began = ContinuousClock.now

        func send(_ count: Int) async {
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<count {
                    if index >= concurrency { await group.next() }
                    group.addTask { [request] in
                        do {
                            let response = try await session.data(for: request)
                            let isWhole = response.statusCode != 200 || response.data == body
                            ends.withLock { $0.answered(response.statusCode, isWhole: isWhole) }
                        } catch {
                            ends.withLock { $0.failed(error) }
                        }
                    }
                }
            }
        }
        await send(count / 10)
        let memoryBefore = residentMebibytes
        await send(count - count / 10)
        let memoryAfter = residentMebibytes

        let end = ends.withLock { $0 }
        let events = monitor.counts
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        say(
            """
            \(count) requests in \(seconds) s: \(end.statuses), errors \(end.errors); \(events); \
            server saw \(server.count); resident \(memoryBefore) MiB after a tenth, \(memoryAfter) MiB at the end

            """
        )
        #expect(end.count == count)
        #expect(end.damaged == 0)
        #expect(events.begun == count)
        #expect(events.ended == count)
        #expect(events.strays == 0)
        #expect(memoryAfter <= memoryBefore + 24, "\(memoryBefore) MiB, \(memoryAfter) MiB")
        if policy != nil {
            #expect(end.statuses == [200: count], "\(end)")
            #expect(events.retries > 0)
        } else {
            #expect(end.statuses[200, default: 0] > 0)
            #expect(end.statuses[503, default: 0] > 0)
            #expect(end.errors[URLError.Code.networkConnectionLost.rawValue, default: 0] > 0)
            #expect(end.errors[URLError.Code.timedOut.rawValue, default: 0] > 0)
            #expect(events.retries == 0)
        }
        await transport.shutdown()
        await server.shutDown()
    }

    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = concurrency
        return configuration
    }

    private static func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    private static var residentMebibytes: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / (1 << 20)
    }
}

/// The numbers of requests, by their ends.
private struct Ends: Sendable {
    var statuses: [Int: Int] = [:]
    var errors: [Int: Int] = [:]
    /// The number of successes with a wrong body.
    var damaged = 0

    var count: Int { statuses.values.reduce(0, +) + errors.values.reduce(0, +) }

    mutating func answered(_ status: Int, isWhole: Bool) {
        statuses[status, default: 0] += 1
        if !isWhole { damaged += 1 }
    }

    mutating func failed(_ error: any Error) { errors[(error as? URLError)?.code.rawValue ?? 0, default: 0] += 1 }
}

/// Counts the begins and ends of requests, and checks that each occurs once.
private final class CountingMonitor: EventMonitor {
    struct Counts: Sendable, CustomStringConvertible {
        var running: Set<UUID> = []
        var begun = 0
        var ended = 0
        var retries = 0
        /// The number of events of requests that have not begun or have already ended.
        var strays = 0

        var description: String { "begun \(begun), ended \(ended), retries \(retries), strays \(strays)" }
    }

    private let state = Locked(Counts())

    var counts: Counts { state.withLock { $0 } }

    func record(_ event: RequestEvent) {
        state.withLock { counts in
            switch event.kind {
            case .queued:
                counts.begun += 1
                if !counts.running.insert(event.id).inserted { counts.strays += 1 }
            case .finished, .failed:
                counts.ended += 1
                if counts.running.remove(event.id) == nil { counts.strays += 1 }
            default:
                if case .retrying = event.kind { counts.retries += 1 }
                if !counts.running.contains(event.id) { counts.strays += 1 }
            }
        }
    }
}
