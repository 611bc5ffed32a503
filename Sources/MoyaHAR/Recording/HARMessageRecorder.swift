import Foundation
import MoyaHTTP

/// Records the messages of a WebSocket from the bytes of its connection.
///
/// It keeps at most a number of bytes of all messages, and counts the messages that it leaves out.
final class HARMessageRecorder: Sendable {
    fileprivate struct State: Sendable {
        var client: Direction
        var server: Direction
        var messages: [HAR.WebSocketMessage] = []
        /// The number of bytes that may still be kept.
        var room: Int
        var omittedCount = 0
    }

    /// The messages of one side, of which the current one is collected.
    fileprivate struct Direction: Sendable {
        var parser: WebSocketFrameParser
        /// Decompresses the messages; `nil` after a violation of the protocol.
        var reader: WebSocketMessageReader?
        var kind = WebSocketMessage.Kind.text
        /// The bytes of the current message; `nil` if there is no room for them.
        var bytes: Data? = Data()
    }

    private let state: Locked<State>

    /// Creates a recorder for the connection that a response has opened.
    init(_ headers: HTTPFields, limit: Int) {
        let deflate = headers[.secWebSocketExtensions].flatMap { WebSocketDeflate(recorded: $0) }
        func direction(_ role: WebSocketRole, _ deflate: WebSocketDeflate?) -> Direction {
            Direction(
                parser: WebSocketFrameParser(from: role, allowsCompression: deflate != nil),
                reader: try? WebSocketMessageReader(deflate)
            )
        }
        state = Locked(
            State(
                client: direction(.client, deflate?.ofClient),
                server: direction(.server, deflate),
                room: limit
            )
        )
    }

    /// The messages so far.
    var messages: [HAR.WebSocketMessage] { state.withLock { $0.messages } }

    /// A sentence about the messages that were left out; `nil` if there are none.
    var comment: String? {
        let count = state.withLock { $0.omittedCount }
        guard count > 0 else { return nil }
        return
            "\(count == 1 ? "1 message" : "\(count) messages") of the WebSocket exceeded the limit for recorded bodies."
    }

    /// Records bytes that a side has sent.
    func record(_ chunk: Data, from sender: HAR.WebSocketMessage.Sender, at time: Date = Date()) {
        state.withLock { state in
            switch sender {
            case .client: Self.record(chunk, of: \.client, sender, time, &state)
            case .server: Self.record(chunk, of: \.server, sender, time, &state)
            }
        }
    }

    private static func record(
        _ chunk: Data,
        of direction: WritableKeyPath<State, Direction>,
        _ sender: HAR.WebSocketMessage.Sender,
        _ time: Date,
        _ state: inout State
    ) {
        guard let reader = state[keyPath: direction].reader else { return }
        state[keyPath: direction].parser.push(chunk)
        do throws(WebSocketError) {
            while let event = try state[keyPath: direction].parser.next() {
                switch event {
                case .control(.close, let payload):
                    let data = payload.base64EncodedString()
                    state.add(
                        HAR.WebSocketMessage(sender: sender, time: time, opcode: 8, data: data),
                        size: payload.count
                    )
                case .control:
                    break
                case .data(let part):
                    reader.push(part)
                    while let event = try reader.next() {
                        if let message = state[keyPath: direction].collect(event, room: state.room) {
                            state.add(message, from: sender, at: time)
                        }
                    }
                }
            }
        } catch {
            // The rest can't be read; the client reports the violation.
            state[keyPath: direction].reader = nil
        }
    }
}

extension HARMessageRecorder.Direction {
    /// Collects a message, and returns its kind and its bytes at its end; the bytes are `nil` if they exceed the room.
    fileprivate mutating func collect(
        _ event: WebSocketMessageReader.Event,
        room: Int
    ) -> (kind: WebSocketMessage.Kind, bytes: Data?)? {
        switch event {
        case .began(let kind, _):
            (self.kind, bytes) = (kind, Data())
        case .bytes(let piece):
            guard let collected = bytes?.count, piece.count <= room - collected else {
                bytes = nil
                return nil
            }
            bytes?.append(piece)
        case .ended:
            defer { bytes = Data() }
            return (kind, bytes)
        }
        return nil
    }
}

extension HARMessageRecorder.State {
    fileprivate mutating func add(
        _ message: (kind: WebSocketMessage.Kind, bytes: Data?),
        from sender: HAR.WebSocketMessage.Sender,
        at time: Date
    ) {
        guard let bytes = message.bytes else {
            omittedCount += 1
            return
        }
        let isText = message.kind == .text
        add(
            HAR.WebSocketMessage(
                sender: sender,
                time: time,
                opcode: isText ? 1 : 2,
                data: isText ? String(decoding: bytes, as: UTF8.self) : bytes.base64EncodedString()
            ),
            size: bytes.count
        )
    }

    /// Adds a message of a size, if there is room for it.
    fileprivate mutating func add(_ message: HAR.WebSocketMessage, size: Int) {
        // A message without bytes needs memory, too.
        let cost = size + 64
        guard cost <= room || message.opcode == 8 else {
            omittedCount += 1
            return
        }
        room = max(0, room - cost)
        messages.append(message)
    }
}

extension WebSocketDeflate {
    /// Parses the parameters of a recorded response; `nil` if it has none, or invalid ones.
    ///
    /// The offer is not needed: a reader with the largest window reads the data of smaller ones.
    fileprivate init?(recorded value: String) {
        guard let parsed = try? WebSocketDeflate.parse(response: value, to: WebSocketCompression()) else { return nil }
        self = parsed
    }

    /// The parameters with the sides exchanged, because a reader decompresses the messages of the server.
    fileprivate var ofClient: WebSocketDeflate {
        var deflate = self
        deflate.serverWindowBits = 15
        deflate.serverNoContextTakeover = clientNoContextTakeover
        return deflate
    }
}
