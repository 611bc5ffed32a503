import Foundation
import Moya
import MoyaHAR

/// A step of the server in a scripted WebSocket.
///
///     transport.on(
///         Market.ticker,
///         .webSocket(.expect("subscribe"), .send("1.25"), .wait(.seconds(1)), .send(json: price), .close(code: .goingAway))
///     )
///
/// The steps are performed in order. A message of the client waits until a step expects it; `ScriptedResponse.webSocket`
/// says how the conversation ends.
public struct WebSocketStep: Sendable {
    enum Action: Sendable {
        case expect(@Sendable (WebSocketMessage) -> Bool)
        /// The close frame of the client; `nil` for any code.
        case expectClosure(WebSocketCloseCode?)
        case send(WebSocketMessage)
        case wait(Duration)
        case close(WebSocketClosure)
        /// The connection ends with an error for the client.
        case fail(@Sendable (URL) -> any Error)
        case unusable(any Error)
    }

    let action: Action
    /// The step in error texts.
    let name: String

    init(_ action: Action, _ name: String) { (self.action, self.name) = (action, name) }
}

// MARK: - Messages of the client

extension WebSocketStep {
    /// Waits for a message, which must be equal to the given one.
    public static func expect(_ message: WebSocketMessage) -> WebSocketStep {
        WebSocketStep(.expect { $0 == message }, "expect \(message.summary)")
    }

    /// Waits for a message, which must be the given text.
    public static func expect(_ text: String) -> WebSocketStep { expect(.text(text)) }

    /// Waits for a message, which must be the given JSON; spaces and the order of the members do not matter.
    public static func expect(json literal: JSONLiteral) -> WebSocketStep {
        WebSocketStep(.expect { JSONValue($0.bytes) == literal.value }, "expect JSON")
    }

    /// Waits for a message that fulfills a condition.
    public static func expect(where matches: @escaping @Sendable (WebSocketMessage) -> Bool) -> WebSocketStep {
        WebSocketStep(.expect(matches), "expect a message that fulfills a condition")
    }

    /// Waits for any message.
    public static var expectMessage: WebSocketStep { WebSocketStep(.expect { _ in true }, "expect a message") }

    /// Waits until the client closes the WebSocket.
    ///
    /// - Parameter code: The code that the client must send; `nil` for any.
    /// - Returns: The step.
    public static func expectClose(code: WebSocketCloseCode? = nil) -> WebSocketStep {
        WebSocketStep(.expectClosure(code), "expect the close frame\(code.map { " with the code \($0)" } ?? "")")
    }
}

// MARK: - Messages of the server

extension WebSocketStep {
    /// Sends a message.
    public static func send(_ message: WebSocketMessage) -> WebSocketStep {
        WebSocketStep(.send(message), "send \(message.summary)")
    }

    /// Sends a text.
    public static func send(_ text: String) -> WebSocketStep { send(.text(text)) }

    /// Sends a value as JSON in a text; if the value cannot be encoded, the client gets the error of the encoder.
    public static func send(json value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> WebSocketStep {
        do {
            return send(String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            return WebSocketStep(.unusable(error), "send JSON")
        }
    }

    /// Waits before the next step, on the clock of the transport.
    public static func wait(_ duration: Duration) -> WebSocketStep {
        WebSocketStep(.wait(min(max(duration, .zero), .longestTimeout)), "wait \(duration)")
    }

    /// Closes the WebSocket, and waits for the close frame of the client.
    ///
    /// - Parameters:
    ///   - code: The code; an invalid one is an error for the client.
    ///   - reason: A reason of at most 123 bytes of UTF-8.
    /// - Returns: The step.
    public static func close(code: WebSocketCloseCode = .normal, reason: String = "") -> WebSocketStep {
        let closure = WebSocketClosure(code, reason: reason)
        do throws(WebSocketError) {
            try closure.check()
            return WebSocketStep(.close(closure), "close with the code \(code)")
        } catch {
            return WebSocketStep(.unusable(error), "close with the code \(code)")
        }
    }
}

extension WebSocketMessage {
    /// The kind and the size, which contain no secrets.
    var summary: String {
        switch self {
        case .text(let text): "a text of \(text.utf8.count) bytes"
        case .data(let data): "\(data.count) bytes of data"
        }
    }
}
