import Foundation

/// The partial file of a download, beside its destination.
///
/// Its methods block.
struct PartFile: Sendable {
    /// The number of bytes in the file.
    private(set) var length: Int64
    /// The entity of the bytes, if they are kept when the file is closed early.
    private(set) var keptEntity: DownloadEntity?

    private let destination: DownloadPath
    private let isReplacing: Bool
    private let path: String
    private let stateFile: DownloadStateFile?
    private let kept: KeptFile
    private var descriptor: Int32?

    var isOpen: Bool { descriptor != nil }

    /// Creates a partial file.
    ///
    /// - Parameters:
    ///   - descriptor: An open file, which the partial file closes.
    ///   - path: The path of the open file.
    ///   - destination: The destination of the download.
    ///   - isReplacing: Whether an existing file at the destination is replaced.
    ///   - stateFile: The state file, if the next download to the destination can resume this file.
    ///   - kept: Sets the attributes of the file while it is not complete.
    init(
        descriptor: Int32,
        path: String,
        destination: DownloadPath,
        isReplacing: Bool,
        stateFile: DownloadStateFile? = nil,
        kept: KeptFile = KeptFile()
    ) {
        self.descriptor = descriptor
        self.path = path
        self.destination = destination
        self.isReplacing = isReplacing
        self.stateFile = stateFile
        self.kept = kept
        length = 0
        kept.mark(path)
    }

    /// Opens a partial file beside the destination, after checks that make a failing download fail early.
    ///
    /// `entity` is the entity to write, if the download can be resumed.
    static func open(
        _ url: URL,
        options: DownloadRequest.Options,
        entity: DownloadEntity?,
        kept: KeptFile = KeptFile()
    ) throws(DownloadError) -> PartFile {
        let destination = try DownloadPath(url)
        let isReplacing = options.contains(.removePreviousFile)
        if options.contains(.createIntermediateDirectories) { try destination.makeFolder() }
        try destination.check(isReplacing: isReplacing)
        if options.contains(.resumesWhenInterrupted), let entity,
            var file = openResumable(destination, isReplacing: isReplacing, kept)
        {
            try file.adopt(entity)
            return file
        }
        return try openUnique(destination, isReplacing: isReplacing, kept)
    }

    /// Appends data.
    mutating func write(_ data: Data) throws(DownloadError) {
        let descriptor = try openDescriptor()
        do throws(FileCalls.Failure) {
            try FileCalls.write(data, to: descriptor)
            length += Int64(data.count)
        } catch {
            // Some of the data may have been written.
            length = (try? FileStatus(descriptor: descriptor).length) ?? length
            throw DownloadError(errno: error.code, at: destination.url)
        }
    }

    /// Empties the file, for another entity.
    mutating func startOver(_ entity: DownloadEntity?) throws(DownloadError) {
        let descriptor = try openDescriptor()
        do throws(FileCalls.Failure) {
            // The file is emptied before the new state is written, so that a crash cannot leave the old bytes with the new
            // state.
            try FileCalls.empty(descriptor)
        } catch {
            throw DownloadError(errno: error.code, at: destination.url)
        }
        length = 0
        keptEntity = nil
        guard let stateFile else { return }
        if let entity, stateFile.write(entity) {
            keptEntity = entity
        } else {
            stateFile.remove()
        }
    }

    /// Moves the file to its destination atomically, and closes it.
    mutating func commit() throws(DownloadError) {
        let descriptor = try openDescriptor()
        guard isStillThere(descriptor) else {
            throw FileStatus.isFolder(destination.folder)
                ? .partFileLost(destination.url) : .folderMissing(destination.url)
        }
        try destination.check(isReplacing: isReplacing)
        do throws(FileCalls.Failure) {
            try FileCalls.flushOnClose(descriptor)
            // The attributes change before the move, because the application may use the file afterwards.
            kept.release(path, destination.folder)
            try FileCalls.move(path, to: destination.path, isReplacing: isReplacing)
        } catch {
            throw DownloadError(errno: error.code, at: destination.url)
        }
        stateFile?.remove()
        close()
    }

    /// Closes the file.
    ///
    /// It is kept if a later download can resume it, and removed otherwise.
    mutating func suspend() {
        if keptEntity == nil || length == 0 { discard() } else { close() }
    }

    /// Removes the file.
    mutating func discard() {
        guard let descriptor else { return }
        // The file is removed while it is locked, so that no other process opens it.
        if isStillThere(descriptor) {
            _ = unlink(path)
            stateFile?.remove()
        }
        close()
    }

    /// Returns whether the path still refers to the open file.
    private func isStillThere(_ descriptor: Int32) -> Bool {
        guard let present = try? FileStatus(path: path) else { return false }
        return present.identity == (try? FileStatus(descriptor: descriptor))?.identity
    }

    private mutating func adopt(_ entity: DownloadEntity) throws(DownloadError) {
        let descriptor = try openDescriptor()
        if let status = try? FileStatus(descriptor: descriptor), status.length > 0,
            let kept = stateFile?.read(), kept.isSame(as: entity),
            status.length <= entity.totalLength ?? kept.totalLength ?? Int64.max,
            lseek(descriptor, 0, SEEK_END) == status.length
        {
            length = status.length
            keptEntity = entity
        } else {
            try startOver(entity)
        }
    }

    private func openDescriptor() throws(DownloadError) -> Int32 {
        guard let descriptor else { throw .couldNotWrite(destination.url, code: EBADF) }
        return descriptor
    }

    private mutating func close() {
        guard let descriptor else { return }
        // A forked process has a copy of the descriptor until it calls exec. Without unlocking, the copy would keep
        // the lock and block the next download. Files that cannot be resumed are not locked.
        if stateFile != nil { _ = flock(descriptor, LOCK_UN) }
        _ = Foundation.close(descriptor)
        self.descriptor = nil
    }
}

extension PartFile {
    /// Opens a new file with a unique name.
    static func openUnique(
        _ destination: DownloadPath,
        isReplacing: Bool,
        _ kept: KeptFile = KeptFile()
    ) throws(DownloadError) -> PartFile {
        var attempts = 16
        while true {
            let path = destination.sibling(PartFileName.unique(for: destination.name))
            do throws(FileCalls.Failure) {
                let descriptor = try FileCalls.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
                return PartFile(
                    descriptor: descriptor,
                    path: path,
                    destination: destination,
                    isReplacing: isReplacing,
                    kept: kept
                )
            } catch {
                attempts -= 1
                guard error.code == EEXIST, attempts > 0 else {
                    throw DownloadError(errno: error.code, at: destination.url)
                }
            }
        }
    }

    /// Opens and locks the partial file of an earlier download, or creates it.
    ///
    /// It returns `nil`, and leaves the file unchanged, if another process is writing it or if it is not trusted: a
    /// symbolic link, a pipe, a file of another user, or one with several links.
    static func openResumable(
        _ destination: DownloadPath,
        isReplacing: Bool,
        _ kept: KeptFile = KeptFile()
    ) -> PartFile? {
        let path = destination.sibling(PartFileName.resumable(for: destination.name))
        for _ in 0..<16 {
            // `O_NONBLOCK`, in case the file is a named pipe.
            guard let descriptor = try? FileCalls.open(path, O_RDWR | O_CREAT | O_NONBLOCK, mode: 0o666) else {
                return nil
            }
            switch lock(descriptor, path: path, destination: destination) {
            case .ours:
                return PartFile(
                    descriptor: descriptor,
                    path: path,
                    destination: destination,
                    isReplacing: isReplacing,
                    stateFile: DownloadStateFile(for: destination, kept: kept),
                    kept: kept
                )
            case .gone:
                _ = Foundation.close(descriptor)
            case .notOurs:
                _ = Foundation.close(descriptor)
                return nil
            }
        }
        return nil
    }

    private enum Lock { case ours, notOurs, gone }

    private static func lock(_ descriptor: Int32, path: String, destination: DownloadPath) -> Lock {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, let status = try? FileStatus(descriptor: descriptor),
            status.isRegular, status.owner == geteuid()
        else { return .notOurs }
        // The previous owner of the lock may have moved the file to its destination, or removed it.
        guard (try? FileStatus(path: path))?.identity == status.identity else { return .gone }
        guard status.linkCount > 1 else { return .ours }
        // A crash during a commit leaves the complete file with both names.
        guard (try? FileStatus(path: destination.path))?.identity == status.identity, unlink(path) == 0 else {
            return .notOurs
        }
        return .gone
    }
}
