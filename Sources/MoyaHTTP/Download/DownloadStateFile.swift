import Foundation

/// The file that stores the entity of a partial file.
///
/// Its methods block.
struct DownloadStateFile: Equatable, Sendable {
    /// The maximum length of a valid file.
    static let maximumLength = 65_536

    private let path: String
    private let temporaryPath: String

    init(for destination: DownloadPath) {
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
