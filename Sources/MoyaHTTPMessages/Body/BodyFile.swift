import Foundation

/// An open file that supplies a body.
///
/// It is closed on deinitialization.
final class BodyFile: Sendable {
    /// The reason why a file cannot be sent.
    enum Fault: Error, Equatable {
        case unsuitable(RequestBodyError.Reason)
        case system(Int32)
    }

    /// The size when the file was opened, in bytes.
    let size: Int64
    private let descriptor: Int32

    /// Opens a regular file for reading.
    init(_ url: URL) throws(Fault) {
        guard url.isFileURL else { throw .unsuitable(.notAFileURL) }
        // The type is checked before opening, since opening a device may have side effects. `O_NONBLOCK` avoids
        // waiting if a named pipe has replaced the file in between.
        let opened = url.withUnsafeFileSystemRepresentation { path -> Result<(Int32, stat), Fault> in
            guard let path else { return .failure(.unsuitable(.missing)) }
            var status = stat()
            guard stat(path, &status) == 0 else { return .failure(Fault(errno)) }
            if let reason = Self.unsuitability(status) { return .failure(.unsuitable(reason)) }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return .failure(Fault(errno)) }
            guard fstat(descriptor, &status) == 0 else {
                let code = errno
                close(descriptor)
                return .failure(Fault(code))
            }
            return .success((descriptor, status))
        }
        let status: stat
        (descriptor, status) = try opened.get()
        size = Int64(status.st_size)
        if let reason = Self.unsuitability(status) { throw .unsuitable(reason) }
    }

    deinit { close(descriptor) }

    /// The current size in bytes, or the size when the file was opened if it cannot be determined.
    var currentSize: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : size
    }

    /// Reads the next bytes.
    ///
    /// Returns their number, 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, Fault> {
        guard let address = buffer.baseAddress else { return .success(0) }
        while true {
            let count = Foundation.read(descriptor, address, buffer.count)
            if count >= 0 { return .success(count) }
            if errno != EINTR { return .failure(Fault(errno)) }
        }
    }

    /// Returns whether the end has been reached.
    func isAtEnd() -> Result<Bool, Fault> {
        var byte: UInt8 = 0
        return withUnsafeMutableBytes(of: &byte) { read(into: $0) }.map { $0 == 0 }
    }

    private static func unsuitability(_ status: stat) -> RequestBodyError.Reason? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: .isDirectory
        default: .notARegularFile
        }
    }
}

extension BodyFile.Fault {
    init(_ code: Int32) {
        switch code {
        case ENOENT, ENOTDIR: self = .unsuitable(.missing)
        case EACCES, EPERM: self = .unsuitable(.notReadable)
        default: self = .system(code)
        }
    }

    func error(part: String?, file: URL) -> RequestBodyError {
        switch self {
        case .unsuitable(let reason):
            RequestBodyError(reason, part: part, file: file)
        case .system(let code):
            RequestBodyError(
                .failed,
                part: part,
                file: file,
                underlyingError: NSError(domain: NSPOSIXErrorDomain, code: Int(code))
            )
        }
    }
}
