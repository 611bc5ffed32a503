import Foundation

/// A download that could not be put where it belongs. Each case names the destination.
///
/// It stands in `MoyaError.underlying` directly. Nothing is left at the destination: what was there before is there
/// still.
public enum DownloadError: Error, Equatable, Sendable {
    /// There is something at the destination, and ``DownloadRequest/Options/removePreviousFile`` is not among the
    /// options.
    case fileExists(URL)
    /// The destination's folder is missing or no folder, and could not be made or
    /// ``DownloadRequest/Options/createIntermediateDirectories`` is not among the options.
    case folderMissing(URL)
    /// The disk is full, or the user's share of it is (`ENOSPC`, `EDQUOT`).
    case diskFull(URL)
    /// The folder may not be written to (`EACCES`, `EPERM`), or its disk is read-only (`EROFS`).
    case notWritable(URL)
    /// The destination cannot be a file in a folder: not a file URL, not absolute, without a name, with one too long,
    /// or with a device or the like at its place.
    case invalidDestination(URL)
    /// The destination is a folder; folders are never replaced.
    case destinationIsFolder(URL)
    /// The file is larger than the file system or the process's limit allows (`EFBIG`).
    case tooLarge(URL)
    /// The file that was being written beside the destination has been removed or replaced by somebody else.
    case partFileLost(URL)
    /// Anything else that the system reports, with the error's number (`errno`).
    case couldNotWrite(URL, code: Int32)
}

extension DownloadError {
    /// The error for what a system call reports. Pure.
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

extension DownloadError: LocalizedError {
    /// What is wrong and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .fileExists(let url):
            "The download cannot be saved as \(name(url)): there is something of that name already. Choose another "
                + "name, or allow it to be replaced with removePreviousFile."
        case .folderMissing(let url):
            "The download cannot be saved as \(name(url)): its folder is missing or is no folder. Make the folder, or "
                + "have it made with createIntermediateDirectories."
        case .diskFull(let url):
            "The download cannot be saved as \(name(url)): the disk is full. Free some space and try again."
        case .notWritable(let url):
            "The download cannot be saved as \(name(url)): its folder may not be written to. Choose another folder, or "
                + "change the permissions of this one."
        case .invalidDestination(let url):
            "A download cannot be saved as \(name(url)): the destination has to be the file URL of a file in a folder."
        case .destinationIsFolder(let url):
            "The download cannot be saved as \(name(url)): that is a folder, and folders are not replaced. Add a file "
                + "name."
        case .tooLarge(let url):
            "The download cannot be saved as \(name(url)): files as large as this are not allowed there."
        case .partFileLost(let url):
            "The download cannot be saved as \(name(url)): what was written beside it has been removed or replaced. "
                + "Try again."
        case .couldNotWrite(let url, let code):
            "The download cannot be saved as \(name(url)): \(String(cString: strerror(code))) (\(code))."
        }
    }

    /// The path; of anything but a file the URL without what may be secret in it.
    private func name(_ url: URL) -> String {
        guard url.isFileURL else { return "\"\(url.withoutCredentials.absoluteString.prefix { !"?#".contains($0) })\"" }
        return "\"\(url.path(percentEncoded: false))\""
    }
}
