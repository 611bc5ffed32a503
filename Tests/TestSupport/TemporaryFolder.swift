import Foundation

/// A new folder for one test; it is removed when the object is released.
public final class TemporaryFolder: Sendable {
    /// The URL of the folder.
    public let url: URL

    /// Creates a folder with a unique name.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "moya-\(UUID().uuidString)",
            directoryHint: .isDirectory
        )
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        // Removal is repeated, because it fails if another thread removes a file of the folder at the same time.
        for _ in 0..<10 where (try? FileManager.default.removeItem(at: url)) != nil { break }
    }

    /// Returns the URL of a file, which may be missing.
    public func file(_ name: String) -> URL { url.appendingPathComponent(name, isDirectory: false) }

    /// The sorted names of all files, including hidden ones.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false)).sorted() }
    }

    /// Returns the text of a file.
    public func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: file(name)), as: UTF8.self)
    }

    /// Writes a file and returns its URL.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> URL {
        try Data(text.utf8).write(to: file(name))
        return file(name)
    }
}
