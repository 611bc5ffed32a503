#if NIO && !canImport(Darwin)
import ArgumentParser
import Foundation
import TransportChecks

/// The command `moya-cli peers`, which `scripts/check/peers` runs.
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Check the transport against a server that others wrote.",
        shouldDisplay: false
    )

    @Option(help: "nginx, nghttpd, go or hypercorn.")
    var peer: Peer

    @Option(
        help: "A server of the peer's: its name, =, and its URL. There is one named main.",
        transform: { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let url = URL(string: String(parts[1])) else {
                throw ValidationError("\"\(text)\" is not a name and a URL.")
            }
            return (String(parts[0]), url)
        }
    )
    var url: [(String, URL)]

    @Option(help: "The file with the authority that issued the servers' certificate, in PEM.")
    var authority: String

    @Option(help: "The process that SIGHUP makes load its configuration again.")
    var reload: Int32?

    @Option(help: "Run only checks whose name contains this.")
    var check = ""

    func run() async throws {
        let address = PeerAddress(
            peer: peer,
            urls: Dictionary(url) { $1 },
            authority: URL(fileURLWithPath: authority),
            reloadedProcess: reload
        )
        let failures = await PeerChecks(address, filter: check).run { print($0) }
        guard failures == 0 else { throw ExitCode.failure }
    }
}

extension Peer: ExpressibleByArgument {}
#endif
