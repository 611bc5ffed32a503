import Foundation

/// The file that a download is written into, beside its destination. What it does blocks.
struct PartFile: Sendable {
    /// How many bytes are in it.
    private(set) var length: Int64
    /// What the bytes are a part of, if they are kept when the file is closed before its end.
    private(set) var keptEntity: DownloadEntity?

    private let destination: DownloadPath
    private let isReplacing: Bool
    private let path: String
    private let stateFile: DownloadStateFile?
    private var descriptor: Int32?

    /// - Parameters:
    ///   - descriptor: An open file, which it closes.
    ///   - stateFile: If the path is the one that the next download to the destination looks at.
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

    /// Opens a file beside the destination, and finds out at once what would stand in its way in the end.
    ///
    /// - Parameter entity: What is going to be written, if it can be continued later.
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

    /// Writes at the end.
    mutating func write(_ data: Data) throws(DownloadError) {
        let descriptor = try open()
        do throws(FileCalls.Failure) {
            try FileCalls.write(data, to: descriptor)
            length += Int64(data.count)
        } catch {
            // Some of it may have been written.
            length = (try? FileStatus(descriptor: descriptor).length) ?? length
            throw DownloadError(errno: error.code, at: destination.url)
        }
    }

    /// Forgets what has been written; what comes now is another entity.
    mutating func startOver(_ entity: DownloadEntity?) throws(DownloadError) {
        let descriptor = try open()
        do throws(FileCalls.Failure) {
            // Before the new state is written: a crash in between must not leave the old bytes beside it.
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

    /// Moves the file to its destination in one step, and closes it.
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

    /// Closes the file. It stays for a later download if that can continue it, and is removed otherwise.
    mutating func suspend() {
        if keptEntity == nil || length == 0 { discard() } else { close() }
    }

    /// Removes the file.
    mutating func discard() {
        guard let descriptor else { return }
        // While it is locked, lest somebody open what is about to go.
        if isStillThere(descriptor) {
            _ = unlink(path)
            stateFile?.remove()
        }
        close()
    }

    /// Whether the path still leads to the file that is open.
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
        // A process that is just being started has a copy of the descriptor until it runs its program: closing alone would
        // leave the lock to that, and keep the next download out.
        _ = flock(descriptor, LOCK_UN)
        _ = Foundation.close(descriptor)
        self.descriptor = nil
    }
}
