#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOHPACK

/// The client's state machine of an HTTP/2 connection (RFC 9113): frames in, events out.
///
/// Frames to send are collected in ``output``.
struct HTTP2ConnectionStateMachine {
    typealias StreamID = HTTP2Frame.StreamID

    /// The meaning of a frame for the requests.
    enum Event: Equatable {
        case none
        /// An interim response.
        case interim(StreamID, ResponseHead)
        /// The head of a response.
        ///
        /// If `isEnd` is true, the response is complete.
        case head(StreamID, ResponseHead, isEnd: Bool)
        /// A part of a response body.
        ///
        /// Call ``countTaken(_:of:)`` to allow more.
        case data(StreamID, ByteBuffer, isEnd: Bool)
        /// The end of a response, with its trailers.
        case end(StreamID, trailers: HTTPFields)
        /// The failure of a stream, before or during its response.
        case failed(StreamID, HTTP2Error)
        /// The send window of a stream has grown; that of the connection if there is no ID.
        case windowGrown(StreamID?)
        /// The server's settings have changed, which may affect the number of streams and the send windows.
        case settingsChanged
        /// The server accepts no more requests.
        ///
        /// It processes `processed` requests, and not those on the streams `unprocessed`, which are closed. The error has the
        /// code of the frame.
        case goAway(unprocessed: [StreamID], processed: Int, HTTP2Error)
    }

    /// An incomplete header block.
    private struct HeaderBlock {
        let stream: StreamID
        let endStream: Bool
        var fragments: ByteBuffer
        var continuations = 0
    }

    /// The bytes to send, which ``takeOutput()`` removes.
    private(set) var output = ByteBuffer()

    private(set) var openStreams: [StreamID: HTTP2OpenStream] = [:]
    private var nextStream: StreamID = 1
    private var encoder: HPACKEncoder
    private var decoder = HPACKFieldDecoder(sectionLimit: HTTP2Limits.maximumHeaderBlock)
    private var headerBlock: HeaderBlock?
    private var windows = HTTP2ConnectionWindows()
    private var serverSettings = HTTP2ServerSettings()
    private var unsentAcknowledgments = 0
    private var framesWithoutEffect = 0

    /// Whether the server accepts no more requests on the connection.
    private(set) var isGoingAway = false

    private static let lastStreamID: StreamID = 0x7fff_ffff

    /// Creates the state of a new connection: ``output`` contains the preface, the settings, and a larger
    /// window; tests pass an encoder.
    init(encoder: HPACKEncoder = HPACKEncoder(allocator: ByteBufferAllocator())) {
        self.encoder = encoder
        output.writeHTTP2Preface()
        output.writeHTTP2Settings([
            HTTP2Setting(.enablePush, 0),
            HTTP2Setting(.initialWindowSize, UInt32(HTTP2Limits.streamWindow)),
            HTTP2Setting(.maximumHeaderListSize, UInt32(HTTP2Limits.maximumHeaderList)),
        ])
        output.writeHTTP2WindowUpdate(0, increment: HTTP2Limits.connectionWindow - HTTP2SendWindow.initial)
    }

    /// The maximum number of concurrent streams.
    var streamLimit: Int { serverSettings.streamLimit }

    /// Whether the server allows upgrades to other protocols on streams; `nil` before it has sent its settings.
    var allowsUpgrades: Bool? { serverSettings.allowsUpgrades }

    /// Returns the number of the client's streams up to an identifier: 1 is the first one, 3 the second.
    static func streamCount(upTo id: StreamID) -> Int { (Int(id) + 1) / 2 }

    // MARK: Requests

    /// Opens a stream for a request, whose head is written to ``output``.
    ///
    /// ``canOpenStream`` must be true.
    ///
    /// - Throws: ``HTTP2RequestError``.
    mutating func open(
        _ head: HTTP2RequestHead,
        isHeadRequest: Bool,
        isUpgradeRequest: Bool = false,
        endStream: Bool
    ) throws(HTTP2RequestError) -> StreamID {
        if let maximum = serverSettings.maximumHeaderList, head.listSize > maximum {
            throw .headTooLarge(size: head.listSize, maximum: maximum)
        }
        let block = try encode(head)
        let id = nextStream
        nextStream += 2
        output.writeHTTP2Headers(
            id,
            block: block,
            endStream: endStream,
            maximumPayload: serverSettings.maximumPayload
        )
        openStreams[id] = HTTP2OpenStream(
            response: HTTP2ResponseStateMachine(isHeadRequest: isHeadRequest, isUpgradeRequest: isUpgradeRequest),
            sendWindow: serverSettings.initialWindow,
            isRequestWritten: endStream
        )
        return id
    }

    /// Writes one DATA frame with as much of the body as may be sent, and removes that from the body.
    ///
    /// `isLast` is whether the body ends with these bytes. The method returns whether anything was written;
    /// ``isRequestPending(_:)`` then tells whether a part remains.
    mutating func write(_ body: inout ByteBuffer, isLast: Bool, to id: StreamID) -> Bool {
        guard var stream = openStreams[id], !stream.isRequestWritten else { return false }
        let window = max(0, min(windows.sendWindow.size, stream.sendWindow.size))
        let length = min(body.readableBytes, serverSettings.maximumPayload, window)
        guard length > 0 || (isLast && body.readableBytes == 0) else { return false }
        let isEnd = isLast && length == body.readableBytes
        output.writeHTTP2FrameHeader(.data, isEnd ? .endStream : [], stream: id, length: length)
        if var piece = body.readSlice(length: length) { output.writeBuffer(&piece) }
        windows.countSent(length)
        stream.sendWindow.countSent(length)
        stream.isRequestWritten = isEnd
        // The input of an upgraded stream may have ended before its output.
        openStreams[id] = isEnd && stream.response.hasEnded ? nil : stream
        return true
    }

    /// Writes the trailers of a request whose data is written, which end it (RFC 9113, section 8.1).
    ///
    /// - Throws: ``HTTP2RequestError``.
    mutating func write(trailers: HTTPFields, to id: StreamID) throws(HTTP2RequestError) {
        guard isRequestPending(id) else { return }
        let section = HTTP2RequestHead(trailers: trailers)
        if let maximum = serverSettings.maximumHeaderList, section.listSize > maximum {
            throw .trailersTooLarge(size: section.listSize, maximum: maximum)
        }
        output.writeHTTP2Headers(
            id,
            block: try encode(section),
            endStream: true,
            maximumPayload: serverSettings.maximumPayload
        )
        openStreams[id]?.isRequestWritten = true
    }

    private mutating func encode(_ section: HTTP2RequestHead) throws(HTTP2RequestError) -> ByteBuffer {
        var block = ByteBuffer()
        do {
            try encoder.encode(section, to: &block)
        } catch {
            throw .encodingFailed
        }
        return block
    }

    /// Whether another stream may be opened.
    var canOpenStream: Bool {
        !isGoingAway && !hasUsedAllStreamIDs && openStreams.count < streamLimit
    }

    /// Whether there are no more stream identifiers.
    var hasUsedAllStreamIDs: Bool { nextStream > Self.lastStreamID }

    /// Returns whether a part of the request has not been written to ``output``, and its stream is open.
    func isRequestPending(_ id: StreamID) -> Bool { openStreams[id].map { !$0.isRequestWritten } ?? false }

    /// Closes a stream from our side, and writes its RST_STREAM to ``output``.
    ///
    /// Its request is cancelled, aborted by a timeout or a failed body, or its trailers cannot be sent.
    mutating func reset(_ id: StreamID) { reset(id, with: .cancel) }

    /// Closes an open stream by RST_STREAM, and allows for frames that are in transit on it.
    private mutating func reset(_ id: StreamID, with code: HTTP2ErrorCode) {
        guard let stream = openStreams.removeValue(forKey: id) else { return }
        output.writeHTTP2Reset(id, code)
        windows.expectLateFrames(dataUpTo: stream.receiveWindow)
    }

    // MARK: Output

    /// Writes a PING to ``output``.
    mutating func ping() { output.writeHTTP2Ping(0, isAcknowledgment: false) }

    /// Removes and returns the bytes to send.
    mutating func takeOutput() -> ByteBuffer {
        defer { output = ByteBuffer() }
        return output
    }

    /// Handles output that has been sent: the server reads, so acknowledgments are counted from 0 again.
    mutating func outputSent() { unsentAcknowledgments = 0 }

    /// Writes a GOAWAY as the last frame of the connection.
    mutating func writeGoAway(_ code: HTTP2ErrorCode) {
        isGoingAway = true
        output.writeHTTP2GoAway(code)
    }

    // MARK: Received frames

    /// Handles a frame.
    ///
    /// - Throws: The error that ends the connection.
    mutating func received(_ frame: HTTP2Frame) throws(HTTP2Error) -> Event {
        if let stream = headerBlock?.stream {
            guard case .continuation(stream, let fragment, let endHeaders) = frame else {
                throw .connection(.protocolError, "Another frame has come in the middle of a header section.")
            }
            return try received(continuation: fragment, endHeaders: endHeaders)
        }
        if !serverSettings.areReceived {
            guard case .settings = frame else {
                throw .connection(.protocolError, "The first frame is not SETTINGS.")
            }
        }
        switch frame {
        case .data(let id, let bytes, let flowControlled, let endStream):
            return try receivedData(id, bytes, flowControlled: flowControlled, endStream: endStream)
        case .headers(let id, let fragment, let endStream, let endHeaders):
            try checkIsNotIdle(id, "HEADERS")
            guard endHeaders else {
                headerBlock = HeaderBlock(stream: id, endStream: endStream, fragments: fragment)
                return .none
            }
            return try received(headerBlock: fragment, on: id, endStream: endStream)
        case .continuation:
            throw .connection(.protocolError, "A CONTINUATION frame follows no header section.")
        case .resetStream(let id, let code):
            try checkIsNotIdle(id, "RST_STREAM")
            guard openStreams.removeValue(forKey: id) == nil else { return .failed(id, .reset(code)) }
            try countLateFrame()
            return .none
        case .settings(let settings):
            try receivedSettings(settings)
            try countFrameWithoutEffect()
            return .settingsChanged
        case .ping(let data, isAcknowledgment: false):
            output.writeHTTP2Ping(data, isAcknowledgment: true)
            try countAcknowledgment()
            try countFrameWithoutEffect()
            return .none
        case .goAway(let last, let code, let debugData):
            try countFrameWithoutEffect()
            return receivedGoAway(last, .goAway(code, debugData: debugData))
        case .windowUpdate(let id, let increment):
            return try receivedWindowUpdate(id, increment)
        case .pushPromise:
            throw .connection(.protocolError, "The server has pushed a response, although push is disabled.")
        case .settingsAcknowledgment, .ping(_, isAcknowledgment: true), .ignored:
            try countFrameWithoutEffect()
            return .none
        }
    }

    /// Throws if a stream has never been opened: the server opens no streams, and the client's are opened
    /// before the server may send on them (section 5.1).
    private func checkIsNotIdle(_ id: StreamID, _ name: String) throws(HTTP2Error) {
        guard id % 2 == 1, id < nextStream else {
            throw .connection(.protocolError, "A \(name) frame is for a stream that was never opened.")
        }
    }

    // MARK: Limits

    /// Starts another interval in which frames without effect, and interim responses, are counted.
    mutating func intervalPassed() {
        framesWithoutEffect = 0
        for id in openStreams.keys { openStreams[id]?.response.intervalPassed() }
    }

    /// Counts a frame that may have no effect on the requests.
    ///
    /// SETTINGS and GOAWAY count, too, because a server can repeat them.
    private mutating func countFrameWithoutEffect() throws(HTTP2Error) {
        framesWithoutEffect += 1
        guard framesWithoutEffect <= HTTP2Limits.maximumFramesWithoutEffect else {
            throw .connection(.enhanceYourCalm, "The server sends too many frames that have no effect.")
        }
    }

    /// Counts a frame without data for a closed stream.
    private mutating func countLateFrame() throws(HTTP2Error) {
        if !windows.takeLateFrame() { try countFrameWithoutEffect() }
    }

    private mutating func countAcknowledgment() throws(HTTP2Error) {
        unsentAcknowledgments += 1
        guard unsentAcknowledgments <= HTTP2Limits.maximumUnsentAcknowledgments else {
            throw .connection(.enhanceYourCalm, "The server requests more acknowledgments than it reads.")
        }
    }

    // MARK: Received header sections

    private mutating func received(
        continuation fragment: ByteBuffer,
        endHeaders: Bool
    ) throws(HTTP2Error) -> Event {
        headerBlock?.fragments.writeImmutableBuffer(fragment)
        headerBlock?.continuations += 1
        guard let block = headerBlock else { return .none }
        guard block.fragments.readableBytes <= HTTP2Limits.maximumHeaderBlock,
            block.continuations <= HTTP2Limits.maximumContinuations
        else { throw .connection(.enhanceYourCalm, "A header section has too many bytes or frames.") }
        guard endHeaders else { return .none }
        headerBlock = nil
        return try received(headerBlock: block.fragments, on: block.stream, endStream: block.endStream)
    }

    private mutating func received(
        headerBlock block: ByteBuffer,
        on id: StreamID,
        endStream: Bool
    ) throws(HTTP2Error) -> Event {
        let lines: [HPACKFieldDecoder.Line]
        do throws(HPACKError) {
            // Decoded for closed streams, too, to keep the state of the decoder consistent.
            lines = try decoder.decode(block)
        } catch .tooLarge {
            throw .connection(
                .enhanceYourCalm,
                "A header section is larger than \(HTTP2Limits.maximumHeaderBlock) bytes."
            )
        } catch {
            throw .connection(.compressionError, "A header section cannot be decoded: \(error)")
        }
        guard var stream = openStreams[id] else {
            try countLateFrame()
            return .none
        }
        do {
            let section = try stream.response.receivedHeaders(lines, endStream: endStream)
            openStreams[id] = stream
            if endStream { endCompleted(id) }
            switch section {
            case .interim(let head): return .interim(id, head)
            case .head(let head): return .head(id, head, isEnd: endStream)
            case .trailers(let fields): return .end(id, trailers: fields)
            }
        } catch {
            return failStream(id, because: error)
        }
    }

    // MARK: Received data

    private mutating func receivedData(
        _ id: StreamID,
        _ bytes: ByteBuffer,
        flowControlled: Int,
        endStream: Bool
    ) throws(HTTP2Error) -> Event {
        try checkIsNotIdle(id, "DATA")
        if let increment = try windows.countReceived(flowControlled) {
            output.writeHTTP2WindowUpdate(0, increment: increment)
        }
        guard var stream = openStreams[id] else {
            // Like the data of an open stream, late data counts by its bytes.
            try windows.countLateData(flowControlled)
            if bytes.readableBytes == 0 { try countLateFrame() }
            return .none
        }
        let count = bytes.readableBytes
        do {
            try stream.countReceived(flowControlled)
            try stream.response.receivedData(count: count, endStream: endStream)
        } catch {
            return failStream(id, because: error)
        }
        openStreams[id] = stream
        if endStream {
            endCompleted(id)
        } else {
            // Padding is not delivered.
            countTaken(flowControlled - count, of: id)
            if count == 0 {
                try countFrameWithoutEffect()
                return .none
            }
        }
        return .data(id, bytes, isEnd: endStream)
    }

    /// Ends a stream whose response is complete.
    ///
    /// If the request is not, RST_STREAM ends it, since the server has already responded (section 8.1). An upgraded stream stays open
    /// until its output ends, too.
    private mutating func endCompleted(_ id: StreamID) {
        guard let stream = openStreams.removeValue(forKey: id), !stream.isRequestWritten else { return }
        guard !stream.response.isUpgraded else { return openStreams[id] = stream }
        output.writeHTTP2Reset(id, .cancel)
        // The server may end the stream by RST_STREAM, too.
        windows.expectLateFrames(dataUpTo: 0)
    }

    /// Fails a stream because a frame of the server for it is invalid: a part of the response, or a WINDOW_UPDATE.
    private mutating func failStream(_ id: StreamID, because error: HTTP2Error) -> Event {
        reset(id, with: error.code)
        return .failed(id, error)
    }

    // MARK: Received settings and GOAWAY

    private mutating func receivedSettings(_ settings: [HTTP2Setting]) throws(HTTP2Error) {
        let window = serverSettings.initialWindow
        try serverSettings.apply(settings, to: &encoder)
        // Once for each frame, because all streams are visited.
        if serverSettings.initialWindow != window {
            for id in openStreams.keys {
                try openStreams[id]?.sendWindow.change(by: serverSettings.initialWindow - window)
            }
        }
        output.writeHTTP2SettingsAcknowledgment()
        try countAcknowledgment()
    }

    private mutating func receivedGoAway(_ last: StreamID, _ error: HTTP2Error) -> Event {
        isGoingAway = true
        let unprocessed = openStreams.keys.filter { $0 > last }.sorted()
        for id in unprocessed { openStreams[id] = nil }
        let processed = Self.streamCount(upTo: min(last, nextStream - 1))
        return .goAway(unprocessed: unprocessed, processed: processed, error)
    }

    // MARK: Windows

    /// Counts bytes that the exchange of a stream has taken, or padding, and enlarges the window when they are half
    /// of it.
    mutating func countTaken(_ count: Int, of id: StreamID) {
        guard count > 0, let increment = openStreams[id]?.countTaken(count) else { return }
        output.writeHTTP2WindowUpdate(id, increment: increment)
    }

    private mutating func receivedWindowUpdate(_ id: StreamID, _ increment: UInt32) throws(HTTP2Error) -> Event {
        if !windows.takeAllowedUpdate() { try countFrameWithoutEffect() }
        guard id != 0 else {
            try windows.enlarge(by: increment)
            return .windowGrown(nil)
        }
        try checkIsNotIdle(id, "WINDOW_UPDATE")
        guard openStreams[id] != nil else { return .none }
        do {
            try openStreams[id]?.sendWindow.enlarge(by: increment)
            return .windowGrown(id)
        } catch {
            return failStream(id, because: error)
        }
    }
}
#endif
