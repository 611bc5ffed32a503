import Foundation
import HTTPTypes

/// An open WebSocket (RFC 6455): an async sequence of the messages of the server, to which messages can be sent.
///
///     let socket = try await session.webSocket(for: URLRequest(url: url))
///     try await socket.send(.text("Hello"))
///     for try await message in socket { print(message) }
///
/// The loop ends when one of the sides closes the WebSocket with the code 1000 or 1001, or without a code; any other code is an error
/// (``WebSocketError/closed(_:)``), and so is a connection that is lost (`URLError`). The messages are read by one task at a time; any
/// number of tasks may send.
///
/// Both directions have a limited buffer (``WebSocketOptions/bufferSize``). ``send(_:)-(WebSocketMessage)`` suspends while the server does
/// not read. While the application does not read, the server can't send more; then its pings are answered when the messages before
/// them have been read.
///
/// Cancelling a task that sends or reads closes the WebSocket with the code 1001, and so does releasing it.
public final class WebSocket: AsyncSequence, Sendable {
    /// A message of the server.
    public typealias Element = WebSocketMessage

    /// The response with which the server has agreed to open the WebSocket.
    public let response: SessionResponse
    /// The subprotocol that the server has chosen from ``WebSocketOptions/subprotocols``; `nil` if it has chosen none.
    public let subprotocol: String?
    /// Whether messages may be compressed (RFC 7692).
    public let isCompressed: Bool
    let connection: WebSocketConnection
    private let reader: WebSocketReader
    private let deflater: SendingDeflater?

    /// Opens a WebSocket over the bytes of a connection that the server has upgraded.
    ///
    /// - Parameters:
    ///   - connection: The connection, which sends the output of the upgrade.
    ///   - input: The bytes of the server.
    ///   - starter: Starts the task that reads the input.
    ///   - response: The response of the server.
    ///   - agreement: The agreement of both sides.
    /// - Throws: `ZlibError` without memory for compression.
    init(
        _ connection: WebSocketConnection,
        input: TransportBodyStream,
        startedBy starter: UpgradeTaskStarter = UpgradeTaskStarter(),
        response: SessionResponse,
        agreement: WebSocketHandshake.Agreement
    ) throws {
        self.response = response
        subprotocol = agreement.subprotocol
        isCompressed = agreement.deflate != nil
        self.connection = connection
        reader = WebSocketReader(connection, try WebSocketMessageReader(agreement.deflate))
        deflater = agreement.deflate.flatMap { SendingDeflater($0, connection.options.compression) }
        connection.open(input, startedBy: starter, allowsCompression: agreement.deflate != nil)
    }

    deinit { beginClosing(WebSocketClosure(.goingAway)) }

    /// Closes the WebSocket, and does not wait until it is closed.
    func beginClosing(_ closure: WebSocketClosure) { connection.close(closure) }

    // MARK: Messages

    /// An iterator over the messages.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let socket: WebSocket

        /// Returns the next message, or `nil` at the end.
        ///
        /// The errors are those of ``WebSocket/receive()``.
        public mutating func next() async throws -> WebSocketMessage? { try await socket.receive() }
    }

    /// Returns an iterator over the messages; all iterators share them.
    public func makeAsyncIterator() -> Iterator { Iterator(socket: self) }

    /// Waits for the next message; `nil` at the end.
    ///
    /// - Throws: ``WebSocketError`` if the server has closed the WebSocket with an error code, for a violation of the protocol or a limit,
    ///   or if another task reads messages; `URLError` if the connection is lost or the task is cancelled.
    public func receive() async throws -> WebSocketMessage? { try await reader.nextMessage() }

    /// The messages as streams of their bytes, for messages that are too large for the memory.
    ///
    /// They are the messages of the WebSocket that no other loop reads.
    public var messageStreams: WebSocketMessageStreams { WebSocketMessageStreams(reader: reader, socket: self) }

    // MARK: Sending

    /// Sends a message.
    ///
    /// The function returns when the message waits to be sent, and suspends while too many bytes wait. Messages of several tasks are sent in
    /// the order of the calls.
    ///
    /// - Throws: ``WebSocketError`` if the WebSocket is closed, or `URLError` if the connection is lost or the task is cancelled.
    public func send(_ message: WebSocketMessage) async throws {
        guard !Task.isCancelled else {
            connection.close(WebSocketClosure(.goingAway))
            throw URLError.cancelled(url: nil)
        }
        if try sendAtOnce(message) { return }
        let opcode: WebSocketOpcode = message.kind == .text ? .text : .binary
        let payload = WebSocketPayload(message)
        try await connection.inTurn {
            if let deflater, payload.count >= deflater.minimumSize {
                try await sendFrames(opcode, payload, compressedBy: deflater)
            } else {
                try await sendFrames(opcode, payload)
            }
        }
    }

    /// Sends a message that is short, and not to be compressed, if there is room; returns whether it is sent.
    private func sendAtOnce(_ message: WebSocketMessage) throws -> Bool {
        func send(_ opcode: WebSocketOpcode, _ bytes: UnsafeRawBufferPointer) throws -> Bool {
            if let deflater, bytes.count >= deflater.minimumSize { return false }
            return try connection.sendAtOnce(opcode, bytes)
        }
        switch message {
        case .data(let data):
            return try data.withUnsafeBytes { try send(.binary, $0) }
        case .text(var text):
            return try text.withUTF8 { try send(.text, UnsafeRawBufferPointer($0)) }
        }
    }

    private nonisolated(nonsending) func sendFrames(_ opcode: WebSocketOpcode, _ payload: WebSocketPayload) async throws
    {
        var (opcode, rest) = (opcode, 0..<payload.count)
        repeat {
            let range = rest.prefix(Swift.max(1, connection.options.outgoingFrameSize))
            rest = rest.dropFirst(range.count)
            try await connection.sendFrame(opcode, payload, in: range, isFinal: rest.isEmpty)
            opcode = .continuation
        } while !rest.isEmpty
    }

    private nonisolated(nonsending) func sendFrames(
        _ opcode: WebSocketOpcode,
        _ payload: WebSocketPayload,
        compressedBy deflater: SendingDeflater
    ) async throws {
        var (opcode, rest, isFirst, output) = (opcode, 0..<payload.count, true, Data())
        repeat {
            let piece = rest.prefix(SendingDeflater.pieceSize)
            rest = rest.dropFirst(piece.count)
            do {
                try payload.withBytes(in: piece) {
                    try deflater.compress($0, endsMessage: rest.isEmpty, into: &output)
                }
            } catch {
                // The server can't decompress what follows.
                connection.close(WebSocketClosure(.internalError))
                throw error
            }
            // A frame ends with the message, or when it is large.
            guard rest.isEmpty || output.count >= SendingDeflater.pieceSize else { continue }
            let range = 0..<output.count
            try await connection.sendFrame(
                opcode,
                .data(output),
                in: range,
                isFinal: rest.isEmpty,
                isCompressed: isFirst
            )
            (opcode, isFirst, output) = (.continuation, false, Data())
        } while !rest.isEmpty
    }

    // MARK: Control

    /// Sends a ping, and returns the time to the response.
    ///
    /// The response is read with the messages: it can't arrive while too many messages wait for the application.
    ///
    /// - Throws: ``WebSocketError`` if the WebSocket is closed, or `URLError` if the connection is lost or the task is cancelled.
    public func ping() async throws -> Duration { try await connection.ping() }

    /// Closes the WebSocket, and waits until the server has answered and closed the connection, at most ``WebSocketOptions/closeTimeout``
    /// for each.
    ///
    /// Messages that have arrived before can still be read, and later ones are dropped. The function does nothing if the WebSocket is
    /// closed; if it is closing, the function only waits. Cancelling the task ends the wait and the connection.
    ///
    /// - Parameters:
    ///   - code: A code for which ``WebSocketCloseCode/isValidInFrame`` is true, or ``WebSocketCloseCode/noStatus`` for none.
    ///   - reason: A reason of at most 123 bytes of UTF-8.
    /// - Throws: ``WebSocketError/invalidCloseCode(_:)`` or ``WebSocketError/longCloseReason``.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async throws(WebSocketError) {
        let closure = WebSocketClosure(code, reason: reason)
        try closure.check()
        connection.close(closure)
        await connection.waitUntilClosed()
    }

    /// The code with which the server has closed the WebSocket: that of its close frame, ``WebSocketCloseCode/noStatus`` for one without a
    /// code, or ``WebSocketCloseCode/abnormal`` if the connection has ended without one; `nil` while it is open.
    public var closeCode: WebSocketCloseCode? { connection.receivedClosure?.code }

    /// The reason with which the server has closed the WebSocket; `nil` while it is open.
    public var closeReason: String? { connection.receivedClosure?.reason }

    /// The code and the reason that this side has sent; `nil` if it has sent none.
    public var sentClosure: WebSocketClosure? { connection.sentClosure }
}

/// The compression of sent messages, which is created with the first one.
// Unchecked because zlib's state is not Sendable. Messages are sent in turn.
private final class SendingDeflater: @unchecked Sendable {
    /// The number of bytes that are compressed at a time.
    static let pieceSize = 65_536

    let minimumSize: Int
    private let windowBits: Int
    private let resetsAfterMessage: Bool
    private let level: Int?
    private var deflater: MessageDeflater?

    /// Creates the compression; `nil` if zlib does not support the window, so that no message is compressed.
    init?(_ deflate: WebSocketDeflate, _ compression: WebSocketCompression?) {
        // The server may require 8 bits, with which zlib can't compress raw data.
        guard deflate.clientWindowBits >= 9 else { return nil }
        windowBits = deflate.clientWindowBits
        resetsAfterMessage = deflate.clientNoContextTakeover
        // The output for an empty message would be larger.
        minimumSize = max(1, compression?.minimumSize ?? 1)
        level = compression?.level
    }

    func compress(_ bytes: UnsafeRawBufferPointer, endsMessage: Bool, into output: inout Data) throws(ZlibError) {
        let deflater =
            if let existing = self.deflater {
                existing
            } else {
                try MessageDeflater(windowBits: windowBits, resetsAfterMessage: resetsAfterMessage, level: level)
            }
        self.deflater = deflater
        try deflater.compress(bytes, endsMessage: endsMessage) { output.append(contentsOf: $0) }
    }
}
