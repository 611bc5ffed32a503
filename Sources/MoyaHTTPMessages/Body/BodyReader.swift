import Foundation

extension HTTPBody {
    /// Opens the body for reading, after checking everything that can be checked before sending.
    ///
    /// - Throws: ``RequestBodyError`` if a file is missing, is not a regular file or is not readable, or if a
    ///   stream or a non-repeatable sequence has been opened before. If it throws, no stream or sequence is
    ///   consumed.
    public func open() throws(RequestBodyError) -> Reader {
        var items: [BodyCursor.Item] = []
        var total: Int64? = 0
        for segment in segments {
            let length = try segment.checkedLength()
            items.append(BodyCursor.Item(segment: segment, length: length))
            guard let sum = total, let length else {
                total = nil
                continue
            }
            let (result, overflow) = sum.addingReportingOverflow(length)
            if overflow { throw RequestBodyError(.lengthOverflow, part: segment.part) }
            total = result
        }
        for (index, segment) in segments.enumerated() where !segment.claim() {
            segments[..<index].forEach { $0.unclaim() }
            throw RequestBodyError(.alreadyRead, part: segment.part)
        }
        return try Reader(
            items: items,
            length: total,
            isGzipped: isGzipped,
            progressObserver: progressObserver,
            reportPiece: pieceObserver?.begin()
        )
    }

    /// A reader that reads a body once.
    ///
    /// It must be used by one task or thread at a time. On deinitialization it closes its open files and streams.
    public final class Reader: Sendable {
        /// The number of bytes; `nil` if it is unknown before reading.
        public let length: Int64?
        /// Whether ``read()`` can be used, because the body contains no async sequence.
        package let isSynchronous: Bool

        private struct Position: Sendable {
            var cursor: BodyCursor
            /// The number of remaining bytes, if known.
            var remaining: Int64?
            /// The number of bytes read.
            var count: Int64 = 0
        }

        private enum State: Sendable {
            case idle(Position)
            case reading
            case ended
            case failed(RequestBodyError)
        }

        private let state: Locked<State>
        /// The length before compression.
        private let plainLength: Int64?
        private let gzip: BodyGzip?
        private let progressObserver: HTTPBody.ProgressObserver?
        private let reportPiece: (@Sendable (Data?) -> Void)?

        fileprivate init(
            items: [BodyCursor.Item],
            length: Int64?,
            isGzipped: Bool,
            progressObserver: HTTPBody.ProgressObserver?,
            reportPiece: (@Sendable (Data?) -> Void)?
        ) throws(RequestBodyError) {
            gzip = isGzipped ? try BodyGzip() : nil
            self.length = gzip == nil ? length : nil
            plainLength = length
            self.progressObserver = progressObserver
            self.reportPiece = reportPiece
            isSynchronous = !items.contains { if case .sequence = $0.segment.content { true } else { false } }
            state = Locked(.idle(Position(cursor: BodyCursor(items: items), remaining: length)))
        }
    }
}

extension HTTPBody.Reader {
    /// Returns the next piece of at most 128 KiB, `nil` at the end.
    ///
    /// Files and streams are read on separate threads, so that no thread of the Swift concurrency pool is blocked.
    /// The last piece is returned after the length of the body has been verified. When the task is cancelled,
    /// waiting for a file or a stream ends immediately; a sequence handles the cancellation itself.
    ///
    /// - Throws: ``RequestBodyError``; after that, the same error each time.
    public func next() async throws(RequestBodyError) -> Data? {
        let piece = try await nextPiece()
        reportPiece?(piece)
        return piece
    }

    private func nextPiece() async throws(RequestBodyError) -> Data? {
        guard let gzip else { return try await nextPlain() }
        while true {
            if let piece = try gzip.next() { return piece }
            guard gzip.wantsMore else { return nil }
            gzip.push(try await nextPlain())
        }
    }

    private func nextPlain() async throws(RequestBodyError) -> Data? {
        guard var position = try begin() else { return nil }
        do throws(RequestBodyError) {
            var last: Data?
            while true {
                if Task.isCancelled { throw RequestBodyError(.cancelled) }
                let need = position.cursor.need
                let piece: Data
                switch need {
                case .nothing: return finish(last)
                case .memory: piece = try position.cursor.read(need)
                case .file: piece = try await read(need, &position, on: .global())
                case .stream(let queue): piece = try await read(need, &position, on: queue)
                case .sequence: piece = try await position.cursor.readSequence()
                }
                if let piece = take(piece, &position, last: &last) { return piece }
            }
        } catch {
            throw fail(error)
        }
    }

    /// Returns the next piece of at most 128 KiB, `nil` at the end.
    ///
    /// It blocks the calling thread. Call it only if ``isSynchronous`` is true.
    ///
    /// - Throws: ``RequestBodyError``; after that, the same error each time.
    package func read() throws(RequestBodyError) -> Data? {
        let piece = try readPiece()
        reportPiece?(piece)
        return piece
    }

    private func readPiece() throws(RequestBodyError) -> Data? {
        guard let gzip else { return try readPlain() }
        while true {
            if let piece = try gzip.next() { return piece }
            guard gzip.wantsMore else { return nil }
            gzip.push(try readPlain())
        }
    }

    private func readPlain() throws(RequestBodyError) -> Data? {
        guard var position = try begin() else { return nil }
        do throws(RequestBodyError) {
            var last: Data?
            while true {
                let need = position.cursor.need
                if case .nothing = need { return finish(last) }
                let piece = try position.cursor.read(need)
                if let piece = take(piece, &position, last: &last) { return piece }
            }
        } catch {
            throw fail(error)
        }
    }

    private func begin() throws(RequestBodyError) -> Position? {
        let state = state.withLock { state in
            let before = state
            if case .idle = state { state = .reading }
            return before
        }
        switch state {
        case .idle(let position): return position
        case .reading: throw RequestBodyError(.readConcurrently)
        case .ended: return nil
        case .failed(let error): throw error
        }
    }

    /// Returns a piece.
    ///
    /// The piece that completes the body is held back in `last`, since an empty source that must be checked may
    /// follow.
    private func take(_ piece: Data, _ position: inout Position, last: inout Data?) -> Data? {
        guard !piece.isEmpty else { return nil }
        position.count += Int64(piece.count)
        position.remaining = position.remaining.map { $0 - Int64(piece.count) }
        if position.remaining == 0 {
            last = piece
            return nil
        }
        state.withLock { [position] in $0 = .idle(position) }
        progressObserver?.onRead(position.count, plainLength)
        return piece
    }

    private func finish(_ last: Data?) -> Data? {
        state.withLock { $0 = .ended }
        if last != nil, let plainLength { progressObserver?.onRead(plainLength, plainLength) }
        return last
    }

    private func fail(_ error: RequestBodyError) -> RequestBodyError {
        state.withLock { $0 = .failed(error) }
        return error
    }

    private func read(
        _ need: BodyCursor.Need,
        _ position: inout Position,
        on queue: DispatchQueue
    ) async throws(RequestBodyError) -> Data {
        let result = Promise<Result<(BodyCursor, Data), RequestBodyError>>()
        queue.async { [cursor = position.cursor] in
            var cursor = cursor
            do throws(RequestBodyError) {
                let piece = try cursor.read(need)
                result.fulfill(.success((cursor, piece)))
            } catch {
                result.fulfill(.failure(error))
            }
        }
        let outcome = await withTaskCancellationHandler {
            await result.wait()
        } onCancel: {
            result.fulfill(.failure(RequestBodyError(.cancelled)))
        }
        let piece: Data
        (position.cursor, piece) = try outcome.get()
        return piece
    }
}

/// A gzip encoder for a body that is read piece by piece.
// Unchecked because zlib's state is not shared: a reader reads from one task or thread at a time.
final class BodyGzip: @unchecked Sendable {
    private let encoder: GzipEncoder
    private(set) var wantsMore = true

    init() throws(RequestBodyError) {
        do throws(ZlibError) {
            encoder = try GzipEncoder()
        } catch {
            throw RequestBodyError(.failed, underlyingError: error)
        }
    }

    /// Adds the next piece; `nil` marks the end.
    func push(_ piece: Data?) {
        guard let piece else {
            wantsMore = false
            encoder.finish()
            return
        }
        encoder.push(piece)
    }

    /// Returns the next compressed piece; `nil` if more input is needed, or at the end.
    func next() throws(RequestBodyError) -> Data? {
        do throws(ZlibError) {
            return try encoder.next()
        } catch {
            throw RequestBodyError(.failed, underlyingError: error)
        }
    }
}
