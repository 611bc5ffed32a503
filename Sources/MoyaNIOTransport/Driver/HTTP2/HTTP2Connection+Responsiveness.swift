#if NIO && !canImport(Darwin)
import NIOCore

// The actions of HTTP2Responsiveness.
extension HTTP2Connection {
    /// Doubts that the server responds, because a request has timed out and nothing has been received since it was sent: the pool sends
    /// no requests until the server does.
    func doubtServer(after stream: RunningStream) {
        let action = responsiveness.requestTimedOut(sentAt: stream.sentAt, at: .now())
        guard responsiveness.isInDoubt else { return }
        report(.responsivenessChanged(to: false))
        perform(action)
    }

    func perform(_ action: HTTP2Responsiveness.Action) {
        switch action {
        case .none: break
        case .check(let time): scheduleResponsivenessCheck(at: time)
        case .ping(let time):
            machine.ping()
            responsivenessTimer?.cancel()
            scheduleResponsivenessCheck(at: time)
            flush()
        case .endConnection: pingTimedOut()
        }
    }

    private func scheduleResponsivenessCheck(at time: NIODeadline) {
        responsivenessTimer = context?.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
            guard self.isOpen else { return }
            self.perform(
                self.responsiveness.checkDue(
                    at: .now(),
                    hasRequests: !self.runningStreams.isEmpty,
                    hasPendingInput: self.socket?.hasPendingInput ?? false
                )
            )
        }
    }
}
#endif
