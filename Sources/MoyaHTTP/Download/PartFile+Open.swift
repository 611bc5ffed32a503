import Foundation

extension PartFile {
    /// Opens a new file with a unique name.
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

    /// Opens and locks the partial file of an earlier download, or creates it.
    ///
    /// It returns `nil`, and leaves the file unchanged, if another process is writing it or if it is not trusted: a
    /// symbolic link, a pipe, a file of another user, or one with several links.
    static func openResumable(_ destination: DownloadPath, isReplacing: Bool) -> PartFile? {
        let path = destination.sibling(PartFileName.resumable(for: destination.name))
        for _ in 0..<16 {
            // `O_NONBLOCK`, in case the file is a named pipe.
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
