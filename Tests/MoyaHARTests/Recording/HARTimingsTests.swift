import Foundation
import MoyaHTTP
import Testing

@testable import MoyaHAR
@testable import MoyaHTTPMessages

@Suite("The timings of an entry follow from the times of the exchange")
struct HARTimingsTests {
    private static let connection = ExchangeConnection()

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let events: [(Int, ExchangeEvent)]
        var bodyRead: Int?
        /// blocked, dns, connect, ssl, send, wait, receive.
        let expected: [Double]
    }

    private static let opening: [(Int, ExchangeEvent)] = [
        (1, .queued), (2, .lookupStarted(host: "h")), (5, .lookupEnded), (6, .connectStarted), (10, .connectEnded),
        (10, .proxyStarted), (12, .proxyEnded), (12, .tlsStarted), (20, .tlsEnded(ExchangeConnection.TLS())),
        (21, .acquired(connection, isReused: false)),
    ]
    private static let response: [(Int, ExchangeEvent)] = [
        (25, .requestSent(bodyBytes: nil)), (40, .responseStarted), (41, .responseHead(status: 200, bytes: nil)),
        (60, .responseEnded(bodyBytes: nil)),
    ]

    static let rows: [Row] = [
        Row(testDescription: "all phases", events: opening + response, expected: [4, 3, 14, 8, 4, 15, 20]),
        Row(
            testDescription: "a reused connection",
            events: [(2, .acquired(connection, isReused: true))] + response,
            expected: [2, -1, -1, -1, 23, 15, 20]
        ),
        Row(
            testDescription: "a wait for a free connection",
            events: [(1, .queued), (20, .acquired(connection, isReused: true))] + response,
            expected: [20, -1, -1, -1, 5, 15, 20]
        ),
        Row(
            testDescription: "a failed lookup",
            events: [(1, .queued), (2, .lookupStarted(host: "h")), (9, .failed)],
            expected: [2, 7, -1, -1, 0, 0, 0]
        ),
        Row(
            testDescription: "a failed TLS handshake",
            events: opening.dropLast(2) + [(30, .failed)],
            expected: [3, 3, 24, 18, 0, 0, 0]
        ),
        Row(
            testDescription: "a failure before the response",
            events: opening + [(25, .requestSent(bodyBytes: nil)), (45, .failed)],
            expected: [4, 3, 14, 8, 4, 20, 0]
        ),
        Row(
            testDescription: "an early response",
            events: [
                (1, .acquired(connection, isReused: true)), (5, .responseStarted), (9, .requestSent(bodyBytes: nil)),
                (10, .responseEnded(bodyBytes: nil)),
            ],
            expected: [1, -1, -1, -1, 4, 0, 5]
        ),
        Row(
            testDescription: "a transport that only reads the body",
            events: [(10, .responseHead(status: 200, bytes: nil)), (12, .responseEnded(bodyBytes: nil))],
            bodyRead: 4,
            expected: [-1, -1, -1, -1, 4, 6, 2]
        ),
        Row(testDescription: "nothing", events: [], expected: [-1, -1, -1, -1, 0, 0, 0]),
    ]

    @Test("each part of the time is in one phase", arguments: rows)
    func table(_ row: Row) {
        var times = ExchangeTimings()
        for (time, event) in row.events { _ = times.record(event, at: .milliseconds(time)) }
        let timings = HAR.Timings(times, bodyRead: row.bodyRead.map { .milliseconds($0) })
        let actual = [
            timings.blocked, timings.dns, timings.connect, timings.ssl, timings.send, timings.wait, timings.receive,
        ]
        #expect(actual == row.expected)
        #expect(timings.total == (times.ended.map { $0 / .milliseconds(1) } ?? 0))
    }
}
