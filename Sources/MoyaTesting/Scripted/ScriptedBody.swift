import Foundation

/// The source of a scripted response's body.
enum ScriptedBody: Sendable {
    case data(Data)
    /// Chunks that are received one by one, without a declared length.
    case chunks([Data])
    case file(URL)
    /// The body of a response that a server has sent.
    case received(TransportBodyStream, length: Int64?)

    /// Opens the body for reading.
    ///
    /// - Throws: ``ScriptedResponseError``.
    func open() throws -> ScriptedChunks {
        switch self {
        case .data(let data):
            return ScriptedChunks(.data(data), length: Int64(data.count), isDeclared: true)
        case .chunks(let chunks):
            let length = chunks.reduce(0) { $0 + Int64($1.count) }
            return ScriptedChunks(.chunks(chunks[...]), length: length, isDeclared: false)
        case .file(let url):
            let reader = try ScriptedResponseError.catching(url) { try HTTPBody.file(url).open() }
            return ScriptedChunks(.file(reader, url), length: reader.length ?? 0, isDeclared: true)
        case .received(let stream, let length):
            return ScriptedChunks(
                .received(stream.makeAsyncIterator()),
                length: length ?? .max,
                isDeclared: length != nil
            )
        }
    }
}

/// An iterator over the chunks of a body.
struct ScriptedChunks: Sendable {
    enum Source: Sendable {
        case data(Data)
        case chunks(ArraySlice<Data>)
        case file(HTTPBody.Reader, URL)
        case received(TransportBodyStream.Iterator)
    }

    /// The number of bytes; the largest number if it is unknown.
    let length: Int64
    /// Whether a server would declare the length.
    let isDeclared: Bool

    private var source: Source
    /// The bytes that were taken from the source and not returned yet.
    private var rest = Data()

    private static let chunkSize = 65_536

    init(_ source: Source, length: Int64, isDeclared: Bool) {
        self.source = source
        self.length = length
        self.isDeclared = isDeclared
    }

    /// Returns the next chunk, which is not empty; `nil` at the end.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Returns: The chunk.
    /// - Throws: ``ScriptedResponseError`` if the source cannot be read.
    mutating func next(limit: Int) async throws -> Data? {
        while rest.isEmpty {
            guard let chunk = try await take() else { return nil }
            rest = chunk
        }
        let chunk = rest.prefix(max(1, limit))
        rest = rest.dropFirst(chunk.count)
        // A slice is copied, so that the indices of the chunk start at 0.
        return chunk.startIndex == 0 ? chunk : Data(chunk)
    }

    private mutating func take() async throws -> Data? {
        switch source {
        case .data(let data):
            guard !data.isEmpty else { return nil }
            source = .data(data.dropFirst(Self.chunkSize))
            return data.prefix(Self.chunkSize)
        case .chunks(var chunks):
            let chunk = chunks.popFirst()
            source = .chunks(chunks)
            return chunk
        case .file(let reader, let url):
            do {
                return try await reader.next()
            } catch  where error.reason == .cancelled {
                throw CancellationError()
            } catch {
                throw ScriptedResponseError(.file(url), underlyingError: error)
            }
        case .received(var iterator):
            return try await iterator.next()
        }
    }
}

extension TransportRequest {
    /// Reads the body as a server would: the body reports progress, and the request's timeouts apply.
    ///
    /// Reading the body's source uses real time, regardless of the script's clock.
    ///
    /// - Throws: `RequestBodyError`; `URLError` with the code `timedOut` or `cancelled`.
    func receiveBody() async throws {
        onConnect?()
        // A body in memory is received immediately.
        guard let body, body.data == nil else { return }
        do {
            try await receive(body)
        } catch let error as RequestBodyError where error.reason == .cancelled {
            throw URLError.cancelled(url: url)
        }
    }

    private func receive(_ body: HTTPBody) async throws {
        let started = ContinuousClock.now
        let timeouts = Locked(TimeoutState(self))
        let reader = try body.open()
        try await withThrowingTaskGroup { group in
            group.addTask {
                while try await reader.next() != nil {
                    let now = ContinuousClock.now - started
                    timeouts.withLock { $0.recordActivity(at: now) }
                }
            }
            group.addTask { [url] in
                while true {
                    let now = ContinuousClock.now - started
                    let verdict = timeouts.withLock { $0.verdict(at: now) }
                    switch verdict {
                    case .checkAgain(let left):
                        do {
                            try await Task.sleep(for: left)
                        } catch {
                            throw URLError.cancelled(url: url)
                        }
                    case .expired(let kind):
                        throw URLError.timedOut(timeouts.withLock { $0.error(of: kind) }, url: url)
                    }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
