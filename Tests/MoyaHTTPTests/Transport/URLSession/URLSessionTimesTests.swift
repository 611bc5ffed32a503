import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages
@testable import MoyaURLSessionTransport

@Suite("URLSession's metrics supply the times of an exchange")
struct URLSessionTimesTests {
    private static let (date, instant) = (Date(timeIntervalSince1970: 1_800_000_000), ContinuousClock.now)

    private static func at(_ milliseconds: Double) -> Date { date.addingTimeInterval((milliseconds - 1_000) / 1_000) }

    /// Returns the times of an exchange that began a second ago.
    private static func timings(
        _ times: URLSessionTimes,
        _ facts: URLSessionConnectionFacts = URLSessionConnectionFacts()
    ) -> ExchangeTimings {
        ExchangeTimings(start: instant - .seconds(1))
            .replaced(by: times.events(on: facts, now: (date, instant)))
    }

    private static func milliseconds(_ time: Duration?) -> Double? { time.map { ($0 / .milliseconds(1)).rounded() } }

    private static var request: URLSessionTimes {
        var times = URLSessionTimes()
        times.request = (at(60), at(70))
        times.response = (at(90), at(120))
        (times.requestBytes, times.responseBytes, times.status) = ((11, 12), (13, 14), 200)
        return times
    }

    @Test("a new connection has its phases, and the time of TLS is not a part of the connection's")
    func newConnection() {
        var times = Self.request
        times.lookup = (Self.at(10), Self.at(20))
        times.connect = (Self.at(20), Self.at(50))
        times.secure = (Self.at(30), Self.at(50))
        times.tls = ExchangeConnection.TLS(versionNumber: 0x0303, cipherSuiteNumber: 0xC02F)
        let facts = URLSessionConnectionFacts(
            protocolName: "h2",
            remote: ("192.0.2.1", 443),
            local: (nil, nil),
            isReused: false
        )
        let timings = Self.timings(times, facts)
        let phases = [timings.lookup, timings.connect, timings.tls].map { phase in
            [Self.milliseconds(phase?.start), Self.milliseconds(phase?.end)]
        }
        #expect(phases == [[10, 20], [20, 30], [30, 50]])
        #expect(Self.milliseconds(timings.acquired) == 60 && Self.milliseconds(timings.requestSent) == 70)
        #expect(Self.milliseconds(timings.responseStarted) == 90 && Self.milliseconds(timings.ended) == 120)
        #expect(timings.isConnectionReused == false)
        let text = "HTTP/2 192.0.2.1:443 TLSv1.2 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
        #expect(timings.connection?.description == text)
        let bytes = timings.bytes
        #expect([bytes.requestHead, bytes.requestBody, bytes.responseHead, bytes.responseBody] == [11, 12, 13, 14])
    }

    @Test("a connection without TLS has one phase, and a reused one has none")
    func otherConnections() {
        var plain = Self.request
        plain.connect = (Self.at(20), Self.at(50))
        let timings = Self.timings(plain)
        #expect(Self.milliseconds(timings.connect?.end) == 50 && timings.tls == nil && timings.connection?.tls == nil)
        let reused = URLSessionConnectionFacts(
            protocolName: nil,
            remote: (nil, nil),
            local: (nil, nil),
            isReused: true
        )
        let times = Self.timings(Self.request, reused)
        #expect(times.connect == nil && times.lookup == nil && times.isConnectionReused == true)
    }

    @Test("a task that has failed has the times up to the failure")
    func failure() {
        var times = URLSessionTimes()
        times.lookup = (Self.at(10), Self.at(20))
        times.connect = (Self.at(20), nil)
        let timings = Self.timings(times)
        #expect(timings.lookup?.end != nil && timings.connect != nil && timings.connect?.end == nil)
        #expect(timings.acquired == nil && timings.ended == nil)
        #expect(URLSessionTimes().events(on: URLSessionConnectionFacts()).isEmpty)
    }

    @Test("the times of a task reach the recorder of its exchange before the task completes")
    func collected() {
        var request = TransportRequest(method: .get, url: .test("http://h.test/"))
        let recorder = ExchangeRecorder()
        request.recorder = recorder
        let tasks = URLSessionTasks()
        let exchange = URLSessionExchange(
            Exchange(request),
            request,
            flow: URLSessionFlowControl(suspend: {}, resume: {}),
            cancelTask: {}
        )
        tasks.add(exchange, task: 1)
        tasks.received(ResponseHead(status: 200, headers: [:]), task: 1)
        var times = URLSessionTimes()
        let now = Date()
        times.request = (now, now)
        times.status = 200
        tasks.collected(URLSessionConnectionFacts(), times, task: 1)
        #expect(recorder.timings.acquired != nil && recorder.timings.ended == nil)
        tasks.completed(task: 1)
        #expect(recorder.timings.ended != nil && !recorder.timings.hasFailed)
    }
}
