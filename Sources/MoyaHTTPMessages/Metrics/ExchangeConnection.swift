/// The connection that carries an exchange: its number, its protocol, its addresses and its TLS.
///
/// A fact that the transport does not know is `nil`.
public struct ExchangeConnection: Sendable, Equatable, CustomStringConvertible {
    /// The facts of a TLS handshake.
    public struct TLS: Sendable, Hashable {
        /// The version: `TLSv1.2` or `TLSv1.3`.
        public let version: String?
        /// The name of the cipher suite in the registry of IANA, such as `TLS_AES_128_GCM_SHA256`.
        public let cipherSuite: String?

        /// Creates the facts of a handshake.
        public init(version: String? = nil, cipherSuite: String? = nil) {
            (self.version, self.cipherSuite) = (version, cipherSuite)
        }
    }

    private final class Storage: Sendable {
        let number: Int?
        let tls: TLS?
        let facts: @Sendable () -> ResponseInfo.Connection

        init(_ number: Int?, _ tls: TLS?, _ facts: @escaping @Sendable () -> ResponseInfo.Connection) {
            (self.number, self.tls, self.facts) = (number, tls, facts)
        }
    }

    // All exchanges on a connection share one reference.
    private let storage: Storage

    /// Creates the facts of a connection, for a custom transport or for tests.
    ///
    /// - Parameters:
    ///   - number: A number that other connections of the process do not have.
    ///   - httpVersion: The version of HTTP.
    ///   - remoteAddress: The address of the server or proxy.
    ///   - localAddress: The address of this end of the connection.
    ///   - tls: The facts of the TLS handshake; `nil` without TLS.
    public init(
        number: Int? = nil,
        httpVersion: String? = nil,
        remoteAddress: ResponseInfo.Address? = nil,
        localAddress: ResponseInfo.Address? = nil,
        tls: TLS? = nil
    ) {
        let facts = ResponseInfo.Connection(
            httpVersion: httpVersion,
            remoteAddress: remoteAddress,
            localAddress: localAddress
        )
        self.init(number: number, tls: tls) { facts }
    }

    /// Creates the facts of a connection.
    ///
    /// - Parameters:
    ///   - number: A number that other connections of the process do not have.
    ///   - tls: The facts of the TLS handshake; `nil` without TLS.
    ///   - facts: Returns the version and the addresses; called each time that one of them is read.
    package init(number: Int?, tls: TLS?, facts: @escaping @Sendable () -> ResponseInfo.Connection) {
        storage = Storage(number, tls, facts)
    }

    /// The number of the connection, which is unique in the process; `nil` if the transport does not number its connections.
    public var number: Int? { storage.number }

    /// The version of HTTP that the connection was opened for: `HTTP/1.1`, `HTTP/2` or `HTTP/3`.
    ///
    /// The version of a response is in ``ResponseInfo/httpVersion``: a server may respond with HTTP/1.0.
    public var httpVersion: String? { storage.facts().httpVersion }

    /// The address of the server or proxy that the connection leads to; `nil` for a Unix domain socket.
    public var remoteAddress: ResponseInfo.Address? { storage.facts().remoteAddress }

    /// The address of this end of the connection; `nil` for a Unix domain socket.
    public var localAddress: ResponseInfo.Address? { storage.facts().localAddress }

    /// The facts of the TLS handshake with the server; `nil` without TLS.
    public var tls: TLS? { storage.tls }

    /// The known facts, such as `#3 HTTP/2 192.0.2.1:443 TLSv1.3 TLS_AES_128_GCM_SHA256`.
    public var description: String {
        let facts = storage.facts()
        return [
            number.map { "#\($0)" }, facts.httpVersion, facts.remoteAddress?.description, tls?.version,
            tls?.cipherSuite,
        ].compactMap(\.self).joined(separator: " ")
    }

    /// Returns whether all facts are equal.
    public static func == (one: ExchangeConnection, other: ExchangeConnection) -> Bool {
        one.storage === other.storage
            || one.number == other.number && one.tls == other.tls && one.storage.facts() == other.storage.facts()
    }
}
