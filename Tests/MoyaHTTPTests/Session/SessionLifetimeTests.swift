import Foundation
import MoyaHTTP
import TestServers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Each test runs in a separate process, where no other test uses memory, descriptors or threads.
@Suite("Ten thousand sessions are released without leaks", .enabled(if: foundationIsOnLinux))
struct SessionLifetimeTests {
    #if os(macOS) || os(Linux)
    @Test("ten thousand sessions are released with the platform's transport")
    func platform() async {
        await #expect(processExitsWith: .success) {
            try await Footprint.expectSame { Session() }
        }
    }

    @Test("ten thousand sessions are released with URLSession")
    func urlSession() async {
        await #expect(processExitsWith: .success) {
            try await Footprint.expectSame { Session(transport: URLSessionTransport()) }
        }
    }
    #endif
}

/// The system resources of a process.
private struct Footprint {
    let descriptors = Footprint.count("/proc/self/fd")
    let threads = Footprint.count("/proc/self/task")
    let mebibytes = Footprint.residentMebibytes

    /// Uses sessions until the process has warmed up, then ten thousand more; exits with a failure if those use
    /// additional resources.
    static func expectSame(_ makeSession: @Sendable () -> Session) async throws {
        try await PlainServer.run { server in
            func use(_ count: Int) async throws {
                for index in 0..<count {
                    let session = makeSession()
                    // Each session creates an engine, and one in fifty uses it: AsyncHTTPClient's timers retain some
                    // kilobytes of a used engine for another minute.
                    _ = session.transport
                    guard index % 50 == 0 else { continue }
                    let status = try await session.data(for: URLRequest(url: server.url("/json"))).statusCode
                    if status != 200 { exit(EXIT_FAILURE) }
                }
            }
            try await use(1_000)
            let before = Footprint()
            try await use(10_000)
            // Connections close and threads end asynchronously, which may take a while on a busy machine.
            let deadline = ContinuousClock.now + .seconds(60)
            while !Footprint().isSame(as: before) {
                if ContinuousClock.now > deadline { exit(EXIT_FAILURE) }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    private func isSame(as earlier: Footprint) -> Bool {
        descriptors <= earlier.descriptors + 100 && threads <= earlier.threads + 8
            && mebibytes <= earlier.mebibytes + 6
    }

    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    private static var residentMebibytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) / 1_024
    }
}
