import Foundation

// The sending of frames: the senders fill the output, and the transport takes its bytes.
extension WebSocketConnection {
    /// The number of bytes that are masked at a time.
    private static let pieceSize = 65_536

    /// Sends a short message at once, if no other message is being sent and there is room; returns whether it is sent.
    ///
    /// - Throws: The error of a closed connection.
    func sendAtOnce(_ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer) throws -> Bool {
        guard payload.count <= min(Self.pieceSize, options.outgoingFrameSize) else { return false }
        return try withState { state, effects in
            guard state.machine.canSend else { throw closedError(state) }
            guard !state.isSending, state.output.hasRoom else { return false }
            guard state.output.beginFrame(opcode, payloadLength: payload.count, isFinal: true) else { return false }
            state.output.append(payload)
            effects.resume(&state.transport)
            return true
        }
    }

    /// Sends one message after the messages of other tasks; the closure sends its frames.
    ///
    /// A cancellation of the task closes the connection, after the frame that has begun.
    ///
    /// - Throws: The error of a closed connection, or `URLError.cancelled`.
    nonisolated(nonsending) func inTurn(_ send: nonisolated(nonsending) () async throws -> Void) async throws {
        do {
            try await withTaskCancellationHandler {
                try await beginTurn()
                defer { endTurn() }
                try await send()
            } onCancel: {
                close(WebSocketClosure(.goingAway))
            }
        } catch {
            throw Task.isCancelled ? URLError.cancelled(url: nil) : error
        }
    }

    private nonisolated(nonsending) func beginTurn() async throws {
        while true {
            let isTurn = try withState { state, _ in
                guard state.machine.canSend else { throw closedError(state) }
                defer { state.isSending = true }
                return !state.isSending
            }
            if isTurn { return }
            var hasWaited = false
            await wait { state, waiter in
                guard state.isSending, state.machine.canSend else { return false }
                state.nextSenders.append(waiter)
                hasWaited = true
                return true
            }
            guard hasWaited else { continue }
            // The task before this one has passed the turn on, unless the connection is closed.
            return try withState { state, _ in if !state.machine.canSend { throw closedError(state) } }
        }
    }

    /// Ends the turn of a task, or passes it on, so that no later message precedes those that wait.
    private func endTurn() {
        withState { state, effects in
            if state.nextSenders.isEmpty {
                state.isSending = false
            } else {
                effects.waiters.append(state.nextSenders.removeFirst())
            }
        }
    }

    /// Sends a part of a message as a frame, and suspends while there is no room.
    ///
    /// - Throws: The error of a closed connection. The frame is complete then, unless the transport has ended, too.
    nonisolated(nonsending) func sendFrame(
        _ opcode: WebSocketOpcode,
        _ payload: WebSocketPayload,
        in range: Range<Int>,
        isFinal: Bool,
        isCompressed: Bool = false
    ) async throws {
        await waitForRoom()
        try withState { state, effects in
            let hasBegun =
                state.machine.canSend
                && state.output.beginFrame(
                    opcode,
                    payloadLength: range.count,
                    isFinal: isFinal,
                    isCompressed: isCompressed
                )
            guard hasBegun else { throw closedError(state) }
            payload.withBytes(in: range.prefix(Self.pieceSize)) { state.output.append($0) }
            effects.resume(&state.transport)
        }
        var rest = range.dropFirst(Self.pieceSize)
        while !rest.isEmpty {
            await waitForRoom()
            let piece = rest.prefix(Self.pieceSize)
            rest = rest.dropFirst(piece.count)
            try withState { state, effects in
                guard !state.machine.isClosed else { throw closedError(state) }
                payload.withBytes(in: piece) { state.output.append($0) }
                effects.resume(&state.transport)
            }
        }
    }

    private nonisolated(nonsending) func waitForRoom() async {
        await wait { state, waiter in
            // A frame that has begun is completed even if the connection is closing, so that the close frame can follow.
            guard !state.output.hasRoom, state.machine.canSend || state.output.isInFrame, !state.machine.isClosed else {
                return false
            }
            state.sender = waiter
            return true
        }
    }
}

// MARK: - The transport

extension WebSocketConnection {
    /// The bytes to send, which the transport reads.
    struct Output: AsyncSequence, Sendable {
        let connection: WebSocketConnection

        struct Iterator: AsyncIteratorProtocol {
            let connection: WebSocketConnection

            func next() async -> Data? { await connection.nextBytes() }
        }

        func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }
    }

    /// The bytes to send, which the transport reads.
    var output: Output { Output(connection: self) }

    /// Waits for bytes to send, and removes them; `nil` at the end, or if the task is cancelled.
    private nonisolated(nonsending) func nextBytes() async -> Data? {
        if let step = takeBytes() { return step.bytes }
        return await withTaskCancellationHandler {
            while true {
                if let step = takeBytes() { return step.bytes }
                if Task.isCancelled { return nil }
                await wait { state, waiter in
                    guard state.output.count == 0, !state.isOutputOver, !Task.isCancelled else { return false }
                    state.transport = waiter
                    return true
                }
            }
        } onCancel: {
            withState { state, effects in effects.resume(&state.transport) }
        }
    }

    /// Removes the bytes to send; `nil` if more may follow.
    private func takeBytes() -> (bytes: Data?, Void)? {
        withState { state, effects -> (bytes: Data?, Void)? in
            let isFull = !state.output.hasRoom
            guard let bytes = state.output.take() else { return state.isOutputOver ? (nil, ()) : nil }
            // The transport takes a few bytes in any case. It takes many only while the peer reads.
            if isFull { state.machine.outputTaken(at: clock.now) }
            effects.resume(&state.sender)
            return (bytes, ())
        }
    }
}

// MARK: - Control frames

extension WebSocketConnection {
    /// Sends a close frame, unless the connection is closing; returns immediately.
    func close(_ closure: WebSocketClosure) {
        withState { state, effects in perform(state.machine.close(closure, at: clock.now), &state, &effects) }
    }

    /// Closes the connection because of an invalid message.
    func fail(_ error: WebSocketError) {
        withState { state, effects in perform(state.machine.fail(error, at: clock.now), &state, &effects) }
    }

    /// Waits until the connection is closed; a cancellation of the task ends the connection without the peer's close frame.
    nonisolated(nonsending) func waitUntilClosed() async {
        await withTaskCancellationHandler {
            await wait { state, waiter in
                guard !state.machine.isClosed else { return false }
                state.closers.append(waiter)
                return true
            }
        } onCancel: {
            release()
        }
    }

    /// Ends the connection without waiting for the peer.
    func release() {
        withState { state, effects in
            state.machine.release()
            perform(.release, &state, &effects)
        }
    }

    /// Sends a ping, and waits for the response.
    ///
    /// - Throws: The error of a closed connection, or `URLError.cancelled`.
    nonisolated(nonsending) func ping() async throws -> Duration {
        // Another operation of the task may have closed the connection because of the cancellation.
        guard !Task.isCancelled else { throw URLError.cancelled(url: nil) }
        let response = Promise<Result<Duration, any Error>>()
        let id = try withState { state, effects in
            guard state.machine.canSend else { throw closedError(state) }
            let (id, payload) = state.machine.beginPing(at: clock.now)
            state.pings[id] = response
            state.output.sendPing(payload)
            effects.resume(&state.transport)
            return id
        }
        let result = await response.wait(onCancel: .failure(URLError.cancelled(url: nil)))
        if case .failure = result {
            withState { state, _ in
                state.pings[id] = nil
                state.machine.removePing(id)
            }
        }
        return try result.get()
    }
}
