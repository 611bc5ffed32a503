import Foundation
import MoyaHTTP
import TestSupport
import Testing

@Suite("A file can be the body of a request")
struct FileBodyTests {
    static let piece = HTTPBody.pieceSize

    @Test("a file that can never be sent is refused before any byte is sent, and the error names it")
    func refusedWhenOpened() throws {
        let folder = try TemporaryFolder()
        let file = try TemporaryFile(Data([1]))
        let socket = folder.url.appendingPathComponent("pipe")
        #expect(mkfifo(socket.path, 0o600) == 0)
        let rows: [(URL, RequestBodyError.Reason)] = [
            (folder.url.appendingPathComponent("absent"), .missing),
            (file.url.appendingPathComponent("below a file"), .missing),
            (URL(string: "file:///etc/hostname%00.png") ?? folder.url, .missing),
            (folder.url, .isDirectory),
            (URL(fileURLWithPath: "/"), .isDirectory),
            (socket, .notARegularFile),
            (URL(fileURLWithPath: "/dev/null"), .notARegularFile),
            (URL(string: "https://example.com/file") ?? folder.url, .notAFileURL),
        ]
        for (url, reason) in rows {
            #expect(openingError(.file(url)) == RequestBodyError(reason, file: url.absoluteURL))
            let part = HTTPBody(segments: HTTPBody.file(url).segments.map { $0.named("photo") })
            #expect(openingError(part) == RequestBodyError(reason, part: "photo", file: url.absoluteURL))
        }
    }

    // The superuser can read every file.
    @Test("a file that may not be read is refused before any byte is sent", .enabled(if: geteuid() != 0))
    func unreadable() throws {
        let file = try TemporaryFile(Data([1]))
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.url.path)
        #expect(openingError(.file(file.url)) == RequestBodyError(.notReadable, file: file.url))
    }

    @Test("a symbolic link to a file is followed when the file is a body")
    func link() async throws {
        let file = try TemporaryFile(.pattern(10))
        let link = file.url.deletingLastPathComponent().appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
        let read = try await HTTPBody.file(link).open().rest()
        #expect(read.error == nil)
        #expect(read.bytes == .pattern(10))
    }

    /// A change of a file of 3 pieces, and the size found afterwards.
    static let changes: [(name: String, change: @Sendable (TemporaryFile) throws -> Void, found: Int?)] = [
        ("grew by one byte", { try $0.append(Data([1])) }, 3 * piece + 1),
        ("grew by two pieces", { try $0.append(.pattern(2 * piece)) }, 5 * piece),
        ("lost its last byte", { try $0.truncate(at: UInt64(3 * piece - 1)) }, 3 * piece - 1),
        ("was cut within the second piece", { try $0.truncate(at: UInt64(piece + 5)) }, piece + 5),
        ("was emptied", { try $0.truncate(at: 0) }, 0),
        ("was removed", { try FileManager.default.removeItem(at: $0.url) }, nil),
    ]

    @Test(
        "a file that changes after it was opened fails the body before its last piece",
        arguments: changes.indices,
        [0, 1, 2]
    )
    func changed(row: Int, piecesBefore: Int) async throws {
        let (_, change, found) = Self.changes[row]
        let file = try TemporaryFile(.pattern(3 * Self.piece))
        let reader = try HTTPBody.file(file.url).open()
        var pieces: [Data] = []
        for _ in 0..<piecesBefore { pieces.append(try #require(await reader.next())) }
        try change(file)
        let read = await reader.rest()
        let bytes = ReadBody(pieces: pieces + read.pieces).bytes
        guard let found else {
            // The name of an open file can be removed.
            #expect(read.error == (piecesBefore > 0 ? nil : RequestBodyError(.missing, file: file.url)))
            #expect(bytes == (piecesBefore > 0 ? .pattern(3 * Self.piece) : Data()))
            return
        }
        let reason = try #require(read.error?.reason)
        guard case .sizeChanged(Int64(3 * Self.piece), let size) = reason else {
            Issue.record("\(reason)")
            return
        }
        // Bytes read before the file was cut still count.
        #expect(size == Int64(found) || piecesBefore > 0 && found < piecesBefore * Self.piece)
        #expect(read.error?.file == file.url)
        #expect(bytes.count <= 2 * Self.piece)
        #expect(bytes == .pattern(bytes.count))
        let again = await reader.rest()
        #expect(again.pieces.isEmpty)
        #expect(again.error == read.error)
    }

    @Test("an empty file that grows fails the body, even at its end")
    func emptyFileThatGrows() async throws {
        let file = try TemporaryFile()
        let segments = HTTPBody.data(.pattern(Self.piece)).segments + HTTPBody.file(file.url).segments
        let reader = try HTTPBody(segments: segments).open()
        #expect(reader.length == Int64(Self.piece))
        try file.append(Data([1]))
        let read = await reader.rest()
        #expect(read.error == RequestBodyError(.sizeChanged(expected: 0, found: 1), file: file.url))
        #expect(read.pieces.isEmpty)
    }

    @Test("a body's file that reports a size of 0 and has content cannot be sent")
    func procFile() async throws {
        let url = URL(fileURLWithPath: "/proc/self/status")
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        let read = try await HTTPBody.file(url).open().rest()
        #expect(read.error == RequestBodyError(.sizeChanged(expected: 0, found: 1), file: url))
    }

    @Test("a named pipe in place of a body's file does not block the reader")
    func becomesPipe() async throws {
        let file = try TemporaryFile(Data([1]))
        let reader = try HTTPBody.file(file.url).open()
        try FileManager.default.removeItem(at: file.url)
        #expect(mkfifo(file.url.path, 0o600) == 0)
        let read = await reader.rest()
        #expect(read.error == RequestBodyError(.notARegularFile, file: file.url))
    }

    #if os(Linux)
    @Test(
        "the descriptor of a body's file is open only while the file is read, and is closed when the reader is released",
        .timeLimit(.minutes(5))
    )
    func descriptors() async throws {
        let file = try TemporaryFile(.pattern(2 * Self.piece))
        var reader: HTTPBody.Reader? = try HTTPBody.file(file.url).open()
        #expect(try file.openDescriptors() == 0)
        _ = try await reader?.next()
        #expect(try file.openDescriptors() == 1)
        reader = nil
        try await file.waitForDescriptors()

        let whole = try HTTPBody.file(file.url).open()
        _ = await whole.rest()
        try await file.waitForDescriptors()

        let failing = try HTTPBody.file(file.url).open()
        _ = try await failing.next()
        try file.append(Data([1]))
        #expect(await failing.rest().error != nil)
        try await file.waitForDescriptors()
    }

    @Test("only one of the many files in a body is open at a time", .timeLimit(.minutes(5)))
    func oneAtATime() async throws {
        let file = try TemporaryFile(.pattern(Self.piece))
        let segments = (0..<20).flatMap { _ in HTTPBody.file(file.url).segments }
        let reader = try HTTPBody(segments: segments).open()
        while try await reader.next() != nil { try await file.waitForDescriptors(atMost: 1) }
    }

    @Test("a body's file of 10 GiB is opened and read piece by piece")
    func large() async throws {
        let file = try TemporaryFile()
        try file.truncate(at: 10 << 30)
        let reader = try HTTPBody.file(file.url).open()
        #expect(reader.length == 10 << 30)
        // The command-line tool measures the memory in a separate process.
        for _ in 0..<256 {
            let piece = try #require(await reader.next())
            #expect(piece.count == Self.piece)
        }
    }
    #endif
}
