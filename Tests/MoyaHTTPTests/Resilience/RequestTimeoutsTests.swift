import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The timeouts of a request are inherited one by one")
struct RequestTimeoutsTests {
    typealias Property = WritableKeyPath<RequestTimeouts, Duration?> & Sendable

    static let properties: [Property] = [\.total, \.attempt, \.connect, \.pool, \.firstByte]

    @Test("a time is inherited if it is nil, independently of the others", arguments: properties)
    func inheritance(property: Property) {
        var all = RequestTimeouts()
        for property in Self.properties { all[keyPath: property] = .seconds(9) }
        for own in [nil, Duration.zero, .seconds(1)] {
            for inherited in [nil, Duration.seconds(2)] {
                var (one, other) = (all, all)
                one[keyPath: property] = own
                other[keyPath: property] = inherited
                var expected = all
                expected[keyPath: property] = own ?? inherited
                #expect(one.inheriting(from: other) == expected)
            }
        }
        #expect(RequestTimeouts().inheriting(from: all) == all)
        #expect(all.inheriting(from: RequestTimeouts()) == all)
    }

    @Test("times that are all inherited are none")
    func none() {
        #expect(RequestTimeouts().unlessInherited == nil)
        for property in Self.properties {
            var timeouts = RequestTimeouts()
            timeouts[keyPath: property] = .seconds(1)
            #expect(timeouts.unlessInherited == timeouts)
        }
    }

    /// The timeouts of a transport's request.
    private struct Sent: Equatable, Sendable {
        /// The time of the attempt, in seconds.
        var attempt: Int64
        var phases = PhaseTimeouts()
    }

    /// Sends a request over a session whose `timeoutIntervalForResource` is 600, and returns its timeouts.
    private func send(
        session: RequestTimeouts = RequestTimeouts(),
        request: RequestTimeouts? = nil,
        asStream: Bool = false
    ) async throws -> Sent {
        let sent = Recorder<Sent>()
        let limited = LimitedSession(timeouts: session, timeout: 600) { request in
            sent.add(Sent(attempt: request.attemptTimeout.components.seconds, phases: request.phaseTimeouts))
            return TransportResponse(status: 200)
        }
        let urlRequest = URLRequest(url: .test("http://h.test/"))
        let settings = RequestSettings(timeouts: request)
        if asStream {
            _ = try await limited.session.stream(for: urlRequest, record: RequestRecord(), settings: settings)
        } else {
            _ = try await limited.session.data(for: urlRequest, record: RequestRecord(), settings: settings)
        }
        return try #require(sent.values.first)
    }

    @Test("the transport gets the times of the request, or of the session")
    func transport() async throws {
        let session = RequestTimeouts(attempt: .seconds(60), connect: .seconds(1), pool: .seconds(2))
        let request = RequestTimeouts(connect: .seconds(3), firstByte: .seconds(4))
        #expect(try await send() == Sent(attempt: 600))
        #expect(
            try await send(session: session)
                == Sent(attempt: 60, phases: PhaseTimeouts(connect: .seconds(1), pool: .seconds(2)))
        )
        #expect(
            try await send(request: request)
                == Sent(attempt: 600, phases: PhaseTimeouts(connect: .seconds(3), firstByte: .seconds(4)))
        )
        let both = PhaseTimeouts(connect: .seconds(3), pool: .seconds(2), firstByte: .seconds(4))
        #expect(try await send(session: session, request: request) == Sent(attempt: 60, phases: both))
        #expect(try await send(session: RequestTimeouts(attempt: .seconds(3_600))) == Sent(attempt: 3_600))
        #expect(try await send(session: RequestTimeouts(attempt: .seconds(Int64.max))).attempt == 365 * 24 * 3600)
    }

    @Test("the time of an attempt does not limit the body of a stream, and timeoutIntervalForResource does")
    func stream() async throws {
        #expect(try await send(session: RequestTimeouts(attempt: .seconds(60)), asStream: true).attempt == 600)
    }

    @Test("a middleware sees and changes the times of a request")
    func middleware() async throws {
        struct Change: HTTPMiddleware {
            func respond(
                to request: TransportRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> TransportResponse {
                var request = request
                request.firstByteTimeout = request.firstByteTimeout.map { $0 * 2 }
                request.connectionPoolTimeout = .seconds(9)
                return try await next(request)
            }
        }
        let sent = Recorder<PhaseTimeouts>()
        var resilience = Resilience()
        resilience.timeouts.firstByte = .seconds(4)
        let session = Session(
            transport: FakeTransport { request in
                sent.add(request.phaseTimeouts)
                return TransportResponse(status: 200)
            },
            middleware: [Change()],
            exchangeMiddleware: [Change()],
            resilience: resilience
        )
        _ = try await session.data(for: URLRequest(url: .test("http://h.test/")))
        #expect(sent.values == [PhaseTimeouts(pool: .seconds(9), firstByte: .seconds(16))])
    }
}
