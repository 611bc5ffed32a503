import Foundation
import TestSupport

/// A file that is removed when its value is released.
final class TemporaryFile {
    let url: URL
    private let folder: TemporaryFolder

    init(_ content: Data = Data(), name: String = "file") throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent(name)
        try content.write(to: url)
    }

    /// Appends bytes through a separate handle.
    func append(_ data: Data) throws {
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: data)
    }

    /// Truncates the file, or extends it with zeros that take no space.
    func truncate(at size: UInt64) throws {
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try handle.truncate(atOffset: size)
    }

    #if os(Linux)
    /// Returns the number of open descriptors of this process for the file.
    func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == url.path
        }.count
    }

    /// Waits until at most `count` descriptors are open; a reader on another thread closes its descriptor with a
    /// delay.
    ///
    /// The time is limited by the test.
    func waitForDescriptors(atMost count: Int = 0) async throws {
        while try openDescriptors() > count { try await Task.sleep(for: .milliseconds(1)) }
    }
    #endif
}
