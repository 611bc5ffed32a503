import Foundation

/// A file that is removed with the value that holds it.
final class TemporaryFile {
    let url: URL
    private let folder: TemporaryFolder

    init(_ content: Data = Data(), name: String = "file") throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent(name)
        try content.write(to: url)
    }

    /// Adds bytes at the end, by a handle of its own.
    func append(_ data: Data) throws {
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: data)
    }

    /// Cuts it, or lengthens it with zeros that take no room.
    func truncate(at size: UInt64) throws {
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try handle.truncate(atOffset: size)
    }

    #if os(Linux)
        /// How many descriptors of this process are open on it.
        func openDescriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == url.path
            }.count
        }

        /// Waits until at most so many are: who reads it, on a thread of its own, lets go a moment after handing over. How long
        /// is for the test to limit.
        func waitForDescriptors(atMost count: Int = 0) async throws {
            while try openDescriptors() > count { try await Task.sleep(for: .milliseconds(1)) }
        }
    #endif
}
