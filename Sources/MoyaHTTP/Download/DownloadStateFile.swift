import Foundation

/// Keeps what a part file is a part of, beside it. Blocks.
struct DownloadStateFile: Equatable, Sendable {
    /// Longer ones are not ours.
    static let maximumLength = 65_536

    private let path: String
    private let temporaryPath: String

    init(for destination: DownloadPath) {
        path = destination.sibling(PartFileName.state(for: destination.name))
        temporaryPath = destination.sibling(PartFileName.unique(for: destination.name))
    }

    /// What is kept, or `nil` if there is nothing or nothing of sense.
    func read() -> DownloadEntity? {
        // Without waiting, in case somebody has put a pipe there.
        guard let descriptor = try? FileCalls.open(path, O_RDONLY | O_NONBLOCK) else { return nil }
        defer { close(descriptor) }
        guard let status = try? FileStatus(descriptor: descriptor), status.isRegular, status.owner == geteuid(),
            status.length <= Self.maximumLength,
            let data = try? FileHandle(fileDescriptor: descriptor).read(upToCount: Self.maximumLength)
        else { return nil }
        return try? JSONDecoder().decode(DownloadEntity.self, from: data)
    }

    /// Keeps an entity, in one step. Returns whether that was possible.
    func write(_ entity: DownloadEntity) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(entity), data.count <= Self.maximumLength,
            // Its owner's only: the query of the URL may be secret.
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
