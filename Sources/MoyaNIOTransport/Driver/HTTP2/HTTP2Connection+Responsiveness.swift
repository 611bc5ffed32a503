#if NIO && !canImport(Darwin)
import NIOCore

// PINGs that detect an unreachable server, for example after a router has dropped the connection.
extension HTTP2Connection {
    /// The time without received data after which a PING is sent: by a timer while requests run, or with the next request.
    private static let pingAfter = TimeAmount.seconds(30)
    /// The maximum time until the response to a PING.
    private static let pingTimeout = TimeAmount.seconds(20)

    /// The knowledge of whether the server responds.
    enum Responsiveness {
        case responsive
        /// A PING has been sent, because the server was silent.
        case pinged(NIODeadline)
        /// A PING has been sent, because a request has timed out; the pool sends no requests meanwhile.
        case inDoubt(pinged: NIODeadline)

        /// The time of the PING whose response has not been received.
        fileprivate var pinged: NIODeadline? {
            switch self {
            case .responsive: nil
            case .pinged(let time), .inDoubt(let time): time
            }
        }
    }

    /// Handles bytes of the server, which is responsive.
    func serverResponded() {
        switch responsiveness {
        case .responsive: return
        case .pinged: responsiveness = .responsive
        case .inDoubt:
            responsiveness = .responsive
            report(.responsivenessChanged(to: true))
        }
    }

    /// Sends a PING, because a request has timed out, and sends no requests until the server responds.
    func doubtServer() {
        let pinged = responsiveness.pinged
        responsiveness = .inDoubt(pinged: pinged ?? .now())
        report(.responsivenessChanged(to: false))
        if pinged == nil { ping() }
    }

    /// Sends a PING when the server has been silent for too long: now, or by a timer.
    func pingAfterSilence() {
        guard responsiveness.pinged == nil else { return }
        if .now() - lastReceived >= Self.pingAfter {
            responsiveness = .pinged(.now())
            ping()
        } else if responsivenessTimer == nil {
            scheduleResponsivenessCheck(at: lastReceived + Self.pingAfter)
        }
    }

    func stopResponsivenessTimer() {
        responsivenessTimer?.cancel()
        responsivenessTimer = nil
    }

    private func ping() {
        machine.ping()
        stopResponsivenessTimer()
        scheduleResponsivenessCheck(at: .now() + Self.pingTimeout)
        flush()
    }

    private func scheduleResponsivenessCheck(at time: NIODeadline) {
        responsivenessTimer = context?.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
            self.responsivenessTimer = nil
            self.checkResponsiveness()
        }
    }

    private func checkResponsiveness() {
        guard isOpen else { return }
        if let pinged = responsiveness.pinged {
            guard .now() - pinged >= Self.pingTimeout else {
                return scheduleResponsivenessCheck(at: pinged + Self.pingTimeout)
            }
            pingTimedOut()
        } else if !runningStreams.isEmpty {
            pingAfterSilence()
        }
    }
}
#endif
