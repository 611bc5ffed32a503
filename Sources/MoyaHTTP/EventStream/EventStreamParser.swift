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
