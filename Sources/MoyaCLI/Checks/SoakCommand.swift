#if NIO && !canImport(Darwin)
import ArgumentParser
import Foundation
import TransportChecks

/// The command `moya-cli soak`, which `scripts/check/soak` also runs against nginx.
struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Send very many requests to a server that misbehaves.",
        discussion: """
            Without --url the server is one in this process. The exit status is 1 if a request did not end just once, \
            a POST was received twice, a request was received after its end, or descriptors, threads or memory grew.
            """,
        shouldDisplay: false
    )

    @Option(help: "http1 or http2; both without one.")
    var version: Version?

    @Option(help: "The number of requests for each version.")
    var requests = 1_000_000

    @Option(help: "The number of them at once.")
    var concurrency = 64

    @Option(help: "The seed of the requests.")
    var seed: UInt64 = 1

    @Option(help: "The URL of nginx.")
    var url: String?

    @Option(help: "The file with the authority that issued its certificate, in PEM.")
    var authority: String?

    @Option(help: "Its process, which SIGHUP makes load its configuration again.")
    var reload: Int32?

    enum Version: String, ExpressibleByArgument, CaseIterable { case http1, http2 }

    func validate() throws {
        guard requests >= 10, concurrency >= 1 else {
            throw ValidationError("Use at least 10 requests, and at least one at once.")
        }
    }

    func run() async throws {
        FileLimit.raise()
        var failed = false
        for version in version.map({ [$0] }) ?? Version.allCases {
            let report = try await report(isHTTP2: version == .http2)
            print(report.summary)
            for failure in report.failures.prefix(20) { print("  FAIL \(failure)") }
            if report.failures.count > 20 { print("  and \(report.failures.count - 20) more") }
            failed = failed || !report.failures.isEmpty
        }
        if failed { throw ExitCode.failure }
    }

    private func report(isHTTP2: Bool) async throws -> SoakRun.Report {
        guard let url = url.flatMap({ URL(string: $0) }), let authority else {
            var run = SoakRun(isHTTP2: isHTTP2, requests: requests)
            run.concurrency = concurrency
            run.seed = seed
            return try await run.run()
        }
        let file = URL(fileURLWithPath: authority)
        let address = PeerAddress(peer: .nginx, urls: ["main": url], authority: file, reloadedProcess: reload)
        var run = SoakPeer(address, isHTTP2: isHTTP2, requests: requests)
        run.concurrency = concurrency
        run.seed = seed
        return try await run.run()
    }
}
#endif
