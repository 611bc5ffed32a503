import Foundation

/// An error in reading or writing the file of a ``CookieJar``.
///
/// Each case contains the file, which has not been changed.
public enum CookieFileError: Error, Hashable, Sendable {
    /// The URL is not a file URL, or the folder does not exist.
    case invalidLocation(URL)
    /// The file could not be read; the code is an `errno`.
    case couldNotRead(URL, code: Int32)
    /// The content is not a valid list of cookies.
    ///
    /// The reason does not include the content.
    case damaged(URL, reason: String)
    /// The file was written by a newer version of the library, in a format with this number.
    case newerFormat(URL, format: Int)
    /// The file could not be written; the code is an `errno`.
    case couldNotWrite(URL, code: Int32)
}

extension CookieFileError: LocalizedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        switch self {
        case .invalidLocation(let url):
            "Cookies cannot be stored in \(name(url)): use the file URL of a file in an existing folder."
        case .couldNotRead(let url, let code):
            "The cookies in \(name(url)) could not be read: \(text(code)). Check the file's permissions."
        case .damaged(let url, let reason):
            "The cookies in \(name(url)) could not be read: \(reason). The file was left as it is. Repair or remove "
                + "it, or rename it with ifDamaged: .moveAside."
        case .newerFormat(let url, let format):
            "The cookies in \(name(url)) are in format \(format), which a newer version of Moya wrote. Use "
                + "that version, or another file."
        case .couldNotWrite(let url, let code):
            "The cookies could not be saved in \(name(url)): \(text(code)). They are saved with the next change."
        }
    }

    private func name(_ url: URL) -> String {
        url.isFileURL ? "\"\(url.path(percentEncoded: false))\"" : "a URL that is not a file URL"
    }

    private func text(_ code: Int32) -> String { "\(String(cString: strerror(code))) (\(code))" }
}
