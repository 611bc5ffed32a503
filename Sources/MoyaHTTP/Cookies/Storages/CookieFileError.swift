import Foundation

/// Why the file of a ``CookieJar`` could not be read or written. Each case names the file, which is as it was before.
public enum CookieFileError: Error, Hashable, Sendable {
    /// The URL is none of a file, or the folder that the file is to be in is not there.
    case invalidLocation(URL)
    /// The system could not read the file, with the error's number (`errno`).
    case couldNotRead(URL, code: Int32)
    /// What is in the file are not cookies as a jar writes them. The text says what is wrong, without the content.
    case damaged(URL, reason: String)
    /// A newer version of the library wrote the file, in a format of this number.
    case newerFormat(URL, format: Int)
    /// The system could not write the file, with the error's number (`errno`).
    case couldNotWrite(URL, code: Int32)
}

extension CookieFileError: LocalizedError {
    /// What is wrong and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .invalidLocation(let url):
            "Cookies cannot be kept in \(name(url)): that has to be the file URL of a file in a folder that is there."
        case .couldNotRead(let url, let code):
            "The cookies in \(name(url)) could not be read: \(text(code)). Check the file's permissions."
        case .damaged(let url, let reason):
            "The cookies in \(name(url)) could not be read: \(reason). The file was left as it is. Repair or remove "
                + "it, or have it put aside with ifDamaged: .moveAside."
        case .newerFormat(let url, let format):
            "The cookies in \(name(url)) are in format \(format), which a newer version of Moya wrote. Use "
                + "that version, or another file."
        case .couldNotWrite(let url, let code):
            "The cookies could not be saved in \(name(url)): \(text(code)). They are saved with the next change."
        }
    }

    private func name(_ url: URL) -> String {
        url.isFileURL ? "\"\(url.path(percentEncoded: false))\"" : "a URL that is none of a file"
    }

    private func text(_ code: Int32) -> String { "\(String(cString: strerror(code))) (\(code))" }
}
