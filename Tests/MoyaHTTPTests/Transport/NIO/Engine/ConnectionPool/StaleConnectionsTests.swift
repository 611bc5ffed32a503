#if NIO && !canImport(Darwin)
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A pool suspects connections that a server may close without notice")
struct StaleConnectionsTests {
    private typealias Use = StaleConnections.Use

    private func use(_ responses: Int, idle milliseconds: Int = 0) -> Use {
        Use(idle: .milliseconds(milliseconds), responses: responses)
    }

    @Test("no idle connection is suspect before the server has closed one")
    func nothing() {
        let connections = StaleConnections()
        #expect(!connections.isSuspect(use(100, idle: 100_000), at: .zero))
        #expect(!connections.hasServedAll(100, at: .zero))
    }

    @Test(
        "a connection with as many responses as one that the server closed immediately is suspect after any idle time",
        arguments: [
            (closed: 3, idle: 0, responses: 2, isSuspect: false),
            (closed: 3, idle: 0, responses: 3, isSuspect: true),
            (closed: 3, idle: 999, responses: 4, isSuspect: true),
            // The idle time is the cause.
            (closed: 3, idle: 1_000, responses: 3, isSuspect: false),
            (closed: 3, idle: 60_000, responses: 100, isSuspect: false),
            // A connection without a request was closed for another reason.
            (closed: 0, idle: 0, responses: 0, isSuspect: false),
        ]
    )
    func responses(closed: Int, idle: Int, responses: Int, isSuspect: Bool) {
        var connections = StaleConnections()
        connections.recordClose(use(closed, idle: idle), at: .zero)
        #expect(connections.hasServedAll(responses, at: .seconds(59)) == isSuspect)
        #expect(connections.isSuspect(use(responses, idle: 20_000), at: .seconds(59)) == isSuspect)
        #expect(!connections.hasServedAll(responses, at: .seconds(60)))
    }

    @Test(
        "the smallest number of responses and the shortest idle time of the last minute make a connection suspect"
    )
    func fewest() {
        var connections = StaleConnections()
        connections.recordClose(use(5, idle: 900), at: .zero)
        connections.recordClose(use(3, idle: 400), at: .seconds(1))
        connections.recordClose(use(4, idle: 500), at: .seconds(2))
        #expect(connections.hasServedAll(3, at: .seconds(3)))
        #expect(connections.isSuspect(use(1, idle: 200), at: .seconds(3)))
        #expect(!connections.isSuspect(use(1, idle: 100), at: .seconds(3)))
        connections.recordClose(use(9, idle: 0), at: .seconds(62))
        #expect(!connections.hasServedAll(8, at: .seconds(62)))
    }

    @Test("a response beyond the smallest number, or after a longer idle time, clears the suspicion")
    func cleared() {
        var connections = StaleConnections()
        connections.recordClose(use(3, idle: 100), at: .zero)
        // This is the third response.
        connections.recordResponse(after: use(2, idle: 249))
        #expect(connections.hasServedAll(3, at: .zero))
        #expect(connections.isSuspect(use(1, idle: 100), at: .zero))
        connections.recordResponse(after: use(1, idle: 250))
        #expect(!connections.isSuspect(use(1, idle: 100), at: .zero))
        #expect(connections.hasServedAll(3, at: .zero))
        connections.recordResponse(after: use(3))
        #expect(!connections.hasServedAll(3, at: .zero))
    }
}
#endif
