/// Media types by file extension, the same on every platform.
package enum MIMEType {
    /// Returns the media type for a file extension, ignoring case; `application/octet-stream` if it is unknown.
    package static func forExtension(_ pathExtension: String) -> String {
        byExtension[pathExtension.lowercased()] ?? "application/octet-stream"
    }

    /// The names registered with IANA, where there are any.
    private static let byExtension = [
        "apng": "image/apng", "avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic",
        "heif": "image/heif", "ico": "image/vnd.microsoft.icon", "jpe": "image/jpeg", "jpeg": "image/jpeg",
        "jpg": "image/jpeg", "jxl": "image/jxl", "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff",
        "tiff": "image/tiff", "webp": "image/webp",

        "aac": "audio/aac", "aif": "audio/x-aiff", "aiff": "audio/x-aiff", "flac": "audio/flac", "m4a": "audio/mp4",
        "mid": "audio/midi", "midi": "audio/midi", "mp3": "audio/mpeg", "oga": "audio/ogg", "ogg": "audio/ogg",
        "opus": "audio/ogg", "wav": "audio/vnd.wave", "weba": "audio/webm",

        "3gp": "video/3gpp", "avi": "video/x-msvideo", "m4v": "video/x-m4v", "mkv": "video/matroska",
        "mov": "video/quicktime", "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "ogv": "video/ogg",
        "webm": "video/webm",

        "css": "text/css", "csv": "text/csv", "htm": "text/html", "html": "text/html", "ics": "text/calendar",
        "js": "text/javascript", "log": "text/plain", "markdown": "text/markdown", "md": "text/markdown",
        "mjs": "text/javascript", "rtf": "application/rtf", "tsv": "text/tab-separated-values", "txt": "text/plain",
        "vcf": "text/vcard", "vtt": "text/vtt",

        "atom": "application/atom+xml", "cbor": "application/cbor", "geojson": "application/geo+json",
        "json": "application/json", "jsonld": "application/ld+json", "pdf": "application/pdf",
        "plist": "application/x-plist", "ps": "application/postscript", "rss": "application/rss+xml",
        "sql": "application/sql", "wasm": "application/wasm", "webmanifest": "application/manifest+json",
        "xhtml": "application/xhtml+xml", "xml": "application/xml", "yaml": "application/yaml",
        "yml": "application/yaml",

        "7z": "application/x-7z-compressed", "bz2": "application/x-bzip2", "gz": "application/gzip",
        "jar": "application/java-archive", "rar": "application/vnd.rar", "tar": "application/x-tar",
        "tgz": "application/gzip", "xz": "application/x-xz", "zip": "application/zip", "zst": "application/zstd",

        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "odp": "application/vnd.oasis.opendocument.presentation",
        "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",

        "otf": "font/otf", "ttc": "font/collection", "ttf": "font/ttf", "woff": "font/woff", "woff2": "font/woff2",
    ]
}
