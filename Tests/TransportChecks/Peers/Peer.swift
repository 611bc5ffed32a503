#if NIO && !canImport(Darwin)
    import Foundation

    /// A server that others wrote, and what it can do.
    package enum Peer: String, CaseIterable, Sendable {
        case nginx
        case nghttpd
        case go
        case hypercorn

        /// A version of HTTP that the checks run over.
        package enum Version: String, CaseIterable, Sendable {
            case http1 = "HTTP/1.1"
            case http2 = "HTTP/2"
        }

        var versions: [Version] { self == .nghttpd ? [.http2] : Version.allCases }

        /// A path whose response takes a while, if there is one, and otherwise one whose response is short.
        var concurrentPath: String { self == .nghttpd ? "/ok" : "/slow" }

        /// nghttpd serves files, and can echo a body.
        static let applications: Set<Peer> = [.nginx, .go, .hypercorn]
    }

    /// Where the peer listens and how it is reached.
    package struct PeerAddress: Sendable {
        package var peer: Peer
        /// The peer's servers by name; `main` always exists.
        package var urls: [String: URL]
        /// The authority that issued the peer's certificate, in PEM.
        package var authority: URL
        /// The process that SIGHUP makes load its configuration again.
        package var reloadedProcess: Int32?

        package init(peer: Peer, urls: [String: URL], authority: URL, reloadedProcess: Int32? = nil) {
            self.peer = peer
            self.urls = urls
            self.authority = authority
            self.reloadedProcess = reloadedProcess
        }
    }
#endif
