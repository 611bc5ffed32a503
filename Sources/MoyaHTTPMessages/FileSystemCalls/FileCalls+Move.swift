import Foundation

extension FileCalls {
    /// The system calls that rename a file unless the new name exists; tests replace the calls.
    package struct ExclusiveMove: Sendable {
        /// Renames a file in one step: `renameat2` with `RENAME_NOREPLACE` on Linux, `renamex_np` with `RENAME_EXCL` on Darwin.
        var rename: @Sendable (_ path: String, _ destination: String) -> Int32 = { FileCalls.renameExclusively($0, $1) }
        /// Gives a file a second name.
        var link: @Sendable (_ path: String, _ destination: String) -> Int32 = { Foundation.link($0, $1) }

        package init() {}
    }

    /// The errors that a file system or a kernel reports for a call it does not support.
    static let unsupported: Set<Int32> = [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP]

    /// Renames a file atomically.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - destination: The new path.
    ///   - isReplacing: Whether an existing file is replaced; otherwise the call fails with `EEXIST`.
    ///   - calls: The system calls for a move that replaces nothing.
    /// - Throws: ``Failure``.
    package static func move(
        _ path: String,
        to destination: String,
        isReplacing: Bool,
        calls: ExclusiveMove = ExclusiveMove()
    ) throws(Failure) {
        guard !isReplacing else {
            try repeating { rename(path, destination) }
            return
        }
        do {
            try repeating { calls.rename(path, destination) }
        } catch  where unsupported.contains(error.code) {
            try linkAndUnlink(path, destination, calls: calls)
        }
    }

    /// Writes data to an open temporary file, and moves the file to a path atomically; if that fails, removes the temporary file.
    ///
    /// - Parameters:
    ///   - path: The path, at which a file may exist.
    ///   - data: The content.
    ///   - temporary: The path of the temporary file, in the same folder.
    ///   - descriptor: The temporary file, which the caller closes.
    /// - Throws: ``Failure``.
    package static func replace(
        _ path: String,
        with data: Data,
        by temporary: String,
        _ descriptor: Int32
    ) throws(Failure) {
        do throws(Failure) {
            try write(data, to: descriptor)
            try flush(descriptor)
            // Some file systems report write errors only when the file is closed.
            try flushOnClose(descriptor)
            try move(temporary, to: path, isReplacing: true)
        } catch {
            _ = unlink(temporary)
            throw error
        }
    }

    private static func linkAndUnlink(_ path: String, _ destination: String, calls: ExclusiveMove) throws(Failure) {
        do {
            try repeating { calls.link(path, destination) }
            // If this fails, the file has two names, including the correct one.
            _ = unlink(path)
        } catch  where unsupported.union([EPERM, EMLINK]).contains(error.code) {
            // Some file systems, such as FAT, have no hard links. A file that is created between the two calls is replaced.
            guard (try? FileStatus(path: destination)) == nil else { throw Failure(code: EEXIST) }
            try repeating { rename(path, destination) }
        }
    }

    /// Renames a file in one step unless the new name exists; fails with `ENOSYS` if the system has no such call.
    private static func renameExclusively(_ path: String, _ destination: String) -> Int32 {
        #if canImport(Darwin)
        return renamex_np(path, destination, UInt32(RENAME_EXCL))
        #else
        guard let renameat2 else {
            errno = ENOSYS
            return -1
        }
        let noReplace: UInt32 = 1
        return renameat2(AT_FDCWD, path, AT_FDCWD, destination, noReplace)
        #endif
    }

    #if !canImport(Darwin)
    private typealias RenameAt2 =
        @convention(c) @Sendable (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// The function of glibc 2.28 and later, which the headers declare only with GNU extensions.
    private static let renameat2 = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: RenameAt2.self) }
    #endif
}
