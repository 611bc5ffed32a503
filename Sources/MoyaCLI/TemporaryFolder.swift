import Foundation

/// A folder of one's own, for a while.
enum TemporaryFolder {
    /// Makes a folder, runs a function with it, and removes it with all that is in it, whatever the function did.
    static func use<Value: Sendable>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-cli-\(UUID().uuidString)", isDirectory: true)
        // Its owner's alone, as others can write to where it is.
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
