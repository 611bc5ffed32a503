import Foundation
import HTTPTypes

extension HTTPBody {
    /// Opens the body for reading, after checking everything that can be checked before sending.
    ///
    /// - Throws: ``RequestBodyError`` if a file is missing, is not a regular file or is not readable, if a
    ///   stream or a non-repeatable sequence has been opened before, or if a name of the trailers is not allowed there.
    ///   If it throws, no stream or sequence is consumed.
    ///
    /// It blocks the calling thread while it opens a file, for a long time if the file is in a slow file system.
    public func open() throws(RequestBodyError) -> Reader { try open(with: nil) }

    /// Opens the body as ``open()`` does, and does not block the caller's executor.
    ///
    /// Cancelling the task ends the wait for a file.
    package nonisolated(nonsending) func openWithoutBlocking() async throws(RequestBodyError) -> Reader {
        try open(with: hasFiles ? await checkFiles() : nil)
    }

    /// The lengths of the segments of a body, which ``checkFiles()`` has found.
    package struct SegmentLengths: Sendable {
        fileprivate let lengths: [Int64?]
    }

    /// Whether the body contains a file, which the file system may open slowly.
    package var hasFiles: Bool { segments.contains { if case .file = $0.content { true } else { false } } }

    /// Checks the files of the body on another thread, and returns the lengths of its segments.
    ///
    /// Cancelling the task ends the wait.
    @inline(never)
    package nonisolated(nonsending) func checkFiles() async throws(RequestBodyError) -> SegmentLengths {
        let result = Promise<Result<[Int64?], RequestBodyError>>()
        DispatchQueue.global().async { [segments] in
            do throws(RequestBodyError) {
                var lengths: [Int64?] = []
                for segment in segments { lengths.append(try segment.checkedLength()) }
                result.fulfill(.success(lengths))
            } catch {
                result.fulfill(.failure(error))
            }
        }
        return SegmentLengths(lengths: try await result.wait(onCancel: .failure(RequestBodyError(.cancelled))).get())
    }

    /// Opens the body; `nil` stands for lengths that are not known yet.
    package func open(with known: SegmentLengths?) throws(RequestBodyError) -> Reader {
        try trailerSource?.checkNames()
        var items: [BodyCursor.Item] = []
        var total: Int64? = 0
        for (index, segment) in segments.enumerated() {
            let length = if let known { known.lengths[index] } else { try segment.checkedLength() }
            items.append(BodyCursor.Item(segment: segment, length: length))
            guard let sum = total, let length else {
                total = nil
                continue
            }
            let (result, overflow) = sum.addingReportingOverflow(length)
            if overflow { throw RequestBodyError(.lengthOverflow, part: segment.part) }
            total = result
        }
        // Before the claims, because it can fail.
        let gzip = isGzipped ? try BodyGzip() : nil
        for (index, segment) in segments.enumerated() where !segment.claim() {
            segments[..<index].forEach { $0.unclaim() }
            throw RequestBodyError(.alreadyRead, part: segment.part)
        }
        return Reader(
            items: items,
            length: total,
            gzip: gzip,
            progressObserver: progressObserver,
            reportPiece: pieceObserver?.begin(),
            trailerSource: trailerSource
        )
    }

    /// A reader that reads a body once.
    ///
    /// It must be used by one task or thread at a time. On deinitialization it closes its open files and streams.
    public final class Reader: Sendable {
        /// The number of bytes; `nil` if it is unknown before reading.
        public let length: Int64?
        /// Whether ``nextBlocking()`` can be used, because the body contains no async sequence.
        package let isSynchronous: Bool

        /// A position in the body, with the bytes that have been read and not returned.
        private struct Position: Sendable {
            var cursor: BodyCursor
            /// The number of remaining bytes, if known.
            var remaining: Int64?
            /// The number of bytes read.
            var count: Int64 = 0
            /// The bytes that complete the body, held back since an empty source that must be checked may follow.
            var lastBytes: Data?
            /// The piece to return.
            var piece: Data?
            var isAtEnd = false
        }

        private enum State: Sendable {
            case idle(Position)
            case reading
            case ended
            case failed(RequestBodyError)
        }

        private let state: InlineLocked<State>
        /// The length before compression.
        private let plainLength: Int64?
        private let gzip: BodyGzip?
        private let progressObserver: HTTPBody.ProgressObserver?
        private let reportPiece: (@Sendable (Data?) -> Void)?
        private let trailerSource: TrailerSource?

        fileprivate init(
            items: [BodyCursor.Item],
            length: Int64?,
            gzip: BodyGzip?,
            progressObserver: HTTPBody.ProgressObserver?,
            reportPiece: (@Sendable (Data?) -> Void)?,
            trailerSource: TrailerSource?
        ) {
            self.gzip = gzip
            self.length = gzip == nil ? length : nil
            plainLength = length
            self.progressObserver = progressObserver
            self.reportPiece = reportPiece
            self.trailerSource = trailerSource
            isSynchronous = !items.contains { if case .sequence = $0.segment.content { true } else { false } }
            state = InlineLocked(.idle(Position(cursor: BodyCursor(items: items), remaining: length)))
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
        guard var position = try begin() else { return nil }
        do throws(RequestBodyError) {
            while true {
                if Task.isCancelled { throw RequestBodyError(.cancelled) }
                guard let kind = try advance(&position) else { return returnPiece(position) }
                let bytes: Data
                switch kind {
                case .nothing, .memory: bytes = try position.cursor.read(kind)
                case .file: bytes = try await read(kind, &position, on: .global())
                case .stream(let queue): bytes = try await read(kind, &position, on: queue)
                case .sequence: bytes = try await position.cursor.readSequence()
                }
                received(bytes, &position)
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
    package func nextBlocking() throws(RequestBodyError) -> Data? {
        guard var position = try begin() else { return nil }
        do throws(RequestBodyError) {
            while let kind = try advance(&position) { received(try position.cursor.read(kind), &position) }
            return returnPiece(position)
        } catch {
            throw fail(error)
        }
    }

    /// Whether all bytes of a body of known length have been returned, so that the next call returns `nil` without waiting.
    package var hasReturnedAll: Bool {
        guard length != nil else { return false }
        return state.withLock { if case .idle(let position) = $0 { position.isAtEnd } else { false } }
    }

    /// Whether ``trailers()`` supplies the trailers of the body.
    package var hasTrailers: Bool { trailerSource != nil }

    /// Returns the trailers that follow the body; none if it has no trailers.
    ///
    /// Call it once, when ``next()`` has returned `nil`: it calls the function of ``HTTPBody/withTrailers(_:_:)``.
    ///
    /// - Throws: ``RequestBodyError`` if that function throws, or returns a field that may not be in trailers
    ///   (``RequestBodyError/Reason/trailerNotAllowed(name:)``). The message must not look complete then.
    public func trailers() throws(RequestBodyError) -> HTTPFields {
        try trailerSource?.makeTrailers() ?? HTTPFields()
    }

    /// Begins to read a piece; returns `nil` if the end has been returned.
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

    /// Advances to the next read, and returns it; `nil` if there is a piece to return, or at the end of the body.
    private func advance(_ position: inout Position) throws(RequestBodyError) -> BodyCursor.ReadKind? {
        if let gzip { position.piece = try gzip.next() }
        if position.piece != nil || position.isAtEnd { return nil }
        let kind = position.cursor.nextRead
        guard case .nothing = kind else { return kind }
        position.isAtEnd = true
        if let bytes = position.lastBytes.take() { emit(bytes, &position) }
        if let gzip {
            gzip.finish()
            position.piece = try gzip.next()
        }
        return nil
    }

    /// Handles bytes that have been read.
    private func received(_ bytes: Data, _ position: inout Position) {
        guard !bytes.isEmpty else { return }
        position.count += Int64(bytes.count)
        position.remaining = position.remaining.map { $0 - Int64(bytes.count) }
        if position.remaining == 0 { position.lastBytes = bytes } else { emit(bytes, &position) }
    }

    /// Reports the progress, and makes bytes the next piece, or passes them to the encoder.
    private func emit(_ bytes: Data, _ position: inout Position) {
        progressObserver?.report(position.count, plainLength)
        if let gzip { gzip.push(bytes) } else { position.piece = bytes }
    }

    /// Ends the reading of a piece, and returns the piece; `nil` at the end of the body.
    private func returnPiece(_ position: Position) -> Data? {
        var position = position
        let piece = position.piece.take()
        state.withLock { [position] in $0 = piece == nil ? .ended : .idle(position) }
        reportPiece?(piece)
        return piece
    }

    private func fail(_ error: RequestBodyError) -> RequestBodyError {
        state.withLock { $0 = .failed(error) }
        return error
    }

    private func read(
        _ kind: BodyCursor.ReadKind,
        _ position: inout Position,
        on queue: DispatchQueue
    ) async throws(RequestBodyError) -> Data {
        let result = Promise<Result<(BodyCursor, Data), RequestBodyError>>()
        queue.async { [cursor = position.cursor] in
            var cursor = cursor
            do throws(RequestBodyError) {
                let piece = try cursor.read(kind)
                result.fulfill(.success((cursor, piece)))
            } catch {
                result.fulfill(.failure(error))
            }
        }
        let outcome = await result.wait(onCancel: .failure(RequestBodyError(.cancelled)))
        let piece: Data
        (position.cursor, piece) = try outcome.get()
        return piece
    }
}
