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
    private var descriptor: Int32?

    /// Creates a partial file.
    ///
    /// - Parameters:
    ///   - descriptor: An open file, which the partial file closes.
    ///   - path: The path of the open file.
    ///   - destination: The destination of the download.
    ///   - isReplacing: Whether an existing file at the destination is replaced.
    ///   - stateFile: The state file, if the next download to the destination can resume this file.
    init(
        descriptor: Int32,
        path: String,
        destination: DownloadPath,
        isReplacing: Bool,
        stateFile: DownloadStateFile? = nil
    ) {
        self.descriptor = descriptor
        self.path = path
        self.destination = destination
        self.isReplacing = isReplacing
        self.stateFile = stateFile
        length = 0
    }

    /// Opens a partial file beside the destination, and detects early what would make the download fail.
    ///
    /// `entity` is the entity to write, if the download can be resumed.
    static func open(
        _ url: URL,
        options: DownloadRequest.Options,
        entity: DownloadEntity?
    ) throws(DownloadError) -> PartFile {
        let destination = try DownloadPath(url)
        let isReplacing = options.contains(.removePreviousFile)
        if options.contains(.createIntermediateDirectories) { try destination.makeFolder() }
        try destination.check(isReplacing: isReplacing)
        if options.contains(.resumesWhenInterrupted), let entity,
            var file = openResumable(destination, isReplacing: isReplacing)
        {
            try file.adopt(entity)
            return file
        }
        return try openUnique(destination, isReplacing: isReplacing)
    }

    /// Appends data.
    mutating func write(_ data: Data) throws(DownloadError) {
        let descriptor = try open()
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
        let descriptor = try open()
        do throws(FileCalls.Failure) {
            // Emptied before the new state is written, so that a crash cannot leave the old bytes with the new
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
        let descriptor = try open()
        guard isStillThere(descriptor) else {
            throw FileStatus.isFolder(destination.folder)
                ? .partFileLost(destination.url) : .folderMissing(destination.url)
        }
        try destination.check(isReplacing: isReplacing)
        do throws(FileCalls.Failure) {
            try FileCalls.flushOnClose(descriptor)
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
        // Removed while it is locked, so that no other process opens it.
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
        let descriptor = try open()
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

    private func open() throws(DownloadError) -> Int32 {
        guard let descriptor else { throw .couldNotWrite(destination.url, code: EBADF) }
        return descriptor
    }

    private mutating func close() {
        guard let descriptor else { return }
        // A forked process has a copy of the descriptor until it calls exec. Without unlocking, the copy would keep
        // the lock and block the next download.
        _ = flock(descriptor, LOCK_UN)
        _ = Foundation.close(descriptor)
        self.descriptor = nil
    }
}
