import Foundation

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
        // Amortized: moving the rest costs less than the bytes returned since the last move.
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
        guard isPastPrefix() else { return nil }
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
    private mutating func isPastPrefix() -> Bool {
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
