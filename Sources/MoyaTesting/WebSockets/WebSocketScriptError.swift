import Foundation
import Moya
import MoyaHAR

/// The error for a client that departs from the script of a WebSocket; see its ``reason``.
///
/// The client's WebSocket throws it, and so does ``ScriptedTransport/finishWebSockets(timeout:)``.
public struct WebSocketScriptError: Error, Hashable, Sendable {
    /// The difference between the client and the script.
    public enum Reason: Hashable, Sendable {
        /// The client has sent a message that the step does not expect, or, after the last step, that no step expects.
        case unexpected(WebSocketMessage)
        /// The WebSocket has ended before the step, with this code of the client.
        case ended(WebSocketCloseCode)
        /// The client has closed the WebSocket with a code that the step does not expect.
        case closed(WebSocketClosure)
        /// The step has not been completed in time.
        case notReached
    }

    /// The difference.
    public let reason: Reason
    /// The index of the step; the number of steps if the last one has been completed.
    public let index: Int
    /// The step, without the content of its message: `expect a text of 9 bytes`; `nil` after the last one.
    public let step: String?
    /// The URL of the request, masked.
    public let url: String
}

extension WebSocketScriptError: MaskedError {
    /// The step and the difference, without the content of messages.
    public var errorDescription: String? {
        let place = step.map { "step \(index + 1) (\($0))" } ?? "the last step"
        return switch reason {
        case .unexpected(let message) where step == nil:
            "The client has sent \(message.summary) over \(url) after the last step of the script: add a step that expects it."
        case .unexpected(let message):
            "The client has sent \(message.summary) over \(url), which \(place) does not match: compare the message with the script."
        case .ended(let code):
            "The WebSocket of \(url) has ended before \(place), with the code \(code): find out why the client closes it."
        case .closed(let closure):
            "The client has closed the WebSocket of \(url) with the code \(closure.code), which \(place) does not match."
        case .notReached:
            "The WebSocket of \(url) has not completed \(place): find out why the client waits."
        }
    }
}
