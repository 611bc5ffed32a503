import Foundation

/// Reads the messages of a connection, whole or in parts.
// Unchecked because its properties change without a lock: one task reads at a time, which has the claim.
final class WebSocketReader: @unchecked Sendable {
    private let connection: WebSocketConnection
    private let messages: WebSocketMessageReader
    private let isClaimed = InlineLocked(false)
    private var collector: WebSocketMessageCollector
    /// The parts that the connection has returned, and that have not been read.
    private var parts: ArraySlice<WebSocketPart> = []
    /// The number of the current message, and whether it is complete.
    private var number = 0
    private var isInMessage = false

    init(_ connection: WebSocketConnection, _ messages: WebSocketMessageReader) {
        self.connection = connection
        self.messages = messages
        collector = WebSocketMessageCollector(maximumSize: connection.options.maximumMessageSize)
    }

    /// Reads the next message; `nil` at the end.
    ///
    /// The rest of a message that was read in parts is skipped.
    ///
    /// - Throws: ``WebSocketError``, or a `URLError` of the network.
    nonisolated(nonsending) func nextMessage() async throws -> WebSocketMessage? {
        try await reading { () async throws -> WebSocketMessage? in
            try await skipMessage()
            while let event = try await nextEvent() {
                do throws(WebSocketError) {
                    if let message = try collector.collect(event) { return message }
                } catch {
                    connection.fail(error)
                    throw error
                }
            }
            return nil
        }
    }

    /// Reads the beginning of the next message, and returns its number and kind; `nil` at the end.
    nonisolated(nonsending) func beginMessage() async throws -> (number: Int, kind: WebSocketMessage.Kind)? {
        try await reading { () async throws -> (number: Int, kind: WebSocketMessage.Kind)? in
            try await skipMessage()
            while let event = try await nextEvent() {
                if case .began(let kind, _) = event { return (number, kind) }
            }
            return nil
        }
    }

    /// Reads the next piece of a message; `nil` at its end, and if another message has begun.
    nonisolated(nonsending) func nextPiece(ofMessage number: Int) async throws -> Data? {
        try await reading { () async throws -> Data? in
            while self.number == number, isInMessage, let event = try await nextEvent() {
                if case .bytes(let piece) = event { return piece }
            }
            return nil
        }
    }

    /// Reads the rest of the current message.
    private nonisolated(nonsending) func skipMessage() async throws {
        while isInMessage, try await nextEvent() != nil {}
    }

    private nonisolated(nonsending) func nextEvent() async throws -> WebSocketMessageReader.Event? {
        while true {
            do throws(WebSocketError) {
                if let event = try messages.next() {
                    switch event {
                    case .began: (number, isInMessage) = (number + 1, true)
                    case .bytes: break
                    case .ended: isInMessage = false
                    }
                    return event
                }
            } catch {
                connection.fail(error)
                throw error
            }
            if let part = parts.popFirst() {
                messages.push(part)
                continue
            }
            switch await connection.nextParts() {
            case .parts(let parts): self.parts = parts[...]
            case .ended(let error?): throw error
            case .ended(nil): return nil
            }
        }
    }

    /// Reads while no other task does.
    private nonisolated(nonsending) func reading<R>(_ body: nonisolated(nonsending) () async throws -> R) async throws
        -> R
    {
        let isFirst = isClaimed.withLock { isClaimed in
            defer { isClaimed = true }
            return !isClaimed
        }
        guard isFirst else { throw WebSocketError.readConcurrently }
        defer { isClaimed.withLock { $0 = false } }
        return try await body()
    }
}
