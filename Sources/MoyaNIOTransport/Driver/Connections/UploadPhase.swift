#if NIO && !canImport(Darwin)
    import NIOCore

    /// The progress of reading a request body.
    ///
    /// It must be used on the event loop of the connection only.
    enum UploadPhase {
        /// Nothing is read: there is no body, it is in memory, or it has been read completely.
        case none
        /// The body waits until the server agrees to it (RFC 9110, section 10.1.1), or until the timer fires.
        case waiting(ContinueStateMachine, timer: Scheduled<Void>)
        case reading(BodyUpload)

        var isWaiting: Bool { if case .waiting = self { true } else { false } }
        var isReading: Bool { if case .reading = self { true } else { false } }

        /// Whether a body that has waited may be read.
        var isAllowed: Bool { if case .waiting(let machine, _) = self { machine.isAllowed } else { false } }

        /// Passes an event to a body that waits.
        mutating func update(_ event: (inout ContinueStateMachine) -> Void) {
            guard case .waiting(var machine, let timer) = self else { return }
            event(&machine)
            self = .waiting(machine, timer: timer)
        }

        /// Stops waiting or reading.
        mutating func stop() {
            switch self {
            case .none: return
            case .waiting(_, let timer): timer.cancel()
            case .reading(let upload): upload.stop()
            }
            self = .none
        }
    }
#endif
