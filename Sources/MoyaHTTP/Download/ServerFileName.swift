import Foundation

/// The sanitized name that a server suggests for a download.
enum ServerFileName {
    /// Returns the name in `Content-Disposition`, or the last path component of the URL, or `download` with the
    /// extension of a common media type.
    ///
    /// Names are not decoded: encoded words (RFC 2047) and percent-encoding in `filename` are kept (RFC 6266,
    /// appendix C).
    static func suggested(contentDisposition: String?, url: URL?, contentType: String?) -> String {
        let names = contentDisposition.map { ContentDisposition($0).fileNames } ?? []
        for name in names {
            if let name = SafeFileName.make(from: name) { return name }
        }
        if let name = url.flatMap(lastPathComponent(of:)).flatMap(SafeFileName.make(from:)) { return name }
        return "download" + (contentType.flatMap(fileExtension(for:)).map { ".\($0)" } ?? "")
    }

    private static func lastPathComponent(of url: URL) -> String? {
        // Split before decoding, so that a percent-encoded slash is not a separator.
        guard let last = url.path(percentEncoded: true).split(separator: "/").last else { return nil }
        return last.removingPercentEncoding ?? String(last)
    }

    private static func fileExtension(for contentType: String) -> String? {
        let mediaType = contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return extensions[mediaType]
    }

    private static let extensions = [
        "application/gzip": "gz",
        "application/json": "json",
        "application/pdf": "pdf",
        "application/xml": "xml",
        "application/zip": "zip",
        "audio/mpeg": "mp3",
        "image/gif": "gif",
        "image/jpeg": "jpg",
        "image/png": "png",
        "image/svg+xml": "svg",
        "image/webp": "webp",
        "text/css": "css",
        "text/csv": "csv",
        "text/html": "html",
        "text/plain": "txt",
        "text/xml": "xml",
        "video/mp4": "mp4",
    ]
}
