import Foundation

/// Gives URLSession a body to read as it sends.
enum URLSessionBodyStream {
    #if canImport(Darwin)
        /// Makes a stream from a body, which is read in a task of its own as URLSession takes it.
        ///
        /// - Parameter failed: Called before the stream fails, if the body does.
        static func make(
            from body: HTTPBody.Reader,
            failed: @escaping @Sendable (RequestBodyError) -> Void
        ) throws(RequestValidationError) -> InputStream {
            var input: InputStream?
            var output: OutputStream?
            Stream.getBoundStreams(withBufferSize: 128 * 1024, inputStream: &input, outputStream: &output)
            guard let input, let output else { throw .bodySequenceNotSupported }
            let sink = Sink(output)
            Task {
                defer { sink.close() }
                do {
                    while let piece = try await body.next() {
                        guard await sink.write(piece) else { return }
                    }
                } catch {
                    if let error = error as? RequestBodyError { failed(error) }
                }
            }
            return input
        }

        /// Writes into one end of a pair of bound streams, off the cooperative threads, as writing blocks.
        // Unchecked for the stream: it is used on the queue alone.
        private final class Sink: @unchecked Sendable {
            private let output: OutputStream
            private let queue = DispatchQueue(label: "MoyaHTTP.URLSessionBodyStream")

            init(_ output: OutputStream) {
                self.output = output
                queue.async { output.open() }
            }

            func write(_ piece: Data) async -> Bool {
                await withCheckedContinuation { waiter in
                    queue.async { [output] in
                        var rest = piece
                        while !rest.isEmpty {
                            let count = rest.withUnsafeBytes { bytes in
                                bytes.bindMemory(to: UInt8.self).baseAddress.map {
                                    output.write($0, maxLength: bytes.count)
                                }
                            }
                            guard let count, count > 0 else { return waiter.resume(returning: false) }
                            rest = rest.dropFirst(count)
                        }
                        waiter.resume(returning: true)
                    }
                }
            }

            func close() { queue.async { [output] in output.close() } }
        }
    #else
        /// Makes a stream from a body, which is read where URLSession asks for the stream's bytes.
        ///
        /// - Parameter failed: Called before the stream fails, if the body does.
        /// - Throws: ``RequestValidationError/bodySequenceNotSupported``: URLSession on Linux reads on the queue that all its
        ///   transfers share, so one that waits would hold up the others.
        static func make(
            from body: HTTPBody.Reader,
            failed: @escaping @Sendable (RequestBodyError) -> Void
        ) throws(RequestValidationError) -> InputStream {
            guard body.isSynchronous else { throw .bodySequenceNotSupported }
            return ReaderStream(body, failed: failed)
        }

        /// A body as an input stream.
        private final class ReaderStream: InputStream {
            private let body: HTTPBody.Reader
            private let failed: @Sendable (RequestBodyError) -> Void
            private var piece = Data()
            private var status = Status.notOpen
            private var failure: RequestBodyError?

            init(_ body: HTTPBody.Reader, failed: @escaping @Sendable (RequestBodyError) -> Void) {
                self.body = body
                self.failed = failed
                super.init(data: Data())
            }

            override func open() { status = .open }

            override func close() { status = .closed }

            override var streamStatus: Status { status }

            override var streamError: (any Error)? { failure }

            // URLSession takes "no" for the end of the body; only reading tells.
            override var hasBytesAvailable: Bool { status == .open }

            override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
                guard status == .open else { return status == .error ? -1 : 0 }
                do {
                    while piece.isEmpty {
                        guard let next = try body.read() else {
                            status = .atEnd
                            return 0
                        }
                        piece = next
                    }
                } catch {
                    status = .error
                    failure = error
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
