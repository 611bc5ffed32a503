#if NIO && !canImport(Darwin)
    import NIOCore
    import Testing

    @testable import MoyaHTTP
    @testable import MoyaNIOTransport

    @Suite("An HTTP/2 connection limits useless frames")
    struct HTTP2ConnectionStateMachineTests {
        @Test("HTTP/2 frames without an effect are limited for each interval (RFC 9113, section 10.5)")
        func framesWithoutEffect() throws {
            let useless: [HTTP2Frame] = [
                .data(1, ByteBuffer(), flowControlled: 0, endStream: false),
                .headers(1, fragment: ByteBuffer(bytes: [0x88]), endStream: false, endHeaders: true),
                .windowUpdate(1, increment: 1), .resetStream(1, .noError), .ignored(1),
                .ping(1, isAcknowledgment: false), .ping(1, isAcknowledgment: true),
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
                for _ in 0..<2 {
                    for _ in 0..<HTTP2Limits.framesWithoutEffect {
                        _ = try state.received(frame)
                        state.flushed()
                    }
                    state.intervalPassed()
                }
                for _ in 0..<HTTP2Limits.framesWithoutEffect { _ = try state.received(frame) }
                let error = #expect(throws: HTTP2Error.self) { try state.received(frame) }
                #expect(error?.scope == .connection)
                #expect(error?.code == .enhanceYourCalm)
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
            let allowed = (HTTP2Limits.lateData + 3 * HTTP2Limits.streamWindow) / 16_000
            let late = HTTP2Frame.data(1, piece, flowControlled: 16_000, endStream: false)
            for _ in 0..<allowed { _ = try state.received(late) }
            let error = #expect(throws: HTTP2Error.self) { try state.received(late) }
            #expect(error?.code == .streamClosed)
            #expect(error?.scope == .connection)
        }
    }
#endif
