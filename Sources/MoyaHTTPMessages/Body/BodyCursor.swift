import Foundation

/// The position of a reader in a body, with the open source at that position.
struct BodyCursor: Sendable {
    /// A segment with its length if known; the length of a file is its size when the body was opened.
    struct Item: Sendable {
        let segment: BodySegment
        let length: Int64?
    }

    /// The kind of read that supplies the next piece.
    enum ReadKind: Sendable {
        case nothing
        case memory(count: Int)
        case file(count: Int)
        case stream(DispatchQueue)
        case sequence
    }

    private enum Source: Sendable {
        case none
        case file(BodyFile)
        case stream(BodyStream.Opened)
        case sequence(BodySequence.Iteration)
    }

    private let items: [Item]
    private var index = 0
    /// The number of bytes read from the current item.
    private var offset: Int64 = 0
    private var source = Source.none
    /// Bytes that a sequence has supplied and that have not been returned yet.
    private var element = Data()
    private var isSequenceAtEnd = false
    /// The number of bytes of a delimiter with which the current item ends so far.
    private var matchedBytes = 0

    init(items: [Item]) { self.items = items }

    /// The kind of the next read.
    ///
    /// Adjacent bytes and files share pieces, so that small ones are not returned one by one.
    var nextRead: ReadKind {
        var count: Int64 = 0
        var isFile = false
        var skipped = offset
        scan: for item in items[index...] {
            switch item.segment.content {
            case .bytes: break
            case .file: isFile = true
            case .stream(let stream):
                if count == 0, !isFile { return .stream(stream.queue) }
                break scan
            case .sequence:
                if count == 0, !isFile { return .sequence }
                break scan
            }
            count += (item.length ?? 0) - skipped
            skipped = 0
            if count >= HTTPBody.pieceSize { break }
        }
        guard count > 0 || isFile else { return .nothing }
        let limited = Int(min(count, Int64(HTTPBody.pieceSize)))
        return isFile ? .file(count: limited) : .memory(count: limited)
    }

    private mutating func advance() {
        index += 1
        offset = 0
        source = .none
        isSequenceAtEnd = false
        matchedBytes = 0
    }

    /// Returns the reason why the next bytes of the current item must not be sent, if there is one.
    private mutating func objection(to bytes: UnsafeRawBufferPointer) -> RequestBodyError.Reason? {
        guard let delimiter = items[index].segment.delimiter,
            delimiter.isFound(in: bytes, matched: &matchedBytes)
        else { return nil }
        return .containsBoundary(delimiter.boundary)
    }

    /// Reads the next piece, blocking the calling thread.
    ///
    /// The argument is the current ``nextRead``, which is computed each time.
    mutating func read(_ kind: ReadKind) throws(RequestBodyError) -> Data {
        switch kind {
        case .nothing: Data()
        case .memory(let count), .file(let count): try fill(count)
        case .stream: try readStream()
        case .sequence: throw error(.asynchronous)
        }
    }

    func error(_ reason: RequestBodyError.Reason, cause: (any Error)? = nil) -> RequestBodyError {
        RequestBodyError(reason, part: items[index].segment.part, underlyingError: cause)
    }
}

// MARK: - Bytes and files

extension BodyCursor {
    /// Reads the given number of bytes from the next bytes and files.
    mutating func fill(_ count: Int) throws(RequestBodyError) -> Data {
        if let piece = takeBytes(count) { return piece }
        var piece = Data(count: count)
        var filled = 0
        while index < items.count {
            let length = items[index].length ?? 0
            let wanted = Int(min(Int64(count - filled), length - offset))
            // Empty items are skipped even if the piece is full, since a file may have grown.
            if wanted == 0, offset < length { break }
            switch items[index].segment.content {
            case .bytes(let data):
                let start = data.startIndex + Int(offset)
                piece.withUnsafeMutableBytes {
                    let room = UnsafeMutableRawBufferPointer(rebasing: $0[filled..<filled + wanted])
                    data.copyBytes(to: room, from: start..<start + wanted)
                }
                filled += wanted
                offset += Int64(wanted)
                if offset == length { advance() }
            case .file(let url):
                filled += try read(url, size: length, into: &piece, range: filled..<filled + wanted)
            case .stream, .sequence:
                return piece
            }
        }
        return piece
    }

    /// Returns the next bytes if they all come from one segment, without copying if possible.
    private mutating func takeBytes(_ count: Int) -> Data? {
        guard case .bytes(let data) = items[index].segment.content, data.count - Int(offset) >= count else {
            return nil
        }
        let start = data.startIndex + Int(offset)
        offset += Int64(count)
        if offset == Int64(data.count) { advance() }
        // A copy, so that its indices start at 0.
        return start == 0 && count == data.count ? data : data.subdata(in: start..<start + count)
    }

    private mutating func read(
        _ url: URL,
        size: Int64,
        into piece: inout Data,
        range: Range<Int>
    ) throws(RequestBodyError) -> Int {
        let part = items[index].segment.part
        do throws(BodyFile.Fault) {
            let file = try openFile(url)
            func check(found: Int64) throws(BodyFile.Fault) {
                if found != size { throw .unsuitable(.sizeChanged(expected: size, found: found)) }
            }
            if offset == 0 { try check(found: file.size) }
            var count = 0
            if !range.isEmpty {
                count = try piece.withUnsafeMutableBytes { file.read(into: .init(rebasing: $0[range])) }.get()
                if count == 0 { try check(found: min(file.currentSize, offset)) }
                let read = range.lowerBound..<range.lowerBound + count
                let reason = piece.withUnsafeBytes { objection(to: .init(rebasing: $0[read])) }
                if let reason { throw .unsuitable(reason) }
            }
            offset += Int64(count)
            if offset == size {
                if try !file.isAtEnd().get() { try check(found: max(file.currentSize, size + 1)) }
                advance()
            }
            return count
        } catch {
            throw error.error(part: part, file: url)
        }
    }

    private mutating func openFile(_ url: URL) throws(BodyFile.Fault) -> BodyFile {
        if case .file(let file) = source { return file }
        let file = try BodyFile(url)
        source = .file(file)
        return file
    }
}

// MARK: - Streams and sequences

extension BodyCursor {
    /// Reads a piece from the current stream; empty at its end.
    mutating func readStream() throws(RequestBodyError) -> Data {
        guard case .stream(let stream) = items[index].segment.content else { return Data() }
        let opened: BodyStream.Opened
        if case .stream(let existing) = source {
            opened = existing
        } else {
            guard stream.isUnopened else { throw error(.alreadyRead) }
            opened = BodyStream.Opened(stream)
            source = .stream(opened)
        }
        let count: Int
        let isAtEnd: Bool
        let limit = Int(min(Int64(HTTPBody.pieceSize), stream.length.map { $0 - offset } ?? .max))
        var piece = Data(count: limit)
        do throws(BodyStream.Failure) {
            count = try piece.withUnsafeMutableBytes { opened.read(into: $0) }.get()
            isAtEnd = try stream.length == offset + Int64(count) ? opened.isAtEnd().get() : count == 0
        } catch {
            throw self.error(.failed, cause: error.cause)
        }
        if let reason = piece.withUnsafeBytes({ objection(to: .init(rebasing: $0[..<count])) }) { throw error(reason) }
        offset += Int64(count)
        try check(stream.length, isAtEnd: isAtEnd)
        if isAtEnd { advance() }
        return count == limit ? piece : piece.subdata(in: 0..<count)
    }

    /// Waits for a piece of the current sequence; empty at its end.
    mutating func readSequence() async throws(RequestBodyError) -> Data {
        guard case .sequence(let sequence) = items[index].segment.content else { return Data() }
        if element.isEmpty {
            let iteration: BodySequence.Iteration
            if case .sequence(let existing) = source {
                iteration = existing
            } else {
                iteration = sequence.makeIteration()
                source = .sequence(iteration)
            }
            element = try await next(iteration) ?? Data()
            if let reason = element.withUnsafeBytes({ objection(to: $0) }) { throw error(reason) }
            offset += Int64(element.count)
            isSequenceAtEnd = element.isEmpty
            if sequence.length == offset, !isSequenceAtEnd { isSequenceAtEnd = try await next(iteration) == nil }
            try check(sequence.length, isAtEnd: isSequenceAtEnd)
        }
        let start = element.startIndex
        let count = min(element.count, HTTPBody.pieceSize)
        let piece = start == 0 && count == element.count ? element : element.subdata(in: start..<start + count)
        element = piece.count < element.count ? element.dropFirst(piece.count) : Data()
        if element.isEmpty, isSequenceAtEnd { advance() }
        return piece
    }

    /// Checks the number of bytes read from a stream or sequence against the declared length.
    private func check(_ declared: Int64?, isAtEnd: Bool) throws(RequestBodyError) {
        guard let declared else { return }
        if isAtEnd, offset < declared { throw error(.tooShort(declared: declared, found: offset)) }
        if offset > declared || (offset == declared && !isAtEnd) { throw error(.tooLong(declared: declared)) }
    }

    private func next(_ iteration: BodySequence.Iteration) async throws(RequestBodyError) -> Data? {
        do {
            let element = try await iteration.next()
            // Many sequences end when they are cancelled; the body must not look complete then.
            if element == nil, Task.isCancelled { throw CancellationError() }
            return element
        } catch {
            throw self.error(error is CancellationError || Task.isCancelled ? .cancelled : .failed, cause: error)
        }
    }
}
