#if NIO && !canImport(Darwin)
import Foundation

/// One expectation of an interaction between the transport and a peer.
struct PeerCheck: Sendable {
    let name: String
    let peers: Set<Peer>
    let versions: Set<Peer.Version>
    /// A peer, and the version with which it does not support the check.
    let exception: (peer: Peer, version: Peer.Version)?
    /// Returns a text to show, or throws the violated expectation.
    let run: @Sendable (PeerClient) async throws -> String

    init(
        _ name: String,
        peers: Set<Peer> = Peer.applications,
        versions: Set<Peer.Version> = Set(Peer.Version.allCases),
        except exception: (Peer, Peer.Version)? = nil,
        run: @escaping @Sendable (PeerClient) async throws -> String
    ) {
        self.name = name
        self.peers = peers
        self.versions = versions
        self.exception = exception
        self.run = run
    }

    func suits(_ peer: Peer, _ version: Peer.Version) -> Bool {
        if let exception, exception == (peer, version) { return false }
        return peers.contains(peer) && versions.contains(version)
    }

    static let all = streams + uploads + downloads + responses + exchanges + faults + nginx
}

/// Runs the checks for a peer one after the other, and prints a line for each.
package struct PeerChecks: Sendable {
    private let address: PeerAddress
    private let filter: String
    /// The maximum time of a check.
    private let timeLimit: Duration

    package init(_ address: PeerAddress, filter: String = "", timeLimit: Duration = .seconds(120)) {
        self.address = address
        self.filter = filter
        self.timeLimit = timeLimit
    }

    /// - Returns: The number of failed checks.
    package func run(print: @Sendable (String) -> Void) async -> Int {
        var failures = 0
        for version in address.peer.versions {
            for check in PeerCheck.all
            where check.suits(address.peer, version) && (filter.isEmpty || check.name.contains(filter)) {
                let start = ContinuousClock.now
                let (passed, text) = await outcome(of: check, version)
                if !passed { failures += 1 }
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                let columns = [
                    passed ? "pass" : "FAIL",
                    address.peer.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0),
                    version.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0),
                    check.name.padding(toLength: 52, withPad: " ", startingAt: 0),
                    String(format: "%6.2f s", seconds),
                    text,
                ]
                print(columns.joined(separator: "  "))
            }
        }
        return failures
    }

    private func outcome(of check: PeerCheck, _ version: Peer.Version) async -> (passed: Bool, text: String) {
        do {
            let client = try PeerClient(address, version)
            let limit = timeLimit
            let text = try await withThrowingTaskGroup(of: String.self) { group in
                group.addTask { try await check.run(client) }
                group.addTask {
                    try await Task.sleep(for: limit)
                    throw CheckFailure("not over after \(limit)")
                }
                defer { group.cancelAll() }
                return try await group.next() ?? ""
            }
            await client.session.transport.shutdown()
            return (true, text)
        } catch {
            return (false, error.summary)
        }
    }
}
#endif
