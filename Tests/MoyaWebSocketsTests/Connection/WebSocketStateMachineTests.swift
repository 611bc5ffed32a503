import Foundation
import Testing

@testable import MoyaWebSockets

@Suite("The state machine of a WebSocket (RFC 6455, sections 5.5 and 7)")
struct WebSocketStateMachineTests {
    typealias Machine = WebSocketStateMachine

    enum Step: Sendable {
        case ping([UInt8], at: Int)
        case pong([UInt8], at: Int)
        case close([UInt8], at: Int)
        case violation(WebSocketError, at: Int)
        case read(at: Int)
        case closeOf(WebSocketClosure, at: Int)
        case fail(WebSocketError, at: Int)
        case timer(at: Int)
        case bytes(at: Int)
        case beginPing(at: Int)
        case taken(at: Int)
        case pause(Bool, at: Int)
        case end(at: Int)
        case release
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [(Step, Machine.Action)]
        var end: Machine.End?
        var received: WebSocketClosure?
        var sent: WebSocketClosure?
        var deadline: Int?
        var isClosed = false
    }

    /// Times are in seconds: a ping after 30, a silence of 20, 5 for closing, and 2 for an answer.
    private static let settings = Machine.Settings(
        keepAliveInterval: .seconds(30),
        keepAliveTimeout: .seconds(20),
        closeTimeout: .seconds(5),
        answerDelay: .seconds(2)
    )

    private static let normal = WebSocketClosure(.normal)
    private static let bye = WebSocketClosure(.goingAway, reason: "bye")
    private static let violation = WebSocketError.protocolViolation(.reservedBits)

    static let closingRows: [Row] = [
        Row(testDescription: "a new connection is open", steps: [], deadline: 30),
        Row(
            testDescription:
                "5.5.1: a close frame of the peer is answered with its code when the messages before it are read",
            steps: [
                (.close([0x03, 0xE9] + "bye".utf8, at: 1), .endMessages),
                (.timer(at: 2), .none),
                (.read(at: 2), .sendClose(WebSocketClosure(.goingAway), isLast: true)),
                (.read(at: 2), .none),
            ],
            end: .peer(bye),
            received: bye,
            sent: WebSocketClosure(.goingAway),
            deadline: 7
        ),
        Row(
            testDescription: "a close frame of the peer is answered after the delay if no messages are read",
            steps: [
                (.close([], at: 1), .endMessages),
                (.timer(at: 3), .sendClose(WebSocketClosure(.noStatus), isLast: true)),
                (.timer(at: 7), .none),
                (.timer(at: 8), .release),
            ],
            end: .peer(WebSocketClosure(.noStatus)),
            received: WebSocketClosure(.noStatus),
            sent: WebSocketClosure(.noStatus),
            isClosed: true
        ),
        Row(
            testDescription:
                "the application may close the connection while it reads the messages before the peer's close frame",
            steps: [
                (.close([0x03, 0xE8], at: 1), .endMessages),
                (.closeOf(bye, at: 2), .sendClose(bye, isLast: true)),
            ],
            end: .peer(normal),
            received: normal,
            sent: bye,
            deadline: 7
        ),
        Row(
            testDescription: "7.1.2: the application closes the connection, and the peer answers",
            steps: [
                (.closeOf(bye, at: 1), .sendClose(bye, isLast: false)),
                (.closeOf(normal, at: 1), .none),
                (.ping([1], at: 2), .none),
                (.close([0x03, 0xE8], at: 3), .endOutput),
                (.close([0x03, 0xE8], at: 3), .none),
                (.read(at: 3), .none),
            ],
            end: .application(bye),
            received: normal,
            sent: bye,
            deadline: 8
        ),
        Row(
            testDescription: "the peer does not answer the close frame of the application",
            steps: [
                (.closeOf(normal, at: 1), .sendClose(normal, isLast: false)), (.timer(at: 5), .none),
                (.timer(at: 6), .release),
            ],
            end: .application(normal),
            sent: normal,
            isClosed: true
        ),
        Row(
            testDescription:
                "7.1.7: a violation by the peer closes the connection when the messages before it are read",
            steps: [
                (.violation(violation, at: 1), .endMessages),
                (.violation(violation, at: 1), .none),
                (.read(at: 2), .sendClose(WebSocketClosure(.protocolError), isLast: false)),
                (.violation(violation, at: 2), .none),
            ],
            end: .failure(violation),
            sent: WebSocketClosure(.protocolError),
            deadline: 7
        ),
        Row(
            testDescription: "a violation before an earlier close of the application keeps its code",
            steps: [
                (.violation(violation, at: 1), .endMessages),
                (.closeOf(normal, at: 2), .sendClose(WebSocketClosure(.protocolError), isLast: false)),
            ],
            end: .failure(violation),
            sent: WebSocketClosure(.protocolError),
            deadline: 7
        ),
        Row(
            testDescription: "an invalid close frame is a violation",
            steps: [
                (.close([0x03], at: 1), .endMessages),
                (.read(at: 1), .sendClose(WebSocketClosure(.protocolError), isLast: false)),
            ],
            end: .failure(.protocolViolation(.invalidClosePayload)),
            sent: WebSocketClosure(.protocolError),
            deadline: 6
        ),
        Row(
            testDescription: "8.1: an invalid message closes the connection at once",
            steps: [
                (
                    .fail(.protocolViolation(.invalidUTF8), at: 1),
                    .sendClose(WebSocketClosure(.invalidPayload), isLast: false)
                ),
                (.fail(.messageTooLarge(limit: 1), at: 1), .none),
                (.end(at: 2), .none),
            ],
            end: .failure(.protocolViolation(.invalidUTF8)),
            sent: WebSocketClosure(.invalidPayload),
            isClosed: true
        ),
        Row(
            testDescription: "an invalid message before the peer's close frame is the cause of the end",
            steps: [
                (.close([0x03, 0xE8], at: 1), .endMessages),
                (.fail(.messageTooLarge(limit: 1), at: 1), .sendClose(WebSocketClosure(.messageTooBig), isLast: true)),
            ],
            end: .failure(.messageTooLarge(limit: 1)),
            received: normal,
            sent: WebSocketClosure(.messageTooBig),
            deadline: 6
        ),
        Row(
            testDescription: "the input ends without a close frame",
            steps: [(.end(at: 2), .none)],
            end: .connectionLost,
            isClosed: true
        ),
        Row(
            testDescription: "the input ends after the peer's close frame, before the answer, which follows at once",
            steps: [
                (.close([0x03, 0xE8], at: 1), .endMessages), (.end(at: 2), .sendClose(normal, isLast: true)),
                (.read(at: 2), .none),
            ],
            end: .peer(normal),
            received: normal,
            sent: normal,
            isClosed: true
        ),
        Row(
            testDescription: "the connection is released after the peer's close frame, before the answer",
            steps: [(.close([0x03, 0xE8], at: 1), .endMessages), (.release, .none), (.read(at: 2), .none)],
            end: .peer(normal),
            received: normal,
            isClosed: true
        ),
        Row(
            testDescription: "the input ends after the close frame of the application",
            steps: [
                (.closeOf(normal, at: 1), .sendClose(normal, isLast: false)), (.end(at: 2), .none),
                (.closeOf(normal, at: 2), .none),
            ],
            end: .application(normal),
            sent: normal,
            isClosed: true
        ),
    ]

    static let pingRows: [Row] = [
        Row(
            testDescription: "5.5.2: a ping is answered with its payload",
            steps: [(.ping([1, 2], at: 1), .sendPong(Data([1, 2]))), (.ping([], at: 1), .sendPong(Data()))],
            deadline: 30
        ),
        Row(
            testDescription:
                "a ping is answered while the messages before a violation are read, and not after a close frame",
            steps: [
                (.violation(violation, at: 1), .endMessages),
                (.ping([1], at: 1), .sendPong(Data([1]))),
                (.read(at: 1), .sendClose(WebSocketClosure(.protocolError), isLast: false)),
                (.ping([1], at: 1), .none),
            ],
            end: .failure(violation),
            sent: WebSocketClosure(.protocolError),
            deadline: 6
        ),
        Row(
            testDescription:
                "5.5.1: a ping after the peer's close frame is not answered",
            steps: [
                (.close([0x03, 0xE8], at: 1), .endMessages),
                (.ping([1], at: 1), .none),
                (.read(at: 2), .sendClose(normal, isLast: true)),
                (.ping([1], at: 2), .none),
            ],
            end: .peer(normal),
            received: normal,
            sent: normal,
            deadline: 7
        ),
        Row(
            testDescription: "5.5.3: a pong completes its ping and those before it",
            steps: [
                (.beginPing(at: 1), .none), (.beginPing(at: 2), .none), (.beginPing(at: 3), .none),
                (
                    .pong([0, 0, 0, 0, 0, 0, 0, 2], at: 5),
                    .completePings([.init(id: 1, latency: .seconds(4)), .init(id: 2, latency: .seconds(3))])
                ),
                (.pong([0, 0, 0, 0, 0, 0, 0, 2], at: 6), .none),
                (.pong([0, 0, 0, 0, 0, 0, 0, 3], at: 7), .completePings([.init(id: 3, latency: .seconds(4))])),
            ],
            deadline: 30
        ),
        Row(
            testDescription: "a pong that belongs to no ping is ignored",
            steps: [
                (.pong([], at: 1), .none), (.pong([1, 2], at: 1), .none),
                (.pong([0, 0, 0, 0, 0, 0, 0, 1], at: 1), .none),
            ],
            deadline: 30
        ),
        Row(
            testDescription: "a silent connection gets a ping, and ends without bytes of the peer",
            steps: [
                (.bytes(at: 10), .none), (.timer(at: 30), .none),
                (.timer(at: 40), .sendPing(Data([0, 0, 0, 0, 0, 0, 0, 1]))),
                (.timer(at: 59), .none), (.timer(at: 60), .release),
            ],
            end: .failure(.peerIsSilent(timeout: .seconds(20))),
            isClosed: true
        ),
        Row(
            testDescription: "any bytes of the peer answer the ping that keeps the connection alive",
            steps: [
                (.timer(at: 30), .sendPing(Data([0, 0, 0, 0, 0, 0, 0, 1]))), (.bytes(at: 49), .none),
                (.timer(at: 50), .none),
                (.timer(at: 79), .sendPing(Data([0, 0, 0, 0, 0, 0, 0, 2]))),
            ],
            deadline: 99
        ),
        Row(
            testDescription: "a peer that takes the output is not silent",
            steps: [
                (.timer(at: 30), .sendPing(Data([0, 0, 0, 0, 0, 0, 0, 1]))), (.taken(at: 45), .none),
                (.timer(at: 50), .none),
            ],
            deadline: 65
        ),
        Row(
            testDescription: "a peer is not silent while the application's delay keeps its bytes from being read",
            steps: [
                (.timer(at: 30), .sendPing(Data([0, 0, 0, 0, 0, 0, 0, 1]))), (.pause(true, at: 31), .none),
                (.timer(at: 90), .none),
                (.pause(false, at: 100), .none), (.timer(at: 110), .none),
            ],
            deadline: 130
        ),
    ]

    @Test("the closing handshake", arguments: closingRows)
    func closing(_ row: Row) { check(row) }

    @Test("pings", arguments: pingRows)
    func pings(_ row: Row) { check(row) }

    @Test("a connection without keep-alive has no deadline while it is open")
    func withoutKeepAlive() {
        #expect(Machine(Machine.Settings(), at: .zero).deadline == nil)
    }

    @Test("zero and infinite times are bounded")
    func bounds() {
        let settings = Machine.Settings(
            keepAliveInterval: .zero,
            keepAliveTimeout: .seconds(-1),
            closeTimeout: .seconds(Int64.max)
        )
        var machine = Machine(settings, at: .zero)
        #expect(machine.deadline == .milliseconds(1))
        #expect(machine.close(Self.normal, at: .seconds(1)) == .sendClose(Self.normal, isLast: false))
        #expect(machine.deadline == .seconds(365 * 24 * 3600 + 1))
    }

    private func check(_ row: Row) {
        var machine = Machine(Self.settings, at: .zero)
        for (step, action) in row.steps { #expect(perform(step, on: &machine) == action, "\(step)") }
        #expect(machine.end == row.end)
        #expect(machine.received == row.received)
        #expect(machine.sent == row.sent)
        #expect(machine.deadline == row.deadline.map { .seconds($0) })
        #expect(machine.isClosed == row.isClosed)
        #expect(machine.canSend == (row.sent == nil && !row.isClosed))
    }

    private func perform(_ step: Step, on machine: inout Machine) -> Machine.Action {
        switch step {
        case .ping(let payload, let time): return machine.received(.ping, Data(payload), at: .seconds(time))
        case .pong(let payload, let time): return machine.received(.pong, Data(payload), at: .seconds(time))
        case .close(let payload, let time): return machine.received(.close, Data(payload), at: .seconds(time))
        case .violation(let error, let time): return machine.receivedViolation(error, at: .seconds(time))
        case .read(let time): return machine.messagesRead(at: .seconds(time))
        case .closeOf(let closure, let time): return machine.close(closure, at: .seconds(time))
        case .fail(let error, let time): return machine.fail(error, at: .seconds(time))
        case .timer(let time): return machine.timerFired(at: .seconds(time))
        case .bytes(let time): machine.receivedBytes(at: .seconds(time))
        case .beginPing(let time): _ = machine.beginPing(at: .seconds(time))
        case .taken(let time): machine.outputTaken(at: .seconds(time))
        case .pause(let isPaused, let time): machine.setReadingPaused(isPaused, at: .seconds(time))
        case .end(let time): return machine.inputEnded(at: .seconds(time))
        case .release: machine.release()
        }
        return .none
    }
}
