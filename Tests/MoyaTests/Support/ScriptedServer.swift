import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

/// A network that returns its responses in order; a request after the last response waits until it is cancelled.
final class ScriptedServer: Sendable {
    enum Response: Sendable {
        /// An event stream.
        case events([String], then: BodySource.End = .regular)
        /// Any response.
        case response(Int, type: String?, String = "")
        /// An error without a response.
        case error(URLError.Code)
    }

    /// The requests.
    let requests = Recorder<TransportRequest>()
    /// The end of each response's body.
    let watches: [BodySource.Watch]

    private let responses: [Response]

    init(_ responses: [Response]) {
        self.responses = responses
        watches = responses.map { _ in BodySource.Watch() }
    }

    /// Returns the value of a header in each request.
    func sent(_ name: String) -> [String?] {
        requests.values.map { request in HTTPField.Name(name).flatMap { request.headers[$0] } }
    }

    var session: Session {
        Session(
            FakeTransport { [self] request in
                let index = requests.values.count
                requests.add(request)
                guard index < responses.count else {
                    let cancelled = Promise<Void>()
                    await withTaskCancellationHandler {
                        await cancelled.wait()
                    } onCancel: {
                        cancelled.fulfill(())
                    }
                    throw URLError(.cancelled)
                }
                switch responses[index] {
                case .events(let chunks, let end):
                    return TransportResponse(
                        status: 200,
                        headers: [.contentType: "text/event-stream; charset=utf-8"],
                        body: BodySource.body(chunks, then: end, watch: watches[index])
                    )
                case .response(let status, let type, let text):
                    var headers = HTTPFields()
                    headers[.contentType] = type
                    return TransportResponse(
                        status: status,
                        headers: headers,
                        body: BodySource.body([text], watch: watches[index])
                    )
                case .error(let code):
                    throw URLError(code)
                }
            }
        )
    }
}

extension ScriptedServer {
    /// Collects the events of a target, and advances the clock by each expected wait.
    func events(
        of target: TaskTarget = TaskTarget(method: .get, task: .requestPlain),
        reconnection: ReconnectionPolicy = ReconnectionPolicy(),
        maximumSize: Int = 1024,
        waits: [Duration]
    ) async -> (events: [ServerSentEvent], error: MoyaError?) {
        let clock = ManualClock()
        let provider = MoyaProvider<TaskTarget>(session: session, clock: clock)
        let sequence = provider.events(target, reconnection: reconnection, maximumSize: maximumSize)
        let events = Recorder<ServerSentEvent>()
        let reader = Task { () -> MoyaError? in
            do {
                for try await event in sequence { events.add(event) }
                return nil
            } catch {
                return error as? MoyaError
            }
        }
        for wait in waits {
            await clock.someoneSleeps()
            #expect(clock.timeToNextWake == wait)
            clock.advance(by: wait)
        }
        let error = await reader.value
        return (events.values, error)
    }
}
