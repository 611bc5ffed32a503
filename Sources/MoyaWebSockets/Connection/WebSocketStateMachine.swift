import Foundation

/// The state machine of one side of a WebSocket: the closing handshake, pings, and the detection of a silent peer (RFC 6455, sections
/// 5.5 and 7).
///
/// The methods handle the events of a connection and return the action to perform. All times are passed in, relative to any start.
/// Messages are not a part of the state. Frames of the peer take effect in their order: a close frame, or a violation, is answered when
/// the messages before it have been read, at most ``Settings/answerDelay`` later.
package struct WebSocketStateMachine: Sendable {
    package enum Action: Equatable, Sendable {
        case none
        /// Send a pong with this payload.
        case sendPong(Data)
        /// Send a ping with this payload.
        case sendPing(Data)
        /// No message follows: call ``messagesRead(at:)`` when the messages before have been read.
        case endMessages
        /// Send a close frame; `isLast` is whether the peer has sent its own, so that nothing follows in either direction.
        case sendClose(WebSocketClosure, isLast: Bool)
        /// Nothing follows in either direction: end the output, and wait for the end of the input.
        case endOutput
        /// The peer has responded to pings.
        case completePings([PingResponse])
        /// Release the connection, without waiting for the peer.
        case release
    }

    /// The response to a ping of the application.
    package struct PingResponse: Equatable, Sendable {
        package let id: UInt64
        package let latency: Duration
    }

    package struct Settings: Equatable, Sendable {
        /// The time without bytes of the peer after which a ping is sent; `nil` for none.
        package var keepAliveInterval: Duration?
        /// The time after that ping until which bytes of the peer must arrive.
        package var keepAliveTimeout: Duration
        /// The time for the peer's close frame after that of this side, and then for the end of the connection.
        package var closeTimeout: Duration
        /// The time for the messages before a close frame.
        package var answerDelay: Duration

        package init(
            keepAliveInterval: Duration? = nil,
            keepAliveTimeout: Duration = .seconds(30),
            closeTimeout: Duration = .seconds(5),
            answerDelay: Duration = .seconds(2)
        ) {
            self.keepAliveInterval = keepAliveInterval.map { Self.bounded($0) }
            self.keepAliveTimeout = Self.bounded(keepAliveTimeout)
            self.closeTimeout = Self.bounded(closeTimeout)
            self.answerDelay = Self.bounded(answerDelay)
        }

        /// A zero would make a connection busy; clocks trap on infinite times.
        private static func bounded(_ time: Duration) -> Duration { min(max(time, .milliseconds(1)), .longestTimeout) }
    }

    /// The cause for which no messages follow.
    package enum End: Equatable, Sendable {
        /// The peer's close frame.
        case peer(WebSocketClosure)
        /// A close frame of the application.
        case application(WebSocketClosure)
        /// A violation by the peer, a limit, or its silence.
        case failure(WebSocketError)
        /// The connection has ended without a close frame of either side.
        case connectionLost
    }

    private enum Phase: Sendable {
        case open
        /// No message follows; the messages before the end have not been read.
        case ending(answerBy: Duration)
        /// This side has sent its close frame, and not received one.
        case closing(until: Duration)
        /// Both sides have sent a close frame.
        case exchanged(until: Duration)
        case closed
    }

    private let settings: Settings
    private var phase = Phase.open
    /// The cause for which no messages follow; `nil` while they may.
    package private(set) var end: End?
    /// The closure of the peer's close frame.
    package private(set) var received: WebSocketClosure?
    /// The closure that this side has sent.
    package private(set) var sent: WebSocketClosure?

    private var lastPing: UInt64 = 0
    /// The times of the pings of the application, to which the peer has not responded, in their order.
    private var pings: [(id: UInt64, time: Duration)] = []
    /// The time of the last bytes of the peer.
    private var lastActivity: Duration
    /// The time of the last ping that keeps the connection alive, if no bytes have arrived since.
    private var keepAlivePing: Duration?
    private var isReadingPaused = false

    /// Creates the state of a connection that opens at a time.
    package init(_ settings: Settings, at now: Duration) {
        self.settings = settings
        lastActivity = now
    }

    /// Whether messages can be sent.
    package var canSend: Bool {
        switch phase {
        case .open, .ending: true
        case .closing, .exchanged, .closed: false
        }
    }

    /// Whether messages can arrive, which are not discarded.
    package var isOpen: Bool { if case .open = phase { true } else { false } }

    package var isClosed: Bool { if case .closed = phase { true } else { false } }
}

// MARK: - Events of the connection

extension WebSocketStateMachine {
    /// Records that bytes of the peer have arrived.
    package mutating func receivedBytes(at now: Duration) {
        lastActivity = now
        keepAlivePing = nil
    }

    /// Handles a control frame.
    package mutating func received(_ opcode: WebSocketOpcode, _ payload: Data, at now: Duration) -> Action {
        switch opcode {
        case .ping:
            // Nothing may follow a close frame, also while its answer waits for the messages before it.
            return canSend && received == nil ? .sendPong(payload) : .none
        case .pong:
            return receivedPong(payload, at: now)
        case .close:
            do throws(WebSocketError) {
                return receivedClose(try WebSocketClosure(payload: payload), at: now)
            } catch {
                return receivedViolation(error, at: now)
            }
        case .continuation, .text, .binary:
            return .none
        }
    }

    private mutating func receivedClose(_ closure: WebSocketClosure, at now: Duration) -> Action {
        switch phase {
        case .open:
            received = closure
            end = .peer(closure)
            phase = .ending(answerBy: now + settings.answerDelay)
            return .endMessages
        case .closing:
            received = closure
            phase = .exchanged(until: now + settings.closeTimeout)
            return .endOutput
        case .ending, .exchanged, .closed:
            // Nothing may follow a close frame.
            return .none
        }
    }

    /// Handles frames that violate the protocol or a limit, after which the input cannot be parsed.
    package mutating func receivedViolation(_ error: WebSocketError, at now: Duration) -> Action {
        switch phase {
        case .open:
            end = .failure(error)
            phase = .ending(answerBy: now + settings.answerDelay)
            return .endMessages
        case .ending, .closing, .exchanged, .closed:
            // The peer's close frame can't be found any more, so the connection ends with the input, or after the timeout.
            return .none
        }
    }

    private mutating func receivedPong(_ payload: Data, at now: Duration) -> Action {
        guard payload.count == 8 else { return .none }
        let id = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let index = pings.firstIndex(where: { $0.id == id }) else { return .none }
        // A peer may respond to the last of several pings only (section 5.5.3).
        let completed = pings[...index].map { PingResponse(id: $0.id, latency: now - $0.time) }
        pings.removeFirst(index + 1)
        return .completePings(completed)
    }

    /// Handles the end of the input: a peer that ends its direction with its close frame gets the answer at once.
    package mutating func inputEnded(at now: Duration) -> Action {
        defer { phase = .closed }
        switch phase {
        case .open:
            end = .connectionLost
            return .none
        case .ending:
            return answer(at: now)
        case .closing, .exchanged, .closed:
            return .none
        }
    }

    /// Ends the connection without an answer to the peer.
    package mutating func release() {
        if case .open = phase { end = .connectionLost }
        phase = .closed
    }

    /// Records whether the application's delay keeps bytes of the peer from being read.
    package mutating func setReadingPaused(_ isPaused: Bool, at now: Duration) {
        guard isPaused != isReadingPaused else { return }
        isReadingPaused = isPaused
        // The peer was not silent, as far as is known.
        if !isPaused { receivedBytes(at: now) }
    }
}

// MARK: - Events of the application

extension WebSocketStateMachine {
    /// Handles the reading of the last message before the end.
    package mutating func messagesRead(at now: Duration) -> Action {
        guard case .ending = phase else { return .none }
        return answer(at: now)
    }

    /// Closes the connection with a closure that has been checked.
    package mutating func close(_ closure: WebSocketClosure, at now: Duration) -> Action {
        switch phase {
        case .open:
            end = .application(closure)
            return sendClose(closure, at: now)
        case .ending:
            return answer(at: now, with: closure)
        case .closing, .exchanged, .closed:
            return .none
        }
    }

    /// Handles a message that violates the protocol or a limit.
    package mutating func fail(_ error: WebSocketError, at now: Duration) -> Action {
        switch phase {
        case .open, .ending:
            end = .failure(error)
            return sendClose(WebSocketClosure(error.closeCode), at: now)
        case .closing, .exchanged, .closed:
            return .none
        }
    }

    /// Begins a ping of the application, and returns its number and its payload.
    package mutating func beginPing(at now: Duration) -> (id: UInt64, payload: Data) {
        lastPing += 1
        pings.append((lastPing, now))
        return (lastPing, Self.payload(ofPing: lastPing))
    }

    /// Removes a ping whose response nobody awaits.
    package mutating func removePing(_ id: UInt64) { pings.removeAll { $0.id == id } }

    private static func payload(ofPing id: UInt64) -> Data { withUnsafeBytes(of: id.bigEndian) { Data($0) } }

    /// Answers the end of the messages.
    private mutating func answer(at now: Duration, with closure: WebSocketClosure? = nil) -> Action {
        switch end {
        case .failure(let error): return sendClose(WebSocketClosure(error.closeCode), at: now)
        case .peer(let received): return sendClose(closure ?? WebSocketClosure(received.code), at: now)
        case .application, .connectionLost, nil: return .none
        }
    }

    private mutating func sendClose(_ closure: WebSocketClosure, at now: Duration) -> Action {
        sent = closure
        let deadline = now + settings.closeTimeout
        phase = received == nil ? .closing(until: deadline) : .exchanged(until: deadline)
        return .sendClose(closure, isLast: received != nil)
    }
}

// MARK: - Timer

extension WebSocketStateMachine {
    /// The time at which ``timerFired(at:)`` must be called; `nil` for none.
    package var deadline: Duration? {
        switch phase {
        case .open: keepAliveDeadline
        case .ending(let time), .closing(let time), .exchanged(let time): time
        case .closed: nil
        }
    }

    private var keepAliveDeadline: Duration? {
        guard let interval = settings.keepAliveInterval, !isReadingPaused else { return nil }
        return if let keepAlivePing { keepAlivePing + settings.keepAliveTimeout } else { lastActivity + interval }
    }

    /// Handles the time; an early or late call does no harm.
    package mutating func timerFired(at now: Duration) -> Action {
        guard let deadline, now >= deadline else { return .none }
        switch phase {
        case .open:
            return keepAlive(at: now)
        case .ending:
            return answer(at: now)
        case .closing, .exchanged:
            phase = .closed
            return .release
        case .closed:
            return .none
        }
    }

    private mutating func keepAlive(at now: Duration) -> Action {
        guard keepAlivePing != nil else {
            keepAlivePing = now
            lastPing += 1
            return .sendPing(Self.payload(ofPing: lastPing))
        }
        end = .failure(.peerIsSilent(timeout: settings.keepAliveTimeout))
        phase = .closed
        return .release
    }

    /// Records that the transport has taken a full output: a peer that reads so many bytes is not silent, but busy.
    package mutating func outputTaken(at now: Duration) {
        if keepAlivePing != nil { keepAlivePing = now }
    }
}
