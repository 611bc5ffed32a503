import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("Each obstacle to a download has an error")
struct DownloadFileFailureTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "an existing file at the destination is detected before the first byte",
        arguments: [[], .resumesWhenInterrupted, .createIntermediateDirectories] as [DownloadRequest.Options]
    )
    func fileExists(_ options: DownloadRequest.Options) async throws {
        try folder.write("old", to: "a")
        await #expect(throws: DownloadError.fileExists(folder.file("a"))) {
            _ = try await DownloadFile.open(folder.file("a"), options: options)
        }
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a") == "old")
    }

    @Test("a file that is created at the destination during the download is kept, and the download can be discarded")
    func fileAppears() async throws {
        let file = try await DownloadFile.open(folder.file("a"))
        try await file.write(Data("new".utf8))
        try folder.write("old", to: "a")
        await #expect(throws: DownloadError.fileExists(folder.file("a"))) { try await file.commit() }
        #expect(try folder.text("a") == "old")
        await file.discard()
        #expect(try folder.names == ["a"])
    }

    @Test("an existing symbolic link at the destination is an obstacle, even if its target does not exist")
    func linkExists() async throws {
        try FileManager.default.createSymbolicLink(at: folder.file("a"), withDestinationURL: folder.file("nowhere"))
        await #expect(throws: DownloadError.fileExists(folder.file("a"))) {
            _ = try await DownloadFile.open(folder.file("a"))
        }
    }

    @Test("a missing folder of the destination is an error")
    func folderMissing() async throws {
        let url = folder.file("x/a")
        await #expect(throws: DownloadError.folderMissing(url)) { _ = try await DownloadFile.open(url) }
        #expect(try folder.names == [])
    }

    @Test(
        "a file in place of the destination's folder is an error",
        arguments: [[], .createIntermediateDirectories] as [DownloadRequest.Options]
    )
    func noFolder(_ options: DownloadRequest.Options) async throws {
        try folder.write("", to: "x")
        for url in [folder.file("x/a"), folder.file("x/y/a")] {
            await #expect(throws: DownloadError.folderMissing(url)) {
                _ = try await DownloadFile.open(url, options: options)
            }
        }
        #expect(try folder.names == ["x"])
    }

    @Test("a dangling symbolic link in place of the destination's folder is an error")
    func danglingFolder() async throws {
        try FileManager.default.createSymbolicLink(at: folder.file("x"), withDestinationURL: folder.file("nowhere"))
        let url = folder.file("x/a")
        await #expect(throws: DownloadError.folderMissing(url)) {
            _ = try await DownloadFile.open(url, options: .createIntermediateDirectories)
        }
    }

    @Test("a folder that is removed during the download is an error")
    func folderGoes() async throws {
        let url = folder.file("x/a")
        let file = try await DownloadFile.open(url, options: .createIntermediateDirectories)
        try FileManager.default.removeItem(at: folder.file("x"))
        await #expect(throws: DownloadError.folderMissing(url)) { try await file.commit() }
    }

    @Test("a part file that is removed or replaced during the download is an error", arguments: [false, true])
    func partFileGoes(_ isExchanged: Bool) async throws {
        let file = try await DownloadFile.open(folder.file("a"))
        try await file.write(Data("right".utf8))
        let part = try #require(try folder.names.first)
        try FileManager.default.removeItem(at: folder.file(part))
        if isExchanged { try folder.write("wrong", to: part) }
        await #expect(throws: DownloadError.partFileLost(folder.file("a"))) { try await file.commit() }
        await file.discard()
        // Files of other processes are not touched.
        #expect(try folder.names == (isExchanged ? [part] : []))
    }

    @Test(
        "a folder at the destination of a download is never replaced",
        arguments: [[], .removePreviousFile, [.removePreviousFile, .resumesWhenInterrupted]]
            as [DownloadRequest.Options],
        ["a", "a/", "link"]
    )
    func isFolder(_ options: DownloadRequest.Options, name: String) async throws {
        try FileManager.default.createDirectory(at: folder.file("a"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("a"))
        let url = URL(fileURLWithPath: folder.url.path(percentEncoded: false) + name, isDirectory: name.hasSuffix("/"))
        await #expect(throws: DownloadError.destinationIsFolder(url)) {
            _ = try await DownloadFile.open(url, options: options)
        }
        #expect(try folder.names == ["a", "link"])
    }

    @Test("a folder that is created at the destination during the download is an error")
    func folderAppears() async throws {
        let file = try await DownloadFile.open(folder.file("a"), options: .removePreviousFile)
        try FileManager.default.createDirectory(at: folder.file("a"), withIntermediateDirectories: false)
        await #expect(throws: DownloadError.destinationIsFolder(folder.file("a"))) { try await file.commit() }
        await file.discard()
        #expect(try folder.names == ["a"])
    }

    @Test(
        "a download destination outside any folder is an error",
        arguments: [
            "https://user:secret@h/a", "http:/tmp/a", "file:", "file:/", "file:///", "file:a", "file://h/tmp/a",
            "file:///tmp/a%00b", "file:///tmp/a%00/b", "file:///.", "file:///nothing-of-that-name/.",
            "file:///tmp/nowhere/..",
            "file:///tmp/nothing-of-that-name/", "file:///tmp/%FF", "data:,a", "a", "",
        ]
    )
    func invalid(_ text: String) async throws {
        let url = text.isEmpty ? URL(fileURLWithPath: "/") : try #require(URL(string: text))
        for options in [[], .removePreviousFile, .createIntermediateDirectories] as [DownloadRequest.Options] {
            await #expect(throws: DownloadError.invalidDestination(url)) {
                _ = try await DownloadFile.open(url, options: options)
            }
        }
    }

    @Test("a destination's name that is too long is an error", arguments: [256, 10_000])
    func tooLong(_ length: Int) async throws {
        let url = folder.file(String(repeating: "x", count: length))
        await #expect(throws: DownloadError.invalidDestination(url)) { _ = try await DownloadFile.open(url) }
    }

    @Test("a device at the destination of a download is never replaced")
    func device() async throws {
        let url = folder.file("pipe")
        #expect(mkfifo(url.path(percentEncoded: false), 0o666) == 0)
        await #expect(throws: DownloadError.fileExists(url)) { _ = try await DownloadFile.open(url) }
        await #expect(throws: DownloadError.invalidDestination(url)) {
            _ = try await DownloadFile.open(url, options: .removePreviousFile)
        }
        #expect(try folder.names == ["pipe"])
    }

    @Test("other errors of opening the part file are reported, such as circular links")
    func circle() async throws {
        try FileManager.default.createSymbolicLink(at: folder.file("x"), withDestinationURL: folder.file("x"))
        let url = folder.file("x/a")
        await #expect(throws: DownloadError.couldNotWrite(url, code: ELOOP)) { _ = try await DownloadFile.open(url) }
    }

    #if os(Linux)
    @Test("a full disk is an error of the download")
    func diskFull() async throws {
        let url = folder.file("a")
        let descriptor = try FileCalls.open("/dev/full", O_WRONLY)
        let part = PartFile(
            descriptor: descriptor,
            path: "/dev/null/nothing",
            destination: try DownloadPath(url),
            isReplacing: false
        )
        let file = DownloadFile(part, to: url)
        // Small pieces are buffered, so the error occurs when they are written.
        try await file.write(Data("small".utf8))
        await #expect(throws: DownloadError.diskFull(url)) { try await file.flush() }
        await #expect(throws: DownloadError.diskFull(url)) { try await file.write(Data(count: 200_000)) }
        try await file.write(Data("small".utf8))
        await #expect(throws: DownloadError.diskFull(url)) { try await file.commit() }
        await file.discard()
        #expect(try folder.names == [])
    }

    @Test(
        "a destination's folder that is not writable for anyone is an error",
        arguments: [[], .createIntermediateDirectories] as [DownloadRequest.Options]
    )
    func sysfs(_ options: DownloadRequest.Options) async throws {
        // Root cannot write there either.
        let url = URL(fileURLWithPath: options.isEmpty ? "/sys/a" : "/sys/x/a")
        await #expect(throws: DownloadError.notWritable(url)) {
            _ = try await DownloadFile.open(url, options: options)
        }
    }

    @Test("no descriptor is left open after a thousand downloads with all outcomes")
    func descriptors() async throws {
        func descriptors() throws -> Int {
            let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            // Only descriptors of this test are counted.
            return links.filter {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return target?.hasPrefix(folder.url.path(percentEncoded: false)) == true
            }
            .count
        }
        let entity = DownloadEntity(url: "http://h/", entityTag: "\"v\"", lastModified: nil, totalLength: nil)
        for number in 0..<1_000 {
            let options: DownloadRequest.Options = number.isMultiple(of: 2) ? [] : .resumesWhenInterrupted
            let file = try await DownloadFile.open(folder.file("\(number)"), options: options, entity: entity)
            try await file.write(Data("x".utf8))
            if number == 0 { #expect(try descriptors() == 1) }
            switch number / 2 % 5 {
            case 0: try await file.commit()
            case 1: await file.discard()
            case 2: await file.suspend()
            case 3:
                try folder.write("", to: "\(number)")
                await #expect(throws: DownloadError.self) { try await file.commit() }
            default: break
            }
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while try descriptors() > 0, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
        #expect(try descriptors() == 0)
    }
    #endif

    @Test("a destination's folder that is not writable for this user is an error", .enabled(if: geteuid() != 0))
    func readOnly() async throws {
        let url = folder.file("x/a")
        let parent = folder.file("x").path(percentEncoded: false)
        try FileManager.default.createDirectory(
            atPath: parent,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o555]
        )
        await #expect(throws: DownloadError.notWritable(url)) { _ = try await DownloadFile.open(url) }
    }
}
