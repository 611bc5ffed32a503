#if NIO && !canImport(Darwin)
    /// A request in a pool.
    ///
    /// It must be used on the pool's event loop only.
    final class PooledRequest {
        enum State {
            case waiting(ConnectionPoolStateMachine.RequestID)
            case running(any HTTPConnection)
            case over
        }

        let request: OutboundRequest
        var state = State.over
        /// The HTTP/2 stream of the request.
        var streamID: UInt32 = 0

        var exchange: Exchange { request.exchange }

        init(_ request: OutboundRequest) { self.request = request }
    }
#endif
