import Foundation

/// The destination and the options of downloads.
///
/// The name comes from Alamofire, where it is a class of requests: targets and code for Moya 15 write
/// `DownloadRequest.Destination` and `DownloadRequest.Options`. Here a download is a ``Request``, so this type has no values.
public enum DownloadRequest {
    /// A function that returns the destination of a download.
    ///
    /// It is called once, after the head of the response and before the first byte of the body: the file at
    /// `temporaryURL` does not exist yet. The body is written beside `destinationURL` and moved there atomically
    /// when it is complete. To read the body once and discard the file, return `temporaryURL`.
    @preconcurrency
    public typealias Destination =
        @Sendable (
            _ temporaryURL: URL,
            _ response: HTTPURLResponse
        ) -> (destinationURL: URL, options: Options)

    /// The options for saving a download.
    public struct Options: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Creates the parent folders of the destination.
        ///
        /// Without this option, a missing folder causes ``DownloadError/folderMissing(_:)``.
        public static let createIntermediateDirectories = Options(rawValue: 1 << 0)
        /// Replaces an existing file atomically when the download is complete.
        ///
        /// Without this option, an existing file causes ``DownloadError/fileExists(_:)``. Folders are never
        /// replaced.
        public static let removePreviousFile = Options(rawValue: 1 << 1)
        /// Keeps the data of an interrupted download and resumes it: immediately after a lost connection, and when
        /// the same URL is downloaded to the same destination again, also by another process.
        ///
        /// The server must send a strong entity tag or date (RFC 9110, section 8.8) and support range requests
        /// (section 14); otherwise the download restarts. The URL is the one that the caller requested: adapters may
        /// sign it, and a redirect may lead to a signed URL, differently each time. If the URL of a redirect is
        /// refused when the rest is requested, the redirect is followed again. The data is in `.name.part` beside the destination.
        /// `.name.part.json` contains its origin, including the request's URL with its query, and is readable by
        /// its owner only. Both files exist until the download is resumed.
        ///
        /// The partial file is locked until the download ends. iOS ends an application that is suspended while it has locked a
        /// file in the shared container of an app group (`0xdead10cc`): choose a destination outside of it.
        public static let resumesWhenInterrupted = Options(rawValue: 1 << 2)
    }

    /// Returns a destination in one of the user's folders, with the name that the server suggests.
    ///
    /// The name is that of `Content-Disposition` (RFC 6266), otherwise the last path component of the URL. It is
    /// sanitized: it cannot lead out of the folder and is not a hidden file. If the folder does not exist, the
    /// destination is the temporary URL.
    ///
    /// - Parameters:
    ///   - directory: The folder to search for.
    ///   - domain: The domain to search; the first result is used.
    ///   - options: The options for saving the download.
    /// - Returns: The destination.
    public static func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        in domain: FileManager.SearchPathDomainMask = .userDomainMask,
        options: Options = []
    ) -> Destination {
        { temporaryURL, response in
            guard let folder = FileManager.default.urls(for: directory, in: domain).first else {
                return (temporaryURL, options)
            }
            return (suggestedURL(in: folder, for: response), options)
        }
    }

    /// Returns a destination in a folder, with the sanitized name that the server suggests.
    ///
    /// - Parameters:
    ///   - folder: A file URL. Otherwise the download fails with ``DownloadError/invalidDestination(_:)``.
    ///   - options: The options for saving the download.
    /// - Returns: The destination.
    public static func suggestedDownloadDestination(in folder: URL, options: Options = []) -> Destination {
        { _, response in (suggestedURL(in: folder, for: response), options) }
    }

    private static func suggestedURL(in folder: URL, for response: HTTPURLResponse) -> URL {
        folder.appendingPathComponent(ServerFileName.suggested(by: response), isDirectory: false)
    }
}
