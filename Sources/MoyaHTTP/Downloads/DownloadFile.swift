import Foundation

/// A file for a running download.
///
/// Data is written beside the destination until ``commit()`` moves the file there atomically. Before that, the
/// destination is not changed.
/// It must be used by one task, one call at a time. Deinitialization before the commit is like ``suspend()``, but
/// may lose the last few bytes. A crash or a power failure leaves a hidden file beside the destination.
final class DownloadFile: Sendable {
    /// Smaller pieces are buffered, since each write switches threads.
    static let pieceLength = 131_072
    /// The maximum length of a body whose file is opened when the body has arrived.
    static let longestDeferral: Int64 = 65_536

    fileprivate enum Source: Sendable {
        case unopened(DownloadRequest.Options)
        case opened(PartFile)
    }

    /// The number of bytes in the file when it was opened, from an earlier download of the same entity.
    let resumeOffset: Int64
    /// The destination.
    let url: URL

    // Blocking calls are made on the queue, not on the threads of the Swift concurrency pool. The lock, which no two threads use at
    // the same time, proves exclusive access to the compiler.
    private let source: Locked<Source>
    private let queue: DispatchQueue
    private let pending = Locked(PendingPiece())

    /// Opens the file for writing, after all checks that are possible before the first byte.
    ///
    /// - Parameters:
    ///   - url: The destination.
    ///   - options: The options of the download.
    ///   - entity: The entity to write, if the download can be resumed.
    /// - Returns: The file.
    /// - Throws: ``DownloadError``.
    static func open(
        _ url: URL,
        options: DownloadRequest.Options = [],
        entity: DownloadEntity? = nil
    ) async throws(DownloadError) -> DownloadFile {
        let queue = makeQueue()
        return try await run(on: queue) { () throws(DownloadError) in
            DownloadFile(try PartFile.open(url, options: options, entity: entity), to: url, queue)
        }
    }

    /// Creates a file that is opened by the commit, or earlier if many bytes are written.
    ///
    /// A download of a small body then switches threads once. An obstacle at the destination is an error after the body.
    init(deferring url: URL, options: DownloadRequest.Options) {
        source = Locked(.unopened(options))
        queue = Self.makeQueue()
        self.url = url
        resumeOffset = 0
    }

    init(_ file: PartFile, to url: URL, _ queue: DispatchQueue = makeQueue()) {
        source = Locked(.opened(file))
        self.queue = queue
        self.url = url
        resumeOffset = file.length
    }

    deinit {
        // After a commit there is nothing to do, and no thread is woken.
        if isOpen { queue.async { [source] in source.withLock { $0.suspend() } } }
    }

    private static func makeQueue() -> DispatchQueue { DispatchQueue(label: "moya.download", qos: .utility) }

    private var isOpen: Bool { source.withLock { $0.isOpen } }

    /// Appends data.
    ///
    /// Small pieces are buffered, so an error may be caused by an earlier piece.
    ///
    /// - Throws: ``DownloadError``.
    func write(_ data: Data) async throws(DownloadError) {
        let piece: Data? = pending.withLock { pending in
            if pending.isEmpty, data.count >= Self.pieceLength / 2 { return data }
            pending.append(data)
            return pending.count < Self.pieceLength ? nil : pending.take()
        }
        guard let piece else { return }
        try await onFile { file throws(DownloadError) in try file.write(piece) }
    }

    /// Writes buffered data.
    ///
    /// Returns the number of bytes in the file, from which to resume.
    ///
    /// - Throws: ``DownloadError``.
    @discardableResult
    func flush() async throws(DownloadError) -> Int64 {
        let piece = takePending()
        return try await onFile { file throws(DownloadError) in
            if !piece.isEmpty { try file.write(piece) }
            return file.length
        }
    }

    /// Discards all data, since the server sends another entity from its start.
    ///
    /// - Throws: ``DownloadError``.
    func startOver(_ entity: DownloadEntity?) async throws(DownloadError) {
        _ = takePending()
        try await onFile { file throws(DownloadError) in try file.startOver(entity) }
    }

    /// Moves the file to its destination.
    ///
    /// After a failure the file can still be discarded or suspended.
    ///
    /// - Throws: ``DownloadError``.
    func commit() async throws(DownloadError) {
        let piece = takePending()
        try await onFile { file throws(DownloadError) in
            if !piece.isEmpty { try file.write(piece) }
            try file.commit()
        }
    }

    /// Ends an interrupted download: the data is kept if it can be resumed, and removed otherwise.
    func suspend() async {
        let piece = takePending()
        guard isOpen else { return }
        try? await onFile { file throws(DownloadError) in
            if file.keptEntity != nil, !piece.isEmpty { try? file.write(piece) }
            file.suspend()
        }
    }

    /// Ends a download and removes its data.
    func discard() async {
        _ = takePending()
        guard isOpen else { return }
        try? await onFile { file throws(DownloadError) in file.discard() }
    }

    private func takePending() -> Data { pending.withLock { $0.take() } }

    private func onFile<Value: Sendable>(
        _ work: @escaping @Sendable (inout PartFile) throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        try await Self.run(on: queue) { [source, url] () throws(DownloadError) in
            let result = source.withLock { source in
                Result { () throws(DownloadError) in
                    var file = try source.open(url)
                    defer { source = .opened(file) }
                    return try work(&file)
                }
            }
            return try result.get()
        }
    }

    private static func run<Value: Sendable>(
        on queue: DispatchQueue,
        _ work: @escaping @Sendable () throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let result = Promise<Result<Value, DownloadError>>()
        queue.async { result.fulfill(Result(catching: work)) }
        return try await result.wait().get()
    }
}

extension DownloadFile.Source {
    /// Whether there is a file to be closed.
    var isOpen: Bool { if case .opened(let file) = self { file.isOpen } else { false } }

    /// Returns the file, which is opened if it has not been opened.
    func open(_ url: URL) throws(DownloadError) -> PartFile {
        switch self {
        case .unopened(let options): try PartFile.open(url, options: options, entity: nil)
        case .opened(let file): file
        }
    }

    mutating func suspend() {
        guard case .opened(var file) = self else { return }
        file.suspend()
        self = .opened(file)
    }
}

/// The bytes of a download that have not been written.
private struct PendingPiece: Sendable {
    /// The first chunk: a small body is one chunk, which is not copied.
    private var first = Data()
    /// The bytes of several chunks.
    private var joined = Data()

    var count: Int { first.count + joined.count }
    var isEmpty: Bool { first.isEmpty && joined.isEmpty }

    mutating func append(_ data: Data) {
        guard !isEmpty else {
            first = data
            return
        }
        if !first.isEmpty {
            joined.reserveCapacity(DownloadFile.pieceLength + data.count)
            joined.append(first)
            first = Data()
        }
        joined.append(data)
    }

    /// Returns the bytes, and forgets them.
    mutating func take() -> Data {
        defer { self = PendingPiece() }
        return joined.isEmpty ? first : joined
    }
}

/// The file that stores the entity of a partial file.
///
/// Its methods block.
struct DownloadStateFile: Sendable {
    /// The maximum length of a valid file.
    static let maximumLength = 65_536

    private let path: String
    private let temporaryPath: String
    private let kept: KeptFile

    init(for destination: DownloadPath, kept: KeptFile = KeptFile()) {
        self.kept = kept
        path = destination.sibling(PartFileName.state(for: destination.name))
        temporaryPath = destination.sibling(PartFileName.unique(for: destination.name))
    }

    /// Returns the stored entity, or `nil` if it is missing or invalid.
    func read() -> DownloadEntity? {
        // `O_NONBLOCK`, in case the file is a named pipe.
        guard let descriptor = try? FileCalls.open(path, O_RDONLY | O_NONBLOCK) else { return nil }
        defer { close(descriptor) }
        guard let status = try? FileStatus(descriptor: descriptor), status.isRegular, status.owner == geteuid(),
            status.length <= Self.maximumLength,
            let data = try? FileHandle(fileDescriptor: descriptor).read(upToCount: Self.maximumLength)
        else { return nil }
        return try? JSONDecoder().decode(DownloadEntity.self, from: data)
    }

    /// Writes an entity atomically; returns whether that succeeded.
    func write(_ entity: DownloadEntity) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(entity), data.count <= Self.maximumLength,
            // Readable by the owner only, since the query of the URL may be secret.
            let descriptor = try? FileCalls.open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        else { return false }
        do {
            defer { close(descriptor) }
            kept.mark(temporaryPath)
            try FileCalls.write(data, to: descriptor)
            try FileCalls.flushOnClose(descriptor)
            try FileCalls.move(temporaryPath, to: path, isReplacing: true)
            return true
        } catch {
            _ = unlink(temporaryPath)
            return false
        }
    }

    func remove() { _ = unlink(path) }
}
