import Foundation

/// The file of a cookie jar.
///
/// Its methods block.
struct CookieFile: Sendable {
    /// The maximum length of a valid file, which exceeds that of the largest jar.
    static let maximumLength = 128 << 20

    let url: URL
    private let path: String
    private let folder: String
    private let kept: KeptFile

    /// Creates a file in an existing folder.
    ///
    /// - Throws: ``CookieFileError/invalidLocation(_:)``.
    init(_ url: URL, kept: KeptFile = KeptFile()) throws(CookieFileError) {
        let path = url.absoluteURL.path(percentEncoded: false)
        guard url.isFileURL, path.utf8.first == UInt8(ascii: "/"), path.utf8.last != UInt8(ascii: "/"),
            !path.utf8.contains(0)
        else { throw .invalidLocation(url) }
        self.url = url
        self.path = path
        self.kept = kept
        folder = url.absoluteURL.deletingLastPathComponent().path(percentEncoded: false)
        guard FileStatus.isFolder(folder) else { throw .invalidLocation(url) }
    }

    /// Returns the content of the file, or `nil` if it does not exist.
    func read() throws(CookieFileError) -> Data? {
        do throws(FileCalls.Failure) {
            // `O_NONBLOCK`, in case the file is a named pipe.
            let descriptor = try FileCalls.open(path, O_RDONLY | O_NONBLOCK)
            defer { close(descriptor) }
            let status = try FileStatus(descriptor: descriptor)
            guard status.isRegular else { throw FileCalls.Failure(code: status.isFolder ? EISDIR : EINVAL) }
            guard status.length <= Self.maximumLength else { throw FileCalls.Failure(code: EFBIG) }
            return try Self.content(of: descriptor)
        } catch {
            if error.code == ENOENT { return nil }
            throw .couldNotRead(url, code: error.code)
        }
    }

    /// Writes a temporary file, flushes it to the disk, and replaces the file atomically.
    func write(_ data: Data) throws(CookieFileError) {
        do throws(FileCalls.Failure) {
            let (descriptor, temporary) = try openTemporary()
            // Closing the descriptor also releases the lock.
            defer { close(descriptor) }
            kept.mark(temporary)
            try FileCalls.replace(path, with: data, by: temporary, descriptor)
        } catch {
            throw .couldNotWrite(url, code: error.code)
        }
        // The directory is flushed, so that the new name survives a power failure. If that is not supported, the
        // old file may reappear.
        if let descriptor = try? FileCalls.open(folder, O_RDONLY | O_DIRECTORY) {
            try? FileCalls.flush(descriptor)
            close(descriptor)
        }
    }

    /// Renames the file to `<name>.damaged`, `<name>.damaged-2` and so on, whichever does not exist.
    func moveAside() throws(CookieFileError) {
        for number in 1...1000 {
            do throws(FileCalls.Failure) {
                try FileCalls.move(
                    path,
                    to: path + ".damaged" + (number == 1 ? "" : "-\(number)"),
                    isReplacing: false
                )
                return
            } catch {
                if error.code != EEXIST { throw .couldNotWrite(url, code: error.code) }
            }
        }
        throw .couldNotWrite(url, code: EEXIST)
    }

    /// Opens an empty temporary file in the same folder.
    ///
    /// Its name is always the same, so that a crash leaves at most one. If another writer uses it or it is not
    /// trusted, a unique name is used.
    private func openTemporary() throws(FileCalls.Failure) -> (descriptor: Int32, path: String) {
        let temporary = "\(folder)/\(PartFileName.resumable(for: url.lastPathComponent))"
        // Readable by the owner only, since cookies are credentials.
        let mode: mode_t = 0o600
        for _ in 0..<16 {
            // `O_NONBLOCK`, in case the file is a named pipe.
            guard let descriptor = try? FileCalls.open(temporary, O_WRONLY | O_CREAT | O_NONBLOCK, mode: mode) else {
                break
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, let status = try? FileStatus(descriptor: descriptor),
                status.isRegular, status.owner == geteuid(), status.linkCount <= 1, fchmod(descriptor, mode) == 0
            else {
                close(descriptor)
                break
            }
            // The previous owner of the lock may have renamed the file.
            if (try? FileStatus(path: temporary))?.identity == status.identity,
                (try? FileCalls.empty(descriptor)) != nil
            {
                return (descriptor, temporary)
            }
            close(descriptor)
        }
        let unique = "\(folder)/\(PartFileName.unique(for: url.lastPathComponent))"
        return (try FileCalls.open(unique, O_WRONLY | O_CREAT | O_EXCL, mode: mode), unique)
    }

    private static func content(of descriptor: Int32) throws(FileCalls.Failure) -> Data {
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while content.count <= maximumLength {
            let count = try FileCalls.repeating { Foundation.read(descriptor, &buffer, buffer.count) }
            guard count > 0 else { return content }
            content.append(contentsOf: buffer[..<count])
        }
        throw FileCalls.Failure(code: EFBIG)
    }
}

/// The content of a cookie file: JSON with a format number.
///
/// The number changes if older versions of the library would misread a newer file; additions do not change it.
enum CookieFileFormat {
    static let number = 1

    enum Failure: Error, Equatable {
        case damaged(String)
        case newer(Int)
    }

    static func encode(_ cookies: [Cookie]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Content(format: number, cookies: cookies.map(Record.init)))
    }

    static func decode(_ data: Data) throws(Failure) -> [Cookie] {
        let decoder = JSONDecoder()
        do {
            let header = try decoder.decode(Header.self, from: data)
            guard header.format == number else {
                throw header.format > number ? .newer(header.format) : Failure.damaged("its format is unknown")
            }
            return try decoder.decode(Content.self, from: data).cookies.map(\.cookie)
        } catch let failure as Failure {
            throw failure
        } catch {
            // The decoder's error may include a value.
            throw .damaged("it is not a list of cookies")
        }
    }

    private struct Header: Decodable {
        let format: Int
    }

    private struct Content: Codable {
        let format: Int
        let cookies: [Record]
    }

    private struct Record: Codable {
        var name: String
        var value: String
        var domain: String
        var hostOnly: Bool
        var path: String
        /// A time in seconds since 1970, like the other times.
        var expires: Double?
        var creation: Double
        var lastAccess: Double
        var secure: Bool
        var httpOnly: Bool
        var sameSite: String
        /// The encoding of the name, if it is not UTF-8: `ISO-8859-1`.
        var nameEncoding: String?
        /// The encoding of the value, if it is not UTF-8: `ISO-8859-1`.
        var valueEncoding: String?

        init(_ cookie: Cookie) {
            name = cookie.name
            value = cookie.value
            domain = cookie.domain
            hostOnly = cookie.isHostOnly
            path = cookie.path
            expires = cookie.expires?.timeIntervalSince1970
            creation = cookie.creation.timeIntervalSince1970
            lastAccess = cookie.lastAccess.timeIntervalSince1970
            secure = cookie.isSecure
            httpOnly = cookie.isHTTPOnly
            sameSite = cookie.sameSite.rawValue
            nameEncoding = cookie.nameText.isLatin1 ? Self.latin1 : nil
            valueEncoding = cookie.valueText.isLatin1 ? Self.latin1 : nil
        }

        private static let latin1 = "ISO-8859-1"

        var cookie: Cookie {
            var cookie = Cookie(
                name: name,
                value: value,
                domain: domain,
                isHostOnly: hostOnly,
                path: path,
                expires: expires.map(Date.init(timeIntervalSince1970:)),
                isSecure: secure,
                isHTTPOnly: httpOnly,
                // An unknown policy of a newer version is treated as the strictest.
                sameSite: Cookie.SameSite(rawValue: sameSite) ?? .strict,
                creation: Date(timeIntervalSince1970: creation)
            )
            cookie.lastAccess = Date(timeIntervalSince1970: lastAccess)
            if nameEncoding == Self.latin1, let text = FieldText(latin1: name) { cookie.nameText = text }
            if valueEncoding == Self.latin1, let text = FieldText(latin1: value) { cookie.valueText = text }
            return cookie
        }
    }
}

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

extension CookieFileError: MaskedError {
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
