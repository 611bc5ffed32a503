import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPCookies
@testable import MoyaHTTPMessages

@Suite("Internal files of the library are marked before they have content")
struct KeptFileTests {
    let folder: TemporaryFolder
    private let log = Locked<[String]>([])

    init() throws { folder = try TemporaryFolder() }

    /// Logs the files that are marked, with their sizes, and the files that are released.
    private var kept: KeptFile {
        var kept = KeptFile()
        kept.mark = { [log] path in
            let bytes = (try? FileStatus(path: path))?.length ?? -1
            let name = Self.withoutNumber((path as NSString).lastPathComponent)
            log.withLock { $0.append("mark \(name) \(bytes)") }
        }
        kept.release = { [log] path, folder in
            let name = Self.withoutNumber((path as NSString).lastPathComponent)
            let exists = FileManager.default.fileExists(atPath: path) && FileStatus.isFolder(folder)
            log.withLock { $0.append("release \(name) \(exists)") }
        }
        return kept
    }

    /// Returns a name without its random number.
    private static func withoutNumber(_ name: String) -> String {
        name.split(separator: ".", omittingEmptySubsequences: false).filter { $0.count != 16 }.joined(separator: ".")
    }

    private var logged: [String] { log.withLock { $0 } }

    @Test("the temporary file of cookies is marked as internal before it replaces the cookie file")
    func cookies() throws {
        let file = try CookieFile(folder.file("cookies.json"), kept: kept)
        try file.write(Data("one".utf8))
        try file.write(Data("two".utf8))
        #expect(logged == ["mark .cookies.json.part 0", "mark .cookies.json.part 0"])
        #expect(try folder.names == ["cookies.json"])
    }

    @Test("a part file is marked as internal, and the mark is removed before the file gets its final name")
    func download() throws {
        var file = try PartFile.open(folder.file("a"), options: [], entity: nil, kept: kept)
        try file.write(Data("hello".utf8))
        #expect(logged == ["mark .a.part 0"])
        try file.commit()
        #expect(logged == ["mark .a.part 0", "release .a.part true"])
    }

    @Test("a resumed part file and its state file are marked as internal")
    func resumption() throws {
        let entity = ResumableFileTests.entity()
        func open() throws -> PartFile {
            try PartFile.open(folder.file("a"), options: .resumesWhenInterrupted, entity: entity, kept: kept)
        }
        var file = try open()
        try file.write(Data("hello".utf8))
        file.suspend()
        #expect(logged == ["mark .a.part 0", "mark .a.part 0"])
        file = try open()
        #expect(logged.last == "mark .a.part 5")
        file.discard()
        #expect(!logged.contains { $0.hasPrefix("release") })
    }

    @Test(
        "the folder of a cache is marked as internal, but not the directory, which may contain files of the application"
    )
    func cache() throws {
        let directory = folder.url.appending(path: "cache", directoryHint: .isDirectory)
        let files = DiskCacheFiles(in: directory)
        try DiskCacheDirectory.prepare(directory, folder: files.folder, kept: kept)
        let name = (files.folder as NSString).lastPathComponent
        #expect(logged.count == 1 && logged[0].hasPrefix("mark \(name) "))
        #expect(name != "cache")
    }
}
