#if NIO && !canImport(Darwin)
import NIOCore

// The actions of HTTP2Responsiveness.
extension HTTP2Connection {
    /// Doubts that the server responds, because a request has timed out without a response: the pool sends no requests until it does.
    func doubtServer() {
        let action = responsiveness.requestTimedOut(at: .now())
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
            self.perform(self.responsiveness.checkDue(at: .now(), hasRequests: !self.runningStreams.isEmpty))
        }
    }
}
#endif
