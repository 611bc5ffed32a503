import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A download is written beside its destination and moved there atomically")
struct DownloadFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("the destination is empty before the commit, and contains only the downloaded file after it")
    func commit() async throws {
        let file = try await DownloadFile.open(folder.file("a.txt"))
        #expect(file.resumeOffset == 0)
        let names = try folder.names
        #expect(names.count == 1 && names[0].hasPrefix(".a.txt.") && names[0].hasSuffix(".part"))
        try await file.write(Data("hello ".utf8))
        try await file.write(Data("world".utf8))
        #expect(try folder.names == names)
        try await file.commit()
        #expect(try folder.names == ["a.txt"])
        #expect(try folder.text("a.txt") == "hello world")
    }

    @Test("a download without bytes creates an empty file")
    func empty() async throws {
        try await DownloadFile.open(folder.file("a")).commit()
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a").isEmpty)
    }

    @Test(
        "the bytes of a download arrive in the file in order for all pieces",
        arguments: [
            [1, 2, 3], [65_535, 65_536, 65_537], [131_071, 1, 131_072, 0, 131_073], [500_000, 7], [0, 0],
        ]
    )
    func pieces(_ lengths: [Int]) async throws {
        var random = SeededGenerator(seed: 7)
        var whole = Data()
        let file = try await DownloadFile.open(folder.file("a"))
        for round in 0..<6 {
            for length in lengths {
                let piece = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
                whole += piece
                // The indices of a slice do not begin at zero.
                try await file.write(round.isMultiple(of: 2) ? piece : (Data([0]) + piece).dropFirst())
            }
        }
        #expect(try await file.flush() == Int64(whole.count))
        try await file.commit()
        #expect(try Data(contentsOf: folder.file("a")) == whole)
    }

    @Test(
        "a deferred file of a download is created by the commit, with all its bytes",
        arguments: [[], [5], [1, 2, 3]]
    )
    func deferred(_ lengths: [Int]) async throws {
        let file = DownloadFile(deferring: folder.file("a"), options: [])
        for length in lengths { try await file.write(Data(repeating: 7, count: length)) }
        #expect(try folder.names.isEmpty)
        try await file.commit()
        #expect(try folder.names == ["a"])
        #expect(try Data(contentsOf: folder.file("a")) == Data(repeating: 7, count: lengths.reduce(0, +)))
    }

    @Test("a deferred file of a download is opened for many bytes, and to continue after an interruption")
    func deferredUntilBytes() async throws {
        let file = DownloadFile(deferring: folder.file("a"), options: [])
        try await file.write(Data(repeating: 1, count: DownloadFile.pieceLength))
        #expect(try folder.names.count == 1)
        await file.discard()
        #expect(try folder.names.isEmpty)
        let continued = DownloadFile(deferring: folder.file("b"), options: [])
        try await continued.write(Data("ab".utf8))
        #expect(try await continued.flush() == 2)
        try await continued.write(Data("c".utf8))
        try await continued.commit()
        #expect(try folder.text("b") == "abc")
        #expect(try folder.names == ["b"])
    }

    @Test("a deferred file of a download that is not opened leaves nothing", arguments: ["discard", "suspend", "drop"])
    func unopened(_ end: String) async throws {
        let file = DownloadFile(deferring: folder.file("a"), options: .createIntermediateDirectories)
        try await file.write(Data("x".utf8))
        switch end {
        case "discard": await file.discard()
        case "suspend": await file.suspend()
        default: break
        }
        #expect(try folder.names.isEmpty)
    }

    @Test("an obstacle at the destination of a deferred file fails the commit, which leaves nothing else")
    func obstacle() async throws {
        try folder.write("old", to: "a")
        let file = DownloadFile(deferring: folder.file("a"), options: [])
        try await file.write(Data("new".utf8))
        await #expect(throws: DownloadError.fileExists(folder.file("a"))) { try await file.commit() }
        await file.discard()
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a") == "old")
    }

    @Test("small pieces of a download are buffered and written before too many accumulate")
    func collecting() async throws {
        let file = try await DownloadFile.open(folder.file("a"))
        let part = folder.file(try #require(try folder.names.first))
        func length() throws -> Int { try Data(contentsOf: part).count }
        try await file.write(Data(count: 1_000))
        #expect(try length() == 0)
        for _ in 0..<200 { try await file.write(Data(count: 1_000)) }
        let written = try length()
        #expect(written > 0 && 201_000 - written <= DownloadFile.pieceLength)
        #expect(try await file.flush() == 201_000)
        #expect(try length() == 201_000)
    }

    @Test("a downloaded file has the permissions that the process's mask allows")
    func permissions() async throws {
        try await DownloadFile.open(folder.file("a")).commit()
        try folder.write("", to: "b")
        func mode(_ name: String) throws -> Int? {
            let path = folder.file(name).path(percentEncoded: false)
            return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode("a") == mode("b"))
    }

    @Test(
        "all names of up to 255 bytes are supported for downloads",
        arguments: [
            "a b", "a%2Fb", "ü", "e\u{301}", "\u{301}", "👩‍👩‍👧", "-", "a\\b", "a\nb", String(repeating: "x", count: 255),
            String(repeating: "ü", count: 127), String(repeating: "👩‍👩‍👧", count: 14),
        ]
    )
    func names(_ name: String) async throws {
        let file = try await DownloadFile.open(folder.file(name), options: .resumesWhenInterrupted)
        try await file.write(Data("x".utf8))
        try await file.commit()
        #expect(try folder.names == [name])
    }

    @Test("an existing file is replaced by a download on request, and kept until the commit")
    func replacing() async throws {
        try folder.write("old", to: "a")
        let file = try await DownloadFile.open(folder.file("a"), options: .removePreviousFile)
        try await file.write(Data("new".utf8))
        try await file.flush()
        #expect(try folder.text("a") == "old")
        try await file.commit()
        #expect(try folder.text("a") == "new")
        #expect(try folder.names == ["a"])
    }

    @Test("a symbolic link at the destination is replaced, and its target is kept")
    func replacingLink() async throws {
        try folder.write("old", to: "target")
        try FileManager.default.createSymbolicLink(at: folder.file("a"), withDestinationURL: folder.file("target"))
        let file = try await DownloadFile.open(folder.file("a"), options: .removePreviousFile)
        try await file.write(Data("new".utf8))
        try await file.commit()
        #expect(try folder.text("a") == "new")
        #expect(try folder.text("target") == "old")
    }

    @Test("missing folders of a destination are created on request")
    func folders() async throws {
        let url = folder.file("x/y z/ü/a")
        let file = try await DownloadFile.open(url, options: .createIntermediateDirectories)
        try await file.write(Data("x".utf8))
        try await file.commit()
        #expect(try Data(contentsOf: url) == Data("x".utf8))
        // Existing folders are not an error.
        try await DownloadFile.open(folder.file("x/y z/b"), options: .createIntermediateDirectories).commit()
        #expect(FileManager.default.fileExists(atPath: folder.file("x/y z/b").path(percentEncoded: false)))
    }

    @Test("concurrent downloads can create the same folders", arguments: 0..<5)
    func foldersTogether(_ round: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { [folder] in
                    let url = folder.file("1/2/3/4/5/\(number)")
                    try await DownloadFile.open(url, options: .createIntermediateDirectories).commit()
                }
            }
            try await group.waitForAll()
        }
        let path = folder.file("1/2/3/4/5").path(percentEncoded: false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 20)
    }

    @Test("a discarded, suspended or released download leaves no file", arguments: ["discard", "suspend", "drop"])
    func leaving(_ way: String) async throws {
        try folder.write("old", to: "a")
        var file: DownloadFile? = try await DownloadFile.open(folder.file("a"), options: .removePreviousFile)
        try await file?.write(Data(count: 300_000))
        switch way {
        case "discard": await file?.discard()
        case "suspend": await file?.suspend()
        default: file = nil
        }
        try await folder.expectNames(["a"])
        #expect(try folder.text("a") == "old")
        // Repeated calls have no effect.
        await file?.discard()
        await file?.suspend()
        #expect(try folder.names == ["a"])
    }

    @Test(
        "calls after the end of a download's file are errors without an effect",
        arguments: ["commit", "discard", "suspend"]
    )
    func afterTheEnd(_ way: String) async throws {
        let file = try await DownloadFile.open(folder.file("a"))
        switch way {
        case "commit": try await file.commit()
        case "discard": await file.discard()
        default: await file.suspend()
        }
        let names = try folder.names
        let error = DownloadError.couldNotWrite(folder.file("a"), code: EBADF)
        await #expect(throws: error) { try await file.write(Data(count: 200_000)) }
        await #expect(throws: error) { try await file.startOver(nil) }
        await #expect(throws: error) { try await file.commit() }
        await file.discard()
        #expect(try folder.names == names)
    }

    @Test("startOver discards the written data of a download")
    func startingOver() async throws {
        let file = try await DownloadFile.open(folder.file("a"))
        try await file.write(Data(count: 300_000))
        try await file.write(Data(count: 5))
        try await file.startOver(nil)
        #expect(try await file.flush() == 0)
        try await file.write(Data("new".utf8))
        try await file.commit()
        #expect(try folder.text("a") == "new")
    }

    @Test("exactly one of two downloads to one destination succeeds", arguments: 0..<50)
    func race(_ round: Int) async throws {
        let url = folder.file("a")
        let options: DownloadRequest.Options = round.isMultiple(of: 2) ? [] : .resumesWhenInterrupted
        let entity = DownloadEntity(url: "http://h/", entityTag: "\"v\"", lastModified: nil, totalLength: nil)
        let files = [
            try await DownloadFile.open(url, options: options, entity: entity),
            try await DownloadFile.open(url, options: options, entity: entity),
        ]
        let results = await withTaskGroup(of: (Int, DownloadError?).self) { group in
            for (number, file) in files.enumerated() {
                group.addTask {
                    do throws(DownloadError) {
                        try await file.write(Data("\(number)".utf8))
                        try await file.commit()
                        return (number, nil)
                    } catch {
                        await file.discard()
                        return (number, error)
                    }
                }
            }
            return await group.reduce(into: [(Int, DownloadError?)]()) { $0.append($1) }
        }
        let winners = results.filter { $0.1 == nil }.map(\.0)
        #expect(winners.count == 1)
        #expect(results.compactMap(\.1) == [.fileExists(url)])
        #expect(try folder.text("a") == winners.first.map(String.init))
        #expect(try folder.names == ["a"])
    }

    @Test("of two downloads to one destination with replacement, the later file remains and is complete")
    func replacingRace() async throws {
        let url = folder.file("a")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let text = String(repeating: "\(number) ", count: 50_000)
                    let file = try? await DownloadFile.open(url, options: .removePreviousFile)
                    try? await file?.write(Data(text.utf8))
                    try? await file?.commit()
                }
            }
        }
        let words = try folder.text("a").split(separator: " ")
        #expect(words.count == 50_000 && Set(words).count == 1)
        #expect(try folder.names == ["a"])
    }
}
