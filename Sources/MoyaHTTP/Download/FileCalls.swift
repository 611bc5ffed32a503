import Foundation

/// The system calls that downloads need, each until it is done or fails with an `errno`. They block.
enum FileCalls {
    /// A system call's failure.
    struct Failure: Error, Equatable {
        let code: Int32
    }

    /// Opens a file, and never one that a symbolic link leads to.
    static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(Failure) -> Int32 {
        try repeating { Foundation.open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode) }
    }

    /// Writes all bytes, in as many calls as it takes.
    static func write(_ data: Data, to descriptor: Int32) throws(Failure) {
        var rest = data
        while !rest.isEmpty {
            // Darwin refuses more than 2 GiB at once.
            let count = try repeating {
                rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, min($0.count, 1 << 24)) }
            }
            // Not what files do; but it must not go on for ever.
            guard count > 0 else { throw Failure(code: EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Cuts a file to no bytes at all, and goes to its beginning.
    static func empty(_ descriptor: Int32) throws(Failure) {
        try repeating { ftruncate(descriptor, 0) }
        try repeating { lseek(descriptor, 0, SEEK_SET) }
    }

    /// Gives a file its final name in one step.
    ///
    /// - Parameters:
    ///   - isReplacing: Whether it takes the place of a file of that name; otherwise that is `EEXIST`.
    ///   - link: The system call `link(2)`, which a few file systems do not have.
    static func move(
        _ path: String,
        to destination: String,
        isReplacing: Bool,
        link: (String, String) -> Int32 = { Foundation.link($0, $1) }
    ) throws(Failure) {
        guard !isReplacing else {
            try repeating { rename(path, destination) }
            return
        }
        do {
            try repeating { link(path, destination) }
            // If this fails the file has two names, and the right one is among them.
            _ = unlink(path)
        } catch  where [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) {
            // FAT, for example, has no hard links. Here a file that is put there between the two calls is replaced.
            guard (try? FileStatus(path: destination)) == nil else { throw Failure(code: EEXIST) }
            try repeating { rename(path, destination) }
        }
    }

    /// Learns of errors that some file systems (NFS) report only when a file is closed, and leaves it open.
    static func flushOnClose(_ descriptor: Int32) throws(Failure) {
        let copy = try repeating { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
        // After a close that was interrupted the descriptor is gone all the same.
        guard close(copy) == 0 || errno == EINTR else { throw Failure(code: errno) }
    }

    /// Makes a call until no signal interrupts it.
    @discardableResult
    static func repeating<Result: FixedWidthInteger>(_ call: () -> Result) throws(Failure) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw Failure(code: code) }
        }
    }
}
