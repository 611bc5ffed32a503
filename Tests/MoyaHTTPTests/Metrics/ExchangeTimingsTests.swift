import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("The times of an exchange follow from its events")
struct ExchangeTimingsTests {
    private typealias Phase = ExchangeTimings.Phase

    /// Returns the times after events at times in milliseconds, each of the connect attempt 1.
    private static func timings(_ events: [(Int, ExchangeEvent)]) -> ExchangeTimings {
        var timings = ExchangeTimings()
        for (time, event) in events { _ = timings.record(event, at: .milliseconds(time), ofAttempt: 1) }
        return timings
    }

    private static let connection = ExchangeConnection(number: 1, httpVersion: "HTTP/1.1")

    private static let whole: [(Int, ExchangeEvent)] = [
        (1, .queued), (2, .lookupStarted(host: "h")), (4, .lookupEnded), (5, .connectStarted), (8, .connectEnded),
        (8, .proxyStarted), (10, .proxyEnded), (10, .tlsStarted),
        (15, .tlsEnded(ExchangeConnection.TLS(version: "TLSv1.3"))), (16, .acquired(connection, isReused: false)),
        (17, .requestHeadSent(bytes: 20)), (19, .requestSent(bodyBytes: 7)), (22, .interim(status: 103)),
        (23, .interim(status: 103)), (30, .responseStarted), (31, .responseHead(status: 200, bytes: 40)),
        (50, .responseEnded(bodyBytes: 9)),
    ]

    @Test("each event sets a time, and the sizes that it has")
    func whole() {
        let timings = Self.timings(Self.whole)
        #expect(timings.queued == Phase(start: .milliseconds(1), end: .milliseconds(16)))
        #expect(timings.lookup == Phase(start: .milliseconds(2), end: .milliseconds(4)))
        #expect(timings.connect == Phase(start: .milliseconds(5), end: .milliseconds(8)))
        #expect(timings.proxy == Phase(start: .milliseconds(8), end: .milliseconds(10)))
        #expect(timings.tls?.duration == .milliseconds(5))
        #expect(timings.acquired == .milliseconds(16))
        #expect(timings.connection == Self.connection && timings.isConnectionReused == false)
        #expect(timings.requestHeadSent == .milliseconds(17) && timings.requestSent == .milliseconds(19))
        #expect(timings.firstInterim == .milliseconds(22) && timings.interimCount == 2)
        #expect(timings.responseStarted == .milliseconds(30) && timings.responseHead == .milliseconds(31))
        #expect(timings.ended == .milliseconds(50) && !timings.hasFailed)
        #expect(timings.wait == .milliseconds(11))
        let bytes = timings.bytes
        #expect([bytes.requestHead, bytes.requestBody, bytes.responseHead, bytes.responseBody] == [20, 7, 40, 9])
    }

    @Test("an exchange that fails after any event has the times up to it, and ignores further events")
    func failures() {
        for count in 0..<Self.whole.count - 1 {
            let events = Array(Self.whole.prefix(count))
            let failed = Self.timings(events + [(60, .failed)])
            #expect(failed.hasFailed && failed.ended == .milliseconds(60))
            let all = Self.timings(events + [(60, .failed)] + Self.whole.suffix(from: count))
            #expect(all.summary == failed.summary, "after \(count) events")
            let open = [failed.queued, failed.lookup, failed.connect, failed.proxy, failed.tls].compactMap(\.self)
                .filter { $0.end == nil }
            // Only the last phase can be open, besides the wait for the connection.
            #expect(open.count <= 2)
        }
    }

    @Test("a head without an earlier event begins the response")
    func headAlone() {
        let timings = Self.timings([(3, .responseHead(status: 200, bytes: nil))])
        #expect(timings.responseStarted == .milliseconds(3))
        #expect(timings.wait == nil)
    }

    @Test("a response begins with its first bytes, which are not those of an interim response")
    func firstBytes() {
        var timings = ExchangeTimings()
        timings.receivedBytes(at: .milliseconds(1))
        _ = timings.record(.interim(status: 102), at: .milliseconds(2))
        timings.receivedBytes(at: .milliseconds(5))
        timings.receivedBytes(at: .milliseconds(6))
        _ = timings.record(.responseHead(status: 200, bytes: nil), at: .milliseconds(7))
        #expect(timings.responseStarted == .milliseconds(5))
        #expect(timings.responseHead == .milliseconds(7))
    }

    @Test("a response that begins while the request is being sent has no wait")
    func earlyResponse() {
        let timings = Self.timings([
            (1, .responseHead(status: 413, bytes: nil)), (5, .requestSent(bodyBytes: nil)),
        ])
        #expect(timings.wait == .zero)
    }

    @Test("the phases of another connect attempt replace those of one that has failed")
    func attempts() {
        var timings = ExchangeTimings()
        _ = timings.record(.lookupStarted(host: "h"), at: .milliseconds(1))
        _ = timings.record(.lookupEnded, at: .milliseconds(2))
        _ = timings.record(.connectStarted, at: .milliseconds(2))
        _ = timings.record(.connectFailed, at: .milliseconds(3))
        #expect(timings.connect == Phase(start: .milliseconds(2)))
        _ = timings.record(.connectStarted, at: .milliseconds(4))
        #expect(timings.lookup == nil && timings.connect == Phase(start: .milliseconds(4)))
        _ = timings.record(.lookupStarted(host: "h"), at: .milliseconds(6), ofAttempt: 9)
        #expect(timings.connect == nil && timings.lookup == Phase(start: .milliseconds(6)))
    }

    @Test("events of a connect attempt are ignored once the exchange has a connection, until it waits again")
    func lateAttempt() {
        var timings = Self.timings([(1, .queued), (2, .acquired(Self.connection, isReused: true))])
        let isRecorded = timings.record(.lookupStarted(host: "h"), at: .milliseconds(3), ofAttempt: 2)
        #expect(!isRecorded && timings.lookup == nil)
        _ = timings.record(.queued, at: .milliseconds(4))
        #expect(timings.queued == Phase(start: .milliseconds(1)))
        #expect(timings.acquired == nil && timings.connection == nil && timings.isConnectionReused == nil)
        _ = timings.record(.lookupStarted(host: "h"), at: .milliseconds(5), ofAttempt: 2)
        #expect(timings.lookup == Phase(start: .milliseconds(5)))
    }

    @Test("counted bytes add up, until the exchange ends")
    func counts() {
        var timings = ExchangeTimings()
        for _ in 0..<3 { timings.count(5, in: .responseBody) }
        timings.count(0, in: .requestBody)
        _ = timings.record(.responseEnded(bodyBytes: nil), at: .zero)
        timings.count(5, in: .responseBody)
        #expect(timings.bytes.responseBody == 15 && timings.bytes.requestBody == 0)
        #expect(timings.bytes.requestHead == nil)
    }

    @Test("later and more exact events replace the times, and a failure stays")
    func replacement() {
        let start = MonotonicTime.now
        var live = ExchangeTimings(startTime: start, date: Date())
        _ = live.record(.interim(status: 103), at: .milliseconds(1))
        _ = live.record(.responseHead(status: 200, bytes: nil), at: .milliseconds(9))
        let events = [
            TimedEvent(.acquired(Self.connection, isReused: true), at: start + .milliseconds(2)),
            TimedEvent(.responseStarted, at: start + .milliseconds(5)),
        ]
        let replaced = live.replaced(by: events)
        #expect(replaced.acquired == .milliseconds(2) && replaced.responseStarted == .milliseconds(5))
        #expect(replaced.interimCount == 1 && replaced.ended == nil)
        _ = live.record(.failed, at: .milliseconds(20))
        let failed = live.replaced(by: events + [TimedEvent(.responseEnded(bodyBytes: 1), at: start + .seconds(1))])
        #expect(failed.hasFailed && failed.ended == .milliseconds(20))
    }
}

extension ExchangeTimings {
    /// The values without the beginning, which is another one for each exchange.
    fileprivate var summary: String {
        "\([queued, lookup, connect, proxy, tls]) \([acquired, requestHeadSent, requestSent, firstInterim]) "
            + "\([responseStarted, responseHead, ended]) \(interimCount) \(hasFailed) \(bytes) "
            + "\(String(describing: connection)) \(String(describing: isConnectionReused))"
    }
}

@Suite("A log has the events of a connect attempt")
struct ConnectAttemptLogTests {
    private static let start = MonotonicTime.now

    private static func at(_ milliseconds: Int, _ event: ExchangeEvent) -> TimedEvent {
        TimedEvent(event, at: start + .milliseconds(milliseconds))
    }

    private static let log: ConnectAttemptLog = {
        var log = ConnectAttemptLog(number: 4)
        log.append(at(10, .lookupStarted(host: "h")))
        log.append(at(20, .lookupEnded))
        log.append(at(30, .connectStarted))
        log.append(at(40, .connectEnded))
        log.append(at(40, .tlsStarted))
        log.append(at(60, .tlsEnded(ExchangeConnection.TLS(version: "TLSv1.2"))))
        return log
    }()

    @Test(
        "an exchange has the phases that it has waited for, from the beginning of its wait",
        arguments: [
            (0, ["10 lookup", "20 lookup.", "30 connect", "40 connect.", "40 tls", "60 tls."]),
            (10, ["10 lookup", "20 lookup.", "30 connect", "40 connect.", "40 tls", "60 tls."]),
            (15, ["15 lookup", "20 lookup.", "30 connect", "40 connect.", "40 tls", "60 tls."]),
            (20, ["30 connect", "40 connect.", "40 tls", "60 tls."]),
            (25, ["30 connect", "40 connect.", "40 tls", "60 tls."]), (40, ["40 tls", "60 tls."]),
            (59, ["59 tls", "60 tls."]), (60, []), (100, []),
        ]
    )
    func clipping(_ time: Int, _ expected: [String]) {
        let events = Self.log.events(since: Self.start + .milliseconds(time))
        let texts = events.map { timed in
            let phase = timed.event.startedPhase.map { "\($0)" } ?? timed.event.endedPhase.map { "\($0)." } ?? "?"
            return "\(Int((timed.time - Self.start) / .milliseconds(1))) \(phase)"
        }
        #expect(texts == expected)
    }

    @Test("each attempt has another number, and the log has the facts of TLS")
    func facts() {
        #expect(ConnectAttemptLog.begin().number < ConnectAttemptLog.begin().number)
        #expect(Self.log.tls?.version == "TLSv1.2")
        #expect(ConnectAttemptLog(number: 1).tls == nil)
    }
}
