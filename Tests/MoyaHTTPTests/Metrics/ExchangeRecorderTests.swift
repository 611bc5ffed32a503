import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("A recorder keeps the times of an exchange and passes its events on")
struct ExchangeRecorderTests {
    private static let connection = ExchangeConnection(number: 7)

    private static func log(_ number: Int, _ events: ExchangeEvent...) -> ConnectAttemptLog {
        var log = ConnectAttemptLog(number: number)
        for event in events { log.append(TimedEvent(event, at: .now + .seconds(1))) }
        return log
    }

    @Test("the observer gets each recorded event in order, the begin of a response before its head, and counted sizes")
    func observer() {
        let events = Recorder<ExchangeEvent>()
        let recorder = ExchangeRecorder { event, _ in events.add(event) }
        recorder.record(.queued)
        recorder.record(.acquired(Self.connection, isReused: true))
        recorder.record(.lookupStarted(host: "late"))
        recorder.recordRequestHeadSent()
        recorder.recordRequestHeadSent()
        recorder.count(3, in: .requestBody)
        recorder.record(.requestSent(bodyBytes: nil))
        recorder.receivedBytes()
        recorder.record(.responseHead(status: 200, bytes: nil))
        recorder.count(4, in: .responseBody)
        recorder.record(.responseEnded(bodyBytes: nil))
        recorder.record(.failed)
        #expect(
            events.values == [
                .queued, .acquired(Self.connection, isReused: true), .requestHeadSent(bytes: nil),
                .requestSent(bodyBytes: 3), .responseStarted, .responseHead(status: 200, bytes: nil),
                .responseEnded(bodyBytes: 4),
            ]
        )
    }

    @Test("an observer that records an event gets it after the current one")
    func nested() {
        let events = Recorder<ExchangeEvent>()
        let inner = Locked<ExchangeRecorder?>(nil)
        let recorder = ExchangeRecorder { event, _ in
            if event == .queued { inner.withLock { $0 }?.record(.failed) }
            events.add(event)
        }
        inner.withLock { $0 = recorder }
        recorder.record(.queued)
        inner.withLock { $0 = nil }
        #expect(events.values == [.queued, .failed])
    }

    @Test("an enqueued event is recorded immediately, and passed on later")
    func enqueued() {
        let events = Recorder<ExchangeEvent>()
        let recorder = ExchangeRecorder { event, _ in events.add(event) }
        recorder.enqueue(.queued)
        #expect(recorder.timings.queued != nil && events.values.isEmpty)
        recorder.deliver()
        #expect(events.values == [.queued])
    }

    @Test("an exchange that has observed the attempt of its connection keeps the phases, and gets no event twice")
    func observedAttempt() {
        let events = Recorder<ExchangeEvent>()
        let recorder = ExchangeRecorder { event, _ in events.add(event) }
        recorder.record(.queued)
        let log = Self.log(7, .lookupStarted(host: "h"), .lookupEnded)
        recorder.record(log)
        recorder.record(Self.connection, isReused: false, openedBy: log)
        #expect(recorder.timings.lookup?.end != nil)
        #expect(events.values.count == 4)
    }

    @Test("the phases of the attempt that has opened the connection replace those of the observed one")
    func otherAttempt() {
        let events = Recorder<ExchangeEvent>()
        let recorder = ExchangeRecorder { event, _ in events.add(event) }
        recorder.record(.queued)
        recorder.record(Self.log(6, .lookupStarted(host: "h"), .lookupEnded, .connectStarted))
        recorder.record(Self.connection, isReused: false, openedBy: Self.log(7, .connectStarted, .connectEnded))
        #expect(recorder.timings.lookup == nil && recorder.timings.connect?.end != nil)
        #expect(events.values.suffix(3).first == .connectStarted)
    }

    @Test("an exchange that has not waited has no phases of its connection")
    func noWait() {
        let recorder = ExchangeRecorder()
        recorder.record(Self.connection, isReused: true, openedBy: Self.log(7, .connectStarted, .connectEnded))
        #expect(recorder.timings.connect == nil && recorder.timings.queued == nil)
        #expect(recorder.timings.isConnectionReused == true)
    }

    @Test("a connection of which nothing is known does not replace a known one")
    func unknownConnection() {
        let recorder = ExchangeRecorder()
        recorder.recordUnknownConnection()
        #expect(recorder.timings.connection == ExchangeConnection() && recorder.timings.isConnectionReused == nil)
        recorder.record(.acquired(Self.connection, isReused: true))
        recorder.recordUnknownConnection()
        #expect(recorder.timings.connection == Self.connection)
    }

    @Test("a recorder that starts again has the same beginning and no events")
    func restart() {
        let recorder = ExchangeRecorder()
        let start = recorder.timings.start
        recorder.record(.failed)
        recorder.restart()
        #expect(recorder.timings.start == start && recorder.timings.ended == nil)
    }

    @Test("more exact times reach the observer if they are of events that were not observed")
    func replacement() {
        let events = Recorder<ExchangeEvent>()
        let recorder = ExchangeRecorder { event, _ in events.add(event) }
        recorder.record(.responseHead(status: 200, bytes: nil))
        let now = MonotonicTime.now
        recorder.replaceTimes(by: [
            TimedEvent(.connectStarted, at: now), TimedEvent(.responseStarted, at: now),
            TimedEvent(.responseHead(status: 200, bytes: 5), at: now),
        ])
        #expect(events.values == [.responseStarted, .responseHead(status: 200, bytes: nil), .connectStarted])
        #expect(recorder.timings.bytes.responseHead == 5)
    }

    @Test("the rest of a response is recorded for a transport that records nothing", arguments: [true, false])
    func completion(isStream: Bool) async throws {
        let recorder = ExchangeRecorder()
        let data = Data("body".utf8)
        let isRead = Locked(false)
        let stream = TransportBodyStream {
            isRead.withLock { isRead in
                defer { isRead = true }
                return isRead ? nil : data
            }
        }
        let body: TransportBody = isStream ? .stream(stream) : .complete(data)
        let response = recorder.completing(TransportResponse(status: 200, body: body))
        #expect(recorder.timings.responseHead != nil)
        #expect((recorder.timings.ended == nil) == isStream)
        _ = try await response.collected()
        #expect(recorder.timings.ended != nil && recorder.timings.bytes.responseBody == 4)
    }

    @Test("the size of a body that the transport has decoded is unknown")
    func decoded() {
        let recorder = ExchangeRecorder()
        _ = recorder.completing(
            TransportResponse(status: 200, headers: [.contentEncoding: "gzip"], body: .complete(Data("body".utf8)))
        )
        #expect(recorder.timings.ended != nil && recorder.timings.bytes.responseBody == nil)
    }

    @Test("the text of a connection has the known facts")
    func connectionText() {
        let address = ResponseInfo.Address(ipAddress: "192.0.2.1", port: 443)
        let tls = ExchangeConnection.TLS(versionNumber: 0x0304, cipherSuiteNumber: 0x1301)
        let connection = ExchangeConnection(number: 3, httpVersion: "HTTP/2", remoteAddress: address, tls: tls)
        #expect(connection.description == "#3 HTTP/2 192.0.2.1:443 TLSv1.3 TLS_AES_128_GCM_SHA256")
        #expect(ExchangeConnection().description == "")
        #expect(connection != ExchangeConnection(number: 3) && connection == connection)
        let unknown = ExchangeConnection.TLS(versionNumber: 0x0200, cipherSuiteNumber: 0x00FE)
        #expect(unknown == ExchangeConnection.TLS(version: nil, cipherSuite: "0x00FE"))
    }
}
