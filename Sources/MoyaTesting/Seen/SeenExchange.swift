import Foundation
import Moya
import MoyaHAR

/// A request in a log, and what becomes of it.
package final class SeenExchange: Sendable {
    private struct State: Sendable {
        var body: CapturedBody?
        var isSent = false
        var status: Int?
        var error: (any Error)?
    }

    let number: Int
    /// Which of the log's lives it belongs to: one ends when the log is emptied.
    let era: Int
    private let target: (any TargetType)?
    private let method: HTTPMethod
    private let url: URL
    private let headers: HTTPFields
    private let date = Date()
    private let secrets: HARSecrets
    private let bodyLimit: Int
    private let state: Locked<State>
    private let onSent: @Sendable (SeenExchange) -> Void

    /// - Parameter onSent: Called once, when the whole of the request has left, or it is over.
    init(
        _ request: TransportRequest,
        number: Int,
        era: Int,
        secrets: HARSecrets,
        bodyLimit: Int,
        onSent: @escaping @Sendable (SeenExchange) -> Void
    ) {
        self.number = number
        self.era = era
        // Not the request: it would hold on to whatever its body is made of.
        target = (request.target as? any TargetType)?.innermost
        (method, url, headers) = (request.method, request.url, request.headers)
        self.secrets = secrets
        self.bodyLimit = bodyLimit
        self.onSent = onSent
        state = Locked(State())
    }

    /// The request as it is known now.
    var request: SeenRequest {
        let state = state.withLock { $0 }
        return SeenRequest(
            number: number,
            target: target,
            method: method,
            url: url,
            headers: headers,
            date: date,
            isSent: state.isSent,
            status: state.status,
            error: state.error,
            captured: state.body,
            secrets: secrets
        )
    }

    /// The whole body is known.
    package func sent(_ body: CapturedBody?) { update { $0.body = body } }

    /// A response's head is there.
    package func answered(_ status: Int) { update { $0.status = status } }

    /// The exchange failed before there was an answer.
    package func failed(_ error: any Error) { update { $0.error = error } }

    /// The body that shows what leaves. It is not read for that.
    func watching(_ body: HTTPBody?) -> HTTPBody? {
        if let data = body?.data {
            sent(CapturedBody(data, limit: bodyLimit))
            return body
        }
        guard let body else {
            sent(nil)
            return nil
        }
        return body.watched { [self] in
            // A transport may begin again, on another connection.
            state.withLock { $0.body = CapturedBody(limit: bodyLimit) }
            return { [self] piece in
                guard let piece else { return update { _ in } }
                state.withLock { $0.body?.append(piece) }
            }
        }
    }

    private func update(_ change: @Sendable (inout State) -> Void) {
        let isFirst = state.withLock { state in
            change(&state)
            defer { state.isSent = true }
            return !state.isSent
        }
        if isFirst { onSent(self) }
    }
}
