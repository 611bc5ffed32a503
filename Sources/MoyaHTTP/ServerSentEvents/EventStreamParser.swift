import Foundation

/// Parses an event stream (WHATWG HTML, sections 9.2.5 and 9.2.6) without I/O.
///
/// Pull outputs until there are no more before the next push; then the buffered data is bounded by the two limits
/// and one chunk. Pulling parses no further than the next output, so ``lastEventID`` always belongs to the output
/// that was pulled last. An event that the end of the stream cuts off is never dispatched: ``reset()`` discards it.
package struct EventStreamParser: Sendable {
    package enum Output: Equatable, Sendable {
        /// An event was dispatched.
        case event(ServerSentEvent)
        /// A block without data, which does not dispatch an event, has set the last event ID.
        case lastEventID(String)
        /// The server sets this reconnection time, clamped to one year.
        case retry(Duration)
    }

    /// The value of `Last-Event-ID` for the next connection; empty if there is no ID.
    package private(set) var lastEventID: String

    private let maximumLineLength: Int
    private let maximumEventSize: Int
    private var lines: LineSplitter
    /// The data buffer of the standard, in UTF-8: each value followed by a line feed.
    private var data: [UInt8] = []
    private var eventType = ""
    /// The `id` of the current block, until the block ends.
    private var pendingID: String?
    private var failure: StreamLimitError?

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - lastEventID: The last event ID of an earlier stream that this one continues.
    ///   - maximumLineLength: The maximum line length in bytes, including comments and field names.
    ///   - maximumEventSize: The maximum size of the data of one event, in bytes.
    package init(lastEventID: String = "", maximumLineLength: Int, maximumEventSize: Int) {
        self.lastEventID = lastEventID
        self.maximumLineLength = maximumLineLength
        self.maximumEventSize = max(0, maximumEventSize)
        lines = LineSplitter(ends: .newlines, maximumLength: maximumLineLength)
    }

    /// Appends the next bytes of the stream.
    package mutating func push(_ chunk: Data) {
        guard failure == nil else { return }
        lines.push(chunk)
    }

    /// Starts a new stream and keeps only the last event ID.
    ///
    /// According to the standard, the last event ID buffer starts empty, so the first event without an `id` would
    /// clear the ID. Like browsers, the parser keeps the ID.
    package mutating func reset() {
        self = EventStreamParser(
            lastEventID: lastEventID,
            maximumLineLength: maximumLineLength,
            maximumEventSize: maximumEventSize
        )
    }

    /// Returns the next output, or nil if more bytes are needed.
    ///
    /// - Throws: ``StreamLimitError``. After that, every call throws it until ``reset()``.
    package mutating func next() throws(StreamLimitError) -> Output? {
        if let failure { throw failure }
        do {
            while let line = try lines.nextBytes() {
                if let output = try interpret(line) { return output }
            }
            return nil
        } catch {
            // Releases all buffered data.
            reset()
            failure = error
            throw error
        }
    }

    private mutating func interpret(_ line: ArraySlice<UInt8>) throws(StreamLimitError) -> Output? {
        if line.isEmpty { return dispatch() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            return try process(field: line, value: [])
        }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        // Comments have an empty field name and are ignored like unknown fields.
        return try process(field: line[..<colon], value: value)
    }

    private mutating func process(
        field: ArraySlice<UInt8>,
        value: ArraySlice<UInt8>
    ) throws(StreamLimitError) -> Output? {
        switch String(decoding: field, as: UTF8.self) {
        case "data":
            guard value.count <= maximumEventSize - data.count else { throw .eventTooLarge(limit: maximumEventSize) }
            data += value
            data.append(UInt8(ascii: "\n"))
        case "event":
            eventType = String(decoding: value, as: UTF8.self)
        case "id":
            if !value.contains(0) { pendingID = String(decoding: value, as: UTF8.self) }
        case "retry":
            return Duration(milliseconds: value).map(Output.retry)
        default:
            break
        }
        return nil
    }

    private mutating func dispatch() -> Output? {
        defer {
            data = []
            eventType = ""
            pendingID = nil
        }
        if let pendingID { lastEventID = pendingID }
        if data.isEmpty { return pendingID.map(Output.lastEventID) }
        return .event(
            ServerSentEvent(
                id: lastEventID,
                event: eventType.isEmpty ? "message" : eventType,
                data: String(decoding: data.dropLast(), as: UTF8.self)
            )
        )
    }
}

extension Duration {
    /// Creates a duration from ASCII digits; nil if there are none or any other bytes.
    fileprivate init?(milliseconds digits: ArraySlice<UInt8>) {
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        let limit = Int64(Self.longestTimeout / .milliseconds(1))
        self = .milliseconds(
            digits.reduce(into: Int64(0)) { number, digit in
                number = min(limit, number * 10 + Int64(digit - UInt8(ascii: "0")))
            }
        )
    }
}

/// Splits a stream of bytes into lines without I/O.
///
/// Pull lines until there are no more before the next push; then the buffer holds at most one line of the maximum
/// length and one chunk. The lines do not depend on how the bytes are split into chunks. A line is available as
/// soon as the first byte of its terminator is. A byte order mark at the start of the stream is dropped, as in
/// UTF-8 decode (WHATWG Encoding).
package struct LineSplitter: Sendable {
    /// The accepted line terminators.
    ///
    /// They are the ASCII terminators of Foundation's `AsyncLineSequence`: form feed, NEL and the Unicode
    /// separators are content here. Unlike there, blank lines are lines.
    package enum LineEnds: Equatable, Sendable {
        /// LF, CR LF and CR: for text and event streams (WHATWG HTML, section 9.2.5).
        case newlines
        /// LF and CR LF: for JSON lines.
        ///
        /// A CR elsewhere is content, because it is whitespace in JSON.
        case lineFeeds
    }

    private let ends: LineEnds
    private let maximumLength: Int

    /// `buffer[start...]` has not been returned yet and contains no line terminator before `scanned`.
    private var buffer: [UInt8] = []
    private var start = 0
    private var scanned = 0

    private var isAtStreamStart = true
    /// Whether the last line ended with a CR; an LF that follows belongs to the same terminator.
    private var skipsLineFeed = false
    private var isFinished = false

    /// Creates a splitter with a maximum line length in bytes, terminator excluded.
    package init(ends: LineEnds, maximumLength: Int) {
        self.ends = ends
        self.maximumLength = max(0, maximumLength)
    }

    /// Appends the next bytes of the stream.
    package mutating func push(_ chunk: Data) {
        // The cost is amortized: the rest that moves is shorter than the lines returned since the last move.
        if start > buffer.count / 2 || start == buffer.count {
            buffer.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: chunk)
    }

    /// Marks the end of the stream.
    ///
    /// Bytes after the last line terminator become the last line.
    package mutating func finish() {
        isFinished = true
    }

    /// Returns the next line as text without its terminator, or nil if more bytes are needed.
    ///
    /// Each ill-formed UTF-8 sequence becomes U+FFFD.
    ///
    /// - Throws: ``StreamLimitError/lineTooLong(limit:)``, also on every later call.
    package mutating func next() throws(StreamLimitError) -> String? {
        try nextBytes().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the bytes of the next line without its terminator, or nil if more bytes are needed.
    ///
    /// Release the slice before the next push; otherwise the push copies the buffer.
    ///
    /// - Throws: ``StreamLimitError/lineTooLong(limit:)``, also on every later call.
    package mutating func nextBytes() throws(StreamLimitError) -> ArraySlice<UInt8>? {
        guard skipPrefix() else { return nil }
        scanned = indexOfLineEnd()
        guard scanned < buffer.count else { return try unterminatedLine() }
        var end = scanned
        if ends == .lineFeeds, end > start, buffer[end - 1] == .carriageReturn { end -= 1 }
        guard end - start <= maximumLength else { throw .lineTooLong(limit: maximumLength) }
        skipsLineFeed = buffer[scanned] == .carriageReturn
        scanned += 1
        defer { start = scanned }
        return buffer[start..<end]
    }

    /// Skips a byte order mark, or the LF of a CR LF; returns false if more bytes are needed.
    private mutating func skipPrefix() -> Bool {
        if isAtStreamStart {
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let head = buffer.prefix(mark.count)
            if head.count < mark.count, mark.starts(with: head), !isFinished { return false }
            isAtStreamStart = false
            if head.elementsEqual(mark) { start = mark.count }
        }
        if skipsLineFeed, start < buffer.count {
            skipsLineFeed = false
            if buffer[start] == .lineFeed { start += 1 }
        }
        scanned = max(scanned, start)
        return true
    }

    /// Returns the index of the first line terminator after `scanned`, or the end of the buffer.
    private func indexOfLineEnd() -> Int {
        let endsAtCarriageReturn = ends == .newlines
        return buffer.withUnsafeBufferPointer { bytes in
            var index = scanned
            while index < bytes.count {
                let byte = bytes[index]
                if byte == .lineFeed || (byte == .carriageReturn && endsAtCarriageReturn) { break }
                index += 1
            }
            return index
        }
    }

    private mutating func unterminatedLine() throws(StreamLimitError) -> ArraySlice<UInt8>? {
        var length = buffer.count - start
        // This CR may be the first half of a terminator.
        if ends == .lineFeeds, !isFinished, buffer.last == .carriageReturn { length -= 1 }
        guard length <= maximumLength else { throw .lineTooLong(limit: maximumLength) }
        guard isFinished, start < buffer.count else { return nil }
        defer { start = buffer.count }
        return buffer[start...]
    }
}

extension UInt8 {
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
}

/// An event of an event stream (WHATWG HTML, section 9.2, "Server-sent events").
///
/// The properties are named after the fields of the stream.
public struct ServerSentEvent: Equatable, Hashable, Sendable {
    /// The last event ID when the event was dispatched: the `id` of this or an earlier event; empty if there was
    /// none.
    public var id: String
    /// The event type; "message" if the stream does not name one.
    public var event: String
    /// The values of the `data` lines, joined by line feeds.
    public var data: String

    /// Creates an event, for stubs and tests.
    public init(id: String = "", event: String = "message", data: String) {
        self.id = id
        self.event = event
        self.data = data
    }
}
