import Foundation

/// A new file that is being written.
///
/// It is removed unless it is finished.
final class NewFile {
    private let url: URL
    private var descriptor: Int32?

    /// Creates the file atomically, so that no existing file is overwritten.
    init(_ url: URL) throws(MultipartError) {
        guard url.isFileURL else { throw .notAFileURL(url) }
        self.url = url
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = url.withUnsafeFileSystemRepresentation { $0.map { open($0, flags, 0o666) } ?? -1 }
        guard descriptor >= 0 else {
            throw errno == EEXIST ? .fileExists(url) : .notWritable(url, code: errno)
        }
        self.descriptor = descriptor
    }

    deinit {
        guard let descriptor else { return }
        close(descriptor)
        remove()
    }

    /// Appends bytes.
    func write(_ data: Data) throws(MultipartError) {
        guard let descriptor else { return }
        let code = data.withUnsafeBytes { bytes -> Int32? in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
        if let code { throw .notWritable(url, code: code) }
    }

    /// Closes the file and keeps it.
    func finish() throws(MultipartError) {
        guard let descriptor else { return }
        self.descriptor = nil
        guard close(descriptor) == 0 else {
            let code = errno
            remove()
            throw .notWritable(url, code: code)
        }
    }

    private func remove() {
        url.withUnsafeFileSystemRepresentation { if let path = $0 { _ = unlink(path) } }
    }
}
