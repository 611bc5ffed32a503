import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("An adapter can implement three functions", .timeLimit(.minutes(5)))
struct AdapterFormTests {
    private struct AsyncForm: RequestInterceptor {
        func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
            urlRequest.marked("async \(state.retryCount)")
        }
    }

    private struct StateForm: RequestInterceptor {
        func adapt(
            _ urlRequest: URLRequest,
            using state: RequestAdapterState,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            Task { completion(.success(urlRequest.marked("state \(state.retryCount)"))) }
        }
    }

    private struct SessionForm: RequestInterceptor {
        func adapt(
            _ urlRequest: URLRequest,
            for session: Session,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            completion(.success(urlRequest.marked("session")))
            // Each of these calls is too late.
            completion(.success(urlRequest.marked("again")))
            completion(.failure(TestFailure()))
        }
    }

    private struct Failing: RequestInterceptor {
        func adapt(
            _ urlRequest: URLRequest,
            for session: Session,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            completion(.failure(TestFailure()))
            completion(.success(urlRequest))
        }
    }

    static let forms: [(any RequestInterceptor & Sendable, [String])] = [
        (AsyncForm(), ["async 0", "async 1"]),
        (StateForm(), ["state 0", "state 1"]),
        // The first call wins.
        (SessionForm(), ["session", "session"]),
    ]

    @Test(
        "an adapter with any of the three functions is called once for each attempt, and its first result wins",
        arguments: 0..<3
    )
    func forms(index: Int) async throws {
        let (form, marks) = Self.forms[index]
        for kind in TransportKind.allCases {
            try await kind.withReactingServer({ $0.number == 0 ? .respond(500) : .respond(200) }) { transport, server in
                let session = Session(transport: transport, interceptor: form)
                let settings = RequestSettings(interceptor: TestInterceptor.repeating(1))
                let response = try await session.data(
                    for: server.request(),
                    record: RequestRecord(),
                    settings: settings
                )
                #expect(response.statusCode == 200)
                #expect(server.values(of: "mark") == marks)
            }
        }
    }

    @Test("an adapter's error fails the request before it is sent, and retriers are asked", arguments: [false, true])
    func failure(isAsync: Bool) async throws {
        let kind = TransportKind.allCases[0]
        try await kind.withReactingServer({ _ in .respond(200) }) { transport, server in
            let log = TestLog()
            let adapter: any RequestInterceptor =
                isAsync ? TestInterceptor(onAdapt: { _, _ in throw TestFailure() }) : Failing()
            let retrier = TestInterceptor(onRetry: { attempt in
                log.note(attempt.summary)
                return attempt.retryCount < 2 ? .retry : .doNotRetry
            })
            let session = Session(transport: transport, interceptor: adapter)
            await #expect(throws: TestFailure()) {
                try await session.data(
                    for: server.request(),
                    record: RequestRecord(),
                    settings: RequestSettings(interceptor: retrier)
                )
            }
            #expect(log.lines == ["TestFailure() #0", "TestFailure() #1", "TestFailure() #2"])
            #expect(server.count == 0)
        }
    }

    @Test("a failure of an adapter counts as an attempt")
    func onceFailing() async throws {
        let kind = TransportKind.allCases[0]
        try await kind.withReactingServer({ _ in .respond(200) }) { transport, server in
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor(
                    onAdapt: { request, state in
                        if state.retryCount == 0 { throw TestFailure() }
                        return request
                    },
                    onRetry: { attempt in attempt.error is TestFailure ? .retry : .doNotRetry }
                )
            )
            let response = try await session.data(for: server.request())
            #expect(response.statusCode == 200)
            #expect(server.count == 1)
        }
    }
}

extension URLRequest {
    fileprivate func marked(_ text: String) -> URLRequest {
        var request = self
        request.setValue(text, forHTTPHeaderField: "Mark")
        return request
    }
}
