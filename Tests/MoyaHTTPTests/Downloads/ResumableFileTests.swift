import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("The partial file of an interrupted download is kept and continued")
struct ResumableFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static func entity(_ tag: String = "\"v1\"", url: String = "http://h/f", total: Int64? = 10) -> DownloadEntity {
        DownloadEntity(url: url, entityTag: tag, lastModified: nil, totalLength: total)
    }

    private func open(
        _ entity: DownloadEntity? = entity(),
        options: DownloadRequest.Options = .resumesWhenInterrupted
    ) async throws -> DownloadFile {
        try await DownloadFile.open(folder.file("a"), options: options, entity: entity)
    }

    private func leave(_ text: String, of entity: DownloadEntity = entity()) async throws {
        let file = try await open(entity)
        try await file.startOver(entity)
        try await file.write(Data(text.utf8))
        await file.suspend()
        let names = try folder.names
        try #require(names == [".a.part", ".a.part.json"])
    }

    @Test("a partial file is continued from its last byte by the next download of the same URL to the same destination")
    func resuming() async throws {
        try await leave("hello")
        let file = try await open()
        #expect(file.resumeOffset == 5)
        try await file.write(Data("world".utf8))
        try await file.commit()
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a") == "helloworld")
    }

    @Test("a partial file is continued any number of times")
    func resumingOften() async throws {
        for number in 0..<10 {
            let file = try await open()
            #expect(file.resumeOffset == Int64(number))
            try await file.write(Data("\(number)".utf8))
            #expect(try await file.flush() == Int64(number) + 1)
            await file.suspend()
        }
        try await open().commit()
        #expect(try folder.text("a") == "0123456789")
    }

    @Test("the state file of a download describes the entity, and only its owner can read it")
    func state() async throws {
        try await leave("hello")
        #expect(
            try folder.text(".a.part.json")
                == #"{"entityTag":"\"v1\"","totalLength":10,"url":"http://h/f"}"#
        )
        let path = folder.file(".a.part.json").path(percentEncoded: false)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("the state file of a download exists before the first byte")
    func stateFirst() async throws {
        let file = try await open()
        #expect(try folder.names == [".a.part", ".a.part.json"])
        #expect(file.resumeOffset == 0)
    }

    static let others = [
        entity("\"v2\""), entity(url: "http://h/g"), entity(total: 11),
        // Fewer bytes than exist.
        entity(total: 4),
    ]

    @Test("a partial file is not continued if the entity on the server has changed", arguments: others)
    func changed(_ entity: DownloadEntity) async throws {
        try await leave("hello")
        let file = try await open(entity)
        #expect(file.resumeOffset == 0)
        try await file.write(Data("new".utf8))
        await file.suspend()
        #expect(try folder.text(".a.part") == "new")
        #expect(try await open(entity).resumeOffset == 3)
    }

    static let states: [String?] = [
        nil, "", "{", "null", "[]", "{}", "\"x\"", "{\"url\":5}", "{\"url\":\"http://h/f\"}",
        "{\"entityTag\":\"\\\"v1\\\"\",\"totalLength\":10,\"url\":\"http://h/other\"}",
        "{\"entityTag\":\"\\\"v1\\\"\",\"totalLength\":1e99,\"url\":\"http://h/f\"}",
        String(repeating: "[", count: 60_000), String(repeating: " ", count: 100_000) + "{}", "\0\0\0",
    ]

    @Test(
        "a partial file is not continued, without an error, if the state file is missing, damaged or foreign",
        arguments: states
    )
    func corruptState(_ state: String?) async throws {
        try await leave("hello")
        try FileManager.default.removeItem(at: folder.file(".a.part.json"))
        if let state { try folder.write(state, to: ".a.part.json") }
        let file = try await open()
        #expect(file.resumeOffset == 0)
        try await file.write(Data("new".utf8))
        try await file.commit()
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a") == "new")
    }

    @Test(
        "a partial file is kept but not continued without resumesWhenInterrupted, or if the response cannot be continued"
    )
    func notAsked() async throws {
        try await leave("hello")
        let others: [(DownloadEntity?, DownloadRequest.Options)] = [
            (nil, .resumesWhenInterrupted), (Self.entity(), []),
        ]
        for (entity, options) in others {
            let file = try await open(entity, options: options)
            #expect(file.resumeOffset == 0)
            try await file.write(Data("other".utf8))
            await file.suspend()
            #expect(try folder.names == [".a.part", ".a.part.json"])
        }
        #expect(try await open().resumeOffset == 5)
    }

    @Test("a partial file is removed if it has no bytes")
    func noByte() async throws {
        let file = try await open()
        await file.suspend()
        #expect(try folder.names == [])
    }

    @Test("a partial file of a discarded download is not resumed")
    func discarded() async throws {
        try await leave("hello")
        await (try await open()).discard()
        #expect(try folder.names == [])
    }

    @Test("the partial file of a released download is kept except for the last few bytes")
    func dropped() async throws {
        var file: DownloadFile? = try await open(Self.entity(total: nil))
        try await file?.write(Data(count: 200_000))
        try await file?.write(Data(count: 10))
        file = nil
        // The file is unlocked when it is closed.
        let deadline = ContinuousClock.now + .seconds(60)
        var offset: Int64 = 0
        while offset == 0, ContinuousClock.now < deadline {
            let next = try await open(Self.entity(total: nil))
            offset = next.resumeOffset
            await next.suspend()
        }
        #expect(offset == 200_000)
    }

    @Test("startOver of a partial file records the new entity, and no old byte remains")
    func startingOver() async throws {
        try await leave("hello")
        let file = try await open()
        try await file.startOver(Self.entity("\"v2\"", total: nil))
        #expect(try folder.text(".a.part").isEmpty)
        try await file.write(Data("new".utf8))
        await file.suspend()
        #expect(try await open().resumeOffset == 0)
    }

    @Test("startOver with an entity that cannot be continued leaves no file after an interruption")
    func startingOverForGood() async throws {
        try await leave("hello")
        let file = try await open()
        try await file.startOver(nil)
        #expect(try folder.names == [".a.part"])
        try await file.write(Data("new".utf8))
        await file.suspend()
        #expect(try folder.names == [])
    }

    @Test("concurrent downloads do not write to the same file, because the second download uses another file")
    func lock() async throws {
        try await leave("hello")
        let first = try await open()
        let second = try await open()
        #expect(first.resumeOffset == 5)
        #expect(second.resumeOffset == 0)
        #expect(try folder.names.count == 3)
        try await second.write(Data("second".utf8))
        await second.suspend()
        #expect(try folder.names == [".a.part", ".a.part.json"])
        try await first.write(Data("first".utf8))
        try await first.commit()
        #expect(try folder.text("a") == "hellofirst")
    }

    @Test("a partial file is continued while a new process has a copy of the descriptor until it runs its program")
    func inherited() async throws {
        try await leave("hello")
        let file = try await open()
        let identity = try FileStatus(path: folder.file(".a.part").path(percentEncoded: false)).identity
        let descriptor = try #require(
            (0..<getdtablesize()).first { (try? FileStatus(descriptor: $0))?.identity == identity }
        )
        let copy = dup(descriptor)
        defer { close(copy) }
        await file.suspend()
        #expect(try await open().resumeOffset == 5)
    }

    @Test("a download that waits for a file that is being committed gets another file", arguments: 0..<20)
    func commitAndOpen(_ round: Int) async throws {
        let options: DownloadRequest.Options = [.resumesWhenInterrupted, .removePreviousFile]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let entity = Self.entity("\"\(number % 2)\"", total: nil)
                    let file = try await open(entity, options: options)
                    if file.resumeOffset == 0 {
                        try await file.write(Data(repeating: UInt8(number % 2), count: 70_000))
                        if number % 3 == 0 { return await file.suspend() }
                    }
                    do throws(DownloadError) {
                        try await file.write(Data(repeating: UInt8(number % 2), count: 70_000))
                        try await file.commit()
                    } catch .fileExists {
                        await file.discard()
                    }
                }
            }
            try await group.waitForAll()
        }
        // The file is complete and contains one entity, regardless of the order of the downloads.
        let data = try Data(contentsOf: folder.file("a"))
        #expect(data.count == 140_000)
        #expect(Set(data).count == 1)
        #expect(Set(try folder.names).isSubset(of: ["a", ".a.part", ".a.part.json"]))
    }

    @Test(
        "files that another program has planted under the names of partial files are neither followed nor changed",
        arguments: ["link", "dangling link", "hard link", "folder", "pipe"],
        [".a.part", ".a.part.json"]
    )
    func planted(_ kind: String, name: String) async throws {
        try folder.write("precious", to: "victim")
        switch kind {
        case "link":
            try FileManager.default.createSymbolicLink(at: folder.file(name), withDestinationURL: folder.file("victim"))
        case "dangling link":
            try FileManager.default.createSymbolicLink(at: folder.file(name), withDestinationURL: folder.file("none"))
        case "hard link": try FileManager.default.linkItem(at: folder.file("victim"), to: folder.file(name))
        case "folder":
            try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
        default: #expect(mkfifo(folder.file(name).path(percentEncoded: false), 0o666) == 0)
        }
        let file = try await open()
        #expect(file.resumeOffset == 0)
        try await file.write(Data("new".utf8))
        try await file.flush()
        #expect(try folder.text("victim") == "precious")
        try await file.commit()
        #expect(try folder.text("a") == "new")
        #expect(try folder.text("victim") == "precious")
        #expect(!FileManager.default.fileExists(atPath: folder.file("none").path(percentEncoded: false)))
        if name == ".a.part" { #expect(try folder.names == [".a.part", "a", "victim"]) }
    }

    @Test("a crash during a commit leaves a complete file, and its other name is removed later")
    func crashInCommit() async throws {
        try await leave("hello")
        try FileManager.default.linkItem(at: folder.file(".a.part"), to: folder.file("a"))
        let file = try await open(options: [.resumesWhenInterrupted, .removePreviousFile])
        #expect(file.resumeOffset == 0)
        try await file.write(Data("new".utf8))
        try await file.flush()
        #expect(try folder.text("a") == "hello")
        try await file.commit()
        #expect(try folder.text("a") == "new")
        #expect(try folder.names == ["a"])
    }

    @Test("a file that appears at the destination stops the commit, and the data of the download can be kept")
    func fileAppears() async throws {
        let file = try await open()
        try await file.write(Data("hello".utf8))
        try folder.write("old", to: "a")
        await #expect(throws: DownloadError.fileExists(folder.file("a"))) { try await file.commit() }
        await file.suspend()
        #expect(try folder.text("a") == "old")
        #expect(try await open(options: [.resumesWhenInterrupted, .removePreviousFile]).resumeOffset == 5)
    }
}
