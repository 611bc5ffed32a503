import Foundation

/// An error for a download that could not be saved.
///
/// Each case contains the destination, which has not been changed. A provider's caller finds the error in `MoyaError.underlying`
/// directly.
public enum DownloadError: Error, Equatable, Sendable {
    /// The destination exists, and the options do not include ``DownloadRequest/Options/removePreviousFile``.
    case fileExists(URL)
    /// The destination's folder is missing or not a folder, and could not be created, or the options do not include
    /// ``DownloadRequest/Options/createIntermediateDirectories``.
    case folderMissing(URL)
    /// The disk is full, or the user's quota is exceeded (`ENOSPC`, `EDQUOT`).
    case diskFull(URL)
    /// The folder is not writable (`EACCES`, `EPERM`), or the disk is read-only (`EROFS`).
    case notWritable(URL)
    /// The destination cannot be a file in a folder: it is not an absolute file URL, its name is missing or too
    /// long, or a device or another special file exists there.
    case invalidDestination(URL)
    /// The destination is a folder; folders are never replaced.
    case destinationIsFolder(URL)
    /// The file exceeds the limit of the file system or of the process (`EFBIG`).
    case tooLarge(URL)
    /// The temporary file beside the destination was removed or replaced by another process.
    case partFileLost(URL)
    /// Another system error; the code is an `errno`.
    case couldNotWrite(URL, code: Int32)
}

extension DownloadError {
    /// Creates an error from the `errno` of a system call.
    init(errno code: Int32, at destination: URL) {
        switch code {
        case EEXIST: self = .fileExists(destination)
        case ENOENT, ENOTDIR: self = .folderMissing(destination)
        case ENOSPC, EDQUOT: self = .diskFull(destination)
        case EACCES, EPERM, EROFS: self = .notWritable(destination)
        case EISDIR: self = .destinationIsFolder(destination)
        case EFBIG: self = .tooLarge(destination)
        case ENAMETOOLONG: self = .invalidDestination(destination)
        default: self = .couldNotWrite(destination, code: code)
        }
    }
}

extension DownloadError: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        switch self {
        case .fileExists(let url):
            "The download cannot be saved as \(name(url)): the destination exists already. Choose another "
                + "name, or allow replacing it with removePreviousFile."
        case .folderMissing(let url):
            "The download cannot be saved as \(name(url)): its folder is missing or not a folder. Create it, or "
                + "use the option createIntermediateDirectories."
        case .diskFull(let url):
            "The download cannot be saved as \(name(url)): the disk is full. Free some space and try again."
        case .notWritable(let url):
            "The download cannot be saved as \(name(url)): its folder is not writable. Choose another folder, or "
                + "change the permissions of this one."
        case .invalidDestination(let url):
            "A download cannot be saved as \(name(url)): the destination must be the file URL of a file in a folder."
        case .destinationIsFolder(let url):
            "The download cannot be saved as \(name(url)): it is a folder, and folders are not replaced. Add a file "
                + "name."
        case .tooLarge(let url):
            "The download cannot be saved as \(name(url)): the file exceeds the maximum size there."
        case .partFileLost(let url):
            "The download cannot be saved as \(name(url)): its temporary file has been removed or replaced. "
                + "Try again."
        case .couldNotWrite(let url, let code):
            "The download cannot be saved as \(name(url)): \(String(cString: strerror(code))) (\(code))."
        }
    }

    /// Returns the path of a file URL, or any other URL without possible secrets.
    private func name(_ url: URL) -> String {
        guard url.isFileURL else { return "\"\(url.withoutCredentials.absoluteString.prefix { !"?#".contains($0) })\"" }
        return "\"\(url.path(percentEncoded: false))\""
    }
}
