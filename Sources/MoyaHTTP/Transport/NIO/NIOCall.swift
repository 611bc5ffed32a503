#if NIO && !canImport(Darwin)
    /// A request in a pool.
    ///
    /// It must be used on the pool's event loop only.
    final class NIOCall {
        enum Place {
            case waiting(PoolState.RequestID)
            case running(any NIOConnection)
            case over
        }

        let message: NIOMessage
        var place = Place.over
        /// The HTTP/2 stream of the request.
        var streamID: UInt32 = 0

        var exchange: Exchange { message.exchange }

        init(_ message: NIOMessage) { self.message = message }
    }
#endif
