#if AsyncHTTPClient && !canImport(Darwin)
    import AsyncHTTPClient
    import Foundation
    import NIOCore

    /// The clients that a transport sends through: one for each host that is spoken to over TLS, and one for all others.
    ///
    /// A client tells a new connection's initializer nothing of the host that it is for; a client that serves one host
    /// needs not be told.
    final class AsyncHTTPClientHosts: Sendable {
        private struct State: Sendable {
            /// By host, the one used last at the end.
            var clients: [(host: String, client: AsyncHTTPClientHost)] = []
            var isShutDown = false
        }

        /// So many clients are kept that nobody uses, with their connections.
        private static let mostKept = 64

        private let shared: AsyncHTTPClientHost
        private let settings: AsyncHTTPClientSettings?
        private let state = Locked(State())

        /// One loop for each client, and not a group of them: where a request and its connection are on different loops,
        /// AsyncHTTPClient (1.37) hears of the request's end in two steps. If the server has answered before that, and closes
        /// the connection between the two, the client releases a connection that it has forgotten, which ends the process.
        private static var loop: any EventLoop { HTTPClient.defaultEventLoopGroup.next() }

        /// Makes the client for plain HTTP; others are made when they are needed.
        init(_ settings: AsyncHTTPClientSettings) {
            shared = AsyncHTTPClientHost(
                HTTPClient(eventLoopGroup: Self.loop, configuration: settings.plain),
                rule: nil
            )
            self.settings = settings
        }

        /// Takes a client that is somebody else's, for all hosts.
        init(_ client: HTTPClient) {
            shared = AsyncHTTPClientHost(client, rule: nil, isOwned: false)
            settings = nil
        }

        /// The client for a URL. Whoever sends through it keeps it until the exchange is over.
        ///
        /// - Throws: ``ServerTrustError`` for a host that needs a rule and has none.
        func client(for url: URL) throws(ServerTrustError) -> AsyncHTTPClientHost {
            guard let settings, url.scheme?.lowercased() == "https", let host = url.host else { return shared }
            let rule = try settings.rule(forHost: host)
            let name = HostName(host).text
            if let client = known(name) { return client }
            let made = AsyncHTTPClientHost(
                HTTPClient(
                    eventLoopGroup: Self.loop,
                    configuration: try settings.client(forHost: host, rule: rule)
                ),
                rule: rule
            )
            let (client, dropped) = state.withLock { state in
                // Another request may have come first.
                if let client = state.clients.first(where: { $0.host == name })?.client {
                    return (client, [] as [AsyncHTTPClientHost])
                }
                guard !state.isShutDown else { return (made, [made]) }
                state.clients.append((name, made))
                return (made, Self.drop(from: &state.clients))
            }
            // Not under the lock. A client that comes too late is shut down, too, and says so to who sends through it.
            for client in dropped { client.shutdownLater() }
            return client
        }

        private func known(_ name: String) -> AsyncHTTPClientHost? {
            state.withLock { state in
                guard let index = state.clients.lastIndex(where: { $0.host == name }) else { return nil }
                let entry = state.clients.remove(at: index)
                state.clients.append(entry)
                return entry.client
            }
        }

        /// Takes out what was used longest ago and is not in use.
        private static func drop(
            from clients: inout [(host: String, client: AsyncHTTPClientHost)]
        ) -> [AsyncHTTPClientHost] {
            guard clients.count > mostKept else { return [] }
            for index in clients.indices where isKnownUniquelyReferenced(&clients[index].client) {
                return [clients.remove(at: index).client]
            }
            return []
        }

        /// Shuts down all clients that are the transport's own, and cancels what they have running.
        func shutdown() async {
            for client in all() { await client.shutdown() }
        }

        private func all() -> [AsyncHTTPClientHost] {
            [shared]
                + state.withLock { state in
                    state.isShutDown = true
                    return state.clients.map(\.client)
                }
        }

        /// What runs ends with the transport.
        deinit {
            for client in all() { client.shutdownLater() }
        }
    }

    /// A client, and the rule of the host that it is for.
    final class AsyncHTTPClientHost: Sendable {
        let client: HTTPClient

        private let rule: ServerTrustRule?
        private let isOwned: Bool

        init(_ client: HTTPClient, rule: ServerTrustRule?, isOwned: Bool = true) {
            self.client = client
            self.rule = rule
            self.isOwned = isOwned
        }

        /// What a failed exchange ends with. Where the engine refused a server, the rule is named that it did so for.
        func error(_ error: any Error, url: URL) -> URLError {
            let plain = URLError(engineError: error, url: url)
            guard let rule, rule.pattern != nil, plain.serverTrustError == nil, plain.code.isServerCertificate else {
                return plain
            }
            let refusal = rule.refusal(of: url.host ?? "", .notTrusted("\(error)"), cause: error)
            return .exchange(plain.code, url: url, reason: refusal.localizedDescription, cause: refusal)
        }

        func shutdown() async {
            guard isOwned else { return }
            // The one error there is says that it is shut down already.
            try? await client.shutdown()
        }

        func shutdownLater() {
            guard isOwned else { return }
            client.shutdown { _ in }
        }

        deinit { shutdownLater() }
    }

    extension URLError.Code {
        fileprivate var isServerCertificate: Bool {
            [
                .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
                .serverCertificateHasUnknownRoot,
            ].contains(self)
        }
    }
#endif
