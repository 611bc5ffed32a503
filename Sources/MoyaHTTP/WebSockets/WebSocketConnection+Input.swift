import Foundation

// The task that reads the transport, and the reading of parts.
extension WebSocketConnection {
    /// Opens the connection: begins to read the transport.
    func open(_ input: TransportBodyStream, allowsCompression: Bool) {
        let parser = WebSocketFrameParser(
            from: role == .client ? .server : .client,
            allowsCompression: allowsCompression,
            maximumFrameSize: max(0, options.maximumFrameSize)
        )
        // The task keeps the connection until it ends. It is detached from the task of the caller, whose end does not end the connection.
        let task = Task.detached { await self.read(input, parser) }
        withState { state, effects in
            state.inputTask = task
            state.machine.receivedBytes(at: clock.now)
            settle(&state, &effects)
        }
    }

    private func read(_ input: TransportBodyStream, _ parser: WebSocketFrameParser) async {
        var parser = parser
        var iterator = input.makeAsyncIterator()
        do {
            while let chunk = try await iterator.next() {
                parser.push(chunk)
                if handleEvents(of: &parser) { await waitForRoom() }
            }
            inputEnded(nil)
        } catch {
            inputEnded(error)
        }
    }

    /// Handles the frames that have arrived; returns whether there is no room for more.
    private func handleEvents(of parser: inout WebSocketFrameParser) -> Bool {
        var parts: [WebSocketPart] = []
        do throws(WebSocketError) {
            while let event = try parser.next() {
                switch event {
                case .data(let part):
                    parts.append(part)
                case .control(let opcode, let payload):
                    // The parts before a control frame come first, because nothing follows a close frame.
                    received(parts) { $0.received(opcode, payload, at: $1) }
                    parts = []
                }
            }
            return received(parts) { _, _ in .none }
        } catch {
            return received(parts) { $0.receivedViolation(error, at: $1) }
        }
    }

    /// Adds parts, and then lets the state machine handle an event; returns whether there is no room for more.
    @discardableResult
    private func received(
        _ parts: [WebSocketPart],
        _ handle: (inout WebSocketStateMachine, Duration) -> WebSocketStateMachine.Action
    ) -> Bool {
        let now = clock.now
        return withState { state, effects in
            state.machine.receivedBytes(at: now)
            if !parts.isEmpty, state.machine.isOpen {
                if state.parts.isEmpty { state.parts = parts } else { state.parts += parts }
                // A part without bytes needs memory, too.
                for part in parts { state.partsSize += part.payload.count + Self.partSize }
                effects.resume(&state.reader)
            }
            perform(handle(&state.machine, now), &state, &effects)
            return state.partsSize >= options.bufferSize
        }
    }

    private static let partSize = 64

    /// Waits until the application has read the parts, or no more will be read.
    private func waitForRoom() async {
        await wait { state, waiter in
            guard state.partsSize >= self.options.bufferSize, state.machine.isOpen else { return false }
            state.machine.setReadingPaused(true, at: self.clock.now)
            state.input = waiter
            return true
        }
    }

    private func inputEnded(_ error: (any Error)?) {
        withState { state, effects in
            state.inputError = error
            state.inputTask = nil
            perform(state.machine.inputEnded(at: clock.now), &state, &effects)
        }
    }
}

// MARK: - Reading

extension WebSocketConnection {
    /// The next step of a reader.
    enum Reading: Sendable {
        case parts([WebSocketPart])
        /// No parts follow; the error is that of a connection that was not closed properly.
        case ended((any Error)?)
    }

    /// Waits for parts of messages, and removes them.
    ///
    /// A cancellation of the task closes the connection.
    nonisolated(nonsending) func nextParts() async -> Reading {
        guard !Task.isCancelled else {
            close(WebSocketClosure(.goingAway))
            return .ended(URLError.cancelled(url: nil))
        }
        if let reading = takeParts() { return reading }
        return await withTaskCancellationHandler {
            while true {
                if let reading = takeParts() { return reading }
                await wait { state, waiter in
                    guard state.parts.isEmpty, state.machine.isOpen else { return false }
                    state.reader = waiter
                    return true
                }
            }
        } onCancel: {
            close(WebSocketClosure(.goingAway))
        }
    }

    /// Removes the parts that have arrived; `nil` if more may follow.
    private func takeParts() -> Reading? {
        withState { state, effects -> Reading? in
            state.hasReader = true
            guard state.parts.isEmpty else {
                defer { (state.parts, state.partsSize) = ([], 0) }
                if state.input != nil {
                    state.machine.setReadingPaused(false, at: clock.now)
                    effects.resume(&state.input)
                    settle(&state, &effects)
                }
                return .parts(state.parts)
            }
            guard !state.machine.isOpen else { return nil }
            // This side answers the peer's close frame, or a violation, when the messages before it have been read.
            perform(state.machine.messagesRead(at: clock.now), &state, &effects)
            return .ended(endError(state))
        }
    }

    /// The error of a reader at the end; `nil` for a connection that was closed properly.
    private func endError(_ state: State) -> (any Error)? {
        if Task.isCancelled { return URLError.cancelled(url: nil) }
        return switch state.machine.end {
        case .peer(let closure): closure.code.isNormal ? nil : WebSocketError.closed(closure)
        case .application: nil
        case .failure, .connectionLost, nil: closedError(state)
        }
    }
}
