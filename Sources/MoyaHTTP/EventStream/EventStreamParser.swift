import Foundation

/// Interprets an event stream (WHATWG HTML, sections 9.2.5 and 9.2.6). Pure: chunks are pushed in, outputs pulled out.
///
/// Pull until there is no output before the next push; then the size of what is kept is bounded by the two limits and
/// one chunk. Pulling interprets no further than to the next output, so ``lastEventID`` always belongs to what was
/// pulled last. An event that the end of the stream cuts off is never dispatched: ``reset()`` discards it.
package struct EventStreamParser: Sendable {
    package enum Output: Equatable, Sendable {
        /// An event was dispatched.
        case event(ServerSentEvent)
        /// A block without data, which is no event, has set the last event ID.
        case lastEventID(String)
        /// The server asks for this reconnection time: at most a year, however many digits it sent.
        case retry(Duration)
    }

    /// What the next connection is to send as `Last-Event-ID`; empty if there is none.
    package private(set) var lastEventID: String

    private let maximumLineLength: Int
    private let maximumEventSize: Int
    private var lines: LineSplitter
    /// The standard's data buffer, in UTF-8: each value and a line feed after it.
    private var data: [UInt8] = []
    private var eventType = ""
    /// The block's own `id`, until the block ends.
    private var pendingID: String?
    private var failure: StreamLimitError?

    /// - Parameters:
    ///   - lastEventID: From an earlier stream that this one continues.
    ///   - maximumLineLength: In bytes, comments and the names of fields counted, too.
    ///   - maximumEventSize: Of one event's data, in bytes.
    package init(lastEventID: String = "", maximumLineLength: Int, maximumEventSize: Int) {
        self.lastEventID = lastEventID
        self.maximumLineLength = maximumLineLength
        self.maximumEventSize = max(0, maximumEventSize)
        lines = LineSplitter(ends: .newlines, maximumLength: maximumLineLength)
    }

    /// Takes the next bytes of the stream.
    package mutating func push(_ chunk: Data) {
        guard failure == nil else { return }
        lines.push(chunk)
    }

    /// Starts on a new stream: only the last event ID stays.
    ///
    /// The standard's last event ID buffer would start empty, and so the first event without an `id` would clear the ID.
    /// Browsers go on with the ID, and so does this.
    package mutating func reset() {
        self = EventStreamParser(
            lastEventID: lastEventID,
            maximumLineLength: maximumLineLength,
            maximumEventSize: maximumEventSize
        )
    }

    /// What comes next; nil until more bytes are pushed.
    ///
    /// - Throws: ``StreamLimitError``, from then on each time, until ``reset()``.
    package mutating func next() throws(StreamLimitError) -> Output? {
        if let failure { throw failure }
        do {
            while let line = try lines.nextBytes() {
                if let output = try interpret(line) { return output }
            }
            return nil
        } catch {
            // Lets go of everything that was collected.
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
        // A comment has an empty name, and so is an unknown field.
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
    /// Nil unless there are ASCII digits and nothing else.
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
