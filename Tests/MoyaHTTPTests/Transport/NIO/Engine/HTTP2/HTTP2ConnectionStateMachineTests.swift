#if NIO && !canImport(Darwin)
import HTTPTypes
import NIOCore
import NIOHPACK
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("An HTTP/2 connection limits the work that frames cause")
struct HTTP2ConnectionStateMachineTests {
    @Test("HTTP/2 frames without an effect are limited for each interval (RFC 9113, section 10.5)")
    func framesWithoutEffect() throws {
        let useless: [HTTP2Frame] = [
            .data(1, ByteBuffer(), flowControlled: 0, endStream: false),
            .headers(1, fragment: ByteBuffer(bytes: [0x88]), endStream: false, endHeaders: true),
            .windowUpdate(1, increment: 1), .resetStream(1, .noError), .ignored(1),
            .ping(1, isAcknowledgment: false), .ping(1, isAcknowledgment: true),
            .settings([HTTP2Setting(.initialWindowSize, 1)]), .windowUpdate(0, increment: 1),
            .goAway(lastStream: 1, .noError),
        ]
        for frame in useless {
            var state = HTTP2ConnectionStateMachine()
            _ = try state.received(.settings([]))
            // The stream has ended.
            let stream = try state.open(
                HTTP2RequestHead(fields: [":method": "GET"]),
                isHeadRequest: false,
                endStream: true
            )
            #expect(stream == 1)
            _ = try state.received(.resetStream(1, .cancel))
            // The first SETTINGS counts, too.
            state.intervalPassed()
            for _ in 0..<2 {
                for _ in 0..<HTTP2Limits.maximumFramesWithoutEffect {
                    _ = try state.received(frame)
                    state.outputSent()
                }
                state.intervalPassed()
            }
            for _ in 0..<HTTP2Limits.maximumFramesWithoutEffect { _ = try state.received(frame) }
            let error = #expect(throws: HTTP2Error.self) { try state.received(frame) }
            #expect(error?.scope == .connection)
            #expect(error?.code == .enhanceYourCalm)
        }
    }

    @Test("an HTTP/2 server may enlarge the windows after each DATA frame, and only a flood beyond that is limited")
    func windowUpdates() throws {
        for length in [1, 1_024] {
            var state = HTTP2ConnectionStateMachine()
            _ = try state.received(.settings([]))
            let id = try state.open(
                HTTP2RequestHead(fields: [":method": "POST"]),
                isHeadRequest: false,
                endStream: false
            )
            state.intervalPassed()
            func receive(_ stream: HTTP2Frame.StreamID) throws {
                _ = try state.received(.windowUpdate(stream, increment: UInt32(length)))
            }
            var sent = 0
            for _ in 0...HTTP2Limits.maximumFramesWithoutEffect {
                var piece = ByteBuffer(repeating: 1, count: length)
                if state.write(&piece, isLast: false, to: id) { sent += length - piece.readableBytes }
                _ = state.takeOutput()
                for stream in [id, 0] { try receive(stream) }
                // Some servers enlarge the windows in small steps.
                for _ in 0..<length / 256 { try receive(0) }
            }
            #expect(sent == (HTTP2Limits.maximumFramesWithoutEffect + 1) * length)
            for _ in 0..<HTTP2Limits.maximumFramesWithoutEffect { try receive(0) }
            let error = #expect(throws: HTTP2Error.self) { try receive(0) }
            #expect(error?.scope == .connection)
            #expect(error?.code == .enhanceYourCalm)
        }
    }

    @Test("the last initial window of a SETTINGS frame counts (RFC 9113, section 6.5.3)")
    func initialWindows() throws {
        let settings = [0x7fff_ffff, 0, 100_000].map { HTTP2Setting(.initialWindowSize, $0) }
        var state = HTTP2ConnectionStateMachine()
        _ = try state.received(.settings([]))
        let id = try state.open(
            HTTP2RequestHead(fields: [":method": "POST"]),
            isHeadRequest: false,
            endStream: false
        )
        // The first of the initial windows would make this window too large.
        _ = try state.received(.windowUpdate(id, increment: 1))
        _ = try state.received(.settings(settings))
        #expect(state.openStreams[id]?.sendWindow.size == 100_001)
        let excessive = [HTTP2Setting(.initialWindowSize, 0x8000_0000)] + settings
        let error = #expect(throws: HTTP2Error.self) { try state.received(.settings(excessive)) }
        #expect(error?.scope == .connection)
        #expect(error?.code == .flowControlError)
    }

    @Test("trailers within the limit of the server end an HTTP/2 request, and a request that has ended gets none")
    func trailers() throws {
        var state = HTTP2ConnectionStateMachine()
        _ = try state.received(.settings([HTTP2Setting(.maximumHeaderListSize, 100)]))
        func open() throws -> HTTP2Frame.StreamID {
            try state.open(HTTP2RequestHead(fields: [":method": "POST"]), isHeadRequest: false, endStream: false)
        }
        let id = try open()
        _ = state.takeOutput()
        // The names have 4 bytes, and each field counts for 32 more.
        let large: HTTPFields = [.eTag: String(repeating: "x", count: 100)]
        #expect(throws: HTTP2RequestError.trailersTooLarge(size: 136, maximum: 100)) {
            try state.write(trailers: large, to: id)
        }
        #expect(state.isRequestPending(id) && state.takeOutput().readableBytes == 0)
        try state.write(trailers: [.eTag: "1"], to: id)
        #expect(!state.isRequestPending(id) && state.takeOutput().readableBytes > 9)
        let other = try open()
        state.reset(other)
        _ = state.takeOutput()
        for id in [id, other] {
            try state.write(trailers: [.eTag: "1"], to: id)
            #expect(state.takeOutput().readableBytes == 0)
        }
    }

    @Test("HTTP/2 data that was in transit when its stream was cancelled is accepted, and no more data is")
    func lateData() throws {
        let piece = ByteBuffer(repeating: 1, count: 16_000)
        var state = HTTP2ConnectionStateMachine()
        _ = try state.received(.settings([]))
        for _ in 0..<3 {
            let id = try state.open(
                HTTP2RequestHead(fields: [":method": "GET"]),
                isHeadRequest: false,
                endStream: true
            )
            state.reset(id)
        }
        let allowed = (HTTP2Limits.extraLateData + 3 * HTTP2Limits.streamWindow) / 16_000
        let late = HTTP2Frame.data(1, piece, flowControlled: 16_000, endStream: false)
        for _ in 0..<allowed { _ = try state.received(late) }
        let error = #expect(throws: HTTP2Error.self) { try state.received(late) }
        #expect(error?.code == .streamClosed)
        #expect(error?.scope == .connection)
    }

    @Test(
        "HTTP/2 frames with late data have no limit in number, and empty ones have the limit of frames without effect"
    )
    func lateDataFrames() throws {
        var state = HTTP2ConnectionStateMachine()
        _ = try state.received(.settings([]))
        let id = try state.open(
            HTTP2RequestHead(fields: [":method": "GET"]),
            isHeadRequest: false,
            endStream: true
        )
        state.reset(id)
        state.intervalPassed()
        let late = HTTP2Frame.data(id, ByteBuffer(repeating: 1, count: 1), flowControlled: 1, endStream: false)
        for _ in 0...HTTP2Limits.maximumFramesWithoutEffect { _ = try state.received(late) }
        // Padding uses up the late data, and has no effect.
        for length in [0, 10] {
            state.intervalPassed()
            let empty = HTTP2Frame.data(id, ByteBuffer(), flowControlled: length, endStream: false)
            if length == 0 { for _ in 0..<HTTP2Limits.maximumLateFrames { _ = try state.received(empty) } }
            for _ in 0..<HTTP2Limits.maximumFramesWithoutEffect { _ = try state.received(empty) }
            let error = #expect(throws: HTTP2Error.self) { try state.received(empty) }
            #expect(error?.scope == .connection)
            #expect(error?.code == .enhanceYourCalm)
        }
    }

    @Test(
        "each HTTP/2 stream that the client ends allows some late frames of the server, so that many cancelled requests end no connection",
        arguments: [false, true]
    )
    func lateFrames(isUpload: Bool) throws {
        var state = HTTP2ConnectionStateMachine()
        _ = try state.received(.settings([]))
        state.intervalPassed()
        func end(_ id: HTTP2Frame.StreamID) throws {
            let head = HTTP2Frame.headers(
                id,
                fragment: ByteBuffer(bytes: [0x88]),
                endStream: isUpload,
                endHeaders: true
            )
            // A response before the end of the request ends the stream by RST_STREAM, too.
            if isUpload { _ = try state.received(head) } else { state.reset(id) }
        }
        func open() throws -> HTTP2Frame.StreamID {
            try state.open(
                HTTP2RequestHead(fields: [":method": isUpload ? "POST" : "GET"]),
                isHeadRequest: false,
                endStream: !isUpload
            )
        }
        func late(_ id: HTTP2Frame.StreamID) -> [HTTP2Frame] {
            [
                .headers(id, fragment: ByteBuffer(bytes: [0x88]), endStream: false, endHeaders: true),
                .headers(id, fragment: ByteBuffer(bytes: [0x88]), endStream: true, endHeaders: true),
                .data(id, ByteBuffer(), flowControlled: 0, endStream: true), .resetStream(id, .noError),
            ]
        }
        for _ in 0..<HTTP2Limits.maximumFramesWithoutEffect {
            let id = try open()
            try end(id)
            for frame in late(id) { _ = try state.received(frame) }
            _ = state.takeOutput()
        }
        // A server that saves up the allowance cannot send more than as many frames again.
        for _ in 0..<HTTP2Limits.maximumFramesWithoutEffect { try end(open()) }
        for frame in late(1) {
            state.intervalPassed()
            for _ in 0..<HTTP2Limits.maximumFramesWithoutEffect { _ = try state.received(frame) }
        }
        let error = #expect(throws: HTTP2Error.self) {
            for _ in 0..<HTTP2Limits.maximumFramesWithoutEffect { _ = try state.received(late(1)[0]) }
        }
        #expect(error?.code == .enhanceYourCalm)
    }

    @Test("an HTTP/2 server that reads no acknowledgments of SETTINGS and PING loses the connection")
    func unsentAcknowledgments() throws {
        for frame in [HTTP2Frame.settings([]), .ping(1, isAcknowledgment: false)] {
            var state = HTTP2ConnectionStateMachine()
            _ = try state.received(.settings([]))
            for _ in 0..<3 {
                // The server has read all acknowledgments.
                state.outputSent()
                state.intervalPassed()
                for _ in 0..<HTTP2Limits.maximumUnsentAcknowledgments { _ = try state.received(frame) }
            }
            state.intervalPassed()
            let error = #expect(throws: HTTP2Error.self) { try state.received(frame) }
            #expect(error?.scope == .connection)
            #expect(error?.code == .enhanceYourCalm)
        }
    }

    @Test("an HPACK bomb fails its request, and a larger bomb ends the HTTP/2 connection")
    func bombs() throws {
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator(), useHuffmanEncoding: false)
        var block = ByteBuffer()
        // The table holds one field of 3,933 bytes, to which each further byte refers.
        try encoder.encode(
            headers: [":status": "200", "a": String(repeating: "b", count: 3_900)],
            to: &block
        )
        let size = 3_933
        func receive(fields: Int) throws -> HTTP2ConnectionStateMachine.Event {
            var state = HTTP2ConnectionStateMachine()
            _ = try state.received(.settings([]))
            let id = try state.open(
                HTTP2RequestHead(fields: [":method": "GET"]),
                isHeadRequest: false,
                endStream: true
            )
            var bomb = block
            bomb.writeRepeatingByte(0xBE, count: fields - 1)
            return try state.received(.headers(id, fragment: bomb, endStream: true, endHeaders: true))
        }
        guard case .head = try receive(fields: HTTP2Limits.maximumHeaderList / size) else {
            Issue.record("A header section within the limit has failed.")
            return
        }
        for fields in [HTTP2Limits.maximumHeaderList / size + 1, HTTP2Limits.maximumHeaderBlock / size] {
            guard case .failed(_, let error) = try receive(fields: fields) else {
                Issue.record("A header section of \(fields) fields has not failed.")
                continue
            }
            #expect(error.scope == .stream)
        }
        let error = #expect(throws: HTTP2Error.self) { try receive(fields: HTTP2Limits.maximumHeaderBlock / size + 1) }
        #expect(error?.scope == .connection)
        #expect(error?.code == .enhanceYourCalm)
    }
}
#endif
