import Foundation

/// A download on its way to its destination: what is written stands beside it until ``commit()`` moves it there in one
/// step. Whatever happens before, nothing of it is at the destination.
///
/// One task uses it, one call after the other. Letting go of it before the commit is like ``suspend()``, but for the last
/// few bytes. What keeps a process from ending well, a crash or a loss of power, leaves a hidden file beside the
/// destination.
final class DownloadFile: Sendable {
    /// Pieces that are smaller than this are collected: each write costs a change of threads.
    static let pieceLength = 131_072

    /// How many bytes were there when it was opened, left by an earlier download of the same entity.
    let resumeOffset: Int64
    /// The destination.
    let url: URL

    // Blocking calls do not belong on the threads that run tasks: the queue makes them. The lock is only taken there,
    // so nobody waits for it; it is what shows the compiler that nothing is shared.
    private let file: Locked<PartFile>
    private let queue: DispatchQueue
    private let pending = Locked(Data())

    /// Opens the file to write to, with all checks that can be made before the first byte.
    ///
    /// - Parameters:
    ///   - url: Where the download goes.
    ///   - options: What may be done to get it there.
    ///   - entity: What is going to be written, if it can be continued later.
    /// - Throws: ``DownloadError``
    static func open(
        _ url: URL,
        options: DownloadRequest.Options = [],
        entity: DownloadEntity? = nil
    ) async throws(DownloadError) -> DownloadFile {
        let queue = DispatchQueue(label: "moya.download", qos: .utility)
        return try await run(on: queue) { () throws(DownloadError) in
            DownloadFile(try PartFile.open(url, options: options, entity: entity), to: url, queue)
        }
    }

    init(_ file: PartFile, to url: URL, _ queue: DispatchQueue = DispatchQueue(label: "moya.download")) {
        self.file = Locked(file)
        self.queue = queue
        self.url = url
        resumeOffset = file.length
    }

    deinit {
        queue.async { [file] in file.withLock { $0.suspend() } }
    }

    /// Writes at the end. Small pieces are collected first, so an error may be about an earlier one.
    ///
    /// - Throws: ``DownloadError``
    func write(_ data: Data) async throws(DownloadError) {
        let piece: Data? = pending.withLock { pending in
            if pending.isEmpty, data.count >= Self.pieceLength / 2 { return data }
            if pending.isEmpty { pending.reserveCapacity(Self.pieceLength + data.count) }
            pending.append(data)
            guard pending.count >= Self.pieceLength else { return nil }
            defer { pending = Data() }
            return pending
        }
        guard let piece else { return }
        try await onFile { file throws(DownloadError) in try file.write(piece) }
    }

    /// Writes what has been collected. Returns how many bytes are there: from where to continue.
    ///
    /// - Throws: ``DownloadError``
    @discardableResult
    func flush() async throws(DownloadError) -> Int64 {
        let piece = takePending()
        return try await onFile { file throws(DownloadError) in
            if !piece.isEmpty { try file.write(piece) }
            return file.length
        }
    }

    /// Forgets what has been written: the server sends another entity, from its beginning.
    ///
    /// - Throws: ``DownloadError``
    func startOver(_ entity: DownloadEntity?) async throws(DownloadError) {
        _ = takePending()
        try await onFile { file throws(DownloadError) in try file.startOver(entity) }
    }

    /// Moves the file to its destination. If that fails it is still there to be discarded or suspended.
    ///
    /// - Throws: ``DownloadError``
    func commit() async throws(DownloadError) {
        let piece = takePending()
        try await onFile { file throws(DownloadError) in
            if !piece.isEmpty { try file.write(piece) }
            try file.commit()
        }
    }

    /// Ends a download that broke off: what is there is kept if it can be continued, and removed otherwise.
    func suspend() async {
        let piece = takePending()
        try? await onFile { file throws(DownloadError) in
            if file.keptEntity != nil, !piece.isEmpty { try? file.write(piece) }
            file.suspend()
        }
    }

    /// Ends a download that is not wanted any more, or for which there is no room, and removes what is there.
    func discard() async {
        _ = takePending()
        try? await onFile { file throws(DownloadError) in file.discard() }
    }

    private func takePending() -> Data {
        pending.withLock { pending in
            defer { pending = Data() }
            return pending
        }
    }

    private func onFile<Value: Sendable>(
        _ work: @escaping @Sendable (inout PartFile) throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        try await Self.run(on: queue) { [file] () throws(DownloadError) in
            let result = file.withLock { file in
                Result { () throws(DownloadError) in try work(&file) }
            }
            return try result.get()
        }
    }

    private static func run<Value: Sendable>(
        on queue: DispatchQueue,
        _ work: @escaping @Sendable () throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let result = OneShot<Result<Value, DownloadError>>()
        queue.async { result.fulfil(Result(catching: work)) }
        return try await result.wait().get()
    }
}
