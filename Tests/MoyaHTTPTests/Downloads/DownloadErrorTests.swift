import Foundation
import Testing

@testable import MoyaHTTP

@Suite("An error of a download names the problem")
struct DownloadErrorTests {
    static let url = URL(fileURLWithPath: "/folder/a b?.txt")

    static let codes: [(Int32, DownloadError)] = [
        (EEXIST, .fileExists(url)),
        (ENOENT, .folderMissing(url)),
        (ENOTDIR, .folderMissing(url)),
        (ENOSPC, .diskFull(url)),
        (EDQUOT, .diskFull(url)),
        (EACCES, .notWritable(url)),
        (EPERM, .notWritable(url)),
        (EROFS, .notWritable(url)),
        (EISDIR, .destinationIsFolder(url)),
        (EFBIG, .tooLarge(url)),
        (ENAMETOOLONG, .invalidDestination(url)),
        (EIO, .couldNotWrite(url, code: EIO)),
        (EMFILE, .couldNotWrite(url, code: EMFILE)),
        (EBUSY, .couldNotWrite(url, code: EBUSY)),
        (0, .couldNotWrite(url, code: 0)),
        (-1, .couldNotWrite(url, code: -1)),
        (Int32.max, .couldNotWrite(url, code: Int32.max)),
    ]

    @Test("each file error number of the system has a case", arguments: codes)
    func mapping(_ code: Int32, error: DownloadError) {
        #expect(DownloadError(errno: code, at: Self.url) == error)
        #expect(!error.localizedDescription.isEmpty)
    }

    static let texts: [(DownloadError, String)] = [
        (.fileExists(url), "removePreviousFile"),
        (.folderMissing(url), "createIntermediateDirectories"),
        (.diskFull(url), "the disk is full"),
        (.notWritable(url), "is not writable"),
        (.invalidDestination(url), "must be the file URL of a file in a folder"),
        (.destinationIsFolder(url), "folders are not replaced"),
        (.tooLarge(url), "exceeds the maximum size"),
        (.partFileLost(url), "removed or replaced"),
        (.couldNotWrite(url, code: EIO), "Input/output error (\(EIO))"),
    ]

    @Test("the text of a download error names the file, the problem and a remedy", arguments: texts)
    func text(_ error: DownloadError, part: String) {
        #expect(error.localizedDescription.contains("\"/folder/a b?.txt\""))
        #expect(error.localizedDescription.contains(part))
        #expect((error as any Error).localizedDescription == error.errorDescription)
    }

    @Test("the text for a download destination that is not a file omits possible secrets")
    func secrets() throws {
        let url = try #require(URL(string: "https://user:secret@h/p?token=secret#secret"))
        let text = DownloadError.invalidDestination(url).localizedDescription
        #expect(text.contains("\"https://h/p\""))
        #expect(!text.contains("secret"))
    }

    @Test("download errors are equal by case and payload")
    func equality() {
        let errors =
            Self.texts.map(\.0) + [.couldNotWrite(Self.url, code: EBUSY), .fileExists(URL(fileURLWithPath: "/b"))]
        for (index, error) in errors.enumerated() {
            for (other, otherError) in errors.enumerated() { #expect((error == otherError) == (index == other)) }
        }
    }
}
