import Foundation

/// A file that a command writes; the initializer checks the file before the command begins.
struct OutputFile: Sendable {
    let url: URL
    /// Whether the file is a device or a pipe, which must not be replaced.
    private let isSpecial: Bool

    /// Creates a value after checking that the file can probably be written.
    init(checking url: URL) throws(OutputFileError) {
        self.url = url
        let kind = Self.kind(of: url.path)
        let folder = url.deletingLastPathComponent()
        isSpecial = kind.map { $0 != S_IFREG } ?? false
        let reason: String? =
            if kind == S_IFDIR {
                "It is a folder."
            } else if isSpecial {
                nil
            } else if Self.kind(of: folder.path) != S_IFDIR {
                "Its folder does not exist."
            } else {
                FileManager.default.isWritableFile(atPath: folder.path) ? nil : "Its folder is read-only."
            }
        if let reason { throw OutputFileError(file: url, reason: reason) }
    }

    func write(_ data: Data) throws(OutputFileError) {
        do {
            try data.write(to: url, options: isSpecial ? [] : .atomic)
        } catch {
            throw OutputFileError(file: url, error)
        }
    }

    /// Returns the kind of the file at a path, or of a symbolic link's target; `nil` if there is no file.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}

/// The error of a file that cannot be written.
struct OutputFileError: Error, CustomStringConvertible {
    let file: URL
    let reason: String

    init(file: URL, reason: String) { (self.file, self.reason) = (file, reason) }

    /// Creates an error from Foundation's error, whose text is for developers.
    init(file: URL, _ error: any Error) {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let reason = cause.flatMap { $0.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32($0.code))) : nil }
        self.init(file: file, reason: reason.map { "\($0)." } ?? "The system refuses it.")
    }

    var description: String { "The file \(TerminalText(file.relativePath).text) can't be written. \(reason)" }
}
