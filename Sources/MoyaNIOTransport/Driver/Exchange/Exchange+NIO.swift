#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat

extension Exchange {
    /// Handles the end of a response with its undelivered parts: if nothing has been delivered, the response is one value.
    func finished(with rest: ResponseDelivery.Parts, trailers: HTTPFields) {
        let body = rest.chunk.map { Data(buffer: $0) }
        if let head = rest.head { return received(whole: head, body ?? Data(), trailers: trailers) }
        if let body { received(body) {} }
        finished(trailers: trailers)
    }

    /// Handles the end of the input of an upgraded connection with its undelivered parts, while the output goes on.
    func inputEnded(with rest: ResponseDelivery.Parts) {
        if let head = rest.head { receivedHead(head) }
        if let chunk = rest.chunk { received(Data(buffer: chunk)) {} }
        inputEnded()
    }
}

extension Exchange.Carrier {
    /// Creates a carrier with timers on an event loop.
    package init(
        on loop: any EventLoop,
        poolStatus: (@Sendable () -> PoolStatus)? = nil,
        stop: @escaping @Sendable (Exchange) -> Void
    ) {
        self.init(
            stop: stop,
            schedule: { time, body in
                let timer = loop.schedule(in: time, body)
                return { timer?.cancel() }
            },
            poolStatus: poolStatus
        )
    }
}
#endif
