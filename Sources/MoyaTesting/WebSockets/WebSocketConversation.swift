import Foundation
import Moya
import MoyaHAR

/// Performs the steps of a script as the server of one WebSocket.
final class WebSocketConversation: Sendable {
    private struct State: Sendable {
        /// The index of the current step.
        var index = 0
        var error: WebSocketScriptError?
        /// Whether all steps have been completed, or one has failed.
        var isOver = false
        /// The tests that wait for the end; they get true at the end, and false at their deadline.
        var waiters: [Promise<Bool>] = []
    }

    private let steps: [WebSocketStep]
    private let url: URL
    private let maskedURL: String
    private let clock: any Clock<Duration>
    private let state = Locked(State())

    init(_ steps: [WebSocketStep], url: URL, secrets: HARSecrets, clock: any Clock<Duration>) {
        self.steps = steps
        self.url = url
        self.clock = clock
        maskedURL = HAR.Request(method: "", url: url.absoluteString).masking(secrets).url
    }

    /// Accepts an upgrade, and begins to perform the steps.
    ///
    /// - Returns: The response for the client.
    /// - Throws: `RequestBodyError` if the output of the upgrade cannot be read.
    func begin(_ upgrade: ProtocolUpgrade, of request: TransportRequest, headers: HTTPFields) throws
        -> TransportResponse
    {
        let local = try LocalWebSocket(accepting: upgrade, of: request, headers: headers)
        let response = local.response
        // The conversation goes on after the request, whose task may end.
        Task.detached { await self.run(local) }
        return response
    }

    private func run(_ local: LocalWebSocket) async {
        do {
            for (index, step) in steps.enumerated() {
                state.withLock { $0.index = index }
                try await perform(step, local)
            }
            state.withLock { $0.index = steps.count }
            end()
            // The side stays open for the client, which closes it.
            if let message = try await receive(local) { throw error(.unexpected(message)) }
        } catch let error as WebSocketScriptError {
            state.withLock { $0.error = error }
            local.fail(with: error)
        } catch {
            local.fail(with: error)
        }
        end()
    }

    /// Records that all steps have been completed, or that one has failed.
    private func end() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            state.isOver = true
            return state.waiters
        }
        for waiter in waiters { waiter.fulfill(true) }
    }

    private func perform(_ step: WebSocketStep, _ local: LocalWebSocket) async throws {
        let socket = local.socket
        switch step.action {
        case .expect(let matches):
            guard let message = try await receive(local) else { throw error(.ended(socket.closeCode ?? .abnormal)) }
            guard matches(message) else { throw error(.unexpected(message)) }
        case .expectClosure(let code):
            if let message = try await receive(local) { throw error(.unexpected(message)) }
            let closure = WebSocketClosure(socket.closeCode ?? .abnormal, reason: socket.closeReason ?? "")
            guard code == nil || closure.code == code else { throw error(.closed(closure)) }
        case .send(let message):
            do {
                try await socket.send(message)
            } catch {
                throw self.error(.ended(socket.closeCode ?? .abnormal))
            }
        case .wait(let duration):
            try await clock.sleep(for: duration)
        case .close(let closure):
            try await socket.close(code: closure.code, reason: closure.reason)
        case .fail(let makeError):
            local.fail(with: makeError(url))
        case .unusable(let error):
            throw error
        }
    }

    /// Waits for a message of the client; `nil` at the end, for which the code is that of the socket.
    private func receive(_ local: LocalWebSocket) async throws -> WebSocketMessage? {
        do {
            return try await local.socket.receive()
        } catch WebSocketError.closed {
            return nil
        } catch is URLError {
            // The client has ended the connection without a close frame.
            return nil
        }
    }

    private func error(_ reason: WebSocketScriptError.Reason) -> WebSocketScriptError {
        let index = state.withLock { $0.index }
        let step = index < steps.count ? steps[index].name : nil
        return WebSocketScriptError(reason: reason, index: index, step: step, url: maskedURL)
    }

    /// Waits until all steps have been completed.
    ///
    /// - Throws: The error of a step, or one for the current step at the deadline.
    func finish(until deadline: ContinuousClock.Instant) async throws(WebSocketScriptError) {
        let waiter = Promise<Bool>()
        let isOver = state.withLock { state in
            if !state.isOver { state.waiters.append(waiter) }
            return state.isOver
        }
        if !isOver {
            let timer = Task {
                try? await Task.sleep(until: deadline, clock: .continuous)
                waiter.fulfill(false)
            }
            defer { timer.cancel() }
            guard await waiter.wait(onCancel: false) else { throw error(.notReached) }
        }
        if let error = state.withLock({ $0.error }) { throw error }
    }
}
