#if NIO && !canImport(Darwin)
import ArgumentParser
import Foundation
import TransportChecks

/// The command `moya-cli fuzz`, which `scripts/check/fuzz` runs.
struct FuzzCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzz",
        abstract: "Send mutated responses to the transport.",
        discussion: """
            A case is determined by the mode, the seed and its number; --first and --count 1 replay it. The exit \
            status is 1 if a case failed. A case that ends the process is found by scripts/check/fuzz.
            """,
        shouldDisplay: false
    )

    @Option(help: "http1, https1, http2, connect, socks or tls; all without one.")
    var mode: FuzzMode?

    @Option(help: "The seed of the cases.")
    var seed: UInt64 = 1

    @Option(help: "The number of the first case.")
    var first: UInt64 = 0

    @Option(help: "The number of cases.")
    var count: UInt64 = 10_000

    @Option(help: "The number of them at once.")
    var concurrency = 64

    @Option(help: ArgumentHelp("A file that lists the running cases.", valueName: "file"))
    var marks: String?

    func validate() throws {
        guard count >= 1, concurrency >= 1, first.addingReportingOverflow(count).overflow == false else {
            throw ValidationError("Use at least one case, and at least one at once.")
        }
    }

    func run() async throws {
        FileLimit.raise()
        let file = try marks.map { try MarksFile($0) }
        var failed = false
        for mode in mode.map({ [$0] }) ?? FuzzMode.allCases {
            var run = FuzzRun(mode, seed: seed, first: first, count: count)
            run.concurrency = concurrency
            if let file { run.mark = { file.write($0, $1) } }
            run.reportProgress = { FileHandle.standardError.write(Data("\(mode): \($0)\n".utf8)) }
            let report = try await run.run()
            let rate = Int(Double(report.cases) / max(report.seconds, 0.001))
            print(
                "\(mode), seed \(seed), from \(first): \(report.cases) cases, \(rate) a second; \(report.outcomes)"
            )
            for failure in report.failures.prefix(50) { print("  FAIL \(mode) seed \(seed) \(failure)") }
            if report.failures.count > 50 { print("  and \(report.failures.count - 50) more") }
            failed = failed || !report.failures.isEmpty
        }
        if failed { throw ExitCode.failure }
    }
}

extension FuzzMode: ExpressibleByArgument {}

/// A file that holds an 8-byte number for each worker: the number of the current case plus one; zero if the worker has no case.
private final class MarksFile: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw ValidationError("\(path) cannot be written.") }
    }

    func write(_ worker: Int, _ number: UInt64?) {
        var value = number.map { $0 + 1 } ?? 0
        _ = pwrite(descriptor, &value, 8, off_t(worker * 8))
    }

    deinit { close(descriptor) }
}
#endif
