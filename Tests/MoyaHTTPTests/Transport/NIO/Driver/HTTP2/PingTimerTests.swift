#if NIO && !canImport(Darwin)
import NIOCore
import NIOEmbedded
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A timer asks by PINGs whether an HTTP/2 server responds")
struct PingTimerTests {
    /// A timer with its events, on an event loop whose time the test advances.
    private final class Peer {
        let loop = EmbeddedEventLoop()
        var events: [PingTimer.Event] = []
        var hasRequests = true
        var hasPendingInput = false
        lazy var timer = PingTimer(on: loop, at: loop.now) { [unowned self] in
            hasRequests
        } hasPendingInput: { [unowned self] in
            hasPendingInput
        } report: { [unowned self] event in
            events.append(event)
        }

        /// Returns the events of a time.
        func events(within time: TimeAmount) -> [PingTimer.Event] {
            loop.advanceTime(by: time)
            defer { events = [] }
            return events
        }
    }

    @Test("a server that is silent gets a PING after 30 seconds, and loses the connection 20 seconds later")
    func silence() {
        let peer = Peer()
        peer.timer.sentRequest(at: peer.loop.now)
        #expect(peer.events(within: .seconds(29)) == [])
        #expect(peer.events(within: .seconds(1)) == [.pingDue])
        #expect(peer.events(within: .seconds(19)) == [])
        #expect(peer.events(within: .seconds(1)) == [.pingTimedOut])
    }

    @Test("a response to a PING that waits in the socket when the check is due keeps the connection")
    func pendingInput() {
        let peer = Peer()
        peer.timer.sentRequest(at: peer.loop.now)
        #expect(peer.events(within: .seconds(30)) == [.pingDue])
        peer.hasPendingInput = true
        #expect(peer.events(within: .seconds(21)) == [])
        peer.timer.receivedBytes(at: peer.loop.now)
        peer.hasPendingInput = false
        #expect(peer.timer.lastReceived == peer.loop.now)
        #expect(peer.events(within: .seconds(29)) == [])
        #expect(peer.events(within: .seconds(1)) == [.pingDue])
    }

    @Test("a request that times out sends a PING, and the response ends the doubt")
    func timeout() {
        let peer = Peer()
        let sent = peer.loop.now
        peer.timer.sentRequest(at: sent)
        _ = peer.events(within: .seconds(1))
        peer.timer.requestTimedOut(sentAt: sent, at: peer.loop.now)
        #expect(peer.events(within: .zero) == [.responsivenessChanged(to: false), .pingDue])
        peer.timer.receivedBytes(at: peer.loop.now)
        #expect(peer.events(within: .zero) == [.responsivenessChanged(to: true)])
        peer.timer.requestTimedOut(sentAt: sent, at: peer.loop.now)
        #expect(peer.events(within: .zero) == [], "the server has sent something since the request")
    }

    @Test("an idle connection, or a stopped timer, sends no PING")
    func idle() {
        let peer = Peer()
        peer.hasRequests = false
        peer.timer.sentRequest(at: peer.loop.now)
        #expect(peer.events(within: .seconds(60)) == [])
        peer.hasRequests = true
        peer.timer.sentRequest(at: peer.loop.now)
        #expect(peer.events(within: .zero) == [.pingDue])
        peer.timer.stop()
        #expect(peer.events(within: .seconds(60)) == [])
    }
}
#endif
