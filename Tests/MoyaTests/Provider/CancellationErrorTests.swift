import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A provider's caller gets URLError.cancelled for a CancellationError", .timeLimit(.minutes(5)))
struct CancellationErrorTests {
    /// The entry points that report an error.
    enum Entry: String, CaseIterable, Sendable {
        case callback, async, tracked, stream, events, progress, typed, typedCallback
    }

    enum Place: String, CaseIterable, Sendable {
        case adapter, transport, body
    }

    /// Throws a CancellationError, after the cancellation of the task or immediately.
    private static func code(_ began: Promise<Void>, waits: Bool) async throws {
        began.fulfill(())
        while waits, !Task.isCancelled { await Task.yield() }
        throw CancellationError()
    }

    private struct Adapter: RequestInterceptor {
        let run: @Sendable () async throws -> Void

        func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
            try await run()
            return urlRequest
        }
    }

    private func ask(_ entry: Entry, _ session: Session) async -> MoyaError? {
        let provider = MoyaProvider<Ask<User>>(session: session, trackInflights: entry == .tracked)
        let target = Ask<User>()
        do {
            switch entry {
            case .callback, .tracked: _ = try await EntryPoint.callback.request(target, from: provider).get()
            case .async: let _: Response = try await provider.request(target)
            case .stream: for try await _ in try await provider.stream(target).body {}
            case .events: for try await _ in provider.events(target) {}
            case .progress: for try await _ in provider.requestWithProgress(target) {}
            case .typed: let _: User = try await provider.request(target)
            case .typedCallback:
                let result = Promise<Result<User, MoyaError>>()
                let token = provider.requestOutput(target, callbackQueue: .global()) { result.fulfill($0) }
                _ = try await withTaskCancellationHandler {
                    await result.wait()
                } onCancel: {
                    token.cancel()
                }.get()
            }
            return nil
        } catch {
            return error
        }
    }

    private func session(_ place: Place, _ run: @escaping @Sendable () async throws -> Void) -> Session {
        Session(
            transport: FakeTransport { _ in
                if place == .transport { try await run() }
                var headers = HTTPFields()
                headers[.contentType] = "text/event-stream"
                let body = TransportBodyStream {
                    try await run()
                    return nil
                }
                return TransportResponse(status: 200, headers: headers, body: .stream(body))
            },
            interceptor: place == .adapter ? Adapter(run: run) : nil
        )
    }

    @Test("a cancelled request of a provider fails with URLError.cancelled", arguments: Entry.allCases, Place.allCases)
    func cancelled(entry: Entry, place: Place) async {
        let began = Promise<Void>()
        let session = session(place) { try await Self.code(began, waits: true) }
        let task = Task { await ask(entry, session) }
        await began.wait()
        task.cancel()
        let result = Result<Response, MoyaError>.failure(await task.value ?? .requestMapping("none"))
        #expect(result.urlErrorCode == .cancelled)
    }

    @Test(
        "a CancellationError from application code without a cancellation becomes URLError.cancelled",
        arguments: Entry.allCases,
        Place.allCases
    )
    func own(entry: Entry, place: Place) async {
        let error = await ask(entry, session(place) { try await Self.code(Promise(), waits: false) })
        let result = Result<Response, MoyaError>.failure(error ?? .requestMapping("none"))
        #expect(result.urlErrorCode == .cancelled)
        #expect((result.underlying as? URLError)?.userInfo[NSUnderlyingErrorKey] is CancellationError)
    }

    /// A decoder that throws a CancellationError.
    private struct Tired: ResponseDecoder {
        func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { throw CancellationError() }
    }

    private struct TiredTarget: AnyTypedTarget {
        typealias Output = User
        func output(from response: Response) throws -> User { throw CancellationError() }
    }

    @Test("a CancellationError from a typed target or its decoder becomes URLError.cancelled")
    func decoder() async {
        let session = Session(FakeTransport.body("{}"))
        let asked = MoyaProvider<Ask<User>>(session: session)
        let target = Ask<User>(makeDecoder: { Tired() })
        let first = await #expect(throws: MoyaError.self) { let _: User = try await asked.request(target) }
        let second = await #expect(throws: MoyaError.self) {
            let _: User = try await MoyaProvider<TiredTarget>(session: session).request(TiredTarget())
        }
        for error in [first, second] {
            guard case .underlying(let cause as URLError, let response?) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(cause.code == .cancelled)
            #expect(response.statusCode == 200)
        }
    }
}
