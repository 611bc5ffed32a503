import Foundation
import Moya
import MoyaHAR

extension HAR.Entry {
    /// Whether the entry has recorded an open WebSocket.
    var isWebSocket: Bool {
        response.status == 101 || !webSocketMessages.isEmpty && (200..<300).contains(response.status)
    }

    /// The fields of the response that a replay needs.
    ///
    /// The messages are replayed without compression, and each request has another key.
    var webSocketFields: HTTPFields {
        var fields = HTTPFields(response.headers)
        fields[.secWebSocketExtensions] = nil
        fields[.secWebSocketAccept] = nil
        return fields
    }

    /// The steps of the server that replays the recorded messages.
    ///
    /// - Parameters:
    ///   - secrets: The secrets that are masked in the messages of the client before they are compared.
    ///   - comparesMessages: Whether the messages of the client must be equal to the recorded ones.
    /// - Returns: The steps.
    func webSocketSteps(secrets: HARSecrets, comparesMessages: Bool) -> [WebSocketStep] {
        var steps: [WebSocketStep] = []
        for recorded in webSocketMessages {
            if let message = recorded.message {
                switch recorded.sender {
                case .server: steps.append(.send(message))
                case .client where comparesMessages: steps.append(.expect(recorded, message, secrets))
                case .client: steps.append(.expectMessage)
                }
            } else if let closure = recorded.closure {
                // The side that has sent the first close frame closes the WebSocket.
                let isServer = recorded.sender == .server
                steps.append(
                    isServer ? .close(code: closure.code, reason: closure.reason) : .expectClose(code: closure.code)
                )
                return steps
            }
        }
        // Chrome does not record close frames.
        return steps + [.close()]
    }
}

extension WebSocketStep {
    /// Expects a recorded message, in which secrets are masked.
    fileprivate static func expect(
        _ recorded: HAR.WebSocketMessage,
        _ message: WebSocketMessage,
        _ secrets: HARSecrets
    ) -> WebSocketStep {
        let expected = recorded.masking(secrets).bytes
        let action = Action.expect { actual in
            var masked = recorded
            masked.data = actual.text ?? actual.bytes.base64EncodedString()
            return actual.kind == message.kind && masked.masking(secrets).bytes == expected
        }
        return WebSocketStep(action, "expect \(message.summary)")
    }
}
