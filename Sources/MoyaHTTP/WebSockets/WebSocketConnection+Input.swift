import Foundation

// The task that reads the transport, and the reading of parts.
extension WebSocketConnection {
    /// Opens the connection: begins to read the transport.
    func open(_ input: TransportBodyStream, startedBy starter: UpgradeTaskStarter, allowsCompression: Bool) {
        let parser = WebSocketFrameParser(
            from: role == .client ? .server : .client,
            allowsCompression: allowsCompression,
            maximumFrameSize: max(0, options.maximumFrameSize)
        )
        // The task keeps the connection until it ends. It is detached from the task of the caller, whose end does not end the connection.
        let task = starter.startTask { await self.read(input, parser) }
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
                while handleEvents(of: &parser) { await waitForRoom() }
            }
            inputEnded(nil)
        } catch {
            inputEnded(error)
        }
    }

    /// Handles the frames that have arrived, while there is room for their parts; returns whether there is no room for more.
    private func handleEvents(of parser: inout WebSocketFrameParser) -> Bool {
        var (parts, size): ([WebSocketPart], Int) = ([], 0)
        do throws(WebSocketError) {
            while let event = try parser.next() {
                switch event {
                case .data(let part):
                    parts.append(part)
                    size += Self.size(of: part)
                    // The rest of a chunk stays in the parser: as parts, its frames may need many times their bytes.
                    guard size >= bufferSize else { continue }
                    if received(parts, { _, _ in .none }) { return true }
                    (parts, size) = ([], 0)
                case .control(let opcode, let payload):
                    // The parts before a control frame come first, because nothing follows a close frame.
                    if received(parts, { $0.received(opcode, payload, at: $1) }) { return true }
                    (parts, size) = ([], 0)
                }
            }
            return received(parts) { _, _ in .none }
        } catch {
            return received(parts) { $0.receivedViolation(error, at: $1) }
        }
    }

    /// Adds parts, and then lets the state machine handle an event; returns whether there is no room for more.
    private func received(
        _ parts: [WebSocketPart],
        _ handle: (inout WebSocketStateMachine, Duration) -> WebSocketStateMachine.Action
    ) -> Bool {
        let now = clock.now
        return withState { state, effects in
            state.machine.receivedBytes(at: now)
            if !parts.isEmpty, state.machine.isOpen {
                if state.parts.isEmpty { state.parts = parts } else { state.parts += parts }
                for part in parts { state.partsSize += Self.size(of: part) }
                effects.resume(&state.reader)
            }
            perform(handle(&state.machine, now), &state, &effects)
            return !hasRoom(state)
        }
    }

    /// The number of bytes that a part needs; one without a payload needs memory, too.
    private static func size(of part: WebSocketPart) -> Int { part.payload.count + 64 }

    /// The number of bytes of parts from which nothing more is read: without any room, nothing would ever be read.
    private var bufferSize: Int { max(1, options.bufferSize) }

    /// Whether there is room for parts; the parts that follow the last message need none.
    private func hasRoom(_ state: State) -> Bool { state.partsSize < bufferSize || !state.machine.isOpen }

    /// Waits until the application has read the parts, or no more will be read.
    private func waitForRoom() async {
        await wait { state, waiter in
            guard !self.hasRoom(state) else { return false }
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
