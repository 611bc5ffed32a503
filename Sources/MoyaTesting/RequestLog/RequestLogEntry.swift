import Foundation
import Moya
import MoyaHAR

/// A request in a log, with its current state.
package final class RequestLogEntry: Sendable {
    private struct State: Sendable {
        var body: CapturedBody?
        var isSent = false
        var status: Int?
        var error: (any Error)?
    }

    let number: Int
    /// The generation of the log to which the request belongs; emptying the log starts a new generation.
    let generation: Int
    private let target: (any TargetType)?
    private let method: HTTPMethod
    private let url: URL
    private let headers: HTTPFields
    private let date = Date()
    private let secrets: HARSecrets
    private let bodyLimit: Int
    private let state: Locked<State>
    private let onSent: @Sendable (RequestLogEntry) -> Void

    /// Creates an entry; `onSent` is called once, when the request has been sent completely or has ended.
    init(
        _ request: TransportRequest,
        number: Int,
        generation: Int,
        secrets: HARSecrets,
        bodyLimit: Int,
        onSent: @escaping @Sendable (RequestLogEntry) -> Void
    ) {
        self.number = number
        self.generation = generation
        // The request is not stored, because it would retain its body.
        target = (request.target as? any TargetType)?.innermost
        (method, url, headers) = (request.method, request.url, request.headers)
        self.secrets = secrets
        self.bodyLimit = bodyLimit
        self.onSent = onSent
        state = Locked(State())
    }

    /// The request with its current state.
    var request: CapturedRequest {
        let state = state.withLock { $0 }
        return CapturedRequest(
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

    /// Records the complete body.
    package func recordBody(_ body: CapturedBody?) { update { $0.body = body } }

    /// Records the status of the response.
    package func recordStatus(_ status: Int) { update { $0.status = status } }

    /// Records the error of an exchange without a response.
    package func recordError(_ error: any Error) { update { $0.error = error } }

    /// Returns a body that is captured while it is sent.
    func capturedBody(_ body: HTTPBody?) -> HTTPBody? {
        if let data = body?.data {
            recordBody(CapturedBody(data, limit: bodyLimit))
            return body
        }
        guard let body else {
            recordBody(nil)
            return nil
        }
        return body.observingPieces { [self] in
            // A transport may restart the body on another connection.
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
