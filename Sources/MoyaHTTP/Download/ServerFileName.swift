import Foundation

/// The name that a server suggests for a download, made safe. Pure.
enum ServerFileName {
    /// The name in `Content-Disposition`, else the last part of the URL's path, else `download` with the extension of a
    /// common media type.
    ///
    /// Names are taken as they stand: encoded words (RFC 2047) and percent signs in `filename` are not decoded
    /// (RFC 6266, appendix C).
    static func suggested(contentDisposition: String?, url: URL?, contentType: String?) -> String {
        let names = contentDisposition.map { ContentDisposition($0).fileNames } ?? []
        for name in names {
            if let name = SafeFileName.make(from: name) { return name }
        }
        if let name = url.flatMap(lastPathComponent(of:)).flatMap(SafeFileName.make(from:)) { return name }
        return "download" + (contentType.flatMap(fileExtension(for:)).map { ".\($0)" } ?? "")
    }

    private static func lastPathComponent(of url: URL) -> String? {
        // Split first, so that a slash that is percent-encoded does not count as one of the URL.
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
