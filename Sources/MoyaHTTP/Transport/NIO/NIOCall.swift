#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import NIOCore
    import NIOFoundationCompat
    import NIOHTTP1

    /// What a connection is to carry: a request as it goes on the wire, and the exchange that is told of all that comes.
    struct NIOMessage: Sendable {
        enum Body: Sendable {
            case none
            case bytes(ByteBuffer)
            case reader(HTTPBody.Reader)
        }

        let head: HTTPRequestHead
        let body: Body
        let exchange: Exchange
        /// Where it runs: a pool that has something to do is not let go of.
        let pool: NIOPool
    }

    extension HTTPBody {
        /// What is larger, in bytes, may not fit into the socket's buffer.
        private static let longestAtOnce = 32 * 1024

        /// All of a body that need not be streamed. One that is longer is, also where it is all there, as a server may answer
        /// before it has read it.
        var dataAtOnce: Data? {
            guard let data, data.count <= Self.longestAtOnce else { return nil }
            return data
        }
    }

    /// A message on its way through a pool. Touched on the pool's event loop alone.
    final class NIOCall {
        enum Place {
            case waiting(PoolState.RequestID)
            case running(NIOExchangeHandler)
            case over
        }

        let message: NIOMessage
        var place = Place.over

        var exchange: Exchange { message.exchange }

        init(_ message: NIOMessage) { self.message = message }
    }

    /// The server speaks another protocol from here on, which nobody has asked for (RFC 9110, section 15.2.2).
    struct SwitchedProtocol: Error, CustomStringConvertible {
        var description: String { "The server has switched to another protocol." }
    }

    /// The server takes no more requests on the connection, and this one came after the last that it has taken (RFC 9113,
    /// section 6.8).
    struct RequestNotProcessed: Error, CustomStringConvertible {
        var description: String { "The server has closed the connection without processing the request." }
    }

    /// The server, or somebody on the way, has closed the connection before the response was there.
    struct ConnectionClosed: Error, CustomStringConvertible {
        var description: String { "The connection was closed before the response was complete." }
    }
#endif
