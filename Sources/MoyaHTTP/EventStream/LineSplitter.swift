import Foundation

/// Cuts a stream of bytes into lines. Pure: chunks are pushed in, lines are pulled out.
///
/// Pull until there is no line before the next push; then no more is kept than a line of the maximum length and one
/// chunk. However the bytes are cut into chunks, the lines are the same. A line is there as soon as the first byte of
/// its end is. A byte order mark at the start of the stream is dropped, as UTF-8 decode does (WHATWG Encoding).
package struct LineSplitter: Sendable {
    /// What ends a line. Of Foundation's `AsyncLineSequence` these are the ends in ASCII: form feed, NEL and the Unicode
    /// separators are content here. Unlike there, blank lines are lines.
    package enum LineEnds: Equatable, Sendable {
        /// LF, CR LF and CR: text, and event streams (WHATWG HTML, section 9.2.5).
        case newlines
        /// LF and CR LF; a CR elsewhere is content: JSON lines, where it is white space.
        case lineFeeds
    }

    private let ends: LineEnds
    private let maximumLength: Int

    /// `buffer[start...]` has not been handed out; up to `scanned` there is no line end in it.
    private var buffer: [UInt8] = []
    private var start = 0
    private var scanned = 0

    private var isAtStreamStart = true
    /// The last line ended with a CR: an LF that follows belongs to it.
    private var skipsLineFeed = false
    private var isFinished = false

    /// - Parameter maximumLength: How many bytes a line may have, its line end not counted.
    package init(ends: LineEnds, maximumLength: Int) {
        self.ends = ends
        self.maximumLength = max(0, maximumLength)
    }

    /// Takes the next bytes of the stream.
    package mutating func push(_ chunk: Data) {
        // Moving what is left to the front costs less than was handed out since it was last done.
        if start > buffer.count / 2 || start == buffer.count {
            buffer.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: chunk)
    }

    /// Says that the stream has ended. What follows its last line end, if anything does, becomes the last line.
    package mutating func finish() {
        isFinished = true
    }

    /// The next line as text, without its end; each ill-formed part of UTF-8 becomes U+FFFD. Nil until there is one.
    ///
    /// - Throws: ``StreamLimitError/lineTooLong(limit:)``, from then on each time.
    package mutating func next() throws(StreamLimitError) -> String? {
        try nextBytes().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The next line as it came, without its end. Nil until there is one.
    ///
    /// Let go of the slice before the next push, which would have to copy the buffer otherwise.
    ///
    /// - Throws: ``StreamLimitError/lineTooLong(limit:)``, from then on each time.
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

    /// Drops what stands before a line and is no part of it. False if more bytes are needed to tell.
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

    /// Where the first line end after `scanned` begins, or the end of the buffer.
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
        // This CR may turn out to be half of a line end.
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
