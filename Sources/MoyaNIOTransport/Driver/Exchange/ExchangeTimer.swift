#if NIO && !canImport(Darwin)
import NIOCore

/// The timer of a connection, which checks the timeouts of the exchanges that run on it.
///
/// A timer for each exchange would be scheduled and cancelled with each request. This one is scheduled when the first
/// exchange begins, and fires when the first of the timeouts could have expired; most exchanges are over by then.
/// It must be used on its event loop only.
final class ExchangeTimer {
    private let loop: any EventLoop
    private let takeTransferTimes: () -> [(exchange: Exchange, lastTransfer: NIODeadline?)]
    private let hasPendingInput: () -> Bool
    private var scheduled: (callback: NIOScheduledCallback, time: NIODeadline)?

    /// Creates a timer.
    ///
    /// - Parameters:
    ///   - loop: The event loop of the connection.
    ///   - takeTransferTimes: Returns the exchanges that run on the connection, and when the last byte of each was sent or received,
    ///     as far as the exchanges do not know it. Each call counts only the bytes that have been sent since the last one.
    ///   - hasPendingInput: Returns whether bytes wait in the socket.
    init(
        on loop: any EventLoop,
        takeTransferTimes: @escaping () -> [(exchange: Exchange, lastTransfer: NIODeadline?)],
        hasPendingInput: @escaping () -> Bool
    ) {
        self.loop = loop
        self.takeTransferTimes = takeTransferTimes
        self.hasPendingInput = hasPendingInput
    }

    /// Schedules a check of the timeouts after this time at the latest.
    func scheduleCheck(within delay: Duration) {
        let time = NIODeadline.now() + TimeAmount(delay)
        if let scheduled {
            guard time < scheduled.time else { return }
            scheduled.callback.cancel()
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        scheduled = loop.schedule(in: delay) { bound.value.fired() }.map { ($0, time) }
    }

    /// Stops the timer.
    func stop() {
        scheduled?.callback.cancel()
        scheduled = nil
    }

    private func fired() {
        guard let due = scheduled?.time else { return }
        scheduled = nil
        let running = takeTransferTimes()
        guard !running.isEmpty else { return }
        let hasPendingInput = hasPendingInput()
        let now = NIODeadline.now()
        let delay = Duration.nanoseconds((now - due).nanoseconds)
        // An exchange that fails removes itself from those that run.
        let next = running.compactMap { exchange, lastTransfer in
            let elapsed = exchange.elapsed
            // Bytes that are not delivered, such as those of an incomplete head, are only recorded by the connection.
            let lastTransfer = lastTransfer.map { elapsed - .nanoseconds((now - $0).nanoseconds) }
            return exchange.checkTimeouts(
                due: elapsed - delay,
                lastTransfer: lastTransfer,
                hasPendingInput: hasPendingInput
            )
        }.min()
        if let next { scheduleCheck(within: next) }
    }
}
#endif
