import Foundation
import Moya

/// A WebSocket whose messages are lines of a terminal.
struct WebSocketRun: Sendable {
    let request: URLRequest
    let options: WebSocketOptions
    /// Whether lines are sent as bytes.
    let sendsBytes: Bool
    /// Whether the WebSocket stays open after the end of the input.
    let staysOpen: Bool
    let write: @Sendable (String) -> Void

    /// Opens the WebSocket, sends the lines of the input and writes the messages until the end; returns whether it was regular.
    func run(in session: Session, input: AsyncStream<String>) async throws -> Bool {
        let socket: WebSocket
        do {
            socket = try await session.webSocket(for: request, options: options)
        } catch let error as WebSocketUpgradeError {
            write("* \(error.localizedDescription)")
            if let body = BodyLines(error.response.data, contentType: error.response.headers[.contentType] ?? "") {
                body.lines.forEach(write)
            }
            return false
        } catch {
            write("* \(error.localizedDescription)")
            return false
        }
        write("* open: \(facts(of: socket))")
        let sending = Task { await send(input, to: socket) }
        defer { sending.cancel() }
        do {
            for try await message in socket { show(message) }
            write("* closed: \(closure(of: socket))")
            try await socket.close()
            return true
        } catch {
            write("* \(error.localizedDescription)")
            // Until the server has the close frame that answers its own, or a violation.
            try await socket.close()
            return false
        }
    }

    private func send(_ input: AsyncStream<String>, to socket: WebSocket) async {
        do {
            for await line in input { try await socket.send(sendsBytes ? .data(Data(line.utf8)) : .text(line)) }
            guard !staysOpen else { return }
            // Most servers have responded to the lines when they respond to the ping.
            _ = try await socket.ping()
            try await socket.close()
        } catch {
            // The reader gets the reason for the end.
        }
    }

    private func show(_ message: WebSocketMessage) {
        switch message {
        case .data(let data):
            write("< \(ByteCount(Int64(data.count))) of binary data")
        case .text(let text):
            for line in text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false) {
                write("< \(TerminalText(line.replacing("\t", with: "    ")).text)")
            }
        }
    }

    private func facts(of socket: WebSocket) -> String {
        var facts = ["status \(socket.response.statusCode)"]
        if let subprotocol = socket.subprotocol { facts.append("subprotocol \(TerminalText(subprotocol).text)") }
        if socket.isCompressed { facts.append("compressed") }
        return facts.joined(separator: ", ")
    }

    private func closure(of socket: WebSocket) -> String {
        guard let code = socket.closeCode else { return "by this side" }
        let reason = socket.closeReason ?? ""
        return "\(code)" + (reason.isEmpty ? "" : " \(TerminalText(reason).text)")
    }
}
