import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPCookies

@Suite("A cookie jar saves its cookies to a file")
struct CookieFileTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let url: URL
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("cookies.json")
        url = try #require(URL(string: "https://a.example.com/x/y"))
    }

    /// A jar that does not save automatically before the test ends.
    private func jar(
        ifDamaged: CookieJar.DamagedFile = .fail,
        keepsSessionCookies: Bool = false,
        publicSuffixes: PublicSuffixList = .bundled,
        at date: Date? = nil
    ) throws(CookieFileError) -> CookieJar {
        let date = date ?? now
        return try CookieJar(
            file: file,
            ifDamaged: ifDamaged,
            keepsSessionCookies: keepsSessionCookies,
            saveDelay: .seconds(3600),
            publicSuffixes: publicSuffixes,
            now: { date }
        )
    }

    // MARK: - Saved cookies

    @Test("all properties of a cookie are restored from the file")
    func roundTrip() async throws {
        let first = try jar()
        first.store(
            setCookie: [
                "n=v; Max-Age=60; Path=/; Domain=example.com; Secure; HttpOnly; SameSite=None",
                "é=\"\u{1F36A}/\\\"; Max-Age=61; SameSite=Strict",
                "v; Expires=Fri, 15 Jan 2027 09:00:00 GMT; SameSite=Lax",
                "=a=b; Max-Age=5; Path=/",
            ],
            from: url
        )
        _ = first.cookieHeader(for: url)
        #expect(try folder.names.isEmpty)
        try await first.flush()
        let second = try jar()
        #expect(second.cookies.count == 4)
        #expect(second.cookies == first.cookies)
        #expect(second.cookieHeader(for: url) == first.cookieHeader(for: url))
        #expect(try folder.names == ["cookies.json"])
    }

    @Test("cookies without an expiration are saved to the file only on request", arguments: [false, true])
    func sessionCookies(_ keeps: Bool) async throws {
        let first = try jar(keepsSessionCookies: keeps)
        first.store(setCookie: ["n=v", "m=w; Max-Age=60"], from: url)
        try await first.flush()
        #expect(try jar(keepsSessionCookies: keeps).cookies.map(\.name) == (keeps ? ["n", "m"] : ["m"]))
        #expect(first.cookies.count == 2)
    }

    @Test("expired cookies, and cookies for new public suffixes, are not restored from the file")
    func meantime() async throws {
        let first = try jar(publicSuffixes: .none)
        first.store(setCookie: ["n=v; Max-Age=60", "m=w; Max-Age=99", "o=x; Max-Age=99; Domain=com"], from: url)
        try await first.flush()
        #expect(try jar(at: now + 60).cookies.map(\.name) == ["m"])
    }

    @Test("only the owner can read the cookie file")
    func permissions() async throws {
        let jar = try jar()
        jar.store(setCookie: ["n=v; Max-Age=60"], from: url)
        try await jar.flush()
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
        #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
    }

    @Test("changes to cookies are saved automatically")
    func savedByItself() async throws {
        let jar = try CookieJar(file: file, saveDelay: .zero, now: { [now] in now })
        jar.store(setCookie: ["n=v; Max-Age=60"], from: url)
        try await folder.expectNames(["cookies.json"])
        #expect(try self.jar().cookies.map(\.name) == ["n"])
    }

    @Test("the cookies of a released jar are still saved")
    func letGo() async throws {
        do {
            let jar = try CookieJar(file: file, saveDelay: .milliseconds(20), now: { [now] in now })
            jar.store(setCookie: ["n=v; Max-Age=60"], from: url)
        }
        try await folder.expectNames(["cookies.json"])
    }

    @Test("removals of cookies are saved")
    func removals() async throws {
        let first = try jar()
        first.store(setCookie: ["n=v; Max-Age=60"], from: url)
        try await first.flush()
        first.removeAll()
        try await first.flush()
        #expect(try jar().cookies.isEmpty)
    }

    @Test("a cookie jar without changes to save creates no file")
    func noChanges() async throws {
        let jar = try jar()
        jar.store(setCookie: ["session=v"], from: url)
        _ = jar.cookieHeader(for: url)
        try await jar.flush()
        #expect(try folder.names.isEmpty)
    }

    // MARK: - Writing

    /// A replacement for the disk.
    private struct Disk: Sendable {
        var writes: [Data] = []
        var error: CookieFileError?
    }

    private func jar(_ disk: Locked<Disk>, delay: Duration = .seconds(3600)) throws -> CookieJar {
        try CookieJar(
            try CookieFile(file),
            store: CookieStore(),
            saveDelay: delay,
            now: { [now] in now },
            write: { data throws(CookieFileError) in
                let error = disk.withLock { disk in
                    if disk.error == nil { disk.writes.append(data) }
                    return disk.error
                }
                if let error { throw error }
            }
        )
    }

    @Test("many changes to cookies cause one write, and no superfluous writes")
    func coalescing() async throws {
        let disk = Locked(Disk())
        let jar = try jar(disk)
        for index in 0..<40 { jar.store(setCookie: ["n\(index)=v; Max-Age=60"], from: url) }
        try await jar.flush()
        #expect(disk.withLock { $0.writes.count } == 1)
        // No saved cookie has changed.
        jar.store(setCookie: ["n0=v; Max-Age=60", "session=v"], from: url)
        _ = jar.cookieHeader(for: url)
        try await jar.flush()
        try await jar.flush()
        #expect(disk.withLock { $0.writes.count } == 1)
        let data = try #require(disk.withLock { $0.writes.first })
        #expect(try CookieFileFormat.decode(data).count == 40)
    }

    @Test("a failed write of cookies is an error of the flush, and is repeated the next time")
    func failedWrite() async throws {
        let disk = Locked(Disk(error: .couldNotWrite(file, code: ENOSPC)))
        let jar = try jar(disk)
        jar.store(setCookie: ["n=v; Max-Age=60"], from: url)
        await #expect(throws: CookieFileError.couldNotWrite(file, code: ENOSPC)) { try await jar.flush() }
        await #expect(throws: CookieFileError.couldNotWrite(file, code: ENOSPC)) { try await jar.flush() }
        disk.withLock { $0.error = nil }
        try await jar.flush()
        #expect(disk.withLock { $0.writes.count } == 1)
        #expect(jar.cookies.count == 1)
    }

    @Test("after a failed save of cookies, the next change is saved automatically")
    func failedBackgroundWrite() async throws {
        let disk = Locked(Disk(error: .couldNotWrite(file, code: EIO)))
        let jar = try jar(disk, delay: .zero)
        jar.store(setCookie: ["n=v; Max-Age=60"], from: url)
        await #expect(throws: CookieFileError.couldNotWrite(file, code: EIO)) { try await jar.flush() }
        disk.withLock { $0.error = nil }
        jar.store(setCookie: ["m=v; Max-Age=60"], from: url)
        let deadline = ContinuousClock.now + .seconds(60)
        while disk.withLock({ $0.writes.isEmpty }), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(1))
        }
        let data = try #require(disk.withLock { $0.writes.last })
        #expect(try CookieFileFormat.decode(data).count == 2)
    }

    @Test("a failed write of cookies leaves the old file, and no other files")
    func failedReplacing() async throws {
        let first = try jar()
        first.store(setCookie: ["n=v; Max-Age=60"], from: url)
        try await first.flush()
        let old = try folder.text("cookies.json")
        // The folder has been removed in the meantime.
        let moved = folder.url.deletingLastPathComponent().appendingPathComponent(
            "\(folder.url.lastPathComponent)-moved"
        )
        try FileManager.default.moveItem(at: folder.url, to: moved)
        first.store(setCookie: ["m=v; Max-Age=60"], from: url)
        await #expect(throws: CookieFileError.couldNotWrite(file, code: ENOENT)) { try await first.flush() }
        try FileManager.default.moveItem(at: moved, to: folder.url)
        #expect(try folder.text("cookies.json") == old)
        #expect(try folder.names == ["cookies.json"])
        try await first.flush()
        #expect(try jar().cookies.count == 2)
    }

    @Test("a folder in place of the cookie file is not replaced, and no other files are left")
    func folderInPlace() async throws {
        let jar = try jar()
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        jar.store(setCookie: ["n=v; Max-Age=60"], from: url)
        await #expect(throws: CookieFileError.couldNotWrite(file, code: EISDIR)) { try await jar.flush() }
        #expect(try folder.names == ["cookies.json"])
    }

    @Test("readers find the old or the new cookie file, never a mixture")
    func neverHalf() async throws {
        let jar = try jar()
        jar.store(setCookie: ["n=v; Max-Age=60"], from: url)
        try await jar.flush()
        let isDone = Locked(false)
        let file = file
        async let seen: Int = {
            var count = 0
            while !isDone.withLock({ $0 }) {
                let cookies = try CookieFileFormat.decode(try #require(try CookieFile(file).read()))
                #expect(!cookies.isEmpty)
                count += 1
                await Task.yield()
            }
            return count
        }()
        for index in 0..<50 {
            jar.store(setCookie: ["n\(index)=\(String(repeating: "v", count: index * 50)); Max-Age=60"], from: url)
            try await jar.flush()
        }
        isDone.withLock { $0 = true }
        #expect(try await seen > 0)
    }

    @Test("the cookie file of a process that died while writing is not read, and the next write removes it")
    func leftovers() async throws {
        let first = try jar()
        first.store(setCookie: ["n=v; Max-Age=60"], from: url)
        try await first.flush()
        try folder.write(String(repeating: "{\"format\":1,\"coo", count: 100), to: ".cookies.json.part")
        let second = try jar()
        #expect(second.cookies.count == 1)
        second.store(setCookie: ["m=v; Max-Age=60"], from: url)
        try await second.flush()
        #expect(try folder.names == ["cookies.json"])
        #expect(try jar().cookies.count == 2)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
        #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
    }

    @Test("a symbolic link in place of the cookie file is not followed for writing", arguments: [false, true])
    func links(_ isSymbolic: Bool) async throws {
        try folder.write("precious", to: "other")
        let (other, part) = (folder.file("other"), folder.file(".cookies.json.part"))
        if isSymbolic {
            try FileManager.default.createSymbolicLink(at: part, withDestinationURL: other)
        } else {
            try FileManager.default.linkItem(at: other, to: part)
        }
        let jar = try jar()
        jar.store(setCookie: ["n=v; Max-Age=60"], from: url)
        try await jar.flush()
        #expect(try folder.text("other") == "precious")
        #expect(try self.jar().cookies.count == 1)
        #expect(try folder.names == [".cookies.json.part", "cookies.json", "other"])
    }

    @Test("concurrent writers of cookies do not mix their files")
    func twoWriters() async throws {
        let texts = ["a", "b"].map { String(repeating: $0, count: 100_000) }
        let file = file
        try await withThrowingTaskGroup(of: Void.self) { group in
            for text in texts {
                group.addTask { for _ in 0..<20 { try CookieFile(file).write(Data(text.utf8)) } }
            }
            try await group.waitForAll()
        }
        #expect(texts.contains(try folder.text("cookies.json")))
        #expect(try folder.names == ["cookies.json"])
    }

    // MARK: - Unreadable files

    static let damaged: [String] = [
        "", "{", "null", "[]", "{}", "{\"format\":1}", "{\"format\":0,\"cookies\":[]}",
        "{\"format\":\"1\",\"cookies\":[]}",
        "{\"format\":1,\"cookies\":[{}]}", "{\"format\":1,\"cookies\":{}}", "\0\0\0\0", "# Netscape HTTP Cookie File",
        record("\"value\":\"a\\r\\nHost: evil\""), record("\"domain\":\"\""), record("\"path\":\"\""),
        record("\"creation\":\"today\""), record("\"name\":\"__Host-n\""), record("\"value\":null"),
        record("\"expires\":1e999"),
    ]

    /// A file with one cookie, one of whose fields is replaced.
    private static func record(_ change: String) -> String {
        var fields = [
            "\"name\":\"n\"", "\"value\":\"v\"", "\"domain\":\"a.b\"", "\"hostOnly\":true", "\"path\":\"/\"",
            "\"expires\":1800000060", "\"creation\":0", "\"lastAccess\":0", "\"secure\":false", "\"httpOnly\":false",
            "\"sameSite\":\"lax\"",
        ]
        let key = change.prefix { $0 != ":" }
        fields.removeAll { $0.hasPrefix(key) }
        return "{\"format\":1,\"cookies\":[{\((fields + [change]).joined(separator: ","))}]}"
    }

    @Test("a damaged cookie file causes an error that names it, and is not changed", arguments: damaged)
    func damagedFiles(_ text: String) throws {
        try folder.write(text, to: "cookies.json")
        let error = #expect(throws: CookieFileError.self) { try jar() }
        guard case .damaged(file, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.localizedDescription.contains("cookies.json") == true)
        #expect(error?.localizedDescription.contains("evil") == false)
        #expect(try folder.text("cookies.json") == text)
    }

    @Test("a cookie file that is not damaged causes no error about damage")
    func undamaged() throws {
        try folder.write(Self.record("\"value\":\"w\""), to: "cookies.json")
        #expect(try jar().cookies.map(\.value) == ["w"])
        // Additions of a newer version are skipped.
        try folder.write(Self.record("\"more\":{}"), to: "cookies.json")
        #expect(try jar().cookies.map(\.value) == ["v"])
        try folder.write(Self.record("\"sameSite\":\"stricter\""), to: "cookies.json")
        #expect(try jar().cookies.map(\.sameSite) == [.strict])
    }

    @Test("a damaged cookie file is moved aside on request, and no bytes are lost")
    func moveAside() async throws {
        for (content, name) in [("one", "cookies.json.damaged"), ("two", "cookies.json.damaged-2")] {
            try folder.write(content, to: "cookies.json")
            let jar = try jar(ifDamaged: .moveAside)
            #expect(jar.cookies.isEmpty)
            #expect(try folder.text(name) == content)
        }
        #expect(try folder.names == ["cookies.json.damaged", "cookies.json.damaged-2"])
        let jar = try jar(ifDamaged: .moveAside)
        jar.store(setCookie: ["n=v; Max-Age=60"], from: url)
        try await jar.flush()
        #expect(try self.jar(ifDamaged: .moveAside).cookies.count == 1)
    }

    @Test("a cookie file of a newer version is not changed", arguments: [CookieJar.DamagedFile.fail, .moveAside])
    func newerFormat(_ ifDamaged: CookieJar.DamagedFile) throws {
        try folder.write("{\"format\":2,\"jar\":[]}", to: "cookies.json")
        #expect(throws: CookieFileError.newerFormat(file, format: 2)) { try jar(ifDamaged: ifDamaged) }
        #expect(try folder.names == ["cookies.json"])
    }

    @Test("an invalid location of the cookie file is an error")
    func places() throws {
        let web = try #require(URL(string: "https://example.com/cookies"))
        let nowhere = folder.file("no/cookies.json")
        let folderURL = folder.url
        for url in [web, nowhere, folderURL] {
            #expect(throws: CookieFileError.invalidLocation(url)) { try CookieJar(file: url) }
        }
        try folder.write("", to: "file")
        let below = folder.file("file/cookies.json")
        #expect(throws: CookieFileError.invalidLocation(below)) { try CookieJar(file: below) }
    }

    @Test("a cookie file that is not a regular file is not read")
    func noFiles() throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(throws: CookieFileError.couldNotRead(file, code: EISDIR)) { try jar(ifDamaged: .moveAside) }
        let link = folder.file("link")
        try folder.write("secret", to: "target")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("target"))
        #expect(throws: CookieFileError.couldNotRead(link, code: ELOOP)) { try CookieJar(file: link) }
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe.path(percentEncoded: false), 0o600) == 0)
        #expect(throws: CookieFileError.couldNotRead(pipe, code: EINVAL)) { try CookieJar(file: pipe) }
    }

    @Test("errors of the cookie file name the file and a remedy, and no cookie")
    func texts() {
        let errors: [CookieFileError] = [
            .invalidLocation(file), .couldNotRead(file, code: EACCES),
            .damaged(file, reason: "it is not a list of cookies"),
            .newerFormat(file, format: 2), .couldNotWrite(file, code: ENOSPC),
        ]
        for error in errors { #expect(error.localizedDescription.contains("cookies.json"), "\(error)") }
    }
}
