import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The names that belong to downloads: where one goes, and what may be done to get it there.
public enum DownloadRequest {
    /// Says where a download goes.
    ///
    /// It is called once, when the head of the answer is there and before the first byte of the body is written: the
    /// file at `temporaryURL` does not exist yet. The body is written beside `destinationURL` and moved there in one
    /// step when it is complete. To read the body once and forget it, return `temporaryURL`.
    @preconcurrency
    public typealias Destination =
        @Sendable (
            _ temporaryURL: URL,
            _ response: HTTPURLResponse
        ) -> (destinationURL: URL, options: Options)

    /// What may be done to get a download to its destination.
    public struct Options: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Makes options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Makes the folders that lead to the destination. Without it a missing folder is
        /// ``DownloadError/folderMissing(_:)``.
        public static let createIntermediateDirectories = Options(rawValue: 1 << 0)
        /// Replaces a file that is at the destination, in one step and only when the download is complete. Without it
        /// such a file is ``DownloadError/fileExists(_:)``. A folder is never replaced.
        public static let removePreviousFile = Options(rawValue: 1 << 1)
        /// Keeps what has arrived when the download breaks off, so that it continues from there: at once after a lost
        /// connection, and when the same URL is downloaded to the same destination again, also by another process.
        ///
        /// It needs a server that gives a strong entity tag or date (RFC 9110, section 8.8) and answers range requests
        /// (section 14); otherwise the download starts at the beginning. The bytes wait in `.name.part` beside the
        /// destination, and `.name.part.json` says what they are a part of: the request's URL with its query, readable
        /// by its owner only. Both stay until the download is continued.
        public static let resumesWhenInterrupted = Options(rawValue: 1 << 2)
    }

    /// A destination in one of the user's folders, under the name that the server suggests.
    ///
    /// The name is the one in `Content-Disposition` (RFC 6266), otherwise the last part of the URL's path. It is made
    /// safe: it cannot lead out of the folder, and is no hidden file. Where there is no such folder the download stays
    /// at the temporary URL.
    ///
    /// - Parameters:
    ///   - directory: Which folder.
    ///   - domain: Where to look for it; the first one found is taken.
    ///   - options: What may be done to get the download there.
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

    /// A destination in a folder of your choice, under the name that the server suggests, made safe.
    ///
    /// - Parameters:
    ///   - folder: A file URL. If it is none, the download fails with ``DownloadError/invalidDestination(_:)``.
    ///   - options: What may be done to get the download there.
    public static func suggestedDownloadDestination(in folder: URL, options: Options = []) -> Destination {
        { _, response in (suggestedURL(in: folder, for: response), options) }
    }

    private static func suggestedURL(in folder: URL, for response: HTTPURLResponse) -> URL {
        let name = ServerFileName.suggested(
            contentDisposition: response.headers["Content-Disposition"],
            url: response.url,
            contentType: response.headers["Content-Type"]
        )
        return folder.appendingPathComponent(name, isDirectory: false)
    }
}
