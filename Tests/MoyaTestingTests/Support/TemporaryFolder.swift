import Foundation
import Testing

/// A folder of a test's own, removed when the test lets go of it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "moya-\(UUID().uuidString)",
            directoryHint: .isDirectory
        )
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        // A file that is let go of may be removed at the same time, by another thread.
        for _ in 0..<10 where (try? FileManager.default.removeItem(at: url)) != nil { break }
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name, isDirectory: false) }

    /// The names of all files, hidden ones included.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false)).sorted() }
    }

    func text(_ name: String) throws -> String { String(decoding: try Data(contentsOf: file(name)), as: UTF8.self) }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: file(name)) }

    /// Waits for what happens on another thread, and fails after a minute.
    func expectNames(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try names != expected, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
        #expect(try names == expected, sourceLocation: sourceLocation)
    }
}
