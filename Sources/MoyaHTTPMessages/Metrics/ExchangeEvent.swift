/// An event of one exchange with a server, which its transport reports to the exchange's ``ExchangeRecorder``.
///
/// A transport reports the events that it knows, in the order of the cases; most exchanges lack some of them. The events from
/// ``lookupStarted(host:)`` to ``connectFailed`` belong to the connect attempt that the exchange waits for. An exchange on a reused
/// connection has none of them.
public enum ExchangeEvent: Sendable, Equatable {
    /// The exchange waits for a connection, because none is free.
    case queued
    /// The lookup of a host name begins.
    case lookupStarted(host: String)
    /// The addresses of the host are known.
    case lookupEnded
    /// The connection over TCP, or to a Unix domain socket, is being established.
    case connectStarted
    /// The connection over TCP, or to a Unix domain socket, is established.
    case connectEnded
    /// The handshake with a proxy begins: a CONNECT or SOCKS.
    case proxyStarted
    /// The proxy has opened the tunnel.
    case proxyEnded
    /// The TLS handshake with the server begins.
    case tlsStarted
    /// The TLS handshake is complete, and the certificate of the server is accepted.
    case tlsEnded(ExchangeConnection.TLS)
    /// The connect attempt has failed.
    ///
    /// The exchange fails, or waits for another one.
    case connectFailed
    /// The exchange has a connection; `isReused` is whether the connection has carried another exchange before, `nil` if that is
    /// unknown.
    case acquired(ExchangeConnection, isReused: Bool?)
    /// The operating system has taken the head of the request, with this size in bytes on the connection; `nil` if it is unknown.
    case requestHeadSent(bytes: Int64?)
    /// The operating system has taken the last byte of the request; the size is that of the body in bytes, `nil` if it is unknown.
    case requestSent(bodyBytes: Int64?)
    /// An interim response has arrived, such as `103 (Early Hints)`.
    case interim(status: Int)
    /// The first byte of the response has arrived.
    case responseStarted
    /// The head of the response is complete, with this size in bytes on the connection, which includes interim responses; `nil` if it
    /// is unknown.
    case responseHead(status: Int, bytes: Int64?)
    /// The last byte of the response has arrived; the size is that of the body in bytes before decoding, `nil` if it is unknown.
    case responseEnded(bodyBytes: Int64?)
    /// The exchange has failed, or was cancelled.
    case failed
}

extension ExchangeEvent {
    /// A phase of a connect attempt.
    enum ConnectPhase: Hashable, Sendable {
        case lookup, connect, proxy, tls
    }

    /// The phase that begins with the event; `nil` for other events.
    var startedPhase: ConnectPhase? {
        switch self {
        case .lookupStarted: .lookup
        case .connectStarted: .connect
        case .proxyStarted: .proxy
        case .tlsStarted: .tls
        default: nil
        }
    }

    /// The phase that ends with the event; `nil` for other events.
    var endedPhase: ConnectPhase? {
        switch self {
        case .lookupEnded: .lookup
        case .connectEnded: .connect
        case .proxyEnded: .proxy
        case .tlsEnded: .tls
        default: nil
        }
    }

    /// Whether the event belongs to a connect attempt.
    var isOfConnectAttempt: Bool { startedPhase != nil || endedPhase != nil || self == .connectFailed }
}
