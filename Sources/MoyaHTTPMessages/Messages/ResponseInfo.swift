/// The facts of a response that are in none of its fields: the version of HTTP, the reason phrase, and the addresses of the
/// connection.
///
/// A fact that the transport does not know is `nil`: `NIOTransport` knows all; AsyncHTTPClient knows no addresses; URLSession knows
/// no reason phrase, and the others only on Apple's platforms and when the body has been received.
///
/// The facts are those of the connection to the proxy, if the request went through one. A stapled OCSP response is not among them,
/// since neither SwiftNIO's TLS library nor URLSession supplies it.
public struct ResponseInfo: Sendable, Equatable, CustomStringConvertible {
    /// An IP address with a port.
    public struct Address: Hashable, Sendable, CustomStringConvertible {
        /// The IP address as text, such as `192.0.2.1` or `2001:db8::1`.
        public let ipAddress: String
        /// The port.
        public let port: Int

        /// Creates an address.
        public init(ipAddress: String, port: Int) {
            self.ipAddress = ipAddress
            self.port = port
        }

        /// The address as in a URL, such as `192.0.2.1:443` or `[2001:db8::1]:443`.
        public var description: String {
            ipAddress.utf8.contains(UInt8(ascii: ":")) ? "[\(ipAddress)]:\(port)" : "\(ipAddress):\(port)"
        }
    }

    /// The facts that all responses on a connection have in common.
    package struct Connection: Sendable, Equatable {
        package var httpVersion: String?
        package var remoteAddress: Address?
        package var localAddress: Address?

        package init(httpVersion: String? = nil, remoteAddress: Address? = nil, localAddress: Address? = nil) {
            self.httpVersion = httpVersion
            self.remoteAddress = remoteAddress
            self.localAddress = localAddress
        }
    }

    private final class Storage: Sendable {
        let reasonPhrase: String?
        let connection: @Sendable () -> Connection

        init(_ reasonPhrase: String?, _ connection: @escaping @Sendable () -> Connection) {
            self.reasonPhrase = reasonPhrase
            self.connection = connection
        }
    }

    // Equal responses on a connection share one reference.
    private let storage: Storage

    /// Creates the facts of a response, for a custom transport or for tests.
    public init(
        httpVersion: String? = nil,
        reasonPhrase: String? = nil,
        remoteAddress: Address? = nil,
        localAddress: Address? = nil
    ) {
        let connection = Connection(
            httpVersion: httpVersion,
            remoteAddress: remoteAddress,
            localAddress: localAddress
        )
        self.init(reasonPhrase: reasonPhrase) { connection }
    }

    /// Creates the facts of a response.
    ///
    /// - Parameters:
    ///   - reasonPhrase: The reason phrase.
    ///   - connection: Returns the facts of the connection; called each time that a fact is read.
    package init(reasonPhrase: String?, connection: @escaping @Sendable () -> Connection) {
        storage = Storage(reasonPhrase, connection)
    }

    /// The version of HTTP in which the response was sent: `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`.
    public var httpVersion: String? { storage.connection().httpVersion }

    /// The reason phrase of the status line (RFC 9112, section 4); empty if the server sent none, and `nil` over HTTP/2 and later,
    /// which have none.
    ///
    /// It is text for people, which servers choose freely: use the status code for decisions.
    public var reasonPhrase: String? { storage.reasonPhrase }

    /// The address of the server or proxy that the connection leads to; `nil` for a Unix domain socket.
    public var remoteAddress: Address? { storage.connection().remoteAddress }

    /// The address of this end of the connection; `nil` for a Unix domain socket.
    public var localAddress: Address? { storage.connection().localAddress }

    /// The known facts, such as `HTTP/1.1 "Not Found" 192.0.2.1:80`.
    public var description: String {
        let connection = storage.connection()
        return [
            connection.httpVersion, reasonPhrase.map { "\"\($0)\"" }, connection.remoteAddress?.description,
        ].compactMap(\.self).joined(separator: " ")
    }

    /// Returns whether all facts are equal.
    public static func == (one: ResponseInfo, other: ResponseInfo) -> Bool {
        one.storage === other.storage
            || one.reasonPhrase == other.reasonPhrase && one.storage.connection() == other.storage.connection()
    }
}
