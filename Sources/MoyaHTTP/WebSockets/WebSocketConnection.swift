import Foundation

/// One side of an open WebSocket: moves bytes between the transport, the state machine, and the tasks that send and read messages.
///
/// A task reads the transport, as long as there is room for parts of messages, so that pings and close frames are handled while the
/// application is busy. The transport reads the frames to send from ``output``. Whoever waits does so in one of the places of the state.
final class WebSocketConnection: Sendable {
    /// A task that waits for a change of the state, which it checks again.
    typealias Waiter = UnsafeContinuation<Void, Never>

    struct State: Sendable {
        var machine: WebSocketStateMachine
        var output: WebSocketOutput
        /// Whether the output ends with the bytes that wait.
        var isOutputEnding = false
        /// The error of the transport that has ended the input.
        var inputError: (any Error)?
        /// The parts of messages that have not been read, and their size.
        var parts: [WebSocketPart] = []
        var partsSize = 0
        /// Whether a task has begun to read messages.
        var hasReader = false
        /// Whether a task sends a message.
        var isSending = false
        /// The pings of the application that have no response.
        var pings: [UInt64: Promise<Result<Duration, any Error>>] = [:]

        // The places of the tasks that wait.
        /// For parts of a message.
        var reader: Waiter?
        /// For room for parts of messages.
        var input: Waiter?
        /// For bytes to send.
        var transport: Waiter?
        /// For room for bytes to send.
        var sender: Waiter?
        /// For the end of the messages of others.
        var nextSenders: [Waiter] = []
        /// For the end of the connection.
        var closers: [Waiter] = []

        /// Reads the transport.
        var inputTask: Task<Void, Never>?
        var timer: Task<Void, Never>?
        var timerDeadline: Duration?

        /// Whether no bytes follow those that wait to be sent; a close frame may still wait for the end of a frame.
        var isOutputOver: Bool { isOutputEnding && (output.isClosed || machine.isClosed) }
    }

    /// The work after the lock is released.
    struct Effects {
        var waiters: [Waiter] = []
        var tasks: [Task<Void, Never>] = []
        var pings: [(Promise<Result<Duration, any Error>>, Result<Duration, any Error>)] = []
        /// The time at which a new timer fires.
        var deadline: Duration?

        mutating func resume(_ waiter: inout Waiter?) {
            if let waiting = waiter.take() { waiters.append(waiting) }
        }
    }

    let options: WebSocketOptions
    let clock: LimiterClock
    let role: WebSocketRole
    private let state: Locked<State>

    /// Creates one side of a connection that has not been opened.
    init(_ options: WebSocketOptions, role: WebSocketRole = .client, clock: any Clock<Duration>) {
        self.options = options
        self.role = role
        self.clock = LimiterClock(clock)
        let settings = WebSocketStateMachine.Settings(
            keepAliveInterval: options.keepAlive?.interval,
            keepAliveTimeout: options.keepAlive?.timeout ?? .zero,
            closeTimeout: options.closeTimeout
        )
        state = Locked(
            State(
                machine: WebSocketStateMachine(settings, at: .zero),
                output: WebSocketOutput(role, limit: options.bufferSize)
            )
        )
    }

    /// Changes the state, and performs the effects of the change.
    @inline(__always)
    func withState<R: Sendable>(_ body: (inout State, inout Effects) throws -> R) rethrows -> R {
        var effects = Effects()
        let result = try state.withLock { state in try body(&state, &effects) }
        perform(effects)
        return result
    }

    private func perform(_ effects: Effects) {
        for waiter in effects.waiters { waiter.resume() }
        for task in effects.tasks { task.cancel() }
        for (promise, result) in effects.pings { promise.fulfill(result) }
        if let deadline = effects.deadline { startTimer(deadline) }
    }

    /// Suspends the task, unless the closure finds that there is no reason to wait; otherwise, the closure stores the waiter.
    @inline(__always)
    nonisolated(nonsending) func wait(_ store: (inout State, Waiter) -> Bool) async {
        await withUnsafeContinuation { waiter in
            let isWaiting = state.withLock { store(&$0, waiter) }
            if !isWaiting { waiter.resume() }
        }
    }
}

// MARK: - Actions of the state machine

extension WebSocketConnection {
    /// Performs an action of the state machine.
    func perform(_ action: WebSocketStateMachine.Action, _ state: inout State, _ effects: inout Effects) {
        switch action {
        case .none:
            break
        case .sendPong(let payload):
            state.output.sendPong(payload)
            effects.resume(&state.transport)
        case .sendPing(let payload):
            state.output.sendPing(payload)
            effects.resume(&state.transport)
        case .endMessages:
            effects.resume(&state.reader)
            // A connection without a reader has nobody who reads to the end.
            if !state.hasReader, state.parts.isEmpty {
                return perform(state.machine.messagesRead(at: clock.now), &state, &effects)
            }
        case .sendClose(let closure, let isLast):
            state.output.sendClose(closure)
            if isLast { state.isOutputEnding = true }
            resumeAll(&state, &effects)
        case .endOutput:
            state.isOutputEnding = true
            effects.resume(&state.transport)
        case .completePings(let responses):
            for response in responses {
                if let ping = state.pings.removeValue(forKey: response.id) {
                    effects.pings.append((ping, .success(response.latency)))
                }
            }
        case .release:
            if let task = state.inputTask.take() { effects.tasks.append(task) }
        }
        settle(&state, &effects)
    }

    /// Ends the waits that a closed connection would never end, and adjusts the timer.
    func settle(_ state: inout State, _ effects: inout Effects) {
        if state.machine.isClosed {
            state.isOutputEnding = true
            resumeAll(&state, &effects)
            for waiter in state.closers { effects.waiters.append(waiter) }
            state.closers = []
            if !state.pings.isEmpty {
                let error = closedError(state)
                for ping in state.pings.values { effects.pings.append((ping, .failure(error))) }
                state.pings = [:]
            }
        }
        guard let deadline = state.machine.deadline else {
            if let timer = state.timer.take() { effects.tasks.append(timer) }
            state.timerDeadline = nil
            return
        }
        // A timer that fires too early is started again.
        if state.timerDeadline.map({ deadline < $0 }) ?? true {
            if let timer = state.timer.take() { effects.tasks.append(timer) }
            state.timerDeadline = deadline
            effects.deadline = deadline
        }
    }

    /// Lets all tasks check the state again that send, read or move bytes.
    private func resumeAll(_ state: inout State, _ effects: inout Effects) {
        effects.resume(&state.reader)
        effects.resume(&state.input)
        effects.resume(&state.transport)
        effects.resume(&state.sender)
        effects.waiters.append(contentsOf: state.nextSenders)
        state.nextSenders = []
    }

    /// The error of an operation for which the connection must be open.
    func closedError(_ state: State) -> any Error {
        switch state.machine.end {
        case .peer(let closure), .application(let closure): WebSocketError.closed(closure)
        case .failure(let error): error
        case .connectionLost, nil: state.inputError ?? URLError.connectionLost
        }
    }
}

extension URLError {
    /// The error of a connection that has ended without a close frame.
    fileprivate static var connectionLost: URLError {
        .make(
            .networkConnectionLost,
            url: nil,
            reason: "The server has ended the connection of the WebSocket without a close frame."
        )
    }
}

// MARK: - Timer

extension WebSocketConnection {
    private func startTimer(_ deadline: Duration) {
        // Detached, because the timer must not have the priority and the values of the task that has caused it.
        let timer = Task.detached { [clock, weak self] in
            await clock.sleep(until: deadline)
            if !Task.isCancelled { self?.timerFired(deadline) }
        }
        let isLate = withState { state, _ in
            guard state.timerDeadline == deadline, !state.machine.isClosed else { return true }
            state.timer = timer
            return false
        }
        if isLate { timer.cancel() }
    }

    private func timerFired(_ deadline: Duration) {
        withState { state, effects in
            guard state.timerDeadline == deadline else { return }
            (state.timer, state.timerDeadline) = (nil, nil)
            perform(state.machine.timerFired(at: clock.now), &state, &effects)
        }
    }
}

// MARK: - Facts

extension WebSocketConnection {
    /// The closure of the peer; one with ``WebSocketCloseCode/abnormal`` if the connection has ended without a close frame.
    var receivedClosure: WebSocketClosure? {
        withState { state, _ in
            state.machine.received ?? (state.machine.isClosed ? WebSocketClosure(.abnormal) : nil)
        }
    }

    /// The closure that this side has sent.
    var sentClosure: WebSocketClosure? { withState { state, _ in state.machine.sent } }
}
