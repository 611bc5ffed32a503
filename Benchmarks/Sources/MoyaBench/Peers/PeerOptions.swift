import ArgumentParser

/// The options that name the clients of other languages.
struct PeerOptions: ParsableArguments {
    @Option(help: "A peer of another language and the command that starts it: go=/path/of/the/program")
    var peer: [String] = []

    /// Returns all clients, the provider first.
    func all() throws -> [Peer] { try Peer.swiftPeers() + peer.map(Peer.init(option:)) }

    /// Returns a client of another language by its name.
    func peer(_ name: String) throws -> Peer? { try peer.map(Peer.init(option:)).first { $0.name == name } }
}
