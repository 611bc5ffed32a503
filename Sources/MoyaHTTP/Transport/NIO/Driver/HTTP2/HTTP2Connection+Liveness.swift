#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import NIOCore

    // PINGs that detect an unreachable server, for example after a router has dropped the connection.
    extension HTTP2Connection {
        /// The time without received data, while requests are running, after which a PING is sent.
        private static let pingAfter = TimeAmount.seconds(30)
        /// The maximum time until the response to a PING.
        private static let pingTimeout = TimeAmount.seconds(20)

        /// The knowledge of whether the server responds.
        enum Liveness {
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

        /// Records that the server has sent something.
        func recordResponsiveness() {
            switch liveness {
            case .responsive: return
            case .pinged: liveness = .responsive
            case .inDoubt:
                liveness = .responsive
                report(.responsivenessChanged(to: true))
            }
        }

        /// Sends a PING, because a request has timed out, and sends no requests until the server responds.
        func suspectServer() {
            let pinged = liveness.pinged
            liveness = .inDoubt(pinged: pinged ?? .now())
            report(.responsivenessChanged(to: false))
            if pinged == nil { ping() }
        }

        /// Schedules a check of whether the server responds, or sends a PING if it has been silent for too long.
        func checkLivenessLater() {
            guard liveness.pinged == nil else { return }
            if .now() - lastReceived >= Self.pingAfter {
                liveness = .pinged(.now())
                ping()
            } else if livenessTimer == nil {
                scheduleLivenessCheck(at: lastReceived + Self.pingAfter)
            }
        }

        func stopLivenessTimer() {
            livenessTimer?.cancel()
            livenessTimer = nil
        }

        private func ping() {
            machine.ping()
            stopLivenessTimer()
            scheduleLivenessCheck(at: .now() + Self.pingTimeout)
            flush()
        }

        private func scheduleLivenessCheck(at time: NIODeadline) {
            livenessTimer = context?.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
                self.livenessTimer = nil
                self.checkLiveness()
            }
        }

        private func checkLiveness() {
            guard isOpen else { return }
            if let pinged = liveness.pinged {
                guard .now() - pinged >= Self.pingTimeout else {
                    return scheduleLivenessCheck(at: pinged + Self.pingTimeout)
                }
                endUnresponsive()
            } else if !streams.isEmpty {
                checkLivenessLater()
            }
        }
    }

    /// The server did not respond to a PING in time.
    struct ServerUnresponsive: TransportFailure, CustomStringConvertible {
        var urlErrorCode: URLError.Code { .networkConnectionLost }
        var reason: String? { nil }
        var description: String { "The server no longer responds on the connection." }
    }
#endif
