import Foundation

/// The rule that decides whether a WebSocket is opened again.
///
/// The peer's close codes decide: a server that goes away, restarts, is overloaded or fails (1001 and 1011 to 1014) is tried again, as is
/// a lost connection. The code 1000, or none, ends the messages, and any other code is an error, because it would occur again.
struct WebSocketReconnection: Equatable, Sendable {
    enum Action: Equatable, Sendable {
        /// Wait, and open a WebSocket again.
        case reconnect(after: Duration)
        /// End without an error.
        case stop
        /// End with the error.
        case fail
    }

    private let policy: ReconnectionPolicy
    /// The number of failures in a row since the last message.
    private(set) var failures = 0

    init(_ policy: ReconnectionPolicy) { self.policy = policy }

    private static let transientCodes: Set<WebSocketCloseCode> = [
        .goingAway, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
    ]

    /// Handles a message.
    mutating func receivedMessage() { failures = 0 }

    /// Handles the end of the messages without an error; `code` is that of the peer.
    ///
    /// `random` returns a value from 0 to 1 for the jitter of the policy.
    func ended(_ code: WebSocketCloseCode?, random: () -> Double = { .random(in: 0...1) }) -> Action {
        code == .goingAway ? .reconnect(after: policy.delay(retry: nil, failures: 0, random: random)) : .stop
    }

    /// Handles an error of the request or of the open WebSocket.
    ///
    /// `random` returns a value from 0 to 1 for the jitter of the policy.
    mutating func failed(_ error: any Error, random: () -> Double = { .random(in: 0...1) }) -> Action {
        guard isTransient(error) else { return .fail }
        failures += 1
        if let maximum = policy.maximumFailures, failures > max(0, maximum) { return .fail }
        return .reconnect(after: policy.delay(retry: nil, failures: failures, random: random))
    }

    private func isTransient(_ error: any Error) -> Bool {
        switch error {
        case WebSocketError.closed(let closure): Self.transientCodes.contains(closure.code)
        case WebSocketError.upgradeRefused(let status): policy.isTransient(status: status)
        case WebSocketError.peerIsSilent: true
        case let error as WebSocketUpgradeError: isTransient(error.error)
        default: EventStreamFailure(error) == .transient
        }
    }
}
