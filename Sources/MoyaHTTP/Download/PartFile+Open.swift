import Foundation

extension PartFile {
    /// Opens a new file that nobody else knows of.
    static func openUnique(_ destination: DownloadPath, isReplacing: Bool) throws(DownloadError) -> PartFile {
        var attempts = 16
        while true {
            let path = destination.sibling(PartFileName.unique(for: destination.name))
            do throws(FileCalls.Failure) {
                let descriptor = try FileCalls.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
                return PartFile(descriptor: descriptor, path: path, destination: destination, isReplacing: isReplacing)
            } catch {
                attempts -= 1
                guard error.code == EEXIST, attempts > 0 else {
                    throw DownloadError(errno: error.code, at: destination.url)
                }
            }
        }
    }

    /// Opens the file that a download before this one may have left, or makes it, and locks it.
    ///
    /// - Returns: `nil` if somebody else is writing it, or if what is there is not trusted: a symbolic link, a pipe, a
    ///   file of another user, one that has a second name. It is left as it is.
    static func openResumable(_ destination: DownloadPath, isReplacing: Bool) -> PartFile? {
        let path = destination.sibling(PartFileName.resumable(for: destination.name))
        for _ in 0..<16 {
            // Without waiting, in case somebody has put a pipe there.
            guard let descriptor = try? FileCalls.open(path, O_RDWR | O_CREAT | O_NONBLOCK, mode: 0o666) else {
                return nil
            }
            switch lock(descriptor, path, destination) {
            case .ours:
                return PartFile(
                    descriptor: descriptor,
                    path: path,
                    destination: destination,
                    isReplacing: isReplacing,
                    stateFile: DownloadStateFile(for: destination)
                )
            case .gone:
                close(descriptor)
            case .notOurs:
                close(descriptor)
                return nil
            }
        }
        return nil
    }

    private enum Lock { case ours, notOurs, gone }

    private static func lock(_ descriptor: Int32, _ path: String, _ destination: DownloadPath) -> Lock {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, let status = try? FileStatus(descriptor: descriptor),
            status.isRegular, status.owner == geteuid()
        else { return .notOurs }
        // Whoever had the lock before may have moved the file to its destination, or removed it.
        guard (try? FileStatus(path: path))?.identity == status.identity else { return .gone }
        guard status.linkCount > 1 else { return .ours }
        // A crash in the middle of a commit leaves the complete file with both names.
        guard (try? FileStatus(path: destination.path))?.identity == status.identity, unlink(path) == 0 else {
            return .notOurs
        }
        return .gone
    }
}
