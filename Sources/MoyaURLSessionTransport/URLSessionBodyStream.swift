import Foundation

/// A stream from which URLSession reads a request body.
final class URLSessionBodyStream: Sendable {
    #if canImport(Darwin)
    private let pump: BodyPump

    private init(_ pump: BodyPump) { self.pump = pump }

    /// Creates a stream that a separate task fills while URLSession reads it.
    ///
    /// `failed` is called if the body fails, in which case the stream does not end.
    static func make(
        from body: HTTPBody.Reader,
        failed: @escaping @Sendable (RequestBodyError) -> Void
    ) throws(RequestValidationError) -> (InputStream, URLSessionBodyStream) {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: HTTPBody.pieceSize, inputStream: &input, outputStream: &output)
        guard let input, let output else { throw .bodySequenceNotSupported }
        return (input, URLSessionBodyStream(BodyPump(body, into: OutputStreamSink(output), failed: failed)))
    }

    /// Starts reading the body.
    func start() { pump.start() }

    /// Stops reading the body; the stream stays open.
    func stop() { pump.stop() }

    /// Stops reading the body, and closes the stream.
    func close() { pump.close() }
    #else
    private let isStopped = Locked(false)

    /// Creates a stream that reads the body when URLSession requests bytes.
    ///
    /// If the body fails, `failed` is called before the stream fails. It throws
    /// ``RequestValidationError/bodySequenceNotSupported`` for an async sequence: URLSession on Linux reads on
    /// a queue shared by all its transfers, so a body that waits would block the others.
    static func make(
        from body: HTTPBody.Reader,
        failed: @escaping @Sendable (RequestBodyError) -> Void
    ) throws(RequestValidationError) -> (InputStream, URLSessionBodyStream) {
        guard body.isSynchronous else { throw .bodySequenceNotSupported }
        let source = URLSessionBodyStream()
        return (ReaderStream(body, source, failed: failed), source)
    }

    /// Creates a stream whose first read fails.
    ///
    /// URLSession closes the connection then. Without a stream it would send an empty body before it notices that the
    /// task is cancelled.
    static func failing(with error: RequestBodyError) -> InputStream {
        let stream = ReaderStream(nil, URLSessionBodyStream(), failed: { _ in })
        stream.fail(error)
        return stream
    }

    /// Does nothing: the body is read when URLSession requests bytes.
    func start() {}

    /// Makes the next read fail.
    func stop() { isStopped.withLock { $0 = true } }

    /// Makes the next read fail.
    func close() { stop() }

    /// A body as an input stream.
    private final class ReaderStream: InputStream {
        private let body: HTTPBody.Reader?
        private let source: URLSessionBodyStream
        private let failed: @Sendable (RequestBodyError) -> Void
        private var piece = Data()
        private var status = Status.notOpen
        private var failure: RequestBodyError?

        init(
            _ body: HTTPBody.Reader?,
            _ source: URLSessionBodyStream,
            failed: @escaping @Sendable (RequestBodyError) -> Void
        ) {
            self.body = body
            self.source = source
            self.failed = failed
            super.init(data: Data())
        }

        func fail(_ error: RequestBodyError) {
            status = .error
            failure = error
        }

        override func open() { if status != .error { status = .open } }

        override func close() { status = .closed }

        override var streamStatus: Status { status }

        override var streamError: (any Error)? { failure }

        // URLSession interprets false as the end of the body, but only reading can determine that.
        override var hasBytesAvailable: Bool { status == .open || status == .error }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            if source.isStopped.withLock({ $0 }) { status = .error }
            guard status == .open else { return status == .error ? -1 : 0 }
            do {
                while piece.isEmpty {
                    guard let next = try body?.nextBlocking() else {
                        status = .atEnd
                        return 0
                    }
                    piece = next
                }
            } catch {
                fail(error)
                failed(error)
                return -1
            }
            let count = min(length, piece.count)
            piece.copyBytes(to: buffer, count: count)
            piece = piece.dropFirst(count)
            return count
        }
    }
    #endif
}

/// The destination of a ``BodyPump``.
protocol BodySink: Sendable {
    /// Writes a piece, and returns when there is room for the next one; returns false if writing is not possible
    /// any more.
    func write(_ piece: Data) async -> Bool

    /// Closes the sink, after pending data or immediately.
    ///
    /// It may be called several times.
    func close()
}

/// A task that reads a body and writes it to a sink.
final class BodyPump: Sendable {
    private let body: HTTPBody.Reader
    private let sink: any BodySink
    private let failed: @Sendable (RequestBodyError) -> Void
    private let state = Locked(State())

    private struct State: Sendable {
        var task: Task<Void, Never>?
        var isStopped = false
    }

    /// Creates a pump.
    ///
    /// `failed` is called if the body fails; the sink is not closed then, since that would mark a complete body.
    init(_ body: HTTPBody.Reader, into sink: any BodySink, failed: @escaping @Sendable (RequestBodyError) -> Void) {
        self.body = body
        self.sink = sink
        self.failed = failed
    }

    /// Starts reading, unless the pump has been started or stopped.
    func start() {
        state.withLock { state in
            guard state.task == nil, !state.isStopped else { return }
            state.task = Task { await run() }
        }
    }

    /// Stops reading; the sink stays open.
    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
    }

    /// Stops reading, and closes the sink.
    func close() {
        stop()
        sink.close()
    }

    private func run() async {
        do throws(RequestBodyError) {
            while let piece = try await body.next() {
                guard await sink.write(piece) else { return }
            }
            if !state.withLock({ $0.isStopped }) { sink.close() }
        } catch {
            // If the pump has been stopped, the error is expected.
            if !state.withLock({ $0.isStopped }) { failed(error) }
        }
    }
}

#if canImport(Darwin)
/// A sink that writes into one of two bound streams whenever there is room, without blocking a thread.
// Unchecked because of the streams; all state is used on the queue only.
private final class OutputStreamSink: NSObject, BodySink, StreamDelegate, @unchecked Sendable {
    private let output: OutputStream
    private let queue = DispatchQueue(label: "Moya.OutputStreamSink")
    private var rest = Data()
    private var waiter: Promise<Bool>?
    private var isOpen = false
    private var isClosed = false

    init(_ output: OutputStream) { self.output = output }

    func write(_ piece: Data) async -> Bool {
        let waiter = Promise<Bool>()
        queue.async {
            guard !self.isClosed else {
                waiter.fulfill(false)
                return
            }
            self.rest = piece
            self.waiter = waiter
            self.openOnce()
            self.writeRest()
        }
        return await waiter.wait()
    }

    func close() {
        queue.async { self.closeNow() }
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .openCompleted, .hasSpaceAvailable: writeRest()
        case .errorOccurred, .endEncountered: closeNow()
        default: break
        }
    }

    private func openOnce() {
        guard !isOpen else { return }
        isOpen = true
        output.delegate = self
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, queue)
        output.open()
    }

    private func writeRest() {
        guard let waiter, !isClosed else { return }
        while !rest.isEmpty {
            guard output.hasSpaceAvailable else { return }
            let count = rest.withUnsafeBytes { bytes in
                bytes.bindMemory(to: UInt8.self).baseAddress.map { output.write($0, maxLength: bytes.count) }
            }
            guard let count, count > 0 else { return closeNow() }
            rest = rest.dropFirst(count)
        }
        self.waiter = nil
        waiter.fulfill(true)
    }

    private func closeNow() {
        guard !isClosed else { return }
        isClosed = true
        // An output stream must be opened before it is closed; otherwise its reader would wait indefinitely.
        openOnce()
        output.delegate = nil
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
        output.close()
        waiter?.fulfill(false)
        waiter = nil
    }
}
#endif
