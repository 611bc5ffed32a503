#if NIO && !canImport(Darwin)
import Foundation

/// A server by another author, with its capabilities.
package enum Peer: String, CaseIterable, Sendable {
    case nginx
    case nghttpd
    case go
    case hypercorn

    /// A version of HTTP on which the checks run.
    package enum Version: String, CaseIterable, Sendable {
        case http1 = "HTTP/1.1"
        case http2 = "HTTP/2"
    }

    var versions: [Version] { self == .nghttpd ? [.http2] : Version.allCases }

    /// A path with a slow response, if there is one, and otherwise a path with a short response.
    var concurrentPath: String { self == .nghttpd ? "/ok" : "/slow" }

    /// nghttpd serves files, and can echo a body.
    static let applications: Set<Peer> = [.nginx, .go, .hypercorn]
}

/// The address of the peer and the way to reach it.
package struct PeerAddress: Sendable {
    package var peer: Peer
    /// The peer's servers by name; `main` always exists.
    package var urls: [String: URL]
    /// The authority that issued the peer's certificate, in PEM.
    package var authority: URL
    /// The process that reloads its configuration on SIGHUP.
    package var reloadedProcess: Int32?

    package init(peer: Peer, urls: [String: URL], authority: URL, reloadedProcess: Int32? = nil) {
        self.peer = peer
        self.urls = urls
        self.authority = authority
        self.reloadedProcess = reloadedProcess
    }
}
#endif
