#if NIO && !canImport(Darwin)
    import NIOCore

    // The windows (RFC 9113, section 6.9).
    extension HTTP2ConnectionStateMachine {
        // MARK: Receive windows

        /// Counts received bytes in the window of the connection, and enlarges it when half of it is used.
        mutating func countReceived(_ count: Int) throws(HTTP2Error) {
            guard count <= receiveWindow else {
                throw .connection(.flowControlError, "The server has sent more than the connection's window allows.")
            }
            receiveWindow -= count
            guard receiveWindow <= HTTP2Limits.connectionWindow / 2 else { return }
            output.writeHTTP2WindowUpdate(0, increment: HTTP2Limits.connectionWindow - receiveWindow)
            receiveWindow = HTTP2Limits.connectionWindow
        }

        /// Counts consumed bytes, and enlarges the window of their stream when they are half of it.
        ///
        /// The exchange has taken them, or they are padding.
        mutating func consumed(_ count: Int, of id: StreamID) {
            guard count > 0, var stream = openStreams[id] else { return }
            stream.consumed += count
            if stream.consumed >= HTTP2Limits.streamWindow / 2 {
                output.writeHTTP2WindowUpdate(id, increment: stream.consumed)
                stream.receiveWindow += stream.consumed
                stream.consumed = 0
            }
            openStreams[id] = stream
        }

        /// Allows for data that is in transit on a stream that is reset: at most its window, and for all such streams together
        /// twice the connection's window.
        mutating func expectLateData(on stream: OpenStream) {
            remainingLateData = min(remainingLateData + stream.receiveWindow, 2 * HTTP2Limits.connectionWindow)
        }

        /// Counts bytes that are received for closed streams.
        mutating func countLateData(_ count: Int) throws(HTTP2Error) {
            remainingLateData -= count
            guard remainingLateData >= 0 else {
                throw .connection(.streamClosed, "The server continues to send on closed streams.")
            }
        }

        // MARK: Send windows

        /// Writes one DATA frame with as much of the body as may be sent, and removes that from the body.
        ///
        /// `isLast` is whether the body ends with these bytes. The method returns whether anything was written;
        /// ``isRequestWritten(_:)`` then tells whether the end was written.
        mutating func write(_ body: inout ByteBuffer, isLast: Bool, to id: StreamID) -> Bool {
            guard var stream = openStreams[id], !stream.isRequestWritten else { return false }
            let length = min(body.readableBytes, maximumPayload, max(0, min(sendWindow, stream.sendWindow)))
            guard length > 0 || (isLast && body.readableBytes == 0) else { return false }
            let isEnd = isLast && length == body.readableBytes
            output.writeHTTP2FrameHeader(.data, isEnd ? .endStream : [], stream: id, length: length)
            if var piece = body.readSlice(length: length) { output.writeBuffer(&piece) }
            sendWindow -= length
            stream.sendWindow -= length
            stream.isRequestWritten = isEnd
            openStreams[id] = stream
            allowedWindowUpdates += HTTP2Limits.windowUpdates(afterSending: length)
            return true
        }

        mutating func receivedWindowUpdate(_ id: StreamID, _ increment: UInt32) throws(HTTP2Error) -> Event {
            if allowedWindowUpdates > 0 { allowedWindowUpdates -= 1 } else { try countFrameWithoutEffect() }
            if id == 0 {
                guard increment > 0 else { throw .connection(.protocolError, "A window is enlarged by 0.") }
                sendWindow += Int(increment)
                guard sendWindow <= Self.maximumWindow else {
                    throw .connection(.flowControlError, "The connection's window is larger than allowed.")
                }
                return .windowGrown(nil)
            }
            try checkIsNotIdle(id, "WINDOW_UPDATE")
            guard var stream = openStreams[id] else { return .none }
            guard increment > 0 else {
                return reset(id, because: .stream(.protocolError, "A window is enlarged by 0."))
            }
            stream.sendWindow += Int(increment)
            guard stream.sendWindow <= Self.maximumWindow else {
                return reset(id, because: .stream(.flowControlError, "The stream's window is larger than allowed."))
            }
            openStreams[id] = stream
            return .windowGrown(id)
        }
    }

    extension HTTP2ConnectionStateMachine.OpenStream {
        /// Counts received bytes in the window of the stream.
        mutating func countReceived(_ count: Int) throws(HTTP2Error) {
            guard count <= receiveWindow else {
                throw .stream(.flowControlError, "The server has sent more than the stream's window allows.")
            }
            receiveWindow -= count
        }
    }
#endif
