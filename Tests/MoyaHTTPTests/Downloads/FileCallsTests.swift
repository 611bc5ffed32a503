import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A file gets its final name in one step")
struct FileCallsTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("new", to: "part")
    }

    private func path(_ name: String) -> String { folder.file(name).path(percentEncoded: false) }

    private func move(isReplacing: Bool, linkFailsWith code: Int32? = nil) throws {
        try FileCalls.move(path("part"), to: path("a"), isReplacing: isReplacing) { path, destination in
            guard let code else { return link(path, destination) }
            errno = code
            return -1
        }
    }

    @Test("where there are hard links, and where there are none", arguments: [nil, EPERM, ENOTSUP, ENOSYS, EMLINK])
    func moving(_ code: Int32?) throws {
        try move(isReplacing: false, linkFailsWith: code)
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a") == "new")
    }

    @Test("and never takes the place of another", arguments: [nil, EPERM, ENOTSUP, ENOSYS, EMLINK])
    func notReplacing(_ code: Int32?) throws {
        try folder.write("old", to: "a")
        #expect(throws: FileCalls.Failure(code: EEXIST)) { try move(isReplacing: false, linkFailsWith: code) }
        #expect(try folder.names == ["a", "part"])
        #expect(try folder.text("a") == "old")
    }

    @Test("unless it is told to")
    func replacing() throws {
        try folder.write("old", to: "a")
        try move(isReplacing: true)
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a") == "new")
    }

    @Test("other failures are failures", arguments: [EACCES, ENOSPC, EIO, EROFS])
    func failing(_ code: Int32) throws {
        #expect(throws: FileCalls.Failure(code: code)) { try move(isReplacing: false, linkFailsWith: code) }
        #expect(try folder.names == ["part"])
    }

    @Test("a call that a signal interrupts is made again")
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

    @Test("bytes that a pipe takes piece by piece are all written")
    func partialWrites() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let data = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
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
