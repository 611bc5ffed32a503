import Foundation

/// System calls for the files of downloads and caches.
///
/// A call blocks, is repeated after a signal, and throws its `errno`.
package enum FileCalls {
    /// The failure of a system call.
    package struct Failure: Error, Equatable {
        package let code: Int32

        package init(code: Int32) { self.code = code }
    }

    /// The calls of a cache's store; tests replace them, to imitate a full disk or a process with too many open files.
    package struct Replaceable: Sendable {
        package var names: @Sendable (_ folder: String) throws(Failure) -> [String] = { folder throws(Failure) in
            try FileCalls.names(in: folder)
        }
        package var open: @Sendable (_ path: String) throws(Failure) -> Int32 = { path throws(Failure) in
            // `O_NONBLOCK`, in case the file is a named pipe.
            try FileCalls.open(path, O_RDONLY | O_NONBLOCK)
        }
        package var create: @Sendable (_ path: String) throws(Failure) -> Int32 = { path throws(Failure) in
            try FileCalls.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        }
        package var write: @Sendable (Data, _ descriptor: Int32) throws(Failure) -> Void = {
            data,
            descriptor throws(Failure) in
            try FileCalls.write(data, to: descriptor)
        }
        package var move: @Sendable (_ path: String, _ destination: String) throws(Failure) -> Void = {
            path,
            destination throws(Failure) in
            try FileCalls.move(path, to: destination, isReplacing: true)
        }

        package init() {}
    }

    /// Opens a file without following symbolic links.
    package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(Failure) -> Int32 {
        try repeating { Foundation.open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode) }
    }

    /// Writes all bytes, with several calls if necessary.
    package static func write(_ data: Data, to descriptor: Int32) throws(Failure) {
        var rest = data
        while !rest.isEmpty {
            // Darwin rejects more than 2 GiB at once.
            let count = try repeating {
                rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, min($0.count, 1 << 24)) }
            }
            // A file accepts at least one byte; if it accepts none, the loop must end.
            guard count > 0 else { throw Failure(code: EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Truncates a file, and moves its position to the start.
    package static func empty(_ descriptor: Int32) throws(Failure) { try shorten(descriptor, to: 0) }

    /// Truncates a file to a length, and moves its position to the end.
    package static func shorten(_ descriptor: Int32, to length: Int64) throws(Failure) {
        try repeating { ftruncate(descriptor, off_t(length)) }
        try repeating { lseek(descriptor, off_t(length), SEEK_SET) }
    }

    /// Returns the names in a folder, without `.` and `..`, in any order.
    package static func names(in folder: String) throws(Failure) -> [String] {
        let descriptor = try open(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
        guard let stream = fdopendir(descriptor) else {
            let code = errno
            close(descriptor)
            throw Failure(code: code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw Failure(code: errno) }
        return names
    }

    /// Throws the errors that some file systems (NFS) report only in `close`, and keeps the file open.
    package static func flushOnClose(_ descriptor: Int32) throws(Failure) {
        let copy = try repeating { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
        // An interrupted close has closed the descriptor nevertheless.
        guard close(copy) == 0 || errno == EINTR else { throw Failure(code: errno) }
    }

    /// Repeats a call while it is interrupted by signals.
    @discardableResult
    package static func repeating<Result: FixedWidthInteger>(_ call: () -> Result) throws(Failure) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw Failure(code: code) }
        }
    }
}
