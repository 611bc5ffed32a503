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
        isSpecial = kind.map { $0 != S_IFREG } ?? false
        if let reason = Self.obstacle(to: url, kind) { throw OutputFileError(file: url, reason: reason) }
    }

    /// Returns the reason why a file of a kind cannot be written; `nil` if it probably can.
    private static func obstacle(to url: URL, _ kind: mode_t?) -> String? {
        if kind == S_IFDIR { return "It is a folder." }
        // A device or a pipe is written in place.
        if let kind, kind != S_IFREG { return nil }
        let folder = url.deletingLastPathComponent().path
        if self.kind(of: folder) != S_IFDIR { return "Its folder does not exist." }
        return FileManager.default.isWritableFile(atPath: folder) ? nil : "Its folder is read-only."
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
