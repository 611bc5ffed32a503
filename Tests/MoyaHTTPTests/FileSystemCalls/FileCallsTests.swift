import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("A file gets its final name atomically")
struct FileCallsTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("new", to: "part")
    }

    private var folderPath: String { folder.url.path(percentEncoded: false) }

    private func path(_ name: String) -> String { folder.file(name).path(percentEncoded: false) }

    private func move(isReplacing: Bool, renameFailsWith rename: Int32? = nil, linkFailsWith link: Int32? = nil) throws
    {
        var calls = FileCalls.ExclusiveMove()
        if let rename { calls.rename = { _, _ in Self.fail(rename) } }
        if let link { calls.link = { _, _ in Self.fail(link) } }
        try FileCalls.move(path("part"), to: path("a"), isReplacing: isReplacing, calls: calls)
    }

    @Sendable
    private static func fail(_ code: Int32) -> Int32 {
        errno = code
        return -1
    }

    /// The errors of the exclusive rename and of the hard link; `nil` if the file system supports the call.
    private static let lacking: [[Int32?]] =
        [[nil, nil]] + [EINVAL, ENOSYS, ENOTSUP].map { [$0, nil] }
        + [EPERM, ENOTSUP, ENOSYS, EMLINK].map { [EINVAL, $0] }

    @Test("a file is moved by an exclusive rename, by a hard link, or by a plain rename", arguments: lacking)
    func moving(_ codes: [Int32?]) throws {
        try move(isReplacing: false, renameFailsWith: codes[0], linkFailsWith: codes[1])
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a") == "new")
    }

    @Test("moving a file does not replace another file", arguments: lacking)
    func notReplacing(_ codes: [Int32?]) throws {
        try folder.write("old", to: "a")
        #expect(throws: FileCalls.Failure(code: EEXIST)) {
            try move(isReplacing: false, renameFailsWith: codes[0], linkFailsWith: codes[1])
        }
        #expect(try folder.names == ["a", "part"])
        #expect(try folder.text("a") == "old")
    }

    @Test("moving a file does not replace a dangling symbolic link or a folder", arguments: lacking, [false, true])
    func notReplacingOthers(_ codes: [Int32?], isFolder: Bool) throws {
        if isFolder { mkdir(path("a"), 0o700) } else { symlink("nowhere", path("a")) }
        #expect(throws: FileCalls.Failure(code: EEXIST)) {
            try move(isReplacing: false, renameFailsWith: codes[0], linkFailsWith: codes[1])
        }
        #expect(try folder.names == ["a", "part"])
    }

    #if os(Linux)
    @Test("the system's exclusive rename works without hard links")
    func systemCall() throws {
        try move(isReplacing: false, linkFailsWith: EIO)
        #expect(try folder.names == ["a"])
    }
    #endif

    @Test("exactly one of several concurrent moves to one name succeeds", arguments: [nil, EINVAL])
    func racing(_ code: Int32?) throws {
        let count = 16
        for number in 0..<count { try folder.write("\(number)", to: "part\(number)") }
        var calls = FileCalls.ExclusiveMove()
        if let code { calls.rename = { _, _ in Self.fail(code) } }
        let paths = (0..<count).map { path("part\($0)") }
        let (destination, results) = (path("race"), Locked<[Int: FileCalls.Failure?]>([:]))
        DispatchQueue.concurrentPerform(iterations: count) { [calls] number in
            var failure: FileCalls.Failure?
            do throws(FileCalls.Failure) {
                try FileCalls.move(paths[number], to: destination, isReplacing: false, calls: calls)
            } catch { failure = error }
            results.withLock { $0[number] = .some(failure) }
        }
        let failures = results.withLock { $0 }
        let winners = failures.filter { $0.value == nil }.map(\.key)
        #expect(winners.count == 1)
        #expect(failures.values.allSatisfy { $0 == nil || $0?.code == EEXIST })
        #expect(try folder.text("race") == winners.first.map { "\($0)" })
        #expect(try folder.names.count { $0.hasPrefix("part") } == count)
    }

    @Test(
        "the name of a file can have any bytes",
        arguments: ["-f", "a b", "a\nb", "%00", "é", "e\u{301}", "*", "a\\b", String(repeating: "a", count: 255)]
    )
    func hostileNames(_ name: String) throws {
        try FileCalls.move(path("part"), to: folderPath + name, isReplacing: false)
        #expect(try FileCalls.names(in: folderPath) == [name])
    }

    @Test("a move of a file replaces another file on request")
    func replacing() throws {
        try folder.write("old", to: "a")
        try move(isReplacing: true)
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a") == "new")
    }

    @Test("a failed move of a file has the error of the system", arguments: [EACCES, ENOSPC, EIO, EROFS])
    func failing(_ code: Int32) throws {
        #expect(throws: FileCalls.Failure(code: code)) { try move(isReplacing: false, renameFailsWith: code) }
        #expect(throws: FileCalls.Failure(code: code)) {
            try move(isReplacing: false, renameFailsWith: EINVAL, linkFailsWith: code)
        }
        #expect(try folder.names == ["part"])
    }

    @Test(
        "a file is flushed by the first call that its file system supports",
        arguments: [ENOTSUP, EINVAL, ENOTTY, ENOSYS]
    )
    func flushing(_ code: Int32) throws {
        let called = Locked<[Int]>([])
        func call(_ number: Int, failing code: Int32?) -> @Sendable (Int32) -> Int32 {
            { descriptor in
                called.withLock { $0.append(number) }
                return code.map(Self.fail) ?? descriptor - 7
            }
        }
        try FileCalls.flush(7, by: [call(0, failing: code), call(1, failing: nil), call(2, failing: nil)])
        #expect(called.withLock { $0 } == [0, 1])
        #expect(throws: FileCalls.Failure(code: EIO)) {
            try FileCalls.flush(7, by: [call(3, failing: EIO), call(4, failing: nil)])
        }
        #expect(throws: FileCalls.Failure(code: code)) { try FileCalls.flush(7, by: [call(5, failing: code)]) }
        #expect(called.withLock { $0 } == [0, 1, 3, 5])
    }

    @Test("files and folders can be flushed")
    func flushingFiles() throws {
        for path in [path("part"), folderPath] {
            let descriptor = try FileCalls.open(path, O_RDONLY)
            defer { close(descriptor) }
            try FileCalls.flush(descriptor)
        }
    }

    @Test("a system call that a signal interrupts is repeated")
    func interrupted() throws {
        var calls = 0
        let result = try FileCalls.repeating {
            calls += 1
            errno = EINTR
            return calls < 5 ? Int32(-1) : 7
        }
        #expect(result == 7)
        #expect(calls == 5)
    }

    @Test("all bytes are written to a pipe that accepts them in pieces")
    func partialWrites() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let data = Data((0..<1_000_000).map { UInt8($0 % 251) })
        async let read = reader.readToEnd()
        let writer = ends[1]
        try await Task.detached {
            try FileCalls.write(data, to: writer)
            close(writer)
        }
        .value
        #expect(try await read == data)
    }
}
