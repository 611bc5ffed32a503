#if AsyncHTTPClient && !canImport(Darwin)
    /// A message on its way through a pool. Touched on the pool's event loop alone.
    final class NIOCall {
        enum Place {
            case waiting(PoolState.RequestID)
            case running(any NIOConnection)
            case over
        }

        let message: NIOMessage
        var place = Place.over
        /// The stream of HTTP/2 that it runs on.
        var streamID: UInt32 = 0

        var exchange: Exchange { message.exchange }

        init(_ message: NIOMessage) { self.message = message }
    }
#endif
