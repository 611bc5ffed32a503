import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

#if os(Linux) || os(macOS)
#if os(Linux)
private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
private let fileSizeLimit = RLIMIT_FSIZE
#endif

@Suite("A download survives the end of its process")
struct DownloadCrashTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a process that dies leaves no file with the final name, and the next process continues the download")
    func crash() async throws {
        let url = folder.file("a")
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL] in
            let file = try await DownloadFile.open(
                url,
                options: .resumesWhenInterrupted,
                entity: ResumableFileTests.entity(total: nil)
            )
            try await file.write(Data(repeating: 7, count: 300_000))
            try await file.write(Data(repeating: 7, count: 10))
            kill(getpid(), SIGKILL)
            try await Task.sleep(for: .seconds(60))
        }
        #expect(try folder.names == [".a.part", ".a.part.json"])
        let file = try await DownloadFile.open(
            url,
            options: .resumesWhenInterrupted,
            entity: ResumableFileTests.entity(total: nil)
        )
        #expect(file.resumeOffset == 300_000)
        try await file.commit()
        #expect(try Data(contentsOf: url) == Data(repeating: 7, count: 300_000))
    }

    @Test("a downloaded file that exceeds the limit of the process is an error and does not end the process")
    func tooLarge() async throws {
        let url = folder.file("a")
        await #expect(processExitsWith: .success) { [url = url as URL] in
            var limit = rlimit(rlim_cur: 1_000_000, rlim_max: 1_000_000)
            #expect(setrlimit(fileSizeLimit, &limit) == 0)
            let file = try await DownloadFile.open(url)
            await #expect(throws: DownloadError.tooLarge(url)) {
                for _ in 0..<10 { try await file.write(Data(count: 200_000)) }
            }
            await file.discard()
        }
        #expect(try folder.names == [])
    }

    @Test("a download to a folder that is not writable for this user is an error", .enabled(if: geteuid() == 0))
    func readOnly() async throws {
        let url = folder.file("x/a")
        try FileManager.default.createDirectory(at: folder.file("x"), withIntermediateDirectories: false)
        await #expect(processExitsWith: .success) { [url = url as URL] in
            // From here on the process is an ordinary user.
            try #require(setuid(65_534) == 0)
            await #expect(throws: DownloadError.notWritable(url)) { _ = try await DownloadFile.open(url) }
        }
    }
}
#endif
